/* Uses the whole interface as a game in C does, in a baked level of the repository.
   tests/programs/main.rs compiles it with and without sanitizers, and runs it:

     chase LEVEL.navmesh */
#include "navbake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: not true: %s (last error: %s)\n", __FILE__,         \
              __LINE__, #condition, nb_error_message());                          \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)
#define OK(call) CHECK((call) == NB_RESULT_OK)
#define FRAME (1.0f / 60.0f)

static float distance(NbVec2 a, NbVec2 b) { return hypotf(a.x - b.x, a.y - b.y); }

static uint8_t *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  CHECK(file);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  *length = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*length);
  CHECK(bytes && fread(bytes, 1, *length, file) == *length);
  fclose(file);
  return bytes;
}

static NbMesh *load(const char *path) {
  size_t length;
  uint8_t *bytes = read_file(path, &length);
  NbMesh *mesh = (NbMesh *)&length;
  /* Bytes that are cut off are an error, and the handle is null. */
  CHECK(nb_mesh_load(bytes, length - 1, &mesh) == NB_RESULT_ERROR_MESH);
  CHECK(mesh == NULL);
  CHECK(strstr(nb_error_message(), "cut off"));
  CHECK(nb_mesh_load(NULL, 7, &mesh) == NB_RESULT_ERROR_ARGUMENT);
  CHECK(nb_mesh_load(bytes, length, NULL) == NB_RESULT_ERROR_ARGUMENT);
  OK(nb_mesh_load(bytes, length, &mesh));
  free(bytes);
  NbMesh *same;
  OK(nb_mesh_load_file(path, &same));
  CHECK(nb_mesh_layer_count(same) == nb_mesh_layer_count(mesh));
  nb_mesh_free(same);
  CHECK(nb_mesh_load_file("no such file", &same) == NB_RESULT_ERROR_FILE);
  nb_mesh_free(NULL);
  return mesh;
}

static NbVec2 spawn_of(const NbMesh *mesh, const char *wanted) {
  uint32_t spawns[64];
  size_t count, length;
  OK(nb_mesh_find_markers(mesh, NB_MARKER_KIND_SPAWN, NULL, spawns, 64, &count));
  CHECK(count > 1 && spawns[count - 1] < nb_mesh_marker_count(mesh));
  OK(nb_mesh_find_markers(mesh, NB_MARKER_KIND_SPAWN, wanted, spawns, 64, &count));
  CHECK(count > 0);
  NbMarker marker = {.size = sizeof marker};
  OK(nb_mesh_marker(mesh, spawns[0], &marker));
  CHECK(marker.kind == NB_MARKER_KIND_SPAWN);
  CHECK(marker.min.x <= marker.feet.x && marker.feet.x <= marker.max.x);
  char name[64], value[64];
  OK(nb_marker_name(mesh, spawns[0], name, sizeof name, &length));
  CHECK(length == strlen(name) && strcmp(name, wanted) == 0);
  /* All properties, by their names. */
  uint32_t properties = nb_marker_property_count(mesh, spawns[0]);
  CHECK(properties > 0);
  for (uint32_t i = 0; i < properties; i++) {
    OK(nb_marker_property_name(mesh, spawns[0], i, name, sizeof name, NULL));
    OK(nb_marker_property(mesh, spawns[0], name, value, sizeof value, &length));
    CHECK(length == strlen(value));
  }
  CHECK(nb_marker_property_name(mesh, spawns[0], properties, name, 64, NULL) ==
        NB_RESULT_ERROR_UNKNOWN);
  return marker.feet;
}

