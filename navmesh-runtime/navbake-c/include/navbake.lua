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
typedef int32_t NbResult;
typedef uint32_t NbCall;
typedef uint32_t NbStatus;
typedef uint32_t NbActivity;
typedef uint32_t NbAvoidance;
typedef uint32_t NbReason;
typedef uint32_t NbEventKind;
typedef uint32_t NbStepKind;
typedef uint32_t NbMarkerKind;
typedef uint32_t NbFound;
typedef struct NbAgent NbAgent;
typedef struct NbMesh NbMesh;
typedef struct NbNav NbNav;
typedef struct NbPools NbPools;
typedef struct NbTasks NbTasks;
typedef struct NbTree NbTree;
typedef struct NbTreeState NbTreeState;
typedef struct { float x; float y; } NbVec2;
typedef struct { uint32_t size; NbVec2 body; float run_speed; float acceleration; float deceleration; float jump_height; float jump_speed; float gravity; float max_fall_speed; float air_acceleration; float climb_speed; float down; NbVec2 max_jump; NbVec2 max_drop; } NbProfile;
typedef struct { NbVec2 corner; NbVec2 opposite; float factor; } NbCostArea;
typedef struct { uint32_t size; NbStepKind forbidden; int32_t floor; float caution; const NbCostArea *costs; size_t cost_count; size_t cost_size; } NbFilter;
typedef struct { uint32_t size; NbActivity activity; NbReason reason; int32_t facing; NbVec2 position; NbVec2 velocity; } NbPose;
typedef struct { uint32_t size; int32_t grounded; NbVec2 position; NbVec2 velocity; } NbBody;
typedef struct { uint32_t size; NbStepKind jump; NbVec2 velocity; NbVec2 jump_velocity; int32_t exact; } NbCommand;
typedef struct { NbEventKind kind; NbReason reason; NbVec2 from; NbVec2 to; int32_t marker; } NbEvent;
typedef struct { NbStepKind kind; float duration; NbVec2 from; NbVec2 to; int32_t link; } NbStep;
typedef struct { NbStepKind kind; uint32_t component; NbVec2 left; NbVec2 right; } NbPlatform;
typedef struct { NbStepKind kind; uint32_t from_platform; uint32_t to_platform; float duration; float tolerance; NbVec2 from; NbVec2 to; } NbLink;
typedef struct { uint32_t size; NbMarkerKind kind; NbVec2 min; NbVec2 max; NbVec2 feet; } NbMarker;
typedef struct { uint32_t marker; int32_t one_way; NbVec2 extent; NbVec2 position; NbVec2 velocity; } NbMovingPlatform;
typedef struct { uint32_t size; int32_t allow_partial_path; NbVec2 from; NbVec2 to; const NbFilter *filter; const NbProfile *profile; } NbQuery;
typedef struct { uint32_t size; NbFound found; NbReason reason; float cost; NbVec2 start; NbVec2 end; } NbPath;
typedef struct { uint32_t size; NbCall call; float seconds; const char *params; void *user; NbAgent *agent; uint64_t *memory; NbTreeState *state; } NbTaskCall;
typedef uint32_t (*NbTaskFn)(void *user, const NbTaskCall *call);
typedef uint32_t (*NbCueFn)(void *user, const char *name, NbCall call);
typedef void (*NbFaceFn)(void *user, float x, float y);
typedef struct { uint32_t size; float range; float angle; float hearing; float memory; float age; int32_t knows; int32_t sees; NbVec2 known; } NbPerception;
typedef struct { uint32_t size; float seconds; float eye_height; int32_t has_target; NbVec2 target; int32_t facing; int32_t off_screen; NbVec2 target_body; NbAgent *agent; NbNav *nav; const char *sight_agent; void *user; NbCueFn cue; NbFaceFn face; NbPerception *perception; } NbTick;
uint32_t nb_version();
const char * nb_runtime_version();
NbResult nb_agent_new(const NbMesh *mesh, uint32_t layer, NbVec2 position, NbAgent **agent);
void nb_agent_free(NbAgent *agent);
NbResult nb_agent_cancel(NbAgent *agent, NbNav *nav);
NbResult nb_agent_set_destination(NbAgent *agent, NbVec2 destination);
NbResult nb_agent_destination(const NbAgent *agent, NbVec2 *destination);
NbResult nb_agent_stop(NbAgent *agent);
NbResult nb_agent_launch(NbAgent *agent, NbVec2 velocity);
NbResult nb_agent_stun(NbAgent *agent);
NbResult nb_agent_disable(NbAgent *agent);
NbResult nb_agent_enable(NbAgent *agent);
NbResult nb_agent_finish_link(NbAgent *agent);
NbResult nb_agent_teleport(NbAgent *agent, NbVec2 position);
NbResult nb_agent_set_allow_partial_path(NbAgent *agent, int32_t allow);
NbResult nb_agent_set_break_cost(NbAgent *agent, float seconds);
NbResult nb_agent_set_avoidance(NbAgent *agent, NbAvoidance avoidance);
NbResult nb_agent_set_tolerance(NbAgent *agent, float tolerance);
NbResult nb_agent_set_profile(NbAgent *agent, const NbProfile *profile);
NbResult nb_agent_set_filter(NbAgent *agent, const NbFilter *filter);
NbResult nb_agent_set_air_acceleration(NbAgent *agent, float acceleration);
NbResult nb_agent_step(NbAgent *agent, NbNav *nav, float seconds, NbPose *pose);
NbResult nb_agent_drive(NbAgent *agent, NbNav *nav, const NbBody *body, float seconds, NbCommand *command);
NbResult nb_agent_pose(const NbAgent *agent, NbPose *pose);
NbResult nb_agent_events(const NbAgent *agent, NbEvent *events, size_t capacity, size_t event_size, size_t *count);
NbResult nb_agent_remaining_path(const NbAgent *agent, NbStep *steps, size_t capacity, size_t step_size, size_t *count);
NbResult nb_state_set_position(NbTreeState *state, const char *key, NbVec2 position);
NbResult nb_state_position(const NbTreeState *state, const char *key, NbVec2 *position);
NbResult nb_state_set_number(NbTreeState *state, const char *key, double number);
NbResult nb_state_number(const NbTreeState *state, const char *key, double *number);
NbResult nb_state_set_text(NbTreeState *state, const char *key, const char *value);
NbResult nb_state_text(const NbTreeState *state, const char *key, char *buffer, size_t capacity, size_t *length);
const char * nb_error_message();
NbResult nb_layer_platforms(const NbMesh *mesh, uint32_t layer, NbPlatform *platforms, size_t capacity, size_t platform_size, size_t *count);
NbResult nb_platform_points(const NbMesh *mesh, uint32_t layer, uint32_t platform, NbVec2 *points, size_t capacity, size_t *count);
NbResult nb_layer_links(const NbMesh *mesh, uint32_t layer, NbLink *links, size_t capacity, size_t link_size, size_t *count);
NbResult nb_link_points(const NbMesh *mesh, uint32_t layer, uint32_t link, NbVec2 *points, size_t count);
NbResult nb_mesh_load(const uint8_t *data, size_t length, NbMesh **mesh);
NbResult nb_mesh_load_file(const char *path, NbMesh **mesh);
void nb_mesh_free(NbMesh *mesh);
uint32_t nb_mesh_layer_count(const NbMesh *mesh);
NbResult nb_mesh_layer(const NbMesh *mesh, const char *agent, uint32_t *layer);
NbResult nb_layer_name(const NbMesh *mesh, uint32_t layer, char *buffer, size_t capacity, size_t *length);
NbResult nb_layer_profile(const NbMesh *mesh, uint32_t layer, NbProfile *profile);
NbResult nb_layer_place(const NbMesh *mesh, uint32_t layer, NbVec2 position, NbVec2 *place_at);
NbResult nb_layer_floor_ends(const NbMesh *mesh, uint32_t layer, NbVec2 position, NbVec2 *left, NbVec2 *right);
NbResult nb_layer_index_routes(const NbMesh *mesh, uint32_t layer);
uint32_t nb_mesh_marker_count(const NbMesh *mesh);
NbResult nb_mesh_marker(const NbMesh *mesh, uint32_t number, NbMarker *marker);
NbResult nb_mesh_find_markers(const NbMesh *mesh, NbMarkerKind kind, const char *name, uint32_t *numbers, size_t capacity, size_t *count);
NbResult nb_mesh_moving_platforms(const NbMesh *mesh, double seconds, NbMovingPlatform *platforms, size_t capacity, size_t platform_size, size_t *count);
NbResult nb_marker_name(const NbMesh *mesh, uint32_t number, char *buffer, size_t capacity, size_t *length);
NbResult nb_marker_class(const NbMesh *mesh, uint32_t number, char *buffer, size_t capacity, size_t *length);
uint32_t nb_marker_property_count(const NbMesh *mesh, uint32_t number);
NbResult nb_marker_property_name(const NbMesh *mesh, uint32_t number, uint32_t index, char *buffer, size_t capacity, size_t *length);
NbResult nb_marker_property(const NbMesh *mesh, uint32_t number, const char *property, char *buffer, size_t capacity, size_t *length);
NbResult nb_nav_new(const NbMesh *mesh, NbNav **nav);
void nb_nav_free(NbNav *nav);
NbResult nb_nav_set_mesh(NbNav *nav, const NbMesh *mesh);
NbResult nb_nav_set_budget(NbNav *nav, uint32_t nodes);
NbResult nb_nav_work(NbNav *nav, uint32_t *answered);
NbResult nb_nav_set_clock(NbNav *nav, double seconds);
NbResult nb_nav_set_door(NbNav *nav, const char *name, int32_t closed);
NbResult nb_nav_is_door_closed(const NbNav *nav, const char *name, int32_t *is_closed);
NbResult nb_nav_close_region(NbNav *nav, NbVec2 corner, NbVec2 opposite);
NbResult nb_nav_open_region(NbNav *nav, NbVec2 corner, NbVec2 opposite);
NbResult nb_nav_remove(NbNav *nav, NbVec2 corner, NbVec2 opposite);
NbResult nb_nav_restore(NbNav *nav, NbVec2 corner, NbVec2 opposite);
NbResult nb_nav_find(const NbNav *nav, uint32_t layer, const NbQuery *query, NbPath *path, NbStep *steps, size_t capacity, size_t step_size, size_t *count);
NbResult nb_nav_index_routes(NbNav *nav, uint32_t layer, const NbQuery *query, size_t *bytes);
NbResult nb_nav_line_of_sight(const NbNav *nav, uint32_t layer, NbVec2 from, NbVec2 to, int32_t *is_free);
NbResult nb_tasks_new(NbTasks **tasks);
void nb_tasks_free(NbTasks *tasks);
NbResult nb_tasks_add(NbTasks *tasks, const char *name, NbTaskFn function, void *user);
NbResult nb_tree_load(const NbTasks *tasks, const uint8_t *data, size_t length, NbTree **tree);
void nb_tree_free(NbTree *tree);
NbResult nb_pools_new(const NbMesh *mesh, NbPools **pools);
NbResult nb_pools_add_tokens(NbPools *pools, const char *name, uint32_t limit);
void nb_pools_free(NbPools *pools);
NbResult nb_state_new(const NbTree *tree, NbPools *pools, NbTreeState **state);
void nb_state_free(NbTreeState *state);
NbResult nb_state_tick(NbTreeState *state, const NbTick *tick, NbStatus *status);
NbResult nb_state_reset(NbTreeState *state, const NbTick *tick);
NbResult nb_state_migrate(NbTreeState *state, const NbTree *tree, NbPools *pools, const NbTick *tick);
NbResult nb_state_set_trace(NbTreeState *state, uint32_t ticks);
NbResult nb_state_trace(const NbTreeState *state, char *buffer, size_t capacity, size_t *length);
NbResult nb_state_running(const NbTreeState *state, char *buffer, size_t capacity, size_t *length);
NbResult nb_state_save(const NbTreeState *state, char *buffer, size_t capacity, size_t *length);
NbResult nb_state_restore(NbTreeState *state, const char *saved);
NbResult nb_state_now(const NbTreeState *state, double *seconds);
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

