// What has to happen at once in Redis. A session is a hash: `counts` and `about` are objects, `findings`, `choices` and `lanes` are lists,
// all as JSON, and `state:PLACE` is the guard of the lane that stands there.

const HELPERS = `
local function read(field, fallback)
  local text = redis.call('HGET', KEYS[1], field)
  return text and cjson.decode(text) or fallback
end
local function write(field, list)
  redis.call('HSET', KEYS[1], field, #list > 0 and cjson.encode(list) or '[]')
end
local function last(list, most)
  while #list > most do table.remove(list, 1) end
  return list
end
`

/** Adds what a request changed. 0, and nothing is changed, if the lane is not the one that was read. */
export const SAVE = `${HELPERS}
local update = cjson.decode(ARGV[1])
local limits = cjson.decode(ARGV[4])
local lane = update.lane
local lanes = read('lanes', {})
if lane ~= cjson.null and lane then
  for _, other in ipairs(lanes) do
    if other.place == lane.place and other.version >= lane.version then return 0 end
  end
end

local counts = read('counts', {
  startedAt = update.at, requests = 0, tokens = 0, dollars = 0, over = 0, pardons = 0, chosen = 0, promptAt = 0,
  hasTools = false, saved = { requests = 0, tokens = 0, dollars = 0 },
})
counts.lastAt = update.at
for _, name in ipairs({ 'requests', 'tokens', 'dollars', 'over' }) do counts[name] = counts[name] + update[name] end
for name, amount in pairs(update.saved) do counts.saved[name] = counts.saved[name] + amount end
if update.isPrompt then counts.promptAt = update.at end
counts.hasTools = counts.hasTools or update.hasTools
counts.state = update.state
counts.pressure = update.pressure
redis.call('HSET', KEYS[1], 'counts', cjson.encode(counts), 'about', ARGV[2])

if #update.findings > 0 then
  local findings = read('findings', {})
  for _, finding in ipairs(update.findings) do table.insert(findings, finding) end
  write('findings', last(findings, 10))
end

if lane ~= cjson.null and lane then
  local kept, bytes = {}, 0
  for _, other in ipairs(lanes) do
    if other.place == lane.place or other.place == lane.from then
      redis.call('HDEL', KEYS[1], 'state:' .. other.place)
    else
      table.insert(kept, other)
      bytes = bytes + other.bytes
    end
  end
  lane.from = nil
  lane.bytes = #ARGV[3]
  bytes = bytes + lane.bytes
  table.insert(kept, lane)
  while #kept > limits.maxLanes or bytes > limits.maxBytes do
    local oldest = table.remove(kept, 1)
    bytes = bytes - oldest.bytes
    redis.call('HDEL', KEYS[1], 'state:' .. oldest.place)
  end
  redis.call('HSET', KEYS[1], 'state:' .. lane.place, ARGV[3])
  write('lanes', kept)
end
redis.call('PEXPIRE', KEYS[1], limits.idleMs)
return 1
`

/** Notes what a person decided; 0 if there is no such session. */
export const CHOOSE = `${HELPERS}
local counts = read('counts', nil)
if not counts then return 0 end
local choice = cjson.decode(ARGV[1])
local choices = read('choices', {})
table.insert(choices, choice)
write('choices', last(choices, 10))
counts.chosen = counts.chosen + 1
if choice.choice == 'continue-once' and counts.over > 0 then
  counts.pardons = counts.pardons + 1
  counts.over = 0
end
if choice.choice == 'stop' then counts.state = 'stopped'
elseif choice.choice == 'disable' then counts.state = 'unguarded'
elseif counts.state ~= 'unguarded' then counts.state = 'working' counts.pressure = 0 end
redis.call('HSET', KEYS[1], 'counts', cjson.encode(counts))
return 1
`