static void levels(const NbMesh *mesh, uint32_t layer) {
  uint32_t unknown;
  CHECK(nb_mesh_layer(mesh, "dragon", &unknown) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(strstr(nb_error_message(), "\"dragon\"; there are walker"));
  char name[64] = "?";
  size_t length = 0;
  OK(nb_layer_name(mesh, layer, name, sizeof name, NULL));
  CHECK(strcmp(name, "walker") == 0);
  CHECK(nb_layer_name(mesh, layer, name, 4, &length) == NB_RESULT_ERROR_BUFFER);
  CHECK(strcmp(name, "wal") == 0 && length == 6);
  CHECK(nb_layer_name(mesh, 99, name, 4, &length) == NB_RESULT_ERROR_UNKNOWN);

  NbProfile profile = {.size = sizeof profile};
  OK(nb_layer_profile(mesh, layer, &profile));
  CHECK(profile.body.x == 12 && profile.body.y == 20 && profile.down == 1);
  profile.size = 0;
  CHECK(nb_layer_profile(mesh, layer, &profile) == NB_RESULT_ERROR_SIZE);

  NbVec2 at = spawn_of(mesh, "spitter"), floor, left, right;
  at.y -= 10;
  OK(nb_layer_place(mesh, layer, at, &floor));
  CHECK(floor.y > at.y);
  OK(nb_layer_floor_ends(mesh, layer, floor, &left, &right));
  CHECK(left.x <= floor.x && floor.x <= right.x && left.x < right.x);
  at.x = -1e6f;
  CHECK(nb_layer_place(mesh, layer, at, &floor) == NB_RESULT_ERROR_UNKNOWN);
  int32_t sees = -1;
  NbNav *nav;
  OK(nb_nav_new(mesh, &nav));
  OK(nb_nav_line_of_sight(nav, layer, left, right, &sees));
  CHECK(sees == 0 || sees == 1);
  nb_nav_free(nav);
  OK(nb_layer_index_routes(mesh, layer));
}

static void queries(const NbMesh *mesh, uint32_t layer, NbVec2 from, NbVec2 to) {
  NbNav *nav;
  OK(nb_nav_new(mesh, &nav));
  NbQuery query = {.size = sizeof query, .from = from, .to = to};
  NbPath path = {.size = sizeof path};
  NbStep steps[64];
  size_t count;
  OK(nb_nav_find(nav, layer, &query, &path, steps, 64, sizeof *steps, &count));
  CHECK(path.found == NB_FOUND_GOAL && path.reason == NB_REASON_NONE && count > 1);
  CHECK(distance(steps[0].from, path.start) == 0 &&
        distance(steps[count - 1].to, path.end) == 0);
  float seconds = 0;
  for (size_t i = 0; i < count; i++) {
    CHECK(steps[i].kind != NB_STEP_KIND_UNKNOWN);
    CHECK(i == 0 || distance(steps[i - 1].to, steps[i].from) == 0);
    seconds += steps[i].duration;
  }
  CHECK(fabsf(seconds - path.cost) < 1e-3f * seconds);
  /* A buffer that is too small gets what fits, and nothing behind it changes. */
  NbStep two[2] = {{0}, {.duration = -7}};
  CHECK(nb_nav_find(nav, layer, &query, &path, two, 1, sizeof *two, &count) ==
        NB_RESULT_ERROR_BUFFER);
  CHECK(count > 1 && memcmp(two, steps, sizeof *two) == 0 && two[1].duration == -7);
  /* A closed door around the goal. */
  NbVec2 corner = {to.x - 16, to.y - 40}, opposite = {to.x + 16, to.y + 8};
  OK(nb_nav_close_region(nav, corner, opposite));
  OK(nb_nav_find(nav, layer, &query, &path, NULL, 0, sizeof *steps, &count));
  CHECK(path.found == NB_FOUND_NONE && path.reason == NB_REASON_GOAL_CLOSED && count == 0);
  query.allow_partial_path = 1;
  CHECK(nb_nav_find(nav, layer, &query, &path, NULL, 0, sizeof *steps, &count) ==
        NB_RESULT_ERROR_BUFFER);
  CHECK(path.found == NB_FOUND_NEAREST && distance(path.end, to) > 0);
  OK(nb_nav_open_region(nav, corner, opposite));
  CHECK(nb_nav_set_door(nav, "gate", 1) == NB_RESULT_ERROR_UNKNOWN);
  query.from.x = NAN;
  CHECK(nb_nav_find(nav, layer, &query, &path, NULL, 0, sizeof *steps, NULL) ==
        NB_RESULT_ERROR_ARGUMENT);
  nb_nav_free(nav);
}

/* Filters and limits make paths longer, or leave none. */
static void filters(const NbMesh *mesh, uint32_t layer, NbVec2 from, NbVec2 to) {
  NbNav *nav;
  NbAgent *agent;
  NbStep steps[64];
  size_t count;
  OK(nb_nav_new(mesh, &nav));
  NbQuery query = {.size = sizeof query, .from = from, .to = to};
  NbPath plain = {.size = sizeof plain}, path = plain;
#define FIND() nb_nav_find(nav, layer, &query, &path, steps, 64, sizeof *steps, &count)
  OK(FIND());
  plain = path;
  uint32_t used = 0;
  for (size_t i = 0; i < count; i++) used |= 1u << steps[i].kind;
  CHECK(used & (1u << NB_STEP_KIND_JUMP));

  /* A cost area over the whole level. Its corners may be any two. */
  NbCostArea swamp = {.corner = {1e6f, -1e6f}, .opposite = {-1e6f, 1e6f}, .factor = 2};
  NbFilter filter = {.size = sizeof filter, .costs = &swamp, .cost_count = 1,
                     .cost_size = sizeof swamp};
  query.filter = &filter;
  OK(FIND());
  CHECK(path.found == NB_FOUND_GOAL && fabsf(path.cost - 2 * plain.cost) < 1e-3f * path.cost);
  filter.cost_count = 0;
  filter.caution = 5;
  OK(FIND());
  CHECK(path.found == NB_FOUND_GOAL && path.cost >= plain.cost);
  filter.caution = 0;
  filter.forbidden = 1u << NB_STEP_KIND_JUMP;
  OK(FIND());
  for (size_t i = 0; i < count; i++) CHECK(steps[i].kind != NB_STEP_KIND_JUMP);
  CHECK(path.found == NB_FOUND_NONE ? path.reason == NB_REASON_EXHAUSTED : path.cost >= plain.cost);
  NbProfile limits = {.size = sizeof limits};
  OK(nb_layer_profile(mesh, layer, &limits));
  limits.run_speed /= 2;
  query.filter = NULL;
  query.profile = &limits;
  OK(FIND());
  CHECK(path.found == NB_FOUND_NONE || path.cost > 1.2f * plain.cost);

  /* What is wrong with a filter. */
  query.profile = NULL;
  query.filter = &filter;
  filter.caution = -1;
  CHECK(FIND() == NB_RESULT_ERROR_ARGUMENT && strstr(nb_error_message(), "caution"));
  filter.caution = 0;
  filter.cost_count = 1;
  swamp.factor = 0.5f;
  CHECK(FIND() == NB_RESULT_ERROR_ARGUMENT && strstr(nb_error_message(), "cost factor is 0.5"));
  swamp.factor = 2;
  filter.cost_size = 4;
  CHECK(FIND() == NB_RESULT_ERROR_SIZE && strstr(nb_error_message(), "NbCostArea"));
  filter.costs = NULL;
  filter.cost_size = sizeof swamp;
  CHECK(FIND() == NB_RESULT_ERROR_ARGUMENT);
#undef FIND

  /* An agent that may only walk does not get there, until it may. */
  NbFilter walk = {.size = sizeof walk, .forbidden = ~(1u << NB_STEP_KIND_FLOOR)};
  NbPose pose = {.size = sizeof pose};
  OK(nb_agent_new(mesh, layer, from, &agent));
  OK(nb_agent_set_filter(agent, &walk));
  CHECK(nb_agent_set_filter(agent, &filter) == NB_RESULT_ERROR_ARGUMENT);
  OK(nb_agent_set_destination(agent, to));
  OK(nb_agent_step(agent, nav, FRAME, &pose));
  CHECK(pose.activity == NB_ACTIVITY_CANNOT_REACH && pose.reason == NB_REASON_EXHAUSTED);
  OK(nb_agent_set_filter(agent, NULL));
  OK(nb_agent_step(agent, nav, FRAME, &pose));
  CHECK(pose.activity == NB_ACTIVITY_RUNNING);
  OK(nb_agent_remaining_path(agent, steps, 64, sizeof *steps, &count));
  CHECK(count > 0);
  nb_agent_free(agent);
  nb_nav_free(nav);
}

/* What a debug view draws: the platforms, the links, and the path of an agent. */
static void drawing(const NbMesh *mesh, uint32_t layer, NbVec2 from, NbVec2 to) {
  size_t platform_count, link_count, count;
  CHECK(nb_layer_platforms(mesh, layer, NULL, 0, sizeof(NbPlatform), &platform_count) ==
        NB_RESULT_ERROR_BUFFER);
  CHECK(nb_layer_links(mesh, layer, NULL, 0, sizeof(NbLink), &link_count) ==
        NB_RESULT_ERROR_BUFFER);
  NbPlatform *platforms = calloc(platform_count, sizeof *platforms);
  NbLink *links = calloc(link_count, sizeof *links);
  NbVec2 points[256];
  CHECK(platforms && links);
  OK(nb_layer_platforms(mesh, layer, platforms, platform_count, sizeof *platforms, &count));
  CHECK(count == platform_count);
  OK(nb_layer_links(mesh, layer, links, link_count, sizeof *links, &count));
  CHECK(count == link_count);
  for (uint32_t i = 0; i < platform_count; i++) {
    CHECK(platforms[i].kind == NB_STEP_KIND_FLOOR);
    OK(nb_platform_points(mesh, layer, i, points, 256, &count));
    CHECK(count >= 2 && distance(points[0], platforms[i].left) == 0 &&
          distance(points[count - 1], platforms[i].right) == 0);
  }
  int jumps = 0;
  for (uint32_t i = 0; i < link_count; i++) {
    NbLink link = links[i];
    const NbPlatform *left = &platforms[link.from_platform];
    CHECK(left->left.x <= link.from.x && link.from.x <= left->right.x);
    CHECK(link.to_platform < platform_count && link.duration > 0 && link.tolerance <= 0.25f);
    OK(nb_link_points(mesh, layer, i, points, 16));
    CHECK(distance(points[0], link.from) < 1e-3f && distance(points[15], link.to) == 0);
    float top = points[0].y;
    for (int k = 1; k < 16; k++) top = fminf(top, points[k].y);
    /* The curve of a jump is above its start: y grows downwards. */
    jumps += link.kind == NB_STEP_KIND_JUMP && top < link.from.y;
    CHECK(link.kind != NB_STEP_KIND_UNKNOWN);
  }
  CHECK(jumps > 0);
  OK(nb_link_points(mesh, layer, 0, points, 1));
  OK(nb_link_points(mesh, layer, 0, NULL, 0));
  CHECK(nb_link_points(mesh, layer, 0, NULL, 1) == NB_RESULT_ERROR_BUFFER);
  CHECK(nb_link_points(mesh, layer, (uint32_t)link_count, points, 16) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(strstr(nb_error_message(), "nb_layer_links"));
  CHECK(nb_platform_points(mesh, layer, UINT32_MAX, points, 2, NULL) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(nb_layer_links(mesh, layer, links, link_count, 4, NULL) == NB_RESULT_ERROR_SIZE);

  /* The steps of a path name their links. */
  NbNav *nav;
  NbStep steps[64];
  NbQuery query = {.size = sizeof query, .from = from, .to = to};
  NbPath path = {.size = sizeof path};
  OK(nb_nav_new(mesh, &nav));
  OK(nb_nav_find(nav, layer, &query, &path, steps, 64, sizeof *steps, &count));
  for (size_t i = 0; i < count; i++) {
    CHECK((steps[i].link == -1) == (steps[i].kind == NB_STEP_KIND_FLOOR));
    if (steps[i].link < 0) continue;
    const NbLink *link = &links[steps[i].link];
    CHECK(link->kind == steps[i].kind && distance(link->to, steps[i].to) == 0);
  }
  nb_nav_free(nav);
  free(platforms);
  free(links);
}

/* An enemy chases a player that runs from one end of the level to the other. Returns
   the frames until it is caught. */
static int chase(const NbMesh *mesh, uint32_t layer, NbVec2 from, NbVec2 player_from, int queued,
                 unsigned seen[16]) {
  NbNav *nav;
  NbAgent *enemy, *player;
  OK(nb_nav_new(mesh, &nav));
  OK(nb_nav_set_budget(nav, queued ? 2000 : 0));
  OK(nb_agent_new(mesh, layer, from, &enemy));
  OK(nb_agent_new(mesh, layer, player_from, &player));
  NbProfile slow = {.size = sizeof slow};
  OK(nb_layer_profile(mesh, layer, &slow));
  slow.run_speed *= 0.5f;
  OK(nb_agent_set_profile(player, &slow));
  slow.run_speed = -1;
  CHECK(nb_agent_set_profile(player, &slow) == NB_RESULT_ERROR_ARGUMENT);
  OK(nb_agent_set_destination(player, from));
  int frame = 0;
  for (; frame < 60 * 60; frame++) {
    NbPose at = {.size = sizeof at}, hunted = {.size = sizeof hunted};
    OK(nb_agent_step(player, nav, FRAME, &hunted));
    OK(nb_agent_set_destination(enemy, hunted.position));
    OK(nb_agent_step(enemy, nav, FRAME, &at));
    uint32_t answered;
    OK(nb_nav_work(nav, &answered));
    NbEvent events[8];
    size_t count;
    OK(nb_agent_events(enemy, events, 8, sizeof *events, &count));
    for (size_t i = 0; i < count; i++) {
      CHECK(events[i].kind < 16);
      seen[events[i].kind]++;
    }
    if (distance(at.position, hunted.position) < 20) break;
  }
  OK(nb_agent_cancel(enemy, nav));
  nb_agent_free(enemy);
  nb_agent_free(player);
  nb_nav_free(nav);
  return frame;
}

/* A body that the game moves by velocities follows the agent; then it is pushed. */
static void bodies(const NbMesh *mesh, uint32_t layer, NbVec2 from, NbVec2 to) {
  NbNav *nav;
  NbAgent *agent;
  OK(nb_nav_new(mesh, &nav));
  OK(nb_agent_new(mesh, layer, from, &agent));
  OK(nb_agent_set_destination(agent, to));
  NbPose pose = {.size = sizeof pose};
  OK(nb_agent_step(agent, nav, FRAME, &pose));
  for (int i = 0; i < 60 * 60 && pose.activity != NB_ACTIVITY_ARRIVED; i++)
    OK(nb_agent_step(agent, nav, FRAME, &pose));
  CHECK(pose.activity == NB_ACTIVITY_ARRIVED && distance(pose.position, to) < 1);

  NbBody physics = {.size = sizeof physics, .grounded = 1, .position = pose.position};
  NbCommand command = {.size = sizeof command};
  OK(nb_agent_set_destination(agent, from));
  for (int i = 0; i < 30; i++)
    OK(nb_agent_drive(agent, nav, &physics, FRAME, &command));
  CHECK(command.jump != 0 || command.velocity.x != 0);
  CHECK(!command.exact);

  /* One that flies follows it exactly. */
  NbAgent *flyer;
  uint32_t air;
  OK(nb_mesh_layer(mesh, "flyer", &air));
  OK(nb_agent_new(mesh, air, from, &flyer));
  OK(nb_agent_set_destination(flyer, to));
  physics.position = from;
  for (int i = 0; i < 60 * 60 && (i < 2 || pose.activity != NB_ACTIVITY_ARRIVED); i++) {
    OK(nb_agent_drive(flyer, nav, &physics, FRAME, &command));
    OK(nb_agent_pose(flyer, &pose));
    physics.velocity = command.velocity;
    physics.position.x += command.velocity.x * FRAME;
    physics.position.y += command.velocity.y * FRAME;
    CHECK(i == 0 || (command.exact == 1 && distance(physics.position, pose.position) < 0.1f));
  }
  CHECK(pose.activity == NB_ACTIVITY_ARRIVED && distance(physics.position, to) < 1);
  nb_agent_free(flyer);

  /* A position that is not finite is an error, and changes nothing. */
  NbVec2 nowhere = {NAN, 0}, destination;
  CHECK(nb_agent_set_destination(agent, nowhere) == NB_RESULT_ERROR_ARGUMENT);
  CHECK(strstr(nb_error_message(), "the destination is NaN,0; it must be finite"));
  CHECK(nb_agent_teleport(agent, nowhere) == NB_RESULT_ERROR_ARGUMENT);
  CHECK(nb_agent_launch(agent, nowhere) == NB_RESULT_ERROR_ARGUMENT);
  OK(nb_agent_destination(agent, &destination));
  CHECK(distance(destination, from) == 0);
  OK(nb_agent_stun(agent));
  OK(nb_agent_step(agent, nav, FRAME, &pose));
  CHECK(pose.activity == NB_ACTIVITY_DISABLED);
  OK(nb_agent_enable(agent));
  OK(nb_agent_teleport(agent, to));
  OK(nb_agent_stop(agent));
  OK(nb_agent_step(agent, nav, 0, NULL));
  OK(nb_agent_pose(agent, &pose));
  CHECK(pose.activity == NB_ACTIVITY_ARRIVED);
  CHECK(nb_agent_step(NULL, nav, FRAME, &pose) == NB_RESULT_ERROR_ARGUMENT);
  nb_agent_free(agent);
  nb_nav_free(nav);
}

/* The tree of an enemy that goes to its target and bites it, and a task of the game. */
static const char TREE[] =
    "(name: \"biter\", keys: {\"home\": vec2, \"rage\": float, \"kills\": int,\n"
    "  \"awake\": bool, \"prey\": entity, \"name\": text}, root: sequence(children: [\n"
    "  task(name: \"growl\", task: \"growl\", params: {\"times\": 3}),\n"
    "  with_token(pool: \"melee\", child: sequence(children: [\n"
    "    task(name: \"close in\", task: \"pursue\", params: {\"range\": 18.0}),\n"
    "    task(name: \"bite\", task: \"cue\", params: {\"cue\": \"bite\"}),\n"
    "  ])),\n"
    "  task(name: \"growl\", task: \"growl\", params: {\"times\": 1000}),\n"
    "]))";

typedef struct {
  NbTreeState *state;
  NbTick *tick;
  int growls, begun, aborted, bites, busy;
  char params[64];
} Enemy;

static uint32_t growl(void *user, const NbTaskCall *call) {
  CHECK(call->size >= sizeof *call && *(int *)user == 42);
  Enemy *enemy = call->user;
  snprintf(enemy->params, sizeof enemy->params, "%s", call->params);
  if (call->call == NB_CALL_ABORT) {
    enemy->aborted++;
    return 0;
  }
  enemy->begun += call->call == NB_CALL_BEGIN;
  /* The agent may be used here, the state that is being ticked may not. */
  NbPose pose = {.size = sizeof pose};
  OK(nb_agent_pose(call->agent, &pose));
  double rage;
  OK(nb_state_number(call->state, "rage", &rage));
  OK(nb_state_set_number(call->state, "rage", rage + 1));
  enemy->busy += nb_state_tick(enemy->state, enemy->tick, NULL) == NB_RESULT_ERROR_BUSY;
  enemy->growls++;
  return ++*call->memory < (uint64_t)atoi(strchr(call->params, ':') + 1) ? NB_STATUS_RUNNING
                                                                        : NB_STATUS_SUCCESS;
}

static uint32_t cue(void *user, const char *name, NbCall call) {
  Enemy *enemy = user;
  CHECK(strcmp(name, "bite") == 0 && call == NB_CALL_BEGIN);
  double rage;
  CHECK(nb_state_number(enemy->state, "rage", &rage) == NB_RESULT_ERROR_BUSY);
  enemy->bites++;
  return NB_STATUS_SUCCESS;
}

/* All types, numbers that they do not hold, and keys that are not set. */
static void blackboard(NbTreeState *state) {
  NbVec2 at;
  OK(nb_state_position(state, "home", &at));
  CHECK(at.x == 1 && at.y == 2);
  static const struct {
    const char *key;
    double number, read;
    NbResult result;
  } numbers[] = {
      {"rage", 0.5, 0.5, NB_RESULT_OK},
      {"rage", 1e300, 0.5, NB_RESULT_ERROR_ARGUMENT},
      {"rage", INFINITY, INFINITY, NB_RESULT_OK},
      {"kills", -7.9, -7, NB_RESULT_OK},
      {"kills", 1e300, -7, NB_RESULT_ERROR_ARGUMENT},
      {"kills", NAN, -7, NB_RESULT_ERROR_ARGUMENT},
      {"kills", 9223372036854775808.0, -7, NB_RESULT_ERROR_ARGUMENT},
      {"kills", -9223372036854775808.0, -9223372036854775808.0, NB_RESULT_OK},
      {"awake", 2, 1, NB_RESULT_OK},
      {"awake", NAN, 1, NB_RESULT_ERROR_ARGUMENT},
      {"prey", 12, 12, NB_RESULT_OK},
      {"prey", 1e19, 1e19, NB_RESULT_OK},
      {"prey", 1.9e19, 1e19, NB_RESULT_ERROR_ARGUMENT},
      {"prey", 12, 12, NB_RESULT_OK},
      {"prey", -1, 12, NB_RESULT_ERROR_ARGUMENT},
      {"prey", 0.5, 12, NB_RESULT_ERROR_ARGUMENT},
      {"prey", 1e300, 12, NB_RESULT_ERROR_ARGUMENT},
      {"rage", 0.5, 0.5, NB_RESULT_OK},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    double read;
    CHECK(nb_state_set_number(state, numbers[i].key, numbers[i].number) == numbers[i].result);
    OK(nb_state_number(state, numbers[i].key, &read));
    CHECK(read == numbers[i].read);
  }
  char name[16];
  size_t length;
  CHECK(nb_state_text(state, "name", name, sizeof name, NULL) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(strstr(nb_error_message(), "is not set"));
  OK(nb_state_set_text(state, "name", "gnasher"));
  OK(nb_state_text(state, "name", name, sizeof name, &length));
  CHECK(strcmp(name, "gnasher") == 0 && length == 7);
  CHECK(nb_state_text(state, "name", name, 3, &length) == NB_RESULT_ERROR_BUFFER);
  CHECK(nb_state_set_number(state, "home", 1) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(nb_state_number(state, "none", NULL) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(nb_state_position(state, "rage", &at) == NB_RESULT_ERROR_UNKNOWN);
  CHECK(nb_state_number(state, "rage", NULL) == NB_RESULT_ERROR_ARGUMENT);
}

static void trees(const NbMesh *mesh, uint32_t layer, NbVec2 from, NbVec2 to) {
  static int number = 42;
  NbTasks *tasks;
  NbTree *tree, *broken;
  NbPools *pools;
  NbNav *nav;
  NbAgent *agent;
  Enemy enemy = {0};
  OK(nb_tasks_new(&tasks));
  CHECK(nb_tree_load(tasks, (const uint8_t *)TREE, strlen(TREE), &tree) == NB_RESULT_ERROR_TREE);
  CHECK(strstr(nb_error_message(), "there is no task named \"growl\""));
  OK(nb_tasks_add(tasks, "growl", growl, &number));
  CHECK(nb_tasks_add(tasks, "none", NULL, NULL) == NB_RESULT_ERROR_ARGUMENT);
  OK(nb_tree_load(tasks, (const uint8_t *)TREE, strlen(TREE), &tree));
  const char *json = "{\"root\": {\"wait\": 1}}";
  CHECK(nb_tree_load(tasks, (const uint8_t *)json, strlen(json), &broken) == NB_RESULT_ERROR_TREE);
  OK(nb_pools_new(mesh, &pools));
  CHECK(nb_state_new(tree, pools, &enemy.state) == NB_RESULT_ERROR_TREE);
  CHECK(strstr(nb_error_message(), "melee"));
  OK(nb_pools_add_tokens(pools, "melee", 1));
  OK(nb_state_new(tree, pools, &enemy.state));
  OK(nb_nav_new(mesh, &nav));
  OK(nb_agent_new(mesh, layer, from, &agent));
  NbTick tick = {.size = sizeof tick, .seconds = FRAME, .has_target = 1,
                 .target = to, .agent = agent, .nav = nav, .user = &enemy,
                 .cue = cue};
  enemy.tick = &tick;
  NbVec2 home = {1, 2};
  OK(nb_state_set_position(enemy.state, "home", home));
  OK(nb_state_set_number(enemy.state, "rage", 0.5));
  blackboard(enemy.state);
  NbStatus status = NB_STATUS_FAILURE;
  char text[4096];
  OK(nb_state_set_trace(enemy.state, 2));
  for (int i = 0; i < 60 * 60 && enemy.begun < 2; i++) {
    OK(nb_state_tick(enemy.state, &tick, &status));
    CHECK(status == NB_STATUS_RUNNING);
    OK(nb_agent_step(agent, nav, FRAME, NULL));
  }
  NbPose pose = {.size = sizeof pose};
  OK(nb_agent_pose(agent, &pose));
  CHECK(enemy.bites == 1 && distance(pose.position, to) < 20);
  CHECK(enemy.growls == 4 && enemy.busy == 4 && enemy.begun == 2);
  CHECK(strcmp(enemy.params, "{\"times\":1000}") == 0);
  double rage;
  OK(nb_state_number(enemy.state, "rage", &rage));
  CHECK(rage == 4.5);
  /* What it is doing, for people and for a saved game. */
  OK(nb_state_running(enemy.state, text, sizeof text, NULL));
  CHECK(strcmp(text, "sequence/growl~2") == 0);
  OK(nb_state_trace(enemy.state, text, sizeof text, NULL));
  CHECK(strstr(text, "\"path\":\"sequence/growl~2\",\"event\":\"running\"}]}\n"));
  NbTreeState *loaded;
  NbPools *fresh;
  OK(nb_state_save(enemy.state, text, sizeof text, NULL));
  OK(nb_pools_new(mesh, &fresh));
  OK(nb_pools_add_tokens(fresh, "melee", 1));
  OK(nb_state_new(tree, fresh, &loaded));
  CHECK(nb_state_restore(loaded, "{}") == NB_RESULT_ERROR_TREE);
  OK(nb_state_restore(loaded, text));
  OK(nb_state_number(loaded, "rage", &rage));
  OK(nb_state_running(loaded, text, sizeof text, NULL));
  CHECK(rage == 4.5 && strcmp(text, "sequence/growl~2") == 0);
  nb_state_free(loaded);
  nb_pools_free(fresh);
  /* The file has changed: what is the same in both goes on. */
  NbTree *next;
  OK(nb_tree_load(tasks, (const uint8_t *)TREE, strlen(TREE), &next));
  OK(nb_state_migrate(enemy.state, next, pools, &tick));
  OK(nb_state_tick(enemy.state, &tick, NULL));
  CHECK(enemy.begun == 2 && enemy.aborted == 0);
  OK(nb_state_reset(enemy.state, &tick));
  CHECK(enemy.aborted == 1);
  double now;
  OK(nb_state_now(enemy.state, &now));
  CHECK(now > 0);
  tick.sight_agent = "dragon";
  CHECK(nb_state_tick(enemy.state, &tick, NULL) == NB_RESULT_ERROR_UNKNOWN);
  tick.sight_agent = "flyer";
  tick.target.x = NAN;
  CHECK(nb_state_tick(enemy.state, &tick, NULL) == NB_RESULT_ERROR_ARGUMENT);
  tick.target.x = to.x;
  OK(nb_state_tick(enemy.state, &tick, NULL));
  tick.agent = NULL;
  CHECK(nb_state_tick(enemy.state, &tick, NULL) == NB_RESULT_ERROR_ARGUMENT);
  /* A state keeps what it needs. */
  nb_tree_free(tree);
  nb_tree_free(next);
  nb_tasks_free(tasks);
  nb_pools_free(pools);
  tick.agent = agent;
  OK(nb_state_tick(enemy.state, &tick, NULL));
  nb_state_free(enemy.state);
  nb_agent_free(agent);
  nb_nav_free(nav);
}

/* It sees ahead, hears what is near, and remembers for a second. */
static void perceives(const NbMesh *mesh, uint32_t layer, NbVec2 at) {
  static const char file[] = "(root: task(task: \"sees_target\"))";
  NbTasks *tasks;
  NbTree *tree;
  NbTreeState *state;
  NbNav *nav;
  NbAgent *agent;
  OK(nb_tasks_new(&tasks));
  OK(nb_tree_load(tasks, (const uint8_t *)file, strlen(file), &tree));
  OK(nb_state_new(tree, NULL, &state));
  OK(nb_nav_new(mesh, &nav));
  OK(nb_agent_new(mesh, layer, at, &agent));
  NbPerception own = {.size = sizeof own, .range = 100, .angle = 45, .hearing = 4, .memory = 1};
  NbTick tick = {.size = sizeof tick, .seconds = FRAME, .has_target = 1, .facing = 1,
                 .agent = agent, .nav = nav, .perception = &own};
  NbStatus status;
  NbVec2 left = {at.x - 8, at.y}, near = {at.x - 3, at.y}, far = {at.x + 5000, at.y};
  tick.target = left;
  OK(nb_state_tick(state, &tick, &status));
  CHECK(status == NB_STATUS_FAILURE && !own.sees && !own.knows);
  tick.facing = -1;
  OK(nb_state_tick(state, &tick, &status));
  CHECK(status == NB_STATUS_SUCCESS && own.sees && own.knows && own.age == 0);
  CHECK(own.known.x == left.x && own.known.y == left.y && own.range == 100);
  tick.target = far;
  for (int frame = 1; frame <= 62; frame++) {
    OK(nb_state_tick(state, &tick, &status));
    CHECK(status == NB_STATUS_FAILURE && own.knows == (frame < 61) && own.age > 0);
  }
  tick.target = near;
  tick.facing = 1;
  OK(nb_state_tick(state, &tick, &status));
  CHECK(status == NB_STATUS_FAILURE && own.knows && own.known.x == near.x && own.age == 0);
  /* Without it, the agent sees all around. A program compiled for version 4 has none. */
  tick.size = offsetof(NbTick, perception);
  OK(nb_state_tick(state, &tick, &status));
  CHECK(status == NB_STATUS_SUCCESS);
  tick.size = sizeof tick;
  own.range = NAN;
  CHECK(nb_state_tick(state, &tick, &status) == NB_RESULT_ERROR_ARGUMENT);
  own.range = 100;
  own.size = 0;
  CHECK(nb_state_tick(state, &tick, &status) == NB_RESULT_ERROR_SIZE);
  nb_state_free(state);
  nb_tree_free(tree);
  nb_tasks_free(tasks);
  nb_agent_free(agent);
  nb_nav_free(nav);
}

int main(int argc, char **argv) {
  CHECK(argc == 2 && nb_version() == NB_VERSION && strlen(nb_runtime_version()) >= 5);
  NbMesh *mesh = load(argv[1]);
  uint32_t layer;
  OK(nb_mesh_layer(mesh, "walker", &layer));
  NbVec2 from, to = spawn_of(mesh, "spitter");
  OK(nb_layer_place(mesh, layer, to, &to));
  OK(nb_layer_place(mesh, layer, spawn_of(mesh, "gunner"), &from));
  levels(mesh, layer);
  queries(mesh, layer, from, to);
  filters(mesh, layer, from, to);
  drawing(mesh, layer, from, to);
  unsigned seen[16] = {0};
  int at_once = chase(mesh, layer, from, to, 0, seen);
  int in_turn = chase(mesh, layer, from, to, 1, seen);
  CHECK(at_once < 60 * 60 && in_turn < 60 * 60);
  CHECK(seen[NB_EVENT_KIND_LANDED] > 0 && seen[NB_EVENT_KIND_UNKNOWN] == 0);
  bodies(mesh, layer, from, to);
  trees(mesh, layer, from, to);
  perceives(mesh, layer, from);
  nb_mesh_free(mesh);
  printf("caught after %.1f s, with a queue after %.1f s\n", at_once / 60.0, in_turn / 60.0);
  return 0;
}
