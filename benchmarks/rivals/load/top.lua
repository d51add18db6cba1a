-- GET the best ten. wrk -t1 -c64 -d5s -s top.lua URL -- USERS KEY
local asked

function init(args)
  asked = "GET /api/v1/leaderboards/bench/top?limit=10 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: " .. args[2] .. "\r\n\r\n"
end

function request()
  return asked
end
