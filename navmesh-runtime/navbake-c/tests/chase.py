"""Chases in a baked level by ctypes, the way a script or an engine without a C
compiler uses the shared library. tests/programs/main.rs runs it:

    python3 chase.py LIBRARY LEVEL.navmesh
"""

import ctypes as c
import math
import sys


class Vec2(c.Structure):
    _fields_ = [("x", c.c_float), ("y", c.c_float)]


class Pose(c.Structure):
    _fields_ = [
        ("size", c.c_uint32),
        ("activity", c.c_uint32),
        ("reason", c.c_uint32),
        ("facing", c.c_int32),
        ("position", Vec2),
        ("velocity", Vec2),
    ]


class Tick(c.Structure):
    _fields_ = [
        ("size", c.c_uint32),
        ("seconds", c.c_float),
        ("eye_height", c.c_float),
        ("has_target", c.c_int32),
        ("target", Vec2),
        ("facing", c.c_int32),
        ("off_screen", c.c_int32),
        ("target_body", Vec2),
        ("agent", c.c_void_p),
        ("nav", c.c_void_p),
        ("sight_agent", c.c_char_p),
        ("user", c.c_void_p),
        ("cue", c.CFUNCTYPE(c.c_uint32, c.c_void_p, c.c_char_p, c.c_uint32)),
        ("face", c.c_void_p),
    ]


FRAME = 1 / 60
SUCCESS = 1

library = c.CDLL(sys.argv[1])
library.nb_error_message.restype = c.c_char_p
freed = [library[name] for name in ("nb_agent_free", "nb_nav_free", "nb_mesh_free")]
for function in freed + [library.nb_tasks_free, library.nb_tree_free, library.nb_state_free]:
    function.argtypes, function.restype = [c.c_void_p], None


def ok(result):
    if result != 0:
        raise RuntimeError(f"{result}: {library.nb_error_message().decode()}")


def new(function, *arguments):
    handle = c.c_void_p()
    ok(function(*arguments, c.byref(handle)))
    return handle


with open(sys.argv[2], "rb") as file:
    level = file.read()
mesh = new(library.nb_mesh_load, level, c.c_size_t(len(level)))
walker = c.c_uint32()
ok(library.nb_mesh_layer(mesh, b"walker", c.byref(walker)))
try:
    ok(library.nb_mesh_layer(mesh, b"nobody", c.byref(c.c_uint32())))
    raise SystemExit("an agent that does not exist was found")
except RuntimeError as error:
    assert "nobody" in str(error), error

nav = new(library.nb_nav_new, mesh)
player = new(library.nb_agent_new, mesh, walker, Vec2(48, 352))
enemy = new(library.nb_agent_new, mesh, walker, Vec2(624, 128))
ok(library.nb_agent_set_destination(player, Vec2(336, 352)))

# The tree of the enemy: follow the player, then bite.
bites = []
cue = Tick._fields_[-2][1](lambda user, name, call: bites.append(name) or SUCCESS)
tree_file = b"""{"root": {"sequence": {"children": [
    {"task": {"task": "pursue", "params": {"range": 18.0}}},
    {"task": {"task": "cue", "params": {"cue": "bite"}}}
]}}}"""
tasks = new(library.nb_tasks_new)
tree = new(library.nb_tree_load, tasks, tree_file, c.c_size_t(len(tree_file)))
state = new(library.nb_state_new, tree, None)


def step(agent):
    pose = Pose(size=c.sizeof(Pose))
    ok(library.nb_agent_step(agent, nav, c.c_float(FRAME), c.byref(pose)))
    return pose


frames = 0
while not bites:
    frames += 1
    assert frames < 60 * 60, "the player was not caught within a minute"
    hunted = step(player)
    tick = Tick(
        size=c.sizeof(Tick),
        seconds=FRAME,
        has_target=1,
        target=hunted.position,
        agent=enemy.value,
        nav=nav.value,
        cue=cue,
    )
    ok(library.nb_state_tick(state, c.byref(tick), None))
    at = step(enemy)

distance = math.hypot(at.position.x - hunted.position.x, at.position.y - hunted.position.y)
assert bites == [b"bite"] and distance < 25, (bites, distance)
library.nb_state_free(state)
library.nb_tree_free(tree)
library.nb_tasks_free(tasks)
for agent in (player, enemy):
    library.nb_agent_free(agent)
library.nb_nav_free(nav)
library.nb_mesh_free(mesh)
print(f"bitten after {frames / 60:.1f} s")