nb.Result = {
  OK = 0,
  ERROR_ARGUMENT = 1,
  ERROR_SIZE = 2,
  ERROR_BUFFER = 3,
  ERROR_FILE = 4,
  ERROR_MESH = 5,
  ERROR_UNKNOWN = 6,
  ERROR_TREE = 7,
  ERROR_BUSY = 8,
  ERROR_INTERNAL = 9,
}
nb.Call = {
  BEGIN = 1,
  CONTINUE = 2,
  ABORT = 3,
}
nb.Status = {
  SUCCESS = 1,
  FAILURE = 2,
  RUNNING = 3,
}
nb.Activity = {
  UNKNOWN = 0,
  IDLE = 1,
  ARRIVED = 2,
  NEAREST_REACHED = 3,
  CANNOT_REACH = 4,
  REJECTED = 5,
  WAITING = 6,
  RUNNING = 7,
  JUMPING = 8,
  DROPPING = 9,
  FLYING = 10,
  CLIMBING = 11,
  LAUNCHED = 12,
  IN_PORTAL = 13,
  STRANDED = 14,
  DISABLED = 15,
  RIDING = 16,
}
nb.Avoidance = {
  OVERLAP = 0,
  QUEUE = 1,
  YIELD = 2,
}
nb.Reason = {
  NONE = 0,
  UNKNOWN = 1,
  START_NOT_NAVIGABLE = 2,
  GOAL_NOT_NAVIGABLE = 3,
  START_CLOSED = 4,
  GOAL_CLOSED = 5,
  DISCONNECTED = 6,
  EXHAUSTED = 7,
  NOTHING_BELOW = 8,
  LEFT_LEVEL = 9,
  NO_FREE_VERTEX = 10,
  WRONG_LAYER = 11,
  NOT_FINITE = 12,
  DOOR = 13,
  DRIFT = 14,
  LEVEL = 15,
  LIMITS = 16,
  QUERY = 17,
}
nb.EventKind = {
  UNKNOWN = 0,
  ARRIVED = 1,
  JUMPED = 2,
  DROPPED = 3,
  TOOK_OFF = 4,
  LANDED = 5,
  ENTERED_PORTAL = 6,
  TELEPORTED = 7,
  CAUGHT_IN_DOOR = 8,
  PATH_LOST = 9,
  CANNOT_REACH = 10,
  STUCK = 11,
  STRANDED = 12,
  LINK_STARTED = 13,
  LINK_FINISHED = 14,
  BLOCKED_BY = 15,
  THROWN = 16,
  BOARDED = 17,
  GOT_OFF = 18,
}
nb.StepKind = {
  UNKNOWN = 0,
  FLOOR = 1,
  FLY = 2,
  JUMP = 3,
  DROP = 4,
  DROP_THROUGH = 5,
  LADDER = 6,
  WALL_CLIMB = 7,
  CEILING_CLIMB = 8,
  PORTAL = 9,
  SPRING = 10,
  RIDE = 11,
}
nb.MarkerKind = {
  OTHER = 0,
  SPAWN = 1,
  WAYPOINT = 2,
  PORTAL = 3,
  DOOR = 4,
  AREA = 5,
  NAV_AREA = 6,
  LINK = 7,
  SPRING = 8,
}
nb.Found = {
  NONE = 0,
  GOAL = 1,
  NEAREST = 2,
}

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

