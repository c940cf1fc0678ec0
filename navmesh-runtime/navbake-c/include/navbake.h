/* navbake.h: nav meshes of side-scrolling levels, paths in them, and agents that
   follow the paths. Generated from the source of navbake-c; do not edit.

   The guide, with complete programs for C and C#, is docs/engines.md.

   Errors
     Functions return NB_RESULT_OK, which is 0, or an error. Then
     nb_error_message() says what is wrong, and results are not written unless the
     function says so. Nothing aborts the program.

   Pointers
     - Handles (NbMesh *, NbAgent *, ...) come from a function ..._new or _load, and
       are freed once by the function ..._free of their type. Free functions accept
       null. After an error the handle is null.
     - A null handle is an error, unless the function says that it may be null. A
       pointer that is neither null nor valid is undefined behaviour, as in all of C.
     - Texts are UTF-8 and end with a zero. The library keeps no pointer to them.
     - Buffers belong to the caller. A capacity is the number of elements, for texts
       of bytes with the zero. Pointers for results do not overlap.

   Structs
     The first field of most structs is their size: set it to sizeof before the call.
     Lists have an argument for the size of their elements. So a program works with
     later versions of the library, which add fields at the end.

   Threads
     Every function may be called on every thread. Only one call uses an object at a
     time: a second one at the same time returns NB_RESULT_ERROR_BUSY, without waiting.
     A level (NbMesh) may be used by all threads at once. No object may be freed while
     it is in use.

   Units
     Positions are world units, those of an agent's feet: the bottom centre of its
     body. Time is an argument, in seconds. The same calls give the same results. */

#ifndef NAVBAKE_H
#define NAVBAKE_H

#include <stddef.h>
#include <stdint.h>

// The version of this interface. It grows when functions or fields are added.
// Functions that exist keep their meaning.
#define NB_VERSION 3

// What a function returns.
enum NbResult
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
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
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbResult NbResult;
#else
typedef int32_t NbResult;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What an agent is doing.
enum NbActivity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
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
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbActivity NbActivity;
#else
typedef uint32_t NbActivity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why an agent does not move, why its path was lost, or why there is no path.
enum NbReason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
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
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbReason NbReason;
#else
typedef uint32_t NbReason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Something that happened in a step.
enum NbEventKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
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
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbEventKind NbEventKind;
#else
typedef uint32_t NbEventKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of motion of a step of a path.
enum NbStepKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
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
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbStepKind NbStepKind;
#else
typedef uint32_t NbStepKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a marker is for.
enum NbMarkerKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A class that is the game's own.
  NB_MARKER_KIND_OTHER = 0,
  // `spawn`: an agent or the player enters the level here.
  NB_MARKER_KIND_SPAWN = 1,
  // `waypoint`: a point of interest.
  NB_MARKER_KIND_WAYPOINT = 2,
  // `portal`: one end of a connection that teleports.
  NB_MARKER_KIND_PORTAL = 3,
  // `door`: a region that the game opens and closes.
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
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbMarkerKind NbMarkerKind;
#else
typedef uint32_t NbMarkerKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The outcome of a path query.
enum NbFound
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // There is no path; `reason` says why.
  NB_FOUND_NONE = 0,
  // A path to the goal.
  NB_FOUND_GOAL = 1,
  // A path to the reachable point nearest to the goal; `reason` says why not to
  // the goal itself.
  NB_FOUND_NEAREST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbFound NbFound;
#else
typedef uint32_t NbFound;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a task, a cue or a tree returns. Functions of the game return one of these;
// any other number is a failure.
enum NbStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Completed, and it worked.
  NB_STATUS_SUCCESS = 1,
  // Completed, and it did not work.
  NB_STATUS_FAILURE = 2,
  // Not completed: it is called again in the next tick.
  NB_STATUS_RUNNING = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbStatus NbStatus;
#else
typedef uint32_t NbStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which call of a task or cue this is.
enum NbCall
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It starts in this tick.
  NB_CALL_BEGIN = 1,
  // It was running in the last tick.
  NB_CALL_CONTINUE = 2,
  // It was running and is abandoned: undo what it has begun. The result is not
  // read.
  NB_CALL_ABORT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum NbCall NbCall;
