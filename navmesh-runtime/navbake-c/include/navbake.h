/* navbake.h: nav meshes of side-scrolling levels, paths in them, and agents that
   follow the paths. Generated from the source of navbake-c; do not edit.

   The guide, with complete programs for C and C#, is docs/engines.md.

   Errors
     Functions return NB_RESULT_OK, which is 0, or an error. Then
     nb_error_message() says what is wrong, and results are not written unless the
     function says so. Nothing aborts the program. A position or number that is not
     finite is an error, unless the function says that it may be infinite.

   Pointers
     - Objects (NbMesh *, NbAgent *, ...) come from a function ..._new or _load, and
       are freed once by the function ..._free of their type. Free functions accept
       null. After an error the pointer is null.
     - A null pointer is an error, unless the function says that it may be null. One
       that is neither null nor valid is undefined behaviour, as in all of C.
     - Texts are UTF-8 and end with a zero. The library keeps no pointer to them.
     - A list or text is written to a buffer with a capacity, the number of its elements
       or bytes, with the zero of the text. The last argument gets the number of
       elements, or of bytes without the zero, also if the buffer is too small; then what
       fits is written, and the result is NB_RESULT_ERROR_BUFFER. The buffer is null if
       the capacity is 0, and the last argument may be null.
     - Pointers for results do not overlap. Flags are int32_t: 1 or 0.

   Structs
     The first field of most structs is their size: set it to sizeof before the call.
     Lists have an argument for the size of their elements, for instance
     sizeof(NbStep). So a program works with later versions of the library, which add
     fields at the end.

   Threads
     Every function may be called on every thread. Only one call uses an object at a
     time: a second one at the same time returns NB_RESULT_ERROR_BUSY, without waiting.
     A level (NbMesh) may be used by all threads at once. No object may be freed while
     it is in use.

   Units
     Positions are world units, those of an agent's feet: the bottom centre of its
     body. Time is an argument, in seconds. The same calls give the same results.

   Sections
     Versions and errors
       NB_VERSION NbResult nb_version nb_runtime_version nb_error_message
     Objects, and types of all sections
       NbMesh NbNav NbAgent NbTasks NbTree NbPools NbTreeState NbVec2 NbStepKind NbReason
     Levels and their markers
       NbMarkerKind NbMarker NbMovingPlatform nb_mesh_load nb_mesh_load_file nb_mesh_free
       nb_mesh_layer_count nb_mesh_layer nb_mesh_marker_count nb_mesh_marker
       nb_mesh_find_markers nb_mesh_moving_platforms nb_marker_name nb_marker_class
       nb_marker_property_count nb_marker_property_name nb_marker_property
     Layers: what is baked for one agent
       NbProfile NbPlatform NbLink nb_layer_platforms nb_platform_points nb_layer_links
       nb_link_points nb_layer_name nb_layer_profile nb_layer_place nb_layer_floor_ends
       nb_layer_index_routes
     Levels in play, and paths in them
       NbCostArea NbFilter NbQuery NbFound NbPath NbStep nb_nav_new nb_nav_free
       nb_nav_set_mesh nb_nav_set_budget nb_nav_work nb_nav_set_clock nb_nav_set_door
       nb_nav_is_door_closed nb_nav_close_region nb_nav_open_region nb_nav_remove
       nb_nav_restore nb_nav_find nb_nav_index_routes nb_nav_line_of_sight
     Agents
       NbActivity NbPose NbEventKind NbEvent NbBody NbCommand NbAvoidance nb_agent_new
       nb_agent_free nb_agent_cancel nb_agent_set_destination nb_agent_destination
       nb_agent_stop nb_agent_launch nb_agent_stun nb_agent_disable nb_agent_enable
       nb_agent_finish_link nb_agent_teleport nb_agent_set_allow_partial_path
       nb_agent_set_break_cost nb_agent_set_avoidance nb_agent_set_tolerance
       nb_agent_set_profile nb_agent_set_filter nb_agent_set_air_acceleration
       nb_agent_step nb_agent_drive nb_agent_pose nb_agent_events nb_agent_remaining_path
     Behaviour trees and what they share
       NbStatus NbCall NbTaskCall NbTaskFn nb_tasks_new nb_tasks_free nb_tasks_add
       nb_tree_load nb_tree_free nb_pools_new nb_pools_add_tokens nb_pools_free
     What one agent is doing in its tree
       NbCueFn NbFaceFn NbPerception NbTick nb_state_set_position nb_state_position
       nb_state_set_number nb_state_number nb_state_set_text nb_state_text nb_state_new
       nb_state_free nb_state_tick nb_state_reset nb_state_migrate nb_state_set_trace
       nb_state_trace nb_state_running nb_state_save nb_state_restore nb_state_now
*/

#ifndef NAVBAKE_H
#define NAVBAKE_H

#include <stddef.h>
#include <stdint.h>

// An enum whose values have a fixed size; in C before C23 a number of that size.
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
#define NB_ENUM(name, type) enum name : type; typedef enum name name; enum name : type
#else
#define NB_ENUM(name, type) typedef type name; enum name
#endif

/* ---- Versions and errors ---- */

// The version of this interface. It grows when functions or fields are added.
// Functions that exist keep their meaning.
#define NB_VERSION 5

// What a function returns.
NB_ENUM(NbResult, int32_t) {
  // It worked.
  NB_RESULT_OK = 0,
  // A pointer is null that must not be, or a number is out of its range.
  NB_RESULT_ERROR_ARGUMENT = 1,
  // The `size` of a struct is not one of a version that this library knows.
  NB_RESULT_ERROR_SIZE = 2,
  // The buffer is too small. What fits was written, and the count or length
  // says how much there is.
  NB_RESULT_ERROR_BUFFER = 3,
  // The file could not be read.
  NB_RESULT_ERROR_FILE = 4,
  // The bytes are not a nav mesh that this library reads.
  NB_RESULT_ERROR_MESH = 5,
  // There is no layer, door, marker, region, platform, link or key of that name or
  // number, or the key was never set.
  NB_RESULT_ERROR_UNKNOWN = 6,
  // The tree file has a mistake, or the pools lack one that the tree names.
  NB_RESULT_ERROR_TREE = 7,
  // Another call is using the object: one on another thread, or one that is
  // running a callback now.
  NB_RESULT_ERROR_BUSY = 8,
  // A defect in this library. The objects of the call should be freed.
  NB_RESULT_ERROR_INTERNAL = 9,
};

