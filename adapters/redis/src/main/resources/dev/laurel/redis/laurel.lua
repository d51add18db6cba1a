#!lua name=laurel_VERSION

-- A season is three keys with one hash tag:
--   z  sorted set: score = the order key as a double, member = 16 bytes of (order key, time) + user id
--   u  hash: user id -> the same 16 bytes + one byte for metadata
--   m  hash: epoch, line, stamp (of the line; it tells the line from another history's), size
-- Redis sorts by (score, member bytes). The score only brings members near; equal doubles are told
-- apart by the bytes, which are exact. So the order is Laurel's, beyond 2^53 too.
--
-- Strings are never compared by Lua's "<", which follows the server's locale.

local BLOCK = 500 -- words of one call: all of them are on Lua's stack
local EXACT = 9007199254740992 -- 2^53: below it no two order keys share a double

-- The order key that begins a member, rounded once, as Java rounds a long to a double.
local function score(member)
  local a, b, c, d, e, f, g, h = string.byte(member, 1, 8)
  return (a * 16777216 + b * 65536 + c * 256 + d - 2147483648) * 4294967296
    + (e * 16777216 + f * 65536 + g * 256 + h)
end

local function less(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end

-- How many members come before the bound, which need not be one: 8 bytes of an order key come
-- before every member with this key, a member and a zero byte after that member only.
local function below(z, bound)
  local number = score(bound)
  local text = string.format('%.17g', number)
  local low = redis.call('ZCOUNT', z, '-inf', '(' .. text)
  if #bound == 8 and math.abs(number) < EXACT then
    return low
  end
  local high = low + redis.call('ZCOUNT', z, text, text)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if less(redis.call('ZRANGE', z, middle, middle)[1], bound) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- Epoch, line, size and stamp; nothing if there is no season, or if a part of it was evicted or expired.
local function stand(keys)
  local m = redis.call('HMGET', keys[3], 'epoch', 'line', 'size', 'stamp')
  if not m[1] then
    return nil
  end
  local size = redis.call('ZCARD', keys[1])
  if size ~= tonumber(m[3]) or size ~= redis.call('HLEN', keys[2]) then
    return nil
  end
  return m[1], tonumber(m[2]), size, m[4] or '0'
end

local function settle(keys, epoch, line, ttl, stamp)
  redis.call('HSET', keys[3], 'epoch', epoch, 'line', line, 'stamp', stamp,
    'size', redis.call('ZCARD', keys[1]))
  for i = 1, 3 do
    redis.call('PEXPIRE', keys[i], ttl)
  end
end

-- KEYS z u m -> epoch, line, size, stamp; empty if there is nothing to go on from
local function state(keys)
  local epoch, line, size, stamp = stand(keys)
  if not epoch then
    return {}
  end
  return {epoch, line, size, stamp}
end

-- KEYS z u m  ARGV epoch line stamp new-epoch ttl: 1 if the season stands there, and by now in the new epoch.
local function adopt(keys, args)
  local epoch, line, _, stamp = stand(keys)
  if epoch ~= args[1] or line ~= tonumber(args[2]) or stamp ~= args[3] then
    return 0
  end
  settle(keys, args[4], args[2], args[5], args[3])
  return 1
end

-- What becomes of one user in a season, or in one that is being built: an empty value removes.
local function put(z, u, id, value)
  local old = redis.call('HGET', u, id)
  if old and string.sub(old, 1, 16) ~= string.sub(value, 1, 16) then
    redis.call('ZREM', z, string.sub(old, 1, 16) .. id)
  end
  if value == '' then
    redis.call('HDEL', u, id)
  else
    redis.call('ZADD', z, score(value), string.sub(value, 1, 16) .. id)
    redis.call('HSET', u, id, value)
  end
end

-- KEYS z u m  ARGV epoch from to ttl stamp (id value)*: an empty value removes. 1 if it stands at "to" or
-- later now, 0 if it does not stand at "from" or between the two. (Between, what it has of the changes it has
-- again, and as they are at "to".)
local function apply(keys, args)
  local z, u, m = keys[1], keys[2], keys[3]
  local from, to = tonumber(args[2]), tonumber(args[3])
  local epoch, line = stand(keys)
  if epoch == args[1] and line >= to then
    return 1
  end
  if not epoch and from == 0 then
    -- Nothing has touched the season before: it is empty, whatever is left here.
    redis.call('UNLINK', z, u)
  elseif epoch ~= args[1] or line < from or (from == 0 and line > 0) then
    return 0
  end
  -- If this breaks off, what is left says nothing of where it stands, and is built anew.
  redis.call('DEL', m)
  for i = 6, #args, 2 do
    put(z, u, args[i], args[i + 1])
  end
  settle(keys, args[1], args[3], args[4], args[5])
  return 1
end

-- KEYS z u m  ARGV epoch floor shared count id* question*, where a question is
--   p offset limit  -> better than the first (if shared), members
--   c bound         -> how many come before it
-- Empty unless the season stands in this epoch at the floor or later; else line, size, three lists about the
-- users (values, false where there is none; positions; how many are better, if shared), answers.
local function read(keys, args)
  local z, u = keys[1], keys[2]
  local epoch, line, size = stand(keys)
  if epoch ~= args[1] or line < tonumber(args[2]) then
    return {}
  end
  local shared = args[3] == '1'
  local count = tonumber(args[4])
  local values, places, betters = {}, {}, {}
  for from = 1, count, BLOCK do
    -- One call for many: to call Redis from Lua costs as much as a look-up.
    local to = math.min(count, from + BLOCK - 1)
    local found = redis.call('HMGET', u, unpack(args, 4 + from, 4 + to))
    for k = from, to do
      local value = found[k - from + 1]
      values[k], places[k] = value, -1
      if shared then
        betters[k] = 0
      end
      if value then
        local place = redis.call('ZRANK', z, string.sub(value, 1, 16) .. args[4 + k])
        if not place then
          return {}
        end
        places[k] = place
        if shared then
          betters[k] = below(z, string.sub(value, 1, 8))
        end
      end
    end
  end
  local answers = {line, size, values, places, betters}
  local i = 5 + count
  while i <= #args do
    if args[i] == 'p' then
      local first = tonumber(args[i + 1])
      local rows = redis.call('ZRANGE', z, first, first + tonumber(args[i + 2]) - 1)
      local better = shared and rows[1] and below(z, string.sub(rows[1], 1, 8)) or 0
      answers[#answers + 1] = {better, rows}
      i = i + 3
    else
      answers[#answers + 1] = below(z, args[i + 1])
      i = i + 2
    end
  end
  return answers
end

-- Whether what is being built has so many users, and nobody else has begun to build.
local function whole(z, u, size, lease, token)
  local owner = redis.call('GET', lease)
  return (not owner or owner == token)
    and redis.call('ZCARD', z) == size and redis.call('HLEN', u) == size
end

-- KEYS z u (both of a season that is being built) lease  ARGV ttl token lease-millis size copy (id value)*: how
-- many users it has now, -1 if it had not as many as told or another node builds the season. Copy: they are new.
local function stage(keys, args)
  local z, u = keys[1], keys[2]
  if not whole(z, u, tonumber(args[4]), keys[3], args[2]) then
    redis.call('UNLINK', z, u)
    return -1
  end
  if args[5] == '1' then
    -- One call for many, as in "read".
    for from = 6, #args, BLOCK do
      local to = math.min(#args, from + BLOCK - 1)
      local places = {}
      for i = from, to, 2 do
        places[#places + 1] = string.format('%.17g', score(args[i + 1]))
        places[#places + 1] = string.sub(args[i + 1], 1, 16) .. args[i]
      end
      redis.call('ZADD', z, unpack(places))
      redis.call('HSET', u, unpack(args, from, to))
    end
  else
    for i = 6, #args, 2 do
      put(z, u, args[i], args[i + 1])
    end
  end
  redis.call('PEXPIRE', z, args[1])
  redis.call('PEXPIRE', u, args[1])
  redis.call('SET', keys[3], args[2], 'PX', args[3])
  return redis.call('ZCARD', z)
end

-- KEYS z u m built-z built-u lease  ARGV epoch line size ttl always stamp token: 1 if the season stands at the
-- line or later now, 0 if what was built is not whole. Always: also if it stands there already.
local function swap(keys, args)
  local epoch, line = stand(keys)
  local size = tonumber(args[3])
  if args[5] ~= '1' and epoch == args[1] and line >= tonumber(args[2]) then
    redis.call('UNLINK', keys[4], keys[5])
    return 1
  end
  if not whole(keys[4], keys[5], size, keys[6], args[7]) then
    redis.call('UNLINK', keys[4], keys[5])
    return 0
  end
  -- Unlinked, not overwritten: a large set is freed beside the server's work.
  redis.call('UNLINK', keys[1], keys[2], keys[3])
  if size > 0 then
    redis.call('RENAME', keys[4], keys[1])
    redis.call('RENAME', keys[5], keys[2])
  end
  settle(keys, args[1], args[2], args[4], args[6])
  return 1
end

-- KEYS z u m  ARGV ttl: somebody uses it
local function touch(keys, args)
  for i = 1, 3 do
    redis.call('PEXPIRE', keys[i], args[1])
  end
  return 1
end

-- KEYS lease  ARGV token millis: whether the caller has it now
local function lease(keys, args)
  local owner = redis.call('GET', keys[1])
  if owner and owner ~= args[1] then
    return 0
  end
  redis.call('SET', keys[1], args[1], 'PX', args[2])
  return 1
end

-- KEYS z u m
local function drop(keys)
  return redis.call('UNLINK', keys[1], keys[2], keys[3])
end

-- KEYS lease  ARGV token
local function release(keys, args)
  if redis.call('GET', keys[1]) == args[1] then
    redis.call('DEL', keys[1])
  end
  return 1
end

redis.register_function{
  function_name = 'laurel_state_VERSION', callback = state, flags = {'no-writes'}}
redis.register_function{
  function_name = 'laurel_read_VERSION', callback = read, flags = {'no-writes'}}
redis.register_function('laurel_adopt_VERSION', adopt)
redis.register_function('laurel_apply_VERSION', apply)
redis.register_function('laurel_stage_VERSION', stage)
redis.register_function('laurel_swap_VERSION', swap)
redis.register_function('laurel_touch_VERSION', touch)
redis.register_function('laurel_lease_VERSION', lease)
redis.register_function('laurel_release_VERSION', release)
redis.register_function('laurel_drop_VERSION', drop)