#else
typedef uint32_t NbCall;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// An agent that follows paths.
typedef struct NbAgent NbAgent;

// A baked level. It never changes, so any number of threads may use it at once.
typedef struct NbMesh NbMesh;

// A level in play: its mesh, its doors, and the path searches of all agents in it.
typedef struct NbNav NbNav;

// Tokens and waypoints that the agents of a level share.
typedef struct NbPools NbPools;

// The tasks that tree files may name: the ready-made ones and those of the game.
typedef struct NbTasks NbTasks;

// A tree: what all agents of a kind do.
typedef struct NbTree NbTree;

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

// The limits of an agent. Lengths are world units, speeds units/s, accelerations
// units/s²; all are magnitudes, for both directions of y.
typedef struct NbProfile {
  // `sizeof(NbProfile)`, set by the caller.
  uint32_t size;
  // Width and height of the body.
  struct NbVec2 body;
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
  struct NbVec2 max_jump;
  // Farthest across and deepest down that a drop leads; may be infinite. 0 for what the
  // layer was baked for.
  struct NbVec2 max_drop;
} NbProfile;

// A rectangle in which time costs more, for instance a swamp or the range of a turret.
typedef struct NbCostArea {
  // A corner, finite.
  struct NbVec2 corner;
  // The opposite corner, finite.
  struct NbVec2 opposite;
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
  uint32_t forbidden;
  // For agents that fly: 1 if they stay at the floor, -1 if they keep off it. Jumps
  // and drops pass through the rest.
  int32_t floor;
  // Extra cost, in seconds, of jumps that fail when the agent takes off late; less for
  // jumps with some tolerance, nothing from a quarter of a second on. Finite, not
  // negative.
  float caution;
  // Rectangles in which time costs more. Null if there are none. They are copied.
  const struct NbCostArea *costs;
  // The number of `costs`.
  size_t cost_count;
  // `sizeof(NbCostArea)`, if there are costs.
  size_t cost_size;
} NbFilter;

// An agent at one moment.
typedef struct NbPose {
  // `sizeof(NbPose)`, set by the caller.
  uint32_t size;
  // What it is doing: one of `NbActivity`.
  uint32_t activity;
  // Why it does not move: one of `NbReason`.
  uint32_t reason;
  // 1 if it looks to larger x, -1 if to smaller x.
  int32_t facing;
  // The feet.
  struct NbVec2 position;
  // Of the agent; after `nb_agent_drive`, the one that takes the body to `position`
  // within the step.
  struct NbVec2 velocity;
} NbPose;

// A body that the game's physics moves, for `nb_agent_drive`.
typedef struct NbBody {
  // `sizeof(NbBody)`, set by the caller.
  uint32_t size;
  // 1 if it stands on something, otherwise 0.
  int32_t grounded;
  // The feet.
  struct NbVec2 position;
  // Units/s.
  struct NbVec2 velocity;
} NbBody;

// What the body should do in the next step.
typedef struct NbCommand {
  // `sizeof(NbCommand)`, set by the caller.
  uint32_t size;
  // The jump to begin now: `NB_STEP_KIND_JUMP` or `NB_STEP_KIND_DROP_THROUGH`; 0 for
  // none.
  uint32_t jump;
  // The velocity to have in this step. On floors and in jumps, a body with its own
  // gravity uses the x only.
  struct NbVec2 velocity;
  // With a jump: the velocity to take off with. A body with its own gravity uses
  // the y only.
  struct NbVec2 jump_velocity;
  // 1 if the body should move by exactly `velocity`, without gravity and collisions:
  // the agent flies, climbs, is in a portal or disabled. Otherwise 0.
  int32_t exact;
} NbCommand;

// Something that happened in a step.
typedef struct NbEvent {
  // One of `NbEventKind`.
  uint32_t kind;
  // One of `NbReason`.
  uint32_t reason;
  // Where it began. The same as `to` for an event at one place, and 0 for one
  // that has no place.
  struct NbVec2 from;
  // Where it leads.
  struct NbVec2 to;
  // 1 + the number of the marker that it is about, for `nb_mesh_marker`; 0 for none.
  uint32_t marker;
} NbEvent;

