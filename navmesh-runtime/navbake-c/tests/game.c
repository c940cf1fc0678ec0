/* A game of guards: its level is edited while it plays, it is restarted, saved and loaded.
   tests/programs/main.rs runs it in a folder with two versions of a level, level.navmesh
   and edited.navmesh. */
#include "navbake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARDS 20
#define FRAME (1.0f / 60.0f)

static void check(NbResult result) {
  if (result == NB_RESULT_OK) return;
  fprintf(stderr, "error: %s\n", nb_error_message());
  exit(1);
}

static void expect(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "not true: %s\n", what);
  exit(1);
}

static const char TREE[] =
    "(keys: {\"home\": vec2}, root: repeat(child: selector(children: [\n"
    "  sequence(name: \"fight\", children: [\n"
    "    task(task: \"target_within\", params: {\"distance\": 200.0}),\n"
    "    task(task: \"pursue\", params: {\"range\": 20.0, \"seconds\": 4.0}),\n"
    "    with_token(pool: \"melee\", child: task(task: \"cue\", params: {\"cue\": \"bite\"})),\n"
    "    task(task: \"wait\", params: {\"seconds\": 0.5}),\n"
    "  ]),\n"
    "  sequence(name: \"go home\", children: [\n"
    "    task(task: \"head_for\", params: {\"key\": \"home\"}),\n"
    "    task(task: \"start_navigation\"),\n"
    "    task(task: \"wait_for_at_destination\"),\n"
    "    task(task: \"wait\", params: {\"seconds\": 0.5}),\n"
    "  ]),\n"
    "  task(task: \"wait\", params: {\"seconds\": 0.5}),\n"
    "])))";

typedef struct {
  NbVec2 position;
  char state[2048], running[256];
} Saved;

typedef struct {
  NbMesh *mesh;
  NbNav *nav;
  NbTree *tree;
  NbPools *pools;
  NbAgent *agents[GUARDS];
  NbTreeState *states[GUARDS];
  uint32_t layer;
  NbVec2 player;
  int bites;
  size_t level_length;
} Game;

