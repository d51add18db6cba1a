-- POST bodies of 1,000 random users: their ranks, or new scores for them.
-- wrk -t1 -c8 -d5s -s batch.lua URL -- USERS KEY ranks|scores
-- The bodies are made before the clock runs; 1,000 of them draw 1,000,000 times, so that the users asked for
-- do not fit a cache better than those of the other scripts.
local BODIES, LINES = 1000, 1000
local requests, next = {}, 0

local function line(users, kind)
  local user = string.format("user_%06d", math.random(0, users - 1))
  if kind == "ranks" then
    return '"' .. user .. '"'
  end
  return '{"userId":"' .. user .. '","score":' .. math.random(100000, 999999) .. "}"
end

function init(args)
  local users, key, kind = tonumber(args[1]), args[2], args[3]
  math.randomseed(os.time())
  for i = 1, BODIES do
    local lines = {}
    for j = 1, LINES do
      lines[j] = line(users, kind)
    end
    local body = (kind == "ranks" and '{"userIds":[' or '{"scores":[') .. table.concat(lines, ",") .. "]}"
    requests[i] = "POST /api/v1/leaderboards/bench/" .. kind .. " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: " .. key
      .. "\r\nContent-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
  end
end

function request()
  next = next % BODIES + 1
  return requests[next]
end