// One motion of a path.
typedef struct NbStep {
  // One of `NbStepKind`.
  uint32_t kind;
  // Seconds.
  float duration;
  // Feet at the start.
  struct NbVec2 from;
  // Feet at the end.
  struct NbVec2 to;
  // 1 + the number of the link that it follows, for `nb_link_points`; 0 for none.
  uint32_t link;
} NbStep;

// A floor, ladder, wall or ceiling along which an agent can move without a break.
typedef struct NbPlatform {
  // How agents move along it: `NB_STEP_KIND_FLOOR`, `NB_STEP_KIND_LADDER`,
  // `NB_STEP_KIND_WALL_CLIMB` or `NB_STEP_KIND_CEILING_CLIMB`.
  uint32_t kind;
  // The number of its group: agents can go from any platform of a group to any other.
  uint32_t component;
  // Feet at the left end; on ladders and walls, at the end with the smaller y.
  struct NbVec2 left;
  // Feet at the other end.
  struct NbVec2 right;
} NbPlatform;

// A baked motion from one platform to another, in this direction.
typedef struct NbLink {
  // One of `NbStepKind`; `NB_STEP_KIND_FLOOR` where the agent walks on but cannot walk
  // back, for instance through a one-way wall.
  uint32_t kind;
  // The number of the platform that it leaves.
  uint32_t from_platform;
  // The number of the platform that it leads to.
  uint32_t to_platform;
  // Seconds; for a portal, its cost.
  float duration;
  // How many seconds late the agent may take off, 0 to 0.25.
  float tolerance;
  // Feet at the start.
  struct NbVec2 from;
  // Feet at the end.
  struct NbVec2 to;
} NbLink;

// A position or region that is marked in the level.
typedef struct NbMarker {
  // `sizeof(NbMarker)`, set by the caller.
  uint32_t size;
  // One of `NbMarkerKind`.
  uint32_t kind;
  // The corner of its bounding box with the smaller coordinates.
  struct NbVec2 min;
  // The corner with the larger coordinates.
  struct NbVec2 max;
  // The feet of an agent that is placed at it: the middle of the lower edge.
  struct NbVec2 feet;
} NbMarker;

// A path query.
typedef struct NbQuery {
  // `sizeof(NbQuery)`, set by the caller.
  uint32_t size;
  // 1: if the goal cannot be reached, find a path to the reachable point nearest
  // to it.
  int32_t allow_partial_path;
  // Feet at the start.
  struct NbVec2 from;
  // Feet at the goal.
  struct NbVec2 to;
  // What the path may not use, and what costs more; may be null.
  const struct NbFilter *filter;
  // The limits of the agent that asks, as for `nb_agent_set_profile`; null for those
  // that the layer was baked for.
  const struct NbProfile *profile;
} NbQuery;

// A path without its steps.
typedef struct NbPath {
  // `sizeof(NbPath)`, set by the caller.
  uint32_t size;
  // One of `NbFound`.
  uint32_t found;
  // One of `NbReason`.
  uint32_t reason;
  // Seconds, and what the filter adds to them.
  float cost;
  // Feet at the start, on the floor.
  struct NbVec2 start;
  // Feet at the end.
  struct NbVec2 end;
} NbPath;

// One call of a task of the game. It is valid until the function returns.
typedef struct NbTaskCall {
  // `sizeof(NbTaskCall)` of the library.
  uint32_t size;
  // One of `NbCall`.
  uint32_t call;
  // Seconds since the last tick.
  float seconds;
  // 0.
  uint32_t reserved;
  // The parameters of the task in the tree file, as a JSON object.
  const char *params;
  // The `user` of the tick: usually the enemy.
  void *user;
  // The agent of the tick.
  const struct NbAgent *agent;
  // A number that the task may change: it is 0 when the task begins, and kept for
  // this agent and task until it ends.
  uint64_t *memory;
  // The state of the tree, for its blackboard.
  const struct NbTreeState *state;
} NbTaskCall;

// A task of the game: receives the `user` of `nb_tasks_add` and the call, and returns
// one of `NbStatus`. It may call any function of the library, but of those for the tree
// state that is being ticked only the ones that read or write its blackboard. It must
// return: no exception, `longjmp` or panic may leave it.
typedef uint32_t (*NbTaskFn)(void *user, const struct NbTaskCall *call);