#ifdef __cplusplus
extern "C" {
#endif

// The version of the interface in the library that the program has loaded, to
// compare with `NB_VERSION` of the header: a library with a lower one lacks
// functions that the header declares.
uint32_t nb_version(void);

// The version of navmesh-runtime in the library, for reports: `0.1.0`. A text that
// is never freed.
const char *nb_runtime_version(void);

// The message of the last call on this thread that returned an error: what is
// wrong, and usually what to do. Empty before the first error. It belongs to the
// library and is valid until the next call on this thread that returns an error.
const char *nb_error_message(void);

#ifdef __cplusplus
}
#endif

/* ---- Objects, and types of all sections ---- */

// A baked level. It never changes, so any number of threads may use it at once.
typedef struct NbMesh NbMesh;

// A level in play: its mesh, its doors, and the path searches of all agents in it.
typedef struct NbNav NbNav;

// An agent that follows paths.
typedef struct NbAgent NbAgent;

// The tasks that tree files may name: the ready-made ones and those of the game.
typedef struct NbTasks NbTasks;

// A tree: what all agents of a kind do.
typedef struct NbTree NbTree;

// Tokens and waypoints that the agents of a level share.
typedef struct NbPools NbPools;

// What one agent is doing in its tree.
typedef struct NbTreeState NbTreeState;

// A position, a velocity or a size. Positions are world units, those of an
// agent's feet: the bottom centre of its body. Velocities are units/s.
typedef struct NbVec2 {
  // To the right.
  float x;
  // Down, unless the level was baked with `y_axis = "up"`.
  float y;
} NbVec2;

// The kind of motion of a step of a path.
NB_ENUM(NbStepKind, uint32_t) {
  // One that this version of the interface does not know.
  NB_STEP_KIND_UNKNOWN = 0,
  // Walking along a floor.
  NB_STEP_KIND_FLOOR = 1,
  // Flying straight.
  NB_STEP_KIND_FLY = 2,
  // A jump.
  NB_STEP_KIND_JUMP = 3,
  // A drop off an edge.
  NB_STEP_KIND_DROP = 4,
  // A drop through the one-way platform that the agent stands on.
  NB_STEP_KIND_DROP_THROUGH = 5,
  // Climbing a ladder.
  NB_STEP_KIND_LADDER = 6,
  // Climbing a wall.
  NB_STEP_KIND_WALL_CLIMB = 7,
  // Climbing along a ceiling.
  NB_STEP_KIND_CEILING_CLIMB = 8,
  // Going through a portal.
  NB_STEP_KIND_PORTAL = 9,
  // Being thrown by a spring.
  NB_STEP_KIND_SPRING = 10,
  // Waiting for a platform that moves, and riding on it.
  NB_STEP_KIND_RIDE = 11,
};

// Why an agent does not move, why its path was lost, or why there is no path.
NB_ENUM(NbReason, uint32_t) {
  // No reason is needed.
  NB_REASON_NONE = 0,
  // One that this version of the interface does not know.
  NB_REASON_UNKNOWN = 1,
  // The start is not on navigable ground, nor within two spacings of it.
  NB_REASON_START_NOT_NAVIGABLE = 2,
  // The goal is not on navigable ground, nor within two spacings of it.
  NB_REASON_GOAL_NOT_NAVIGABLE = 3,
  // A closed door covers the start.
  NB_REASON_START_CLOSED = 4,
  // A closed door covers the goal.
  NB_REASON_GOAL_CLOSED = 5,
  // No baked moves lead from the start to the goal.
  NB_REASON_DISCONNECTED = 6,
  // Doors or the limits of the agent leave no way.
  NB_REASON_EXHAUSTED = 7,
  // There is nothing below to land on.
  NB_REASON_NOTHING_BELOW = 8,
  // It fell out of the level.
  NB_REASON_LEFT_LEVEL = 9,
  // It flies, and no free position is near.
  NB_REASON_NO_FREE_VERTEX = 10,
  // The layer was baked for another agent.
  NB_REASON_WRONG_LAYER = 11,
  // A coordinate is not finite.
  NB_REASON_NOT_FINITE = 12,
  // A door on its path was closed.
  NB_REASON_DOOR = 13,
  // Its body was pushed away.
  NB_REASON_DRIFT = 14,
  // The level was swapped.
  NB_REASON_LEVEL = 15,
  // Its limits became too tight for the path.
  NB_REASON_LIMITS = 16,
  // The query is not valid.
  NB_REASON_QUERY = 17,
};

/* ---- Levels and their markers ---- */

// What a marker is for.
NB_ENUM(NbMarkerKind, uint32_t) {
  // A class that is the game's own.
  NB_MARKER_KIND_OTHER = 0,
  // `spawn`: an agent or the player enters the level here.
  NB_MARKER_KIND_SPAWN = 1,
  // `waypoint`: a point of interest.
  NB_MARKER_KIND_WAYPOINT = 2,
  // `portal`: one end of a connection that teleports.
  NB_MARKER_KIND_PORTAL = 3,
  // `door`, also `breakable`: a region that the game opens and closes.
  NB_MARKER_KIND_DOOR = 4,
  // `area`: a region with a meaning to the game.
  NB_MARKER_KIND_AREA = 5,
  // `nav_area`: the part of the level that was baked.
  NB_MARKER_KIND_NAV_AREA = 6,
  // `link`: a move that the game performs, or one end of it.
  NB_MARKER_KIND_LINK = 7,
  // `spring`: throws bodies that touch it.
  NB_MARKER_KIND_SPRING = 8,
};