function nb.agent_new(mesh, layer, position)
  local agent = ffi.new("NbAgent *[1]")
  check(C.nb_agent_new(mesh, layer, vec2(position), agent))
  return ffi.gc(agent[0], C.nb_agent_free)
end

function methods.NbAgent:cancel(nav)
  check(C.nb_agent_cancel(self, nav))
end

function methods.NbAgent:set_destination(destination)
  check(C.nb_agent_set_destination(self, vec2(destination)))
end

function methods.NbAgent:destination()
  local destination = ffi.new("NbVec2[1]")
  check(C.nb_agent_destination(self, destination))
  return NbVec2(destination[0])
end

function methods.NbAgent:stop()
  check(C.nb_agent_stop(self))
end

function methods.NbAgent:launch(velocity)
  check(C.nb_agent_launch(self, vec2(velocity)))
end

function methods.NbAgent:stun()
  check(C.nb_agent_stun(self))
end

function methods.NbAgent:disable()
  check(C.nb_agent_disable(self))
end

function methods.NbAgent:enable()
  check(C.nb_agent_enable(self))
end

function methods.NbAgent:finish_link()
  check(C.nb_agent_finish_link(self))
end

function methods.NbAgent:teleport(position)
  check(C.nb_agent_teleport(self, vec2(position)))