// Plays a cue of a tree, such as an attack or a shout: receives the `user` of the
// tick, the name of the cue and one of `NbCall`, and returns one of `NbStatus`. Under
// the same conditions as `NbTaskFn`, but the blackboard of the state that is being
// ticked is busy: a task of the game in place of `cue` may use it.
typedef uint32_t (*NbCueFn)(void *user, const char *name, uint32_t call);

// Turns the agent towards a position: receives the `user` of the tick. Under the same
// conditions as `NbCueFn`.
typedef void (*NbFaceFn)(void *user, struct NbVec2 position);

// What one tick of a tree needs. Set all bytes to 0 first: fields that are 0 have
// their default.
typedef struct NbTick {
  // `sizeof(NbTick)`, set by the caller.
  uint32_t size;
  // Seconds since the last tick, finite and not negative.
  float seconds;
  // 1 + the layer for lines of sight, that of an agent with a small body; 0 for the
  // layer of the agent itself.
  uint32_t sight_layer;
  // How far above its feet the agent looks from and is seen at.
  float eye_height;
  // 1 if the agent has a target, otherwise 0.
  int32_t has_target;
  // The feet of the target.
  struct NbVec2 target;
  // 1 or -1: where the agent looks, if the game turns it; 0 for where it moves.
  int32_t facing;
  // 1 if the player cannot see the agent. Agents on screen take tokens from others.
  int32_t off_screen;
  // 0.
  uint32_t reserved;
  // Width and height of the target's body, with which the agent meets it at the
  // nearest place, also next to a wall; 0 for a target as large as the agent.
  struct NbVec2 target_body;
  // The agent.
  const struct NbAgent *agent;
  // The level.
  const struct NbNav *nav;
  // For the functions of the game: usually the enemy.
  void *user;
  // Plays cues. Without it, tasks with cues fail.
  NbCueFn cue;
  // Turns the agent; may be null.
  NbFaceFn face;
} NbTick;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface in the library that the program has loaded, to
// compare with `NB_VERSION` of the header: a library with a lower one lacks
// functions that the header declares.
uint32_t nb_version(void);

// The version of navmesh-runtime in the library, for reports: `0.1.0`. A text that
// is never freed.
const char *nb_runtime_version(void);

// Makes an agent of a layer with its feet at a position. In the first step it finds
// its place there; in the air above a floor, it begins with a fall. It moves in the
// layer that a level was baked with for its agent, in this or any other level.
NbResult nb_agent_new(const struct NbMesh *mesh,
                      uint32_t layer,
                      struct NbVec2 position,
                      struct NbAgent **agent);

// Frees an agent. If the navigator has a budget, call `nb_agent_cancel` before;
// otherwise it still works on the request of the agent and keeps the memory.
void nb_agent_free(struct NbAgent *agent);

// Stops an agent and takes back its request for a path.
NbResult nb_agent_cancel(const struct NbAgent *agent, const struct NbNav *nav);

// Sends an agent to a position: from where it is on a floor and in flight, from the
// end of a jump. May be called in every frame. With a position that is not finite, the
// agent stands: `NB_ACTIVITY_REJECTED`.
NbResult nb_agent_set_destination(const struct NbAgent *agent, struct NbVec2 destination);

// The destination of an agent; its position if it has none.
NbResult nb_agent_destination(const struct NbAgent *agent, struct NbVec2 *destination);

// Stops an agent. A jump is finished first.
NbResult nb_agent_stop(const struct NbAgent *agent);

// Throws an agent with a velocity: an explosion, a hit. When it has landed, it goes
// on to its destination. A velocity that is not finite does nothing.
NbResult nb_agent_launch(const struct NbAgent *agent, struct NbVec2 velocity);

// Stuns an agent until it is enabled: it lies where it is, or falls first.
NbResult nb_agent_stun(const struct NbAgent *agent);

// Disables an agent until it is enabled: it does not move, even in mid-air.
NbResult nb_agent_disable(const struct NbAgent *agent);