// A position or region that is marked in the level.
typedef struct NbMarker {
  // `sizeof(NbMarker)`, set by the caller.
  uint32_t size;
  // One of `NbMarkerKind`.
  NbMarkerKind kind;
  // The corner of its bounding box with the smaller coordinates.
  NbVec2 min;
  // The corner with the larger coordinates.
  NbVec2 max;
  // The feet of an agent that is placed at it: the middle of the lower edge.
  NbVec2 feet;
} NbMarker;

// A platform that moves, at a time.
typedef struct NbMovingPlatform {
  // The number of its marker, for `nb_marker_name`.
  uint32_t marker;
  // 1 if bodies pass through it upwards.
  int32_t one_way;
  // Width and height.
  NbVec2 extent;
  // The left end of its top.
  NbVec2 position;
  // Units per second.
  NbVec2 velocity;
} NbMovingPlatform;

#ifdef __cplusplus
extern "C" {
#endif

// Reads a level from the bytes of a .navmesh file. They are not needed afterwards.
NbResult nb_mesh_load(const uint8_t *data, size_t length, NbMesh **mesh);

// Reads a level from a .navmesh file.
NbResult nb_mesh_load_file(const char *path, NbMesh **mesh);

// Frees a level. Navigators keep what they need of it.
void nb_mesh_free(NbMesh *mesh);

// The number of layers: one for each agent that the level was baked for. 0 for null.
uint32_t nb_mesh_layer_count(const NbMesh *mesh);

// Looks up the layer that was baked for an agent: `ground`, `air`, or a name of
// navbake.toml. Numbers are those of this mesh; look them up again in another one.
NbResult nb_mesh_layer(const NbMesh *mesh, const char *agent, uint32_t *layer);

// The number of markers, which are in the order of the level. 0 for null.
uint32_t nb_mesh_marker_count(const NbMesh *mesh);

// A marker, by its number from 0.
NbResult nb_mesh_marker(const NbMesh *mesh, uint32_t number, NbMarker *marker);

// The numbers of the markers of a kind, one of `NbMarkerKind`, and of a name, unless it is
// null: all spawns, or the spawns called `guard`.
NbResult nb_mesh_find_markers(
    const NbMesh *mesh, NbMarkerKind kind, const char *name, uint32_t *numbers,
    size_t capacity, size_t *count);

// The platforms on which agents ride, where they are at a time in seconds. Move the platforms
// of the game there at the end of a step.
NbResult nb_mesh_moving_platforms(
    const NbMesh *mesh, double seconds, NbMovingPlatform *platforms, size_t capacity,
    size_t platform_size, size_t *count);

// The name of a marker.
NbResult nb_marker_name(
    const NbMesh *mesh, uint32_t number, char *buffer, size_t capacity, size_t *length);

// The class of a marker, for those of the game's own.
NbResult nb_marker_class(
    const NbMesh *mesh, uint32_t number, char *buffer, size_t capacity, size_t *length);

// The number of a marker's properties. 0 for null and for a marker that does not exist.
uint32_t nb_marker_property_count(const NbMesh *mesh, uint32_t number);

// The name of a property of a marker, by its index from 0. They are sorted by name.
NbResult nb_marker_property_name(
    const NbMesh *mesh, uint32_t number, uint32_t index, char *buffer, size_t capacity,
    size_t *length);

// A property of a marker as text. `NB_RESULT_ERROR_UNKNOWN` if it has none of that
// name.
NbResult nb_marker_property(
    const NbMesh *mesh, uint32_t number, const char *property, char *buffer,
    size_t capacity, size_t *length);

#ifdef __cplusplus
}
#endif

/* ---- Layers: what is baked for one agent ---- */

// The limits of an agent. Lengths are world units, speeds units/s, accelerations
// units/s²; all are magnitudes, for both directions of y.
typedef struct NbProfile {
  // `sizeof(NbProfile)`, set by the caller.
  uint32_t size;
  // Width and height of the body.
  NbVec2 body;
  // Greatest speed on the floor; for agents that fly, in every direction.
  float run_speed;
  // Greatest increase of speed.
  float acceleration;
  // Greatest decrease of speed.
  float deceleration;
  // Greatest height of a jump.
  float jump_height;
  // Upward speed at the launch of the highest jump.
  float jump_speed;
  // Downward acceleration in jumps and drops.
  float gravity;
  // Greatest falling speed; 0 for no limit.
  float max_fall_speed;
  // Greatest horizontal acceleration in the air; 0 for no limit.
  float air_acceleration;
  // Speed on ladders, walls and ceilings; 0 for agents that do not climb.
  float climb_speed;
  // 1 if y grows downwards in the level, -1 if it grows upwards.
  float down;
  // Farthest across and highest up that a jump leads; may be infinite. 0 for what the
  // layer was baked for.
  NbVec2 max_jump;
  // Farthest across and deepest down that a drop leads; may be infinite. 0 for what the
  // layer was baked for.
  NbVec2 max_drop;
} NbProfile;

// A floor, ladder, wall or ceiling along which an agent can move without a break.
typedef struct NbPlatform {
  // How agents move along it, one of `NbStepKind`: `NB_STEP_KIND_FLOOR`,
  // `NB_STEP_KIND_LADDER`, `NB_STEP_KIND_WALL_CLIMB` or `NB_STEP_KIND_CEILING_CLIMB`.
  NbStepKind kind;
  // The number of its group: agents can go from any platform of a group to any other.
  uint32_t component;
  // Feet at the left end; on ladders and walls, at the end with the smaller y.
  NbVec2 left;
  // Feet at the other end.
  NbVec2 right;
} NbPlatform;

// A baked motion from one platform to another, in this direction.
typedef struct NbLink {
  // One of `NbStepKind`; `NB_STEP_KIND_FLOOR` where the agent walks on but cannot walk
  // back, for instance through a one-way wall.
  NbStepKind kind;
  // The number of the platform that it leaves.
  uint32_t from_platform;
  // The number of the platform that it leads to.
  uint32_t to_platform;
  // Seconds; for a portal, its cost.
  float duration;
  // How many seconds late the agent may take off, 0 to 0.25.
  float tolerance;
  // Feet at the start.
  NbVec2 from;
  // Feet at the end.
  NbVec2 to;
} NbLink;