end

function methods.NbAgent:set_allow_partial_path(allow)
  check(C.nb_agent_set_allow_partial_path(self, allow))
end

function methods.NbAgent:set_break_cost(seconds)
  check(C.nb_agent_set_break_cost(self, seconds))
end

function methods.NbAgent:set_avoidance(avoidance)
  check(C.nb_agent_set_avoidance(self, avoidance))
end

function methods.NbAgent:set_tolerance(tolerance)
  check(C.nb_agent_set_tolerance(self, tolerance))
end

function methods.NbAgent:set_profile(profile)
  local keep = {}
  check(C.nb_agent_set_profile(self, struct("NbProfile", profile, keep)))
end

function methods.NbAgent:set_filter(filter)
  local keep = {}
  check(C.nb_agent_set_filter(self, struct("NbFilter", filter, keep)))
end

function methods.NbAgent:set_air_acceleration(acceleration)
  check(C.nb_agent_set_air_acceleration(self, acceleration))
end

function methods.NbAgent:step(nav, seconds)
  local pose = struct("NbPose", {})
  check(C.nb_agent_step(self, nav, seconds, pose))
  return pose
end

function methods.NbAgent:drive(nav, body, seconds)
  local keep = {}
  local command = struct("NbCommand", {})
  check(C.nb_agent_drive(self, nav, struct("NbBody", body, keep), seconds, command))
  return command