// Ends a stun or a disabling.
NbResult nb_agent_enable(const struct NbAgent *agent);

// Ends a link that the game performs: the agent goes on from the end of the link, and one
// that drives a body from where the body is.
NbResult nb_agent_finish_link(const struct NbAgent *agent);

// Moves an agent to another position, where it finds its place.
NbResult nb_agent_teleport(const struct NbAgent *agent, struct NbVec2 position);

// With 1, an agent that cannot reach its destination goes to the reachable point
// nearest to it.
NbResult nb_agent_set_allow_partial_path(const struct NbAgent *agent, int32_t allow);

// Lets the paths of an agent lead through closed doors that are breakable, for about so
// many seconds each; less than 0, or no number, for an agent that breaks nothing.
NbResult nb_agent_set_break_cost(const struct NbAgent *agent, float seconds);

// Sets how an agent moves where others of its level are in its way: 0 through them, as a new
// agent; 1 keeps a gap; 2 also makes way for one that comes towards it.
NbResult nb_agent_set_avoidance(const struct NbAgent *agent,
                                uint32_t avoidance);

// Sets the greatest distance between the planned position of a body that moves exactly
// and the one that `nb_agent_drive` reports, finite and not negative. Half the grid's
// spacing for a new agent.
NbResult nb_agent_set_tolerance(const struct NbAgent *agent, float tolerance);

// Sets other limits than the layer was baked for, for instance those of a wounded
// agent. `body` and `down` are not read. Begin with `nb_layer_profile`.
NbResult nb_agent_set_profile(const struct NbAgent *agent,
                              const struct NbProfile *profile);

// Sets what the paths of an agent may not use, and what costs more; null for nothing.
// Close doors that concern all agents with `nb_nav_set_door` instead.
NbResult nb_agent_set_filter(const struct NbAgent *agent, const struct NbFilter *filter);

// Sets the greatest horizontal acceleration in the air of a body that
// `nb_agent_drive` steers; infinity for none. A new agent has that of its profile.
NbResult nb_agent_set_air_acceleration(const struct NbAgent *agent, float acceleration);

// Moves an agent on by `seconds`, which are finite and not negative, and writes its
// pose, which may be null.
NbResult nb_agent_step(const struct NbAgent *agent,
                       const struct NbNav *nav,
                       float seconds,
                       struct NbPose *pose);

// One fixed step of an agent whose body the game's physics moves, instead of
// `nb_agent_step`: reports the body, and writes what the body should do. `seconds` are
// finite and not negative. The guide `motion.md` of navmesh-runtime has the loop.
NbResult nb_agent_drive(const struct NbAgent *agent,
                        const struct NbNav *nav,
                        const struct NbBody *body,
                        float seconds,
                        struct NbCommand *command);

// Where an agent is and what it does, without a step.
NbResult nb_agent_pose(const struct NbAgent *agent, struct NbPose *pose);

// What happened in the last step, in order. `event_size` is `sizeof(NbEvent)`.
// `count`, which may be null, gets the number of events, also when it is above the
// capacity.
NbResult nb_agent_events(const struct NbAgent *agent,
                         struct NbEvent *events,
                         size_t capacity,
                         size_t event_size,
                         size_t *count);

// The steps ahead of an agent, for drawing. The arguments are those of
// `nb_agent_events`, with `sizeof(NbStep)`.
NbResult nb_agent_remaining_path(const struct NbAgent *agent,
                                 struct NbStep *steps,
                                 size_t capacity,
                                 size_t step_size,
                                 size_t *count);

// Stores a position on the agent's blackboard, under a key of the tree. A task of the
// game may use the blackboard of the state that is being ticked.
NbResult nb_state_set_position(const struct NbTreeState *state,
                               const char *key,
                               struct NbVec2 position);

// Reads a position from the agent's blackboard. As with numbers and texts, the result is
// `NB_RESULT_ERROR_UNKNOWN` if the key was never set.
NbResult nb_state_position(const struct NbTreeState *state,
                           const char *key,
                           struct NbVec2 *position);