#ifdef __cplusplus
extern "C" {
#endif

// The platforms of a layer. Their numbers are their places in this list.
NbResult nb_layer_platforms(
    const NbMesh *mesh, uint32_t layer, NbPlatform *platforms, size_t capacity,
    size_t platform_size, size_t *count);

// The line that the feet follow on a platform, from its left end to its right end.
NbResult nb_platform_points(
    const NbMesh *mesh, uint32_t layer, uint32_t platform, NbVec2 *points, size_t capacity,
    size_t *count);

// The links of a layer. Their numbers are their places in this list.
NbResult nb_layer_links(
    const NbMesh *mesh, uint32_t layer, NbLink *links, size_t capacity, size_t link_size,
    size_t *count);

// `count` points of the motion along a link, at equal times from its start to its end:
// the curve of a jump or drop, otherwise a straight line.
NbResult nb_link_points(
    const NbMesh *mesh, uint32_t layer, uint32_t link, NbVec2 *points, size_t count);

// The name of the agent that a layer was baked for.
NbResult nb_layer_name(
    const NbMesh *mesh, uint32_t layer, char *buffer, size_t capacity, size_t *length);

// The limits that a layer was baked for.
NbResult nb_layer_profile(const NbMesh *mesh, uint32_t layer, NbProfile *profile);

// Where an agent of this layer comes to rest that is put at a position: the floor,
// ladder or wall there, or the floor below. An error if there is no such place.
// For spawn points.
NbResult nb_layer_place(
    const NbMesh *mesh, uint32_t layer, NbVec2 position, NbVec2 *place_at);

// The left and the right end of the floor below a position, as far as the agent can
// walk there. An error if there is no floor. For patrols.
NbResult nb_layer_floor_ends(
    const NbMesh *mesh, uint32_t layer, NbVec2 position, NbVec2 *left, NbVec2 *right);

// Builds the index of routes of a layer, with which paths are looked up instead of
// searched for. Call it while the level loads: for 6,500 links it takes 0.04 s, for
// 120,000 it takes 1.2 s, and a fifth of that or less for a level that was baked with
// `index_routes = true`.
NbResult nb_layer_index_routes(const NbMesh *mesh, uint32_t layer);

#ifdef __cplusplus
}
#endif

/* ---- Levels in play, and paths in them ---- */

// A rectangle in which time costs more, for instance a swamp or the range of a turret.
typedef struct NbCostArea {
  // A corner, finite.
  NbVec2 corner;
  // The opposite corner, finite.
  NbVec2 opposite;
  // What a second with the feet inside counts as: finite, 1 or more. Where areas
  // overlap, their additions to 1 are summed.
  float factor;
} NbCostArea;

// What paths may not use, and what costs more than its time. Set all bytes to 0 first:
// fields that are 0 exclude nothing.
typedef struct NbFilter {
  // `sizeof(NbFilter)`, set by the caller.
  uint32_t size;
  // The kinds of motion that are not used: the sum of `1 << kind`, each one of
  // `NbStepKind`.
  NbStepKind forbidden;
  // For agents that fly: 1 if they stay at the floor, -1 if they keep off it. Jumps
  // and drops pass through the rest.
  int32_t floor;
  // Extra cost, in seconds, of jumps that fail when the agent takes off late; less for
  // jumps with some tolerance, nothing from a quarter of a second on. Finite, not
  // negative.
  float caution;
  // Rectangles in which time costs more. Null if there are none. They are copied.
  const NbCostArea *costs;
  // The number of `costs`.
  size_t cost_count;
  // `sizeof(NbCostArea)`, if there are costs.
  size_t cost_size;
} NbFilter;

// A path query.
typedef struct NbQuery {
  // `sizeof(NbQuery)`, set by the caller.
  uint32_t size;
  // 1 if the path may lead to the reachable point nearest to a goal that cannot be
  // reached.
  int32_t allow_partial_path;
  // Feet at the start.
  NbVec2 from;
  // Feet at the goal.
  NbVec2 to;
  // What the path may not use, and what costs more; may be null.
  const NbFilter *filter;
  // The limits of the agent that asks, as for `nb_agent_set_profile`; null for those
  // that the layer was baked for.
  const NbProfile *profile;
} NbQuery;

// The outcome of a path query.
NB_ENUM(NbFound, uint32_t) {
  // There is no path; `reason` says why.
  NB_FOUND_NONE = 0,
  // A path to the goal.
  NB_FOUND_GOAL = 1,
  // A path to the reachable point nearest to the goal; `reason` says why not to
  // the goal itself.
  NB_FOUND_NEAREST = 2,
};

// A path without its steps.
typedef struct NbPath {
  // `sizeof(NbPath)`, set by the caller.
  uint32_t size;
  // One of `NbFound`.
  NbFound found;
  // One of `NbReason`.
  NbReason reason;
  // Seconds, and what the filter adds to them.
  float cost;
  // Feet at the start, on the floor.
  NbVec2 start;
  // Feet at the end.
  NbVec2 end;
} NbPath;

// One motion of a path.
typedef struct NbStep {
  // One of `NbStepKind`.
  NbStepKind kind;
  // Seconds.
  float duration;
  // Feet at the start.
  NbVec2 from;
  // Feet at the end.
  NbVec2 to;
  // The number of the link that it follows, for `nb_link_points`; -1 for none.
  int32_t link;
} NbStep;