end

function methods.NbAgent:pose()
  local pose = struct("NbPose", {})
  check(C.nb_agent_pose(self, pose))
  return pose
end

function methods.NbAgent:events()
  local result = list("NbEvent", function(buffer, capacity, count)
    return C.nb_agent_events(self, buffer, capacity, ffi.sizeof("NbEvent"), count)
  end)
  return result
end

function methods.NbAgent:remaining_path()
  local result = list("NbStep", function(buffer, capacity, count)
    return C.nb_agent_remaining_path(self, buffer, capacity, ffi.sizeof("NbStep"), count)
  end)
  return result
end

function methods.NbTreeState:set_position(key, position)
  check(C.nb_state_set_position(self, key, vec2(position)))
end

function methods.NbTreeState:position(key)
  local position = ffi.new("NbVec2[1]")
  check(C.nb_state_position(self, key, position))
  return NbVec2(position[0])
end

function methods.NbTreeState:set_number(key, number)
  check(C.nb_state_set_number(self, key, number))
end

function methods.NbTreeState:number(key)
  local number = ffi.new("double[1]")
  check(C.nb_state_number(self, key, number))
  return number[0]
end

function methods.NbTreeState:set_text(key, value)
  check(C.nb_state_set_text(self, key, value))
end

function methods.NbTreeState:text(key)
  local result = text(function(buffer, capacity, count)
    return C.nb_state_text(self, key, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:layer_platforms(layer)
  local result = list("NbPlatform", function(buffer, capacity, count)
    return C.nb_layer_platforms(self, layer, buffer, capacity, ffi.sizeof("NbPlatform"), count)
  end)
  return result
end

function methods.NbMesh:platform_points(layer, platform)
  local result = list("NbVec2", function(buffer, capacity, count)
    return C.nb_platform_points(self, layer, platform, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:layer_links(layer)
  local result = list("NbLink", function(buffer, capacity, count)
    return C.nb_layer_links(self, layer, buffer, capacity, ffi.sizeof("NbLink"), count)
  end)
  return result
end

function methods.NbMesh:link_points(layer, link, count)
  local points = ffi.new("NbVec2[?]", count)
  check(C.nb_link_points(self, layer, link, points, count))
  return points
end

function nb.mesh_load(data)
  local mesh = ffi.new("NbMesh *[1]")
  check(C.nb_mesh_load(data, #data, mesh))
  return ffi.gc(mesh[0], C.nb_mesh_free)
end

function nb.mesh_load_file(path)
  local mesh = ffi.new("NbMesh *[1]")
  check(C.nb_mesh_load_file(path, mesh))
  return ffi.gc(mesh[0], C.nb_mesh_free)
end

function methods.NbMesh:layer_count()
  return C.nb_mesh_layer_count(self)
end

function methods.NbMesh:layer(agent)
  local layer = ffi.new("uint32_t[1]")
  check(C.nb_mesh_layer(self, agent, layer))
  return tonumber(layer[0])
end

function methods.NbMesh:layer_name(layer)
  local result = text(function(buffer, capacity, count)
    return C.nb_layer_name(self, layer, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:layer_profile(layer)
  local profile = struct("NbProfile", {})
  check(C.nb_layer_profile(self, layer, profile))
  return profile
end

function methods.NbMesh:layer_place(layer, position)
  local place_at = ffi.new("NbVec2[1]")
  check(C.nb_layer_place(self, layer, vec2(position), place_at))
  return NbVec2(place_at[0])
end

function methods.NbMesh:layer_floor_ends(layer, position)
  local left = ffi.new("NbVec2[1]")
  local right = ffi.new("NbVec2[1]")
  check(C.nb_layer_floor_ends(self, layer, vec2(position), left, right))
  return NbVec2(left[0]), NbVec2(right[0])
end

function methods.NbMesh:layer_index_routes(layer)
  check(C.nb_layer_index_routes(self, layer))
end

function methods.NbMesh:marker_count()
  return C.nb_mesh_marker_count(self)
end

function methods.NbMesh:marker(number)
  local marker = struct("NbMarker", {})
  check(C.nb_mesh_marker(self, number, marker))
  return marker
end

function methods.NbMesh:find_markers(kind, name)
  local result = list("uint32_t", function(buffer, capacity, count)
    return C.nb_mesh_find_markers(self, kind, name, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:moving_platforms(seconds)
  local result = list("NbMovingPlatform", function(buffer, capacity, count)
    return C.nb_mesh_moving_platforms(self, seconds, buffer, capacity, ffi.sizeof("NbMovingPlatform"), count)
  end)
  return result
end

function methods.NbMesh:marker_name(number)
  local result = text(function(buffer, capacity, count)
    return C.nb_marker_name(self, number, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:marker_class(number)
  local result = text(function(buffer, capacity, count)
    return C.nb_marker_class(self, number, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:marker_property_count(number)
  return C.nb_marker_property_count(self, number)
end

function methods.NbMesh:marker_property_name(number, index)
  local result = text(function(buffer, capacity, count)
    return C.nb_marker_property_name(self, number, index, buffer, capacity, count)
  end)
  return result
end

function methods.NbMesh:marker_property(number, property)
  local result = text(function(buffer, capacity, count)
    return C.nb_marker_property(self, number, property, buffer, capacity, count)
  end)
  return result
end

function nb.nav_new(mesh)
  local nav = ffi.new("NbNav *[1]")
  check(C.nb_nav_new(mesh, nav))
  return ffi.gc(nav[0], C.nb_nav_free)
end

function methods.NbNav:set_mesh(mesh)
  check(C.nb_nav_set_mesh(self, mesh))
end

function methods.NbNav:set_budget(nodes)
  check(C.nb_nav_set_budget(self, nodes))
end

function methods.NbNav:work()
  local answered = ffi.new("uint32_t[1]")
  check(C.nb_nav_work(self, answered))
  return tonumber(answered[0])
end

function methods.NbNav:set_clock(seconds)
  check(C.nb_nav_set_clock(self, seconds))
end

function methods.NbNav:set_door(name, closed)
  check(C.nb_nav_set_door(self, name, closed))
end

function methods.NbNav:is_door_closed(name)
  local is_closed = ffi.new("int32_t[1]")
  check(C.nb_nav_is_door_closed(self, name, is_closed))
  return is_closed[0] ~= 0
end

function methods.NbNav:close_region(corner, opposite)
  check(C.nb_nav_close_region(self, vec2(corner), vec2(opposite)))
end

function methods.NbNav:open_region(corner, opposite)
  check(C.nb_nav_open_region(self, vec2(corner), vec2(opposite)))
end

function methods.NbNav:remove(corner, opposite)
  check(C.nb_nav_remove(self, vec2(corner), vec2(opposite)))
end

function methods.NbNav:restore(corner, opposite)
  check(C.nb_nav_restore(self, vec2(corner), vec2(opposite)))
end

function methods.NbNav:find(layer, query)
  local keep = {}
  local path = struct("NbPath", {})
  local result = list("NbStep", function(buffer, capacity, count)
    return C.nb_nav_find(self, layer, struct("NbQuery", query, keep), path, buffer, capacity, ffi.sizeof("NbStep"), count)
  end)
  return path, result
end

function methods.NbNav:index_routes(layer, query)
  local keep = {}
  local bytes = ffi.new("size_t[1]")
  check(C.nb_nav_index_routes(self, layer, struct("NbQuery", query, keep), bytes))
  return tonumber(bytes[0])
end

function methods.NbNav:line_of_sight(layer, from, to)
  local is_free = ffi.new("int32_t[1]")
  check(C.nb_nav_line_of_sight(self, layer, vec2(from), vec2(to), is_free))
  return is_free[0] ~= 0
end

function nb.tasks_new()
  local tasks = ffi.new("NbTasks *[1]")
  check(C.nb_tasks_new(tasks))
  return ffi.gc(tasks[0], C.nb_tasks_free)
end

function nb.tree_load(tasks, data)
  local tree = ffi.new("NbTree *[1]")
  check(C.nb_tree_load(tasks, data, #data, tree))
  return ffi.gc(tree[0], C.nb_tree_free)
end

function nb.pools_new(mesh)
  local pools = ffi.new("NbPools *[1]")
  check(C.nb_pools_new(mesh, pools))
  return ffi.gc(pools[0], C.nb_pools_free)
end

function methods.NbPools:add_tokens(name, limit)
  check(C.nb_pools_add_tokens(self, name, limit))
end

function nb.state_new(tree, pools)
  local state = ffi.new("NbTreeState *[1]")
  check(C.nb_state_new(tree, pools, state))
  return ffi.gc(state[0], C.nb_state_free)
end

function methods.NbTreeState:set_trace(ticks)
  check(C.nb_state_set_trace(self, ticks))
end

function methods.NbTreeState:trace()
  local result = text(function(buffer, capacity, count)
    return C.nb_state_trace(self, buffer, capacity, count)
  end)
  return result
end

function methods.NbTreeState:running()
  local result = text(function(buffer, capacity, count)
    return C.nb_state_running(self, buffer, capacity, count)
  end)
  return result
end

function methods.NbTreeState:save()
  local result = text(function(buffer, capacity, count)
    return C.nb_state_save(self, buffer, capacity, count)
  end)
  return result
end

function methods.NbTreeState:restore(saved)
  check(C.nb_state_restore(self, saved))
end

function methods.NbTreeState:now()
  local seconds = ffi.new("double[1]")
  check(C.nb_state_now(self, seconds))
  return seconds[0]
end


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
