-- Chases with a behaviour tree, a filter and lists, through include/navbake.lua.
-- tests/programs/main.rs runs it with LuaJIT and with LÖVE:
--
--     luajit chase.lua LEVEL.navmesh
local nb = require "navbake"

local FRAME = 1 / 60
local TREE = [[(keys: {"growls": int, "name": text}, root: sequence(children: [
  task(task: "growl", params: {"word": "grrß"}),
  task(task: "pursue", params: {"range": 18.0}),
  task(task: "cue", params: {"cue": "bite"}),
]))]]

local function chase(file)
  local mesh = nb.mesh_load_file(file)
  local layer = mesh:layer("walker")
  assert(mesh:layer_name(layer) == "walker")
  local ok, message = pcall(mesh.layer, mesh, "drägon")
  assert(not ok and message:find("drägon", 1, true), message)
  for _, spawn in ipairs(mesh:find_markers(nb.MarkerKind.SPAWN, "spitter")) do
    assert(mesh:marker_name(spawn) == "spitter" and mesh:marker(spawn).kind == nb.MarkerKind.SPAWN)
  end
  local nav = nb.nav_new(mesh)
  local from, to = nb.vec2(624, 128), nb.vec2(48, 352)

  -- Lists: the links of the layer, and the steps of a path through a swamp.
  local links = mesh:layer_links(layer)
  local query = { from = from, to = to }
  local plain, steps = nav:find(layer, query)
  assert(plain.found == nb.Found.GOAL and plain.cost > 0 and #steps > 0)
  for _, step in ipairs(steps) do
    assert(step.link < 0 or links[step.link + 1].to.x == step.to.x)
  end
  local swamp = { corner = { x = -9999, y = -9999 }, opposite = { x = 9999, y = 9999 }, factor = 2 }
  query.filter = { costs = { swamp } }
  local slow = nav:find(layer, query)
  assert(math.abs(slow.cost - 2 * plain.cost) < 1e-3 * plain.cost)

  local enemy = nb.agent_new(mesh, layer, from)
  enemy:set_filter(query.filter)
  enemy:set_allow_partial_path(true)
  assert(not pcall(enemy.set_destination, enemy, { x = 0 / 0, y = 0 }))
  local left, right = mesh:layer_floor_ends(layer, from)
  assert(left.x < right.x)

  -- A tree, whose tasks are functions of the game.
  local bites, heard, landings = 0, nil, 0
  local tasks = nb.tasks_new()
  local state
  tasks:add("growl", function(call)
    heard = call.params
    call.memory = call.memory + 1
    state:set_number("growls", call.memory)
    assert(call.tick.user == "user")
    return call.memory < 3 and nb.Status.RUNNING or nb.Status.SUCCESS
  end)
  local tree = nb.tree_load(tasks, TREE)
  state = nb.state_new(tree)
  state:set_text("name", "Fenrißwolf")
  local tick = { agent = enemy, nav = nav, seconds = FRAME, eye_height = 10, sight_agent = "flyer", user = "user" }
  tick.perception = { hearing = 5000, memory = 1 }
  function tick.cue(name, call)
    assert(name == "bite" and call == nb.Call.BEGIN)
    bites = bites + 1
    return nb.Status.SUCCESS
  end
  local saved
  for frame = 1, 3600 do
    to.x = to.x + 0.5
    tick.target = to
    state:tick(tick)
    enemy:step(nav, FRAME)
    for _, event in ipairs(enemy:events()) do
      if event.kind == nb.EventKind.LANDED then landings = landings + 1 end
    end
    if frame == 20 then
      collectgarbage()
      assert(state:running() == "sequence/pursue", state:running())
      saved = state:save()
    end
    if bites > 0 then break end
  end
  assert(bites == 1 and landings > 0)
  assert(tick.perception.knows == 1 and tick.perception.known.x == to.x)
  assert(state:number("growls") == 3 and heard == '{"word":"grrß"}')
  assert(state:text("name") == "Fenrißwolf")
  local loaded = nb.state_new(tree)
  loaded:restore(saved)
  assert(loaded:running() == "sequence/pursue" and loaded:number("growls") == 3)

  -- An error of the game ends the tick.
  function tick.cue()
    error("no teeth")
  end
  local thrown
  for _ = 1, 600 do
    local ticked, why = pcall(state.tick, state, tick)
    if not ticked then
      thrown = why
      break
    end
  end
  assert(thrown and thrown:find("no teeth", 1, true), thrown)
  print("bitten")
end

if love then
  function love.load(arguments)
    chase(arguments[1])
    love.event.quit(0)
  end
else
  chase(arg[1])
end