#ifdef __cplusplus
extern "C" {
#endif

// Begins to play a level. Its doors are open, except those with the property `closed`,
// and agents get their paths at once. The mesh may be freed.
NbResult nb_nav_new(const NbMesh *mesh, NbNav **nav);

// Frees a navigator. Its agents may still exist.
void nb_nav_free(NbNav *nav);

// Replaces the mesh, when the level was baked again or another one begins. Doors keep
// their state if the new mesh has a door of the same name. Agents find their place in
// the next step, and plan again for the destinations that they have.
NbResult nb_nav_set_mesh(NbNav *nav, const NbMesh *mesh);

// Bounds the path searches of a frame: `nb_nav_work` looks at no more than this number of
// nodes, and agents follow the path they have until the next one is found. 2,000 is a
// usual number. With 0, as in the beginning, agents get their paths at once.
NbResult nb_nav_set_budget(NbNav *nav, uint32_t nodes);

// Answers the waiting requests of agents within the budget, and returns how many. Call it
// once in each frame.
//
// `answered` may be null.
NbResult nb_nav_work(NbNav *nav, uint32_t *answered);

// Gives the level the time, in seconds at the begin of the next step. Agents ride on platforms
// that move from then on. A game that pauses sets the same time again, and may set it back.
// With a number that is not finite, as in the beginning, no agent rides.
NbResult nb_nav_set_clock(NbNav *nav, double seconds);

// Closes or opens every door of a name. Agents plan again around a door that
// closes.
NbResult nb_nav_set_door(NbNav *nav, const char *name, int32_t closed);

// Whether a door of that name is closed.
NbResult nb_nav_is_door_closed(const NbNav *nav, const char *name, int32_t *is_closed);

// Closes any rectangle with finite corners, for instance where a boulder lies. One that
// is closed twice is open when it was opened twice.
NbResult nb_nav_close_region(NbNav *nav, NbVec2 corner, NbVec2 opposite);

// Opens a rectangle again that was closed with these corners. Nothing changes if it is
// open.
NbResult nb_nav_open_region(NbNav *nav, NbVec2 corner, NbVec2 opposite);

// Takes everything solid in a rectangle with finite corners out of the level: ground that
// crumbles. Give it all of the ground that is gone, to its lower side. Agents on it fall in
// their next step and find other ways. It takes the time of loading a mesh.
NbResult nb_nav_remove(NbNav *nav, NbVec2 corner, NbVec2 opposite);

// Puts back what `nb_nav_remove` took out of a rectangle with these corners. Nothing changes
// if it was not removed. One that was removed twice is back when it was restored twice.
NbResult nb_nav_restore(NbNav *nav, NbVec2 corner, NbVec2 opposite);

// Finds the fastest path of a layer at once, around the doors that are closed. That there
// is none is not an error: see `found`.
//
// `path` is also written when the buffer for the steps is too small.
NbResult nb_nav_find(
    const NbNav *nav, uint32_t layer, const NbQuery *query, NbPath *path, NbStep *steps,
    size_t capacity, size_t step_size, size_t *count);

// Builds an index of routes for agents like the query: with its profile, and with the
// edges and caution of its filter. `nb_layer_index_routes` is for agents as they were
// baked. Call it while the level loads; every search uses the index. For an
// `NbAgent` give a profile, also if it is that of the layer. Returns the size of the index
// in memory: 0 for layers of agents that both walk and fly, and for the ninth kind of agent
// in a layer. The positions of the query do not matter, but must be finite.
//
// `bytes` may be null.
NbResult nb_nav_index_routes(
    NbNav *nav, uint32_t layer, const NbQuery *query, size_t *bytes);

// Whether nothing solid, and no closed door, is on a straight line. The
// smaller the body of the layer's agent, the more exact it is.
NbResult nb_nav_line_of_sight(
    const NbNav *nav, uint32_t layer, NbVec2 from, NbVec2 to, int32_t *is_free);

#ifdef __cplusplus
}
#endif

/* ---- Agents ---- */

// What an agent is doing.
NB_ENUM(NbActivity, uint32_t) {
  // One that this version of the interface does not know.
  NB_ACTIVITY_UNKNOWN = 0,
  // It stands, holds on to something or hovers without a destination.
  NB_ACTIVITY_IDLE = 1,
  // It rests at its destination, or where it was stopped.
  NB_ACTIVITY_ARRIVED = 2,
  // It is as near to its destination as it can get; `reason` says why not nearer.
  NB_ACTIVITY_NEAREST_REACHED = 3,
  // No path leads to its destination; `reason` says why.
  NB_ACTIVITY_CANNOT_REACH = 4,
  // Its destination or its limits are not valid.
  NB_ACTIVITY_REJECTED = 5,
  // It waits for a path.
  NB_ACTIVITY_WAITING = 6,
  // It runs along a floor.
  NB_ACTIVITY_RUNNING = 7,
  // It is in a jump.
  NB_ACTIVITY_JUMPING = 8,
  // It drops, or falls to where it can stand.
  NB_ACTIVITY_DROPPING = 9,
  // It flies.
  NB_ACTIVITY_FLYING = 10,
  // It climbs along a ladder, a wall or a ceiling.
  NB_ACTIVITY_CLIMBING = 11,
  // It was launched and has not landed yet.
  NB_ACTIVITY_LAUNCHED = 12,
  // It stands at the entrance of a portal.
  NB_ACTIVITY_IN_PORTAL = 13,
  // There is no place for it; `reason` says why. Teleport it into the level.
  NB_ACTIVITY_STRANDED = 14,
  // It was disabled or stunned. A stunned agent may still fall.
  NB_ACTIVITY_DISABLED = 15,
  // It rides on a platform that moves, or gets on or off it.
  NB_ACTIVITY_RIDING = 16,
};

// An agent at one moment.
typedef struct NbPose {
  // `sizeof(NbPose)`, set by the caller.
  uint32_t size;
  // What it is doing: one of `NbActivity`.
  NbActivity activity;
  // Why it does not move: one of `NbReason`.
  NbReason reason;
  // 1 if it looks to larger x, -1 if to smaller x.
  int32_t facing;
  // The feet.
  NbVec2 position;
  // Of the agent; after `nb_agent_drive`, the one that takes the body to `position`
  // within the step.
  NbVec2 velocity;
} NbPose;

