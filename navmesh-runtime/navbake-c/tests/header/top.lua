--[[ navbake.lua: navbake.h for LuaJIT and LÖVE, generated from the same source; do not edit.

  local nb = require "navbake"
  local mesh = nb.mesh_load_file("level.navmesh")
  local enemy = nb.agent_new(mesh, mesh:layer("walker"), { x = 624, y = 128 })

navbake.h documents the functions. Those that make an object are here functions of the
module, without `nb_`. All others are methods of their first argument, without `nb_agent_`
and so on. Results are returned, several in order. Errors are Lua errors.

A position is `nb.vec2(x, y)`, or a table with `x` and `y`. Structs that functions read are
tables with the fields of C, without the sizes. Lists are tables from 1. The garbage
collector frees the objects. ]]
local ffi = require "ffi"

ffi.cdef [[
DECLARATIONS
]]

--- Opens the library: in the folder of the game, in the current folder, or that of the system.
local function open()
  local file = ({ Windows = "navbake_c.dll", OSX = "libnavbake_c.dylib" })[ffi.os] or "libnavbake_c.so"
  local folders = { "./" }
  if love and love.filesystem then
    table.insert(folders, 1, love.filesystem.getSource() .. "/")
    table.insert(folders, 2, love.filesystem.getSourceBaseDirectory() .. "/")
  end
  local last
  for _, path in ipairs(folders) do
    local found, library = pcall(ffi.load, path .. file)
    if found then return library end
    last = last or library
  end
  local found, library = pcall(ffi.load, "navbake_c")
  return found and library or error(last)
end

local C = open()
local nb = {}
local methods = { NbMesh = {}, NbNav = {}, NbAgent = {}, NbTasks = {}, NbTree = {}, NbPools = {}, NbTreeState = {} }
local NbVec2 = ffi.typeof "NbVec2"

-- ENUMS

local function check(result)
  if result ~= nb.Result.OK then
    error(ffi.string(C.nb_error_message()), 3)
  end
end

--- A position.
function nb.vec2(x, y)
  return NbVec2(x, y)
end

local function vec2(at)
  return type(at) == "table" and NbVec2(at.x, at.y) or at
end

--- The fields that are pointers to structs or lists.
local pointers = {
  NbQuery = { filter = "NbFilter", profile = "NbProfile" },
  NbFilter = { costs = "NbCostArea" },
}