// Stores a number on the agent's blackboard, under a key of type `float`, `int`, `bool`
// or `entity` of the tree. Numbers for `int` are rounded towards 0; for `bool`, 0 is
// false; those of entities are whole. A number that the type does not hold is an error.
NbResult nb_state_set_number(const struct NbTreeState *state,
                             const char *key,
                             double number);

// Reads a number from the agent's blackboard, of one of these types; for `bool`, 1 or 0.
// Those of `int` and `entity` are exact up to 2^53.
NbResult nb_state_number(const struct NbTreeState *state,
                         const char *key,
                         double *number);

// Stores a text on the agent's blackboard, under a key of type `text` of the tree.
NbResult nb_state_set_text(const struct NbTreeState *state,
                           const char *key,
                           const char *value);

// Reads a text from the agent's blackboard. The last three arguments are those of
// `nb_layer_name`.
NbResult nb_state_text(const struct NbTreeState *state,
                       const char *key,
                       char *buffer,
                       size_t capacity,
                       size_t *length);

// The message of the last call on this thread that returned an error: what is
// wrong, and usually what to do. Empty before the first error. It belongs to the
// library and is valid until the next call on this thread that returns an error.
const char *nb_error_message(void);

// The platforms of a layer. Their numbers are their places in this list. The arguments
// are those of `nb_agent_events`, with `sizeof(NbPlatform)`.
NbResult nb_layer_platforms(const struct NbMesh *mesh,
                            uint32_t layer,
                            struct NbPlatform *platforms,
                            size_t capacity,
                            size_t platform_size,
                            size_t *count);

// The line that the feet follow on a platform, from its left end to its right end.
// `count`, which may be null, gets the number of points, also when it is above the
// capacity.
NbResult nb_platform_points(const struct NbMesh *mesh,
                            uint32_t layer,
                            uint32_t platform,
                            struct NbVec2 *points,
                            size_t capacity,
                            size_t *count);

// The links of a layer. Their numbers are their places in this list. The arguments are
// those of `nb_agent_events`, with `sizeof(NbLink)`.
NbResult nb_layer_links(const struct NbMesh *mesh,
                        uint32_t layer,
                        struct NbLink *links,
                        size_t capacity,
                        size_t link_size,
                        size_t *count);

// `count` points of the motion along a link, at equal times from its start to its end:
// the curve of a jump or drop, otherwise a straight line.
NbResult nb_link_points(const struct NbMesh *mesh,
                        uint32_t layer,
                        uint32_t link,
                        struct NbVec2 *points,
                        size_t count);

// Reads a level from the bytes of a .navmesh file. They are not needed afterwards.
NbResult nb_mesh_load(const uint8_t *data, size_t length, struct NbMesh **mesh);

// Reads a level from a .navmesh file.
NbResult nb_mesh_load_file(const char *path, struct NbMesh **mesh);

// Frees a level. Navigators keep what they need of it.
void nb_mesh_free(struct NbMesh *mesh);

// The number of layers: one for each agent that the level was baked for. 0 for null.
uint32_t nb_mesh_layer_count(const struct NbMesh *mesh);

// Looks up the layer that was baked for an agent: `ground`, `air`, or a name of
// navbake.toml. Numbers are those of this mesh; look them up again in another one.
NbResult nb_mesh_layer(const struct NbMesh *mesh, const char *agent, uint32_t *layer);

// The name of the agent that a layer was baked for. `length`, which may be null,
// gets the bytes without the zero, also when the buffer is too small.
NbResult nb_layer_name(const struct NbMesh *mesh,
                       uint32_t layer,
                       char *buffer,
                       size_t capacity,
                       size_t *length);

// The limits that a layer was baked for.
NbResult nb_layer_profile(const struct NbMesh *mesh,
                          uint32_t layer,
                          struct NbProfile *profile);

// Where an agent of this layer comes to rest that is put at a position: the floor,
// ladder or wall there, or the floor below. An error if there is no such place.
// For spawn points.
NbResult nb_layer_place(const struct NbMesh *mesh,
                        uint32_t layer,
                        struct NbVec2 position,
                        struct NbVec2 *place_at);

// The left and the right end of the floor below a position, as far as the agent can
// walk there. An error if there is no floor. For patrols.
NbResult nb_layer_floor_ends(const struct NbMesh *mesh,
                             uint32_t layer,
                             struct NbVec2 position,
                             struct NbVec2 *left,
                             struct NbVec2 *right);