// Something that happened in a step.
NB_ENUM(NbEventKind, uint32_t) {
  // One that this version of the interface does not know.
  NB_EVENT_KIND_UNKNOWN = 0,
  // It is at its destination, or was stopped.
  NB_EVENT_KIND_ARRIVED = 1,
  // It began a jump, at `from`; it will land at `to`.
  NB_EVENT_KIND_JUMPED = 2,
  // It began a drop or a fall, at `from`; it will land at `to`.
  NB_EVENT_KIND_DROPPED = 3,
  // It began to fly, at `from`.
  NB_EVENT_KIND_TOOK_OFF = 4,
  // It came down on a platform.
  NB_EVENT_KIND_LANDED = 5,
  // It entered a portal at `from`, and waits there; the exit is `to`.
  NB_EVENT_KIND_ENTERED_PORTAL = 6,
  // It came out of a portal, at `to`. Move a physics body there.
  NB_EVENT_KIND_TELEPORTED = 7,
  // A door closed on it. It moves out, by a side at which it enters no other one if it can.
  NB_EVENT_KIND_CAUGHT_IN_DOOR = 8,
  // It can no longer follow its path, for `reason`, and plans again.
  NB_EVENT_KIND_PATH_LOST = 9,
  // No path leads to its destination, for `reason`.
  NB_EVENT_KIND_CANNOT_REACH = 10,
  // Its body makes no progress. It plans again.
  NB_EVENT_KIND_STUCK = 11,
  // There is no place for it, for `reason`.
  NB_EVENT_KIND_STRANDED = 12,
  // It began a link that the game performs, at `from`; the end is `to`. `marker` is its
  // marker. Call `nb_agent_finish_link` if the game moves the body in its own way.
  NB_EVENT_KIND_LINK_STARTED = 13,
  // A link that the game performs is over, at `to`.
  NB_EVENT_KIND_LINK_FINISHED = 14,
  // It stands in front of a door that it may break. `marker` is that of the door.
  NB_EVENT_KIND_BLOCKED_BY = 15,
  // A spring throws it, at `from`; it will land at `to`.
  NB_EVENT_KIND_THROWN = 16,
  // It is on a platform that moves, at `to`. `marker` is that of the platform.
  NB_EVENT_KIND_BOARDED = 17,
  // It is on a floor again after a ride, at `to`. `marker` is that of the platform.
  NB_EVENT_KIND_GOT_OFF = 18,
};

// Something that happened in a step.
typedef struct NbEvent {
  // One of `NbEventKind`.
  NbEventKind kind;
  // One of `NbReason`.
  NbReason reason;
  // Where it began. The same as `to` for an event at one place, and 0 for one
  // that has no place.
  NbVec2 from;
  // Where it leads.
  NbVec2 to;
  // The number of the marker that it is about, for `nb_mesh_marker`; -1 for none.
  int32_t marker;
} NbEvent;

// A body that the game's physics moves, for `nb_agent_drive`.
typedef struct NbBody {
  // `sizeof(NbBody)`, set by the caller.
  uint32_t size;
  // 1 if it stands on something, otherwise 0.
  int32_t grounded;
  // The feet.
  NbVec2 position;
  // Units/s.
  NbVec2 velocity;
} NbBody;

// What the body should do in the next step.
typedef struct NbCommand {
  // `sizeof(NbCommand)`, set by the caller.
  uint32_t size;
  // The jump to begin now, one of `NbStepKind`: `NB_STEP_KIND_JUMP`,
  // `NB_STEP_KIND_DROP_THROUGH` or, for none, `NB_STEP_KIND_UNKNOWN`, which is 0.
  NbStepKind jump;
  // The velocity to have in this step. On floors and in jumps, a body with its own
  // gravity uses the x only.
  NbVec2 velocity;
  // With a jump: the velocity to take off with. A body with its own gravity uses
  // the y only.
  NbVec2 jump_velocity;
  // 1 if the body should move by exactly `velocity`, without gravity and collisions:
  // the agent flies, climbs, is in a portal or disabled. Otherwise 0.
  int32_t exact;
} NbCommand;

// How an agent moves where others of its level are in its way.
NB_ENUM(NbAvoidance, uint32_t) {
  // Through them, as a new agent does.
  NB_AVOIDANCE_OVERLAP = 0,
  // It keeps a gap.
  NB_AVOIDANCE_QUEUE = 1,
  // It keeps a gap, and makes way for one that comes towards it.
  NB_AVOIDANCE_YIELD = 2,
};