--- A struct from a table, with its size. `keep` gets what it points to.
local function struct(kind, values, keep)
  if type(values) ~= "table" then return values end
  local own = {}
  for key, value in pairs(values) do
    local pointed = pointers[kind] and pointers[kind][key]
    if pointed == "NbCostArea" then
      local areas = ffi.new("NbCostArea[?]", #value)
      for i, area in ipairs(value) do areas[i - 1] = ffi.new(pointed, area) end
      own.cost_count, own.cost_size, value = #value, ffi.sizeof(pointed), areas
    elseif pointed then
      value = struct(pointed, value, keep)
    end
    if pointed then keep[#keep + 1] = value end
    own[key] = value
  end
  local made = ffi.new(kind, own)
  made.size = ffi.sizeof(kind)
  return made
end

--- A list of the length that a first call returns.
local function list(kind, call)
  local count = ffi.new("size_t[1]")
  local result = call(nil, 0, count)
  local length = tonumber(count[0])
  local buffer = ffi.new(kind .. "[?]", length)
  check(result == nb.Result.ERROR_BUFFER and call(buffer, length, count) or result)
  local items = {}
  for i = 1, length do
    -- A copy: the element of a buffer does not keep the buffer.
    items[i] = kind == "uint32_t" and buffer[i - 1] or ffi.new(kind, buffer[i - 1])
  end
  return items
end

local function text(call)
  local count = ffi.new("size_t[1]")
  local result = call(nil, 0, count)
  local length = tonumber(count[0])
  local buffer = ffi.new("char[?]", length + 1)
  check(result == nb.Result.ERROR_BUFFER and call(buffer, length + 1, count) or result)
  return ffi.string(buffer, length)
end

-- FUNCTIONS

function nb.version()
  return C.nb_version()
end

function nb.runtime_version()
  return ffi.string(C.nb_runtime_version())
end

-- The functions of the game that trees call. An error in one ends the tick.
local ticked, thrown
local callbacks = {}

local function guarded(ok, status, ...)
  if not ok then
    thrown = thrown or status
    return nb.Status.FAILURE
  end
  return status
end

callbacks.cue = ffi.cast("NbCueFn", function(_, name, call)
  return guarded(pcall(ticked.cue, ffi.string(name), call))
end)

callbacks.face = ffi.cast("NbFaceFn", function(_, x, y)
  guarded(pcall(ticked.face, NbVec2(x, y)))
end)

--- Adds a task of the game. The function gets a table with `call` (one of `nb.Call`),
--- `seconds`, `params` (the text of a JSON object), `tick` (the table of the tick) and
--- `memory`, a number that it may change, and returns one of `nb.Status`.
function methods.NbTasks:add(name, task)
  local function run(raw)
    local call = { call = raw.call, seconds = raw.seconds, params = ffi.string(raw.params) }
    call.tick, call.memory = ticked, tonumber(raw.memory[0])
    local status = task(call)
    raw.memory[0] = call.memory
    return status or nb.Status.SUCCESS
  end
  local callback = ffi.cast("NbTaskFn", function(_, raw)
    return guarded(pcall(run, raw))
  end)
  callbacks[#callbacks + 1] = callback -- never freed: trees may call it at any time
  check(C.nb_tasks_add(self, name, callback, nil))
end

--- A tick from a table: `agent`, `nav`, `seconds`, and as needed `target`, `target_body`,
--- `eye_height`, `sight_agent`, `facing`, `off_screen`, `perception` (a table with the fields of
--- C, which a tick updates), `cue` (a function of a name and one
--- of `nb.Call`, which returns one of `nb.Status`) and `face` (a function of a position).
local function during(tick, use)
  local raw = ffi.new "NbTick"
  raw.size = ffi.sizeof "NbTick"
  raw.seconds, raw.agent, raw.nav = tick.seconds or 0, tick.agent, tick.nav
  raw.has_target = tick.target and 1 or 0
  raw.target = vec2(tick.target) or raw.target
  raw.target_body = vec2(tick.target_body) or raw.target_body
  raw.eye_height, raw.sight_agent = tick.eye_height or 0, tick.sight_agent
  raw.facing, raw.off_screen = tick.facing or 0, tick.off_screen and 1 or 0
  raw.cue = tick.cue and callbacks.cue or nil
  raw.face = tick.face and callbacks.face or nil
  tick.perception = tick.perception and struct("NbPerception", tick.perception)
  raw.perception = tick.perception
  local outer = ticked
  ticked, thrown = tick, nil
  local result = use(raw)
  ticked = outer
  if thrown then error(thrown, 3) end
  check(result)
end

-- A call that calls back must not be compiled.
jit.off(during, true)

function methods.NbTreeState:tick(tick)
  local status = ffi.new "NbStatus[1]"
  during(tick, function(raw) return C.nb_state_tick(self, raw, status) end)
  return status[0]
end

function methods.NbTreeState:reset(tick)
  during(tick, function(raw) return C.nb_state_reset(self, raw) end)
end

function methods.NbTreeState:migrate(tree, pools, tick)
  during(tick, function(raw) return C.nb_state_migrate(self, tree, pools, raw) end)
end

jit.off(methods.NbTreeState.tick, true)
jit.off(methods.NbTreeState.reset, true)
jit.off(methods.NbTreeState.migrate, true)

for kind, own in pairs(methods) do
  ffi.metatype(kind, { __index = own })
end

return nb
