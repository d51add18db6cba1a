-- GET a rank of a random user. wrk -t1 -c64 -d5s -s rank.lua URL -- USERS KEY
-- The request is put together from four strings: a format call for each would make the client the bottleneck.
local high, low, users = {}, {}, 0
local prefix

function init(args)
  users = tonumber(args[1])
  math.randomseed(os.time())
  prefix = "GET /api/v1/leaderboards/bench/users/user_"
  local rest = "/rank HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: " .. args[2] .. "\r\n\r\n"
  for i = 0, 999 do
    low[i] = string.format("%03d", i) .. rest
  end
  for i = 0, math.floor((users - 1) / 1000) do
    high[i] = string.format("%03d", i)
  end
end

function request()
  local user = math.random(0, users - 1)
  local right = user % 1000
  return prefix .. high[(user - right) / 1000] .. low[right]
end