#ifdef __cplusplus
extern "C" {
#endif

// Makes an agent of a layer with its feet at a position. In the first step it finds
// its place there; in the air above a floor, it begins with a fall. It moves in the
// layer that a level was baked with for its agent, in this or any other level.
NbResult nb_agent_new(
    const NbMesh *mesh, uint32_t layer, NbVec2 position, NbAgent **agent);

// Frees an agent. If the navigator has a budget, call `nb_agent_cancel` before;
// otherwise it still works on the request of the agent and keeps the memory.
void nb_agent_free(NbAgent *agent);

// Stops an agent and takes back its request for a path.
NbResult nb_agent_cancel(NbAgent *agent, NbNav *nav);

// Sends an agent to a position: from where it is on a floor and in flight, from the
// end of a jump. May be called in every frame. A position that is not finite is an error.
NbResult nb_agent_set_destination(NbAgent *agent, NbVec2 destination);

// The destination of an agent; its position if it has none.
NbResult nb_agent_destination(const NbAgent *agent, NbVec2 *destination);

// Stops an agent. A jump is finished first.
NbResult nb_agent_stop(NbAgent *agent);

// Throws an agent with a velocity: an explosion, a hit. When it has landed, it goes
// on to its destination.
NbResult nb_agent_launch(NbAgent *agent, NbVec2 velocity);

// Stuns an agent until it is enabled: it lies where it is, or falls first.
NbResult nb_agent_stun(NbAgent *agent);

// Disables an agent until it is enabled: it does not move, even in mid-air.
NbResult nb_agent_disable(NbAgent *agent);

// Ends a stun or a disabling.
NbResult nb_agent_enable(NbAgent *agent);

// Ends a link that the game performs: the agent goes on from the end of the link, and one
// that drives a body from where the body is.
NbResult nb_agent_finish_link(NbAgent *agent);

// Moves an agent to another position, where it finds its place.
NbResult nb_agent_teleport(NbAgent *agent, NbVec2 position);

// Whether an agent that cannot reach its destination goes to the reachable point
// nearest to it. A new agent does not.
NbResult nb_agent_set_allow_partial_path(NbAgent *agent, int32_t allow);

// Lets the paths of an agent lead through closed doors that are breakable, for about so
// many seconds each; less than 0, or no number, for an agent that breaks nothing.
NbResult nb_agent_set_break_cost(NbAgent *agent, float seconds);

// Sets how an agent moves where others of its level are in its way: one of `NbAvoidance`.
NbResult nb_agent_set_avoidance(NbAgent *agent, NbAvoidance avoidance);

// Sets the greatest distance between the planned position of a body that moves exactly
// and the one that `nb_agent_drive` reports, finite and not negative. Half the grid's
// spacing for a new agent.
NbResult nb_agent_set_tolerance(NbAgent *agent, float tolerance);

// Sets other limits than the layer was baked for, for instance those of a wounded
// agent. `body` and `down` are not read. Begin with `nb_layer_profile`.
NbResult nb_agent_set_profile(NbAgent *agent, const NbProfile *profile);

// Sets what the paths of an agent may not use, and what costs more; null for nothing.
// Close doors that concern all agents with `nb_nav_set_door` instead.
NbResult nb_agent_set_filter(NbAgent *agent, const NbFilter *filter);

// Sets the greatest horizontal acceleration in the air of a body that
// `nb_agent_drive` steers; infinity for none. A new agent has that of its profile.
NbResult nb_agent_set_air_acceleration(NbAgent *agent, float acceleration);

// Moves an agent on by `seconds`, which are finite and not negative, and writes its
// pose. A level that was not baked for the agent is an error.
//
// `pose` may be null.
NbResult nb_agent_step(NbAgent *agent, NbNav *nav, float seconds, NbPose *pose);

// One fixed step of an agent whose body the game's physics moves, instead of
// `nb_agent_step`: reports the body, and writes what the body should do. `seconds` are
// finite and not negative. The guide `motion.md` of navmesh-runtime has the loop.
NbResult nb_agent_drive(
    NbAgent *agent, NbNav *nav, const NbBody *body, float seconds, NbCommand *command);

// Where an agent is and what it does, without a step.
NbResult nb_agent_pose(const NbAgent *agent, NbPose *pose);

// What happened in the last step, in order.
NbResult nb_agent_events(
    const NbAgent *agent, NbEvent *events, size_t capacity, size_t event_size,
    size_t *count);

// The steps ahead of an agent, for drawing.
NbResult nb_agent_remaining_path(
    const NbAgent *agent, NbStep *steps, size_t capacity, size_t step_size, size_t *count);

#ifdef __cplusplus
}
#endif

/* ---- Behaviour trees and what they share ---- */

// What a task, a cue or a tree returns. Functions of the game return one of these;
// any other number is a failure.
NB_ENUM(NbStatus, uint32_t) {
  // Completed, and it worked.
  NB_STATUS_SUCCESS = 1,
  // Completed, and it did not work.
  NB_STATUS_FAILURE = 2,
  // Not completed: it is called again in the next tick.
  NB_STATUS_RUNNING = 3,
};

// Which call of a task or cue this is.
NB_ENUM(NbCall, uint32_t) {
  // It starts in this tick.
  NB_CALL_BEGIN = 1,
  // It was running in the last tick.
  NB_CALL_CONTINUE = 2,
  // It was running and is abandoned: undo what it has begun. The result is not
  // read.
  NB_CALL_ABORT = 3,
};

// One call of a task of the game. It is valid until the function returns.
typedef struct NbTaskCall {
  // `sizeof(NbTaskCall)` of the library.
  uint32_t size;
  // One of `NbCall`.
  NbCall call;
  // Seconds since the last tick.
  float seconds;
  // The parameters of the task in the tree file, as a JSON object.
  const char *params;
  // The `user` of the tick: usually the enemy.
  void *user;
  // The agent of the tick.
  NbAgent *agent;
  // A number that the task may change: it is 0 when the task begins, and kept for
  // this agent and task until it ends.
  uint64_t *memory;
  // The state of the tree, for its blackboard.
  NbTreeState *state;
} NbTaskCall;

// A task of the game: receives the `user` of `nb_tasks_add` and the call, and returns
// one of `NbStatus`. It may call any function of the library, but of those for the tree
// state that is being ticked only the ones that read or write its blackboard. It must
// return: no exception, `longjmp` or panic may leave it.
typedef uint32_t (*NbTaskFn)(void *user, const NbTaskCall *call);

#ifdef __cplusplus
extern "C" {
#endif

// Makes a list of tasks with the ready-made ones.
NbResult nb_tasks_new(NbTasks **tasks);

// Frees a list of tasks. Trees that were made with it stay.
void nb_tasks_free(NbTasks *tasks);

// Adds a task of the game under the name that tree files use, in place of a task of
// that name. `user` is passed to each call. The function and `user` must stay valid as
// long as there are trees with the task, and be usable on every thread that ticks them.
NbResult nb_tasks_add(NbTasks *tasks, const char *name, NbTaskFn function, void *user);

// Makes a tree from the text of a file, in RON or JSON. Its mistakes are in the
// message, with the path of the node.
NbResult nb_tree_load(
    const NbTasks *tasks, const uint8_t *data, size_t length, NbTree **tree);

// Frees a tree. States of agents keep what they need of it.
void nb_tree_free(NbTree *tree);

// Makes the pools of a level: the waypoints of its markers, in the pools that they
// name.
NbResult nb_pools_new(const NbMesh *mesh, NbPools **pools);

// Adds a pool of tokens, in place of one of that name: at most `limit` agents hold one
// at a time. States that exist keep the pools that they were made with.
NbResult nb_pools_add_tokens(NbPools *pools, const char *name, uint32_t limit);

// Frees pools. States of agents keep what they need of them.
void nb_pools_free(NbPools *pools);

#ifdef __cplusplus
}
#endif

/* ---- What one agent is doing in its tree ---- */

// Plays a cue of a tree, such as an attack or a shout: receives the `user` of the
// tick, the name of the cue and which call it is, and returns one of `NbStatus`. Under
// the same conditions as `NbTaskFn`, but the blackboard of the state that is being
// ticked is busy: a task of the game in place of `cue` may use it.
typedef uint32_t (*NbCueFn)(void *user, const char *name, NbCall call);