static size_t length_of(const char *path) {
  FILE *file = fopen(path, "rb");
  expect(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
  size_t length = (size_t)ftell(file);
  fclose(file);
  return length;
}

static void load_level(Game *game) {
  game->level_length = length_of("level.navmesh");
  check(nb_mesh_load_file("level.navmesh", &game->mesh));
  check(nb_mesh_layer(game->mesh, "walker", &game->layer));
}

static void start(Game *game, const Saved *saved) {
  uint32_t spawns[64];
  size_t count;
  check(nb_mesh_find_markers(game->mesh, NB_MARKER_KIND_SPAWN, NULL, spawns, 64, &count));
  check(nb_nav_new(game->mesh, &game->nav));
  check(nb_pools_new(game->mesh, &game->pools));
  check(nb_pools_add_tokens(game->pools, "melee", 1));
  for (int i = 0; i < GUARDS; i++) {
    NbMarker spawn = {.size = sizeof spawn};
    check(nb_mesh_marker(game->mesh, spawns[(size_t)i % count], &spawn));
    NbVec2 home = spawn.feet;
    check(nb_agent_new(game->mesh, game->layer, saved ? saved[i].position : home, &game->agents[i]));
    check(nb_agent_set_allow_partial_path(game->agents[i], 1));
    check(nb_state_new(game->tree, game->pools, &game->states[i]));
    if (saved)
      check(nb_state_restore(game->states[i], saved[i].state));
    else
      check(nb_state_set_position(game->states[i], "home", home));
  }
}

static void stop(Game *game) {
  for (int i = 0; i < GUARDS; i++) {
    nb_state_free(game->states[i]);
    nb_agent_free(game->agents[i]);
  }
  nb_pools_free(game->pools);
  nb_nav_free(game->nav);
}

static uint32_t cue(void *user, const char *name, NbCall call) {
  if (call == NB_CALL_BEGIN && strcmp(name, "bite") == 0) ((Game *)user)->bites++;
  return NB_STATUS_SUCCESS;
}

/* Plays for some seconds, and returns how many guards have moved. */
static int play(Game *game, int seconds) {
  int moved[GUARDS] = {0}, total = 0;
  for (int frame = 0; frame < seconds * 60; frame++) {
    game->player.x = 230 + 190 * sinf((float)frame / 200);
    if (frame % 30 == 0 && length_of("level.navmesh") != game->level_length) {
      NbMesh *old = game->mesh;
      load_level(game);
      check(nb_nav_set_mesh(game->nav, game->mesh));
      nb_mesh_free(old);
    }
    for (int i = 0; i < GUARDS; i++) {
      NbTick tick = {.size = sizeof tick, .seconds = FRAME, .eye_height = 16, .has_target = 1,
                     .target = game->player, .agent = game->agents[i], .nav = game->nav,
                     .sight_agent = "shot", .user = game, .cue = cue};
      NbPose pose = {.size = sizeof pose};
      check(nb_state_tick(game->states[i], &tick, NULL));
      check(nb_agent_step(game->agents[i], game->nav, FRAME, &pose));
      expect(pose.activity != NB_ACTIVITY_STRANDED, "every guard has a place");
      moved[i] |= pose.activity == NB_ACTIVITY_RUNNING;
    }
  }
  for (int i = 0; i < GUARDS; i++) total += moved[i];
  return total;
}

int main(void) {
  static Game game;
  static Saved saved[GUARDS];
  NbTasks *tasks;
  game.player.y = 352;
  load_level(&game);
  check(nb_tasks_new(&tasks));
  check(nb_tree_load(tasks, (const uint8_t *)TREE, strlen(TREE), &game.tree));
  start(&game, NULL);
  expect(play(&game, 10) > 0 && game.bites > 0, "guards bite the player");
  printf("%d bites\n", game.bites);

  /* The designer saves the level. */
  char bytes[65536];
  FILE *edited = fopen("edited.navmesh", "rb"), *level = fopen("level.navmesh", "wb");
  size_t length = fread(bytes, 1, sizeof bytes, edited);
  expect(fwrite(bytes, 1, length, level) == length, "the level is written");
  fclose(edited);
  fclose(level);
  NbVec2 ledge = {624, 128}, left, before, after;
  check(nb_layer_floor_ends(game.mesh, game.layer, ledge, &left, &before));
  game.bites = 0;
  expect(play(&game, 10) > 0 && game.bites > 0, "they go on in the edited level");
  check(nb_layer_floor_ends(game.mesh, game.layer, ledge, &left, &after));
  expect(after.x < before.x - 20, "the ledge is shorter");
  printf("%d bites in the edited level\n", game.bites);

  /* A restart: all are at home again, and know it. */
  stop(&game);
  start(&game, NULL);
  game.bites = 0;
  expect(play(&game, 10) > 0 && game.bites > 0, "they bite after a restart");
  printf("%d bites after a restart\n", game.bites);

  /* Save, load, and compare. */
  for (int i = 0; i < GUARDS; i++) {
    NbPose pose = {.size = sizeof pose};
    check(nb_agent_pose(game.agents[i], &pose));
    saved[i].position = pose.position;
    check(nb_state_save(game.states[i], saved[i].state, sizeof saved[i].state, NULL));
    check(nb_state_running(game.states[i], saved[i].running, sizeof saved[i].running, NULL));
  }
  stop(&game);
  start(&game, saved);
  for (int i = 0; i < GUARDS; i++) {
    char running[256];
    NbVec2 home;
    check(nb_state_running(game.states[i], running, sizeof running, NULL));
    expect(strcmp(running, saved[i].running) == 0, "a guard does what it did");
    check(nb_state_position(game.states[i], "home", &home));
  }
  game.bites = 0;
  expect(play(&game, 10) > 0 && game.bites > 0, "they bite after loading");
  printf("%d bites after loading\n", game.bites);
  stop(&game);
  nb_tree_free(game.tree);
  nb_tasks_free(tasks);
  nb_mesh_free(game.mesh);
  puts("the game is won");
  return 0;
}