// Builds the index of routes of a layer, with which paths are looked up instead of
// searched for. Call it while the level loads: for 6,500 links it takes 0.04 s, for
// 120,000 it takes 1.2 s, and a fifth of that or less for a level that was baked with
// `index_routes = true`.
NbResult nb_layer_index_routes(const struct NbMesh *mesh, uint32_t layer);

// The number of markers, which are in the order of the level. 0 for null.
uint32_t nb_mesh_marker_count(const struct NbMesh *mesh);

// A marker, by its number from 0.
NbResult nb_mesh_marker(const struct NbMesh *mesh,
                        uint32_t number,
                        struct NbMarker *marker);

// The name of a marker.
NbResult nb_marker_name(const struct NbMesh *mesh,
                        uint32_t number,
                        char *buffer,
                        size_t capacity,
                        size_t *length);

// The class of a marker, for those of the game's own.
NbResult nb_marker_class(const struct NbMesh *mesh,
                         uint32_t number,
                         char *buffer,
                         size_t capacity,
                         size_t *length);

// A property of a marker as text. `NB_RESULT_ERROR_UNKNOWN` if it has none of that
// name.
NbResult nb_marker_property(const struct NbMesh *mesh,
                            uint32_t number,
                            const char *property,
                            char *buffer,
                            size_t capacity,
                            size_t *length);

// Begins to play a level. Its doors are open, except those with the property `closed`,
// and agents get their paths at once. The mesh may be freed.
NbResult nb_nav_new(const struct NbMesh *mesh, struct NbNav **nav);

// Frees a navigator. Its agents may still exist.
void nb_nav_free(struct NbNav *nav);

// Replaces the mesh, when the level was baked again or another one begins. Doors keep
// their state if the new mesh has a door of the same name. Agents find their place in
// the next step, and plan again for the destinations that they have.
NbResult nb_nav_set_mesh(const struct NbNav *nav, const struct NbMesh *mesh);

// Bounds the path searches of a frame: `nb_nav_work` looks at no more than this number of
// nodes, and agents follow the path they have until the next one is found. 2,000 is a
// usual number. With 0, as in the beginning, agents get their paths at once.
NbResult nb_nav_set_budget(const struct NbNav *nav, uint32_t nodes);

// Answers the waiting requests of agents within the budget. Call it once in each frame.
// `answered`, which may be null, gets the number of requests that were answered.
NbResult nb_nav_work(const struct NbNav *nav, uint32_t *answered);

// Closes (1) or opens (0) every door of a name. Agents plan again around a door that
// closes.
NbResult nb_nav_set_door(const struct NbNav *nav, const char *name, int32_t closed);

// Whether a door of that name is closed: 1 or 0.
NbResult nb_nav_is_door_closed(const struct NbNav *nav,
                               const char *name,
                               int32_t *is_closed);

// Closes any rectangle with finite corners, for instance where a boulder lies. One that
// is closed twice is open when it was opened twice.
NbResult nb_nav_close_region(const struct NbNav *nav,
                             struct NbVec2 corner,
                             struct NbVec2 opposite);

// Opens a rectangle again that was closed with these corners. Nothing changes if it is
// open.
NbResult nb_nav_open_region(const struct NbNav *nav,
                            struct NbVec2 corner,
                            struct NbVec2 opposite);

// Takes everything solid in a rectangle with finite corners out of the level: ground that
// crumbles. Give it all of the ground that is gone, to its lower side. Agents on it fall in
// their next step and find other ways. It takes the time of loading a mesh.
NbResult nb_nav_remove(const struct NbNav *nav,
                       struct NbVec2 corner,
                       struct NbVec2 opposite);

// Puts back what `nb_nav_remove` took out of a rectangle with these corners. Nothing changes
// if it was not removed. One that was removed twice is back when it was restored twice.
NbResult nb_nav_restore(const struct NbNav *nav,
                        struct NbVec2 corner,
                        struct NbVec2 opposite);