// Turns the agent towards a position: receives the `user` of the tick. Under the same
// conditions as `NbCueFn`.
typedef void (*NbFaceFn)(void *user, float x, float y);

// What an agent perceives of its target: it sees it in a cone ahead, hears it when it is near,
// and knows where it was until it forgets. Keep one for each enemy.
typedef struct NbPerception {
  // `sizeof(NbPerception)`, set by the caller.
  uint32_t size;
  // How far it sees, world units.
  float range;
  // How far from straight ahead it sees, degrees; 180 is all around.
  float angle;
  // How near it hears the target, also through walls and behind it, world units.
  float hearing;
  // Seconds after which it forgets the target.
  float memory;
  // Seconds since it perceived the target; 0 while it does.
  float age;
  // 1 if it knows where the target was; 0 at first, and when it has forgotten it.
  int32_t knows;
  // 1 if it sees the target now.
  int32_t sees;
  // Where it perceived the target last.
  NbVec2 known;
} NbPerception;

// What one tick of a tree needs. Set all bytes to 0 first: fields that are 0 have
// their default.
typedef struct NbTick {
  // `sizeof(NbTick)`, set by the caller.
  uint32_t size;
  // Seconds since the last tick, finite and not negative.
  float seconds;
  // How far above its feet the agent looks from and is seen at.
  float eye_height;
  // 1 if the agent has a target, otherwise 0.
  int32_t has_target;
  // The feet of the target.
  NbVec2 target;
  // 1 or -1: where the agent looks, if the game turns it; 0 for where it moves.
  int32_t facing;
  // 1 if the player cannot see the agent. Agents on screen take tokens from others.
  int32_t off_screen;
  // Width and height of the target's body, with which the agent meets it at the
  // nearest place, also next to a wall; 0 for a target as large as the agent.
  NbVec2 target_body;
  // The agent.
  NbAgent *agent;
  // The level.
  NbNav *nav;
  // The agent in whose layer lines of sight are searched, one with a small body; null
  // for the layer of the agent itself.
  const char *sight_agent;
  // For the functions of the game: usually the enemy.
  void *user;
  // Plays cues. Without it, tasks with cues fail.
  NbCueFn cue;
  // Turns the agent; may be null.
  NbFaceFn face;
  // What the agent perceives of the target, which `nb_state_tick` updates first; null for an
  // agent that always knows where its target is.
  NbPerception *perception;
} NbTick;

#ifdef __cplusplus
extern "C" {
#endif

// Stores a position on the agent's blackboard, under a key of the tree. A task of the
// game may use the blackboard of the state that is being ticked.
NbResult nb_state_set_position(NbTreeState *state, const char *key, NbVec2 position);

// Reads a position from the agent's blackboard. As with numbers and texts, the result is
// `NB_RESULT_ERROR_UNKNOWN` if the key was never set.
NbResult nb_state_position(const NbTreeState *state, const char *key, NbVec2 *position);

// Stores a number on the agent's blackboard, under a key of type `float`, `int`, `bool`
// or `entity` of the tree. Numbers for `int` are rounded towards 0; for `bool`, 0 is
// false; those of entities are whole. A number that the type does not hold is an error.
NbResult nb_state_set_number(NbTreeState *state, const char *key, double number);

// Reads a number from the agent's blackboard, of one of these types; for `bool`, 1 or 0.
// Those of `int` and `entity` are exact up to 2^53.
NbResult nb_state_number(const NbTreeState *state, const char *key, double *number);

// Stores a text on the agent's blackboard, under a key of type `text` of the tree.
NbResult nb_state_set_text(NbTreeState *state, const char *key, const char *value);

// Reads a text from the agent's blackboard.
NbResult nb_state_text(
    const NbTreeState *state, const char *key, char *buffer, size_t capacity,
    size_t *length);

// Makes the state of a new agent in a tree. `pools` may be null if the tree uses none.
NbResult nb_state_new(const NbTree *tree, NbPools *pools, NbTreeState **state);

// Frees a state. Its tokens and waypoints return to their pools. Running tasks are
// not aborted: call `nb_state_reset` before if they must be.
void nb_state_free(NbTreeState *state);

// Ticks a tree once, before or after the agent is stepped, and returns its status.
//
// `status` may be null.
NbResult nb_state_tick(NbTreeState *state, const NbTick *tick, NbStatus *status);

// Aborts what is running in a tree, for instance when the agent is stunned or dies.
NbResult nb_state_reset(NbTreeState *state, const NbTick *tick);

// Moves an agent to another version of its tree, when the file has changed while the
// game runs: what is the same in both goes on. On an error the agent keeps its tree.
NbResult nb_state_migrate(
    NbTreeState *state, const NbTree *tree, NbPools *pools, const NbTick *tick);

// Records the last ticks of a state for `nb_state_trace`, at most `ticks`; 0 records nothing,
// as in the beginning.
NbResult nb_state_set_trace(NbTreeState *state, uint32_t ticks);

// The recorded ticks, one line of JSON for each, oldest first: which nodes ran, with their
// paths, their statuses and the reasons for these.
NbResult nb_state_trace(
    const NbTreeState *state, char *buffer, size_t capacity, size_t *length);

// The nodes that are running: for each innermost one a line with its path, the labels from
// the root joined by `/`.
NbResult nb_state_running(
    const NbTreeState *state, char *buffer, size_t capacity, size_t *length);

// Writes a state as a line of JSON for a saved game: what runs, the blackboard, the clock,
// tokens and waypoints.
NbResult nb_state_save(
    const NbTreeState *state, char *buffer, size_t capacity, size_t *length);

// Reads what `nb_state_save` wrote into a new state of the same tree, whose pools no agent
// has used yet. Restore all agents of a level before the next tick. After an error, free the
// state.
NbResult nb_state_restore(NbTreeState *state, const char *saved);

// The seconds on an agent's clock: the sum of its ticks.
NbResult nb_state_now(const NbTreeState *state, double *seconds);

#ifdef __cplusplus
}
#endif

#endif  /* NAVBAKE_H */