// Finds the fastest path of a layer at once, around the doors that are closed. That there
// is none is not an error: see `found`. `steps` may be null
// with the capacity 0; `step_size` is `sizeof(NbStep)`. `count`, which may be null,
// gets the number of steps of the path; if it is above the capacity, the result is
// `NB_RESULT_ERROR_BUFFER`, and `path` and the first steps are written.
NbResult nb_nav_find(const struct NbNav *nav,
                     uint32_t layer,
                     const struct NbQuery *query,
                     struct NbPath *path,
                     struct NbStep *steps,
                     size_t capacity,
                     size_t step_size,
                     size_t *count);

// Builds an index of routes for agents like the query: with its profile, and with the
// edges and caution of its filter. `nb_layer_index_routes` is for agents as they were
// baked. Call it while the level loads; every search uses the index. For an
// `NbAgent` give a profile, also if it is that of the layer. `bytes`, which may be null,
// gets the size of the index in memory: 0 for layers of agents that both walk and fly,
// and for the ninth kind of agent in a layer. The positions of the query do not matter,
// but must be finite.
NbResult nb_nav_index_routes(const struct NbNav *nav,
                             uint32_t layer,
                             const struct NbQuery *query,
                             size_t *bytes);

// Whether nothing solid, and no closed door, is on a straight line: 1 or 0. The
// smaller the body of the layer's agent, the more exact it is.
NbResult nb_nav_line_of_sight(const struct NbNav *nav,
                              uint32_t layer,
                              struct NbVec2 from,
                              struct NbVec2 to,
                              int32_t *is_free);

// Makes a list of tasks with the ready-made ones.
NbResult nb_tasks_new(struct NbTasks **tasks);

// Frees a list of tasks. Trees that were made with it stay.
void nb_tasks_free(struct NbTasks *tasks);

// Adds a task of the game under the name that tree files use, in place of a task of
// that name. `user` is passed to each call. The function and `user` must stay valid as
// long as there are trees with the task, and be usable on every thread that ticks them.
NbResult nb_tasks_add(const struct NbTasks *tasks,
                      const char *name,
                      NbTaskFn function,
                      void *user);

// Makes a tree from the text of a file, in RON or JSON. Its mistakes are in the
// message, with the path of the node.
NbResult nb_tree_load(const struct NbTasks *tasks,
                      const uint8_t *data,
                      size_t length,
                      struct NbTree **tree);

// Frees a tree. States of agents keep what they need of it.
void nb_tree_free(struct NbTree *tree);

// Makes the pools of a level: the waypoints of its markers, in the pools that they
// name.
NbResult nb_pools_new(const struct NbMesh *mesh, struct NbPools **pools);

// Adds a pool of tokens, in place of one of that name: at most `limit` agents hold one
// at a time. States that exist keep the pools that they were made with.
NbResult nb_pools_add_tokens(const struct NbPools *pools,
                             const char *name,
                             uint32_t limit);

// Frees pools. States of agents keep what they need of them.
void nb_pools_free(struct NbPools *pools);

// Makes the state of a new agent in a tree. `pools` may be null if the tree uses none.
NbResult nb_state_new(const struct NbTree *tree,
                      const struct NbPools *pools,
                      struct NbTreeState **state);

// Frees a state. Its tokens and waypoints return to their pools. Running tasks are
// not aborted: call `nb_state_reset` before if they must be.
void nb_state_free(struct NbTreeState *state);

// Ticks a tree once, before or after the agent is stepped. `status`, which may be null,
// gets one of `NbStatus`.
NbResult nb_state_tick(const struct NbTreeState *state,
                       const struct NbTick *tick,
                       uint32_t *status);

// Aborts what is running in a tree, for instance when the agent is stunned or dies.
NbResult nb_state_reset(const struct NbTreeState *state, const struct NbTick *tick);

// Moves an agent to another version of its tree, when the file has changed while the
// game runs: what is the same in both goes on. On an error the agent keeps its tree.
NbResult nb_state_migrate(const struct NbTreeState *state,
                          const struct NbTree *tree,
                          const struct NbPools *pools,
                          const struct NbTick *tick);

// The seconds on an agent's clock: the sum of its ticks.
NbResult nb_state_now(const struct NbTreeState *state, double *seconds);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NAVBAKE_H */
