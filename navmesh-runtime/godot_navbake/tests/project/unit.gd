extends SceneTree
## Tests of the addon in Godot. Prints one line for each failed check; the exit status is 1 then.
##     godot --headless --fixed-fps 60 -s unit.gd -- FOLDER
## Writes the baked levels and their maps to FOLDER, to be compared with those of `navbake`.

const GROUND := ["............", "............", "............", "####....####", "############"]

var _failed := 0


func _initialize() -> void:
	Engine.max_physics_steps_per_frame = 1
	_run.call_deferred()


func _run() -> void:
	await physics_frame
	_write_levels(OS.get_cmdline_user_args()[0])
	_save_scene()
	_moved_levels()
	_bodies()
	_markers()
	_broken_files()
	await _bake_on_thread()
	await _wall_is_broken()
	await _door()
	await _saved_game()
	await _chase()
	await _removed_floor()
	await _hits()
	await _tree()
	await _tokens()
	_names()
	await _springs()
	_spring_tiles()
	await _link()
	await _breakable()
	_movers()
	await _rides()
	await _avoidance()
	if _failed > 0:
		printerr("%d checks failed" % _failed)
	quit(1 if _failed > 0 else 0)


func check(holds: bool, what: String) -> void:
	if not holds:
		_failed += 1
		printerr("failed: ", what)


func _add(region: NavbakeRegion2D) -> NavbakeRegion2D:
	root.add_child(region)
	region.bake(false)
	return region


## The same levels as scene and as map.
func _write_levels(folder: String) -> void:
	FileAccess.open(folder + "/navbake.toml", FileAccess.WRITE).store_string(Levels.profile().get_toml())
	for number in 5:
		var lines := Levels.rows(number)
		var region := _add(Levels.region(lines))
		check(region.navmesh.save_file("%s/%d.godot.navmesh" % [folder, number]) == OK, "a mesh is saved")
		FileAccess.open("%s/%d.tmx" % [folder, number], FileAccess.WRITE).store_string(Levels.tmx(lines))
		region.free()


## A scene as the editor saves it, for `bake.gd`.
func _save_scene() -> void:
	var region := Levels.region(Levels.rows(0))
	for child in region.get_children():
		child.owner = region
	var scene := PackedScene.new()
	check(scene.pack(region) == OK, "a region is packed")
	check(ResourceSaver.save(scene, "res://scene.tscn") == OK, "a scene is saved")
	region.free()


## Levels with negative cells, and regions elsewhere, are the same but for their place.
func _moved_levels() -> void:
	var region := _add(Levels.region(Levels.rows(1)))
	var counts := region.navmesh.get_counts("ground")
	check(counts.x > 10 and counts.y > 50, "a level has platforms and links: %s" % counts)
	var ends := Levels.ends(region.navmesh)
	var from := ends[0]
	var cost := INF
	var to := from
	for end in ends:
		var seconds := region.get_path_cost("ground", from, end)
		if seconds > 1.0 and seconds < INF:
			cost = seconds
			to = end
	check(cost < INF, "there is a path")
	region.free()
	var moved := Levels.region(Levels.rows(1), Vector2i(-30, -50))
	moved.position = Vector2(77, -33)
	_add(moved)
	check(moved.navmesh.get_counts("ground").x == counts.x, "a moved level has as many platforms")
	var offset := Vector2(77, -33) + Vector2(-30, -50) * 16.0
	var same := moved.get_path_cost("ground", from + offset, to + offset)
	check(absf(same - cost) < 1e-3, "a path in a moved level costs as much: %s, %s" % [same, cost])
	moved.free()


## Static bodies with every shape, one-way platforms, groups.
func _bodies() -> void:
	var region := NavbakeRegion2D.new()
	region.bake_on_ready = false
	region.profiles = [Levels.profile()] as Array[NavbakeProfile]
	_body(region, _rectangle(Vector2(400, 16)), Vector2(200, 208))
	var polygon := CollisionPolygon2D.new()
	polygon.polygon = [Vector2(0, 0), Vector2(60, 0), Vector2(60, 30), Vector2(30, 15), Vector2(0, 30)]
	var body := StaticBody2D.new()
	body.position = Vector2(40, 130)
	body.add_child(polygon)
	region.add_child(body)
	var one_way := _body(region, _rectangle(Vector2(64, 8)), Vector2(200, 160))
	(one_way.get_child(0) as CollisionShape2D).one_way_collision = true
	var circle := CircleShape2D.new()
	circle.radius = 20
	_body(region, circle, Vector2(300, 190))
	var ignored := _body(region, _rectangle(Vector2(40, 40)), Vector2(100, 190))
	ignored.collision_layer = 2
	var hazard := _body(region, _rectangle(Vector2(16, 8)), Vector2(350, 196))
	hazard.add_to_group("navbake_hazard")
	_add(region)
	var ends := Levels.ends(region.navmesh)
	var heights := {}
	for end in ends:
		heights[snappedf(end.y, 0.5)] = true
	for height: float in [200.0, 130.0, 156.0]:
		check(heights.has(height), "there is a floor at %s: %s" % [height, heights.keys()])
	check(not heights.has(170.0), "bodies on other layers are left out")
	check(region.find_path("ground", Vector2(200, 200), Vector2(200, 156)).size() > 1, "a jump through a one-way platform")
	region.free()


func _body(region: Node, shape: Shape2D, at: Vector2) -> StaticBody2D:
	var body := StaticBody2D.new()
	body.position = at
	var collision := CollisionShape2D.new()
	collision.shape = shape
	body.add_child(collision)
	region.add_child(body)
	return body


func _rectangle(size: Vector2) -> RectangleShape2D:
	var shape := RectangleShape2D.new()
	shape.size = size
	return shape


func _markers() -> void:
	var region := Levels.region(GROUND)
	var spawn := Marker2D.new()
	spawn.name = "Home"
	spawn.position = Vector2(24, 48)
	spawn.add_to_group("navbake_spawn")
	spawn.set_meta("agent", "ground")
	region.add_child(spawn)
	_add(region)
	check(region.get_markers("spawn", "") == PackedVector2Array([Vector2(24, 48)]), "a spawn")
	check(region.get_markers("spawn", "Elsewhere").is_empty(), "no spawn of another name")
	region.free()


func _broken_files() -> void:
	FileAccess.open("user://broken.navmesh", FileAccess.WRITE).store_string("no mesh")
	print("expected error:")
	check(NavbakeMesh.load_file("user://broken.navmesh") == null, "a broken file is refused")
	print("expected error:")
	check(NavbakeMesh.load_file("user://none.navmesh") == null, "a missing file is refused")
	var empty := NavbakeRegion2D.new()
	print("expected error:")
	root.add_child(empty)
	check(empty.navmesh == null, "an empty region has no mesh")
	empty.free()


func _bake_on_thread() -> void:
	var region := Levels.region(Levels.rows(2))
	root.add_child(region)
	region.bake(true)
	check(region.is_baking(), "it bakes on a thread")
	var progress := ""
	while region.is_baking() and progress.is_empty():
		progress = region.get_bake_progress()
		await process_frame
	check(progress.begins_with("ground: ") and progress.ends_with(" %"), "a bake has progress: %s" % progress)
	var success: bool = await region.bake_finished
	check(success and not region.is_baking(), "the bake on a thread ends")
	var data := region.navmesh.data
	region.bake(false)
	check(region.navmesh.data == data, "bakes are equal, on a thread or not")
	region.bake(true)
	region.cancel_bake()
	check(not region.is_baking(), "a bake is cancelled")
	region.queue_free()
	await process_frame


## A walker in a level, and where it is after some frames.
func _walker(region: NavbakeRegion2D, at: Vector2) -> NavbakeAgent2D:
	var body := CharacterBody2D.new()
	body.collision_layer = 0
	var collision := CollisionShape2D.new()
	collision.shape = _rectangle(Vector2(12, 16))
	collision.position = Vector2(0, -8)
	body.add_child(collision)
	var agent := NavbakeAgent2D.new()
	agent.region = region
	body.add_child(agent)
	body.position = at
	root.add_child(body)
	return agent


func _frames(count: int) -> void:
	for _i in count:
		await physics_frame


func _wall_is_broken() -> void:
	var lines := PackedStringArray()
	for y in 14:
		lines.append("#########################" if y == 13 else "............#............")
	var region := _add(Levels.region(lines))
	var agent := _walker(region, Vector2(40, 207))
	await _frames(5)
	agent.allow_partial_path = true
	agent.target_position = Vector2(360, 208)
	await _frames(120)
	check(agent.get_feet_position().x < 190.0, "a wall is in the way")
	check(not agent.is_target_reachable(), "the target cannot be reached")
	var map := region.get_child(0) as TileMapLayer
	for y in range(9, 13):
		map.erase_cell(Vector2i(12, y))
	region.bake(false)
	await _frames(120)
	check(absf(agent.get_feet_position().x - 360.0) < 3.0, "it goes through the hole: %s" % agent.get_feet_position())
	agent.get_parent().free()
	region.free()


func _door() -> void:
	var region := Levels.region(["#############", "#...........#", "#...........#", "#############"])
	var door := Area2D.new()
	door.name = "Gate"
	door.position = Vector2(104, 24)
	door.add_to_group("navbake_door")
	var collision := CollisionShape2D.new()
	collision.shape = _rectangle(Vector2(8, 48))
	door.add_child(collision)
	region.add_child(door)
	_add(region)
	check(not region.is_door_closed("Gate"), "the door is open")
	check(region.close_door("Gate") and region.is_door_closed("Gate"), "the door is closed")
	print("expected warning:")
	check(not region.close_door("Gote"), "there is no door of this name")
	var agent := _walker(region, Vector2(40, 47))
	agent.allow_partial_path = false
	await _frames(5)
	agent.target_position = Vector2(170, 48)
	await _frames(90)
	check(agent.get_feet_position().x < 100.0, "a closed door is in the way: %s %s" % [agent.get_feet_position(), agent.get_activity()])
	region.open_door("Gate")
	await _frames(120)
	check(absf(agent.get_feet_position().x - 170.0) < 3.0, "it goes through the open door")
	agent.get_parent().free()
	region.free()


func _saved_game() -> void:
	var region := _add(Levels.region(["....................", "....................", "....................", "####################"]))
	var agent := _walker(region, Vector2(40, 47))
	await _frames(5)
	agent.target_position = Vector2(280, 48)
	await _frames(30)
	var state: Variant = JSON.parse_string(JSON.stringify(var_to_str(agent.get_state())))
	var at := (agent.get_parent() as Node2D).position
	agent.get_parent().free()
	var loaded := _walker(region, at)
	loaded.set_state(str_to_var(state as String) as Dictionary)
	await _frames(180)
	check(absf(loaded.get_feet_position().x - 280.0) < 3.0, "a loaded agent goes on")
	loaded.get_parent().free()
	region.free()


func _chase() -> void:
	var region := _add(Levels.region(Levels.rows(3)))
	var player := Node2D.new()
	player.position = Vector2(900, 384)
	root.add_child(player)
	var agent := _walker(region, Vector2(40, 383))
	agent.follow = player
	var reached := [0]
	agent.target_reached.connect(func() -> void: reached[0] += 1)
	for i in 20 * 60:
		await physics_frame
		if absf(agent.get_feet_position().x - player.position.x) < 24.0:
			break
	check(absf(agent.get_feet_position().x - player.position.x) < 24.0, "the chaser reaches the player: %s" % agent.get_feet_position())
	player.free()
	await _frames(3)
	agent.get_parent().free()
	region.free()


func _removed_floor() -> void:
	var region := _add(Levels.region(["................", "................", "................", "######....######", "................", "................", "################"]))
	var map := region.get_child(0) as TileMapLayer
	for x in range(6, 10):
		map.set_cell(Vector2i(x, 3), 0, Vector2i.ZERO)
	region.bake(false)
	var agent := _walker(region, Vector2(40, 47))
	await _frames(5)
	var bridge := Rect2(96, 48, 64, 16)
	region.remove(bridge)
	for x in range(6, 10):
		map.erase_cell(Vector2i(x, 3))
	var rests := region.get_path_cost("ground", Vector2(40, 48), Vector2(130, 48))
	check(rests == INF, "no path leads to floor that was removed: %s" % rests)
	check(region.restore(bridge) and not region.restore(bridge), "what was removed is restored once")
	check(region.get_path_cost("ground", Vector2(40, 48), Vector2(130, 48)) < INF, "a path leads to floor that was restored")
	region.remove(bridge)
	var before := region.navmesh.data
	region.bake(false)
	check(not region.restore(bridge), "a bake ends the removal")
	var after := region.navmesh.data
	agent.get_parent().free()
	region.free()
	# With the same name: the file has it.
	var whole := _add(Levels.region(["................", "................", "................", "######....######", "................", "................", "################"]))
	check(after == whole.navmesh.data and before != after, "a second bake gives the bytes of a first one")
	whole.free()


## Knockback and stun: thrown, it goes on; stunned, it lies there until the end.
func _hits() -> void:
	var region := _add(Levels.region(["....................", "....................", "....................", "....................", "....................", "####################"]))
	var agent := _walker(region, Vector2(40, 79))
	await _frames(5)
	agent.target_position = Vector2(280, 80)
	await _frames(60)
	var at := agent.get_feet_position().x
	agent.launch(Vector2(-200, -150))
	await _frames(10)
	check(agent.get_feet_position().x < at - 30.0 and agent.get_feet_position().y < 75.0, "it is thrown back: %s" % agent.get_feet_position())
	await _frames(50)
	agent.stun()
	await _frames(30)
	at = agent.get_feet_position().x
	check(agent.get_activity() == "disabled", "it is stunned: %s" % agent.get_activity())
	await _frames(30)
	check(absf(agent.get_feet_position().x - at) < 0.5, "stunned, it lies there")
	agent.enable()
	await _frames(180)
	check(absf(agent.get_feet_position().x - 280.0) < 3.0, "then it goes on: %s" % agent.get_feet_position())
	agent.get_parent().free()
	region.free()


func _tree_of(text: String, agent: NavbakeAgent2D) -> NavbakeTree:
	var file := NavbakeTreeFile.new()
	file.text = text
	var tree := NavbakeTree.new()
	tree.file = file
	agent.add_child(tree)
	return tree


func _tree() -> void:
	var region := _add(Levels.region(["....................", "....................", "....................", "####################"]))
	var agent := _walker(region, Vector2(40, 47))
	var tree := _tree_of("""(keys: {"home": vec2, "bites": int}, root: sequence(children: [
		task(name: "home", task: "head_for", params: {"key": "home"}),
		task(name: "go", task: "start_navigation"),
		task(name: "walk", task: "wait_for_at_destination"),
		task(name: "bite", task: "bite", params: {"strength": 2.5, "words": ["a", "b"]}),
		task(name: "stand", task: "wait", params: {"seconds": 1e6}),
	]))""", agent)
	var calls := []
	var bite := func(parameters: Dictionary) -> int:
		calls.append(parameters)
		# The game may use all nodes in a task.
		tree.set_value("bites", tree.get_value("bites") + 1)
		check(agent.get_activity() == "idle" and region.find_path("ground", Vector2(40, 48), Vector2(80, 48)).size() > 1, "a task may ask the agent and the region")
		return NavbakeTree.RUNNING if calls.size() < 3 else NavbakeTree.SUCCESS
	tree.set_task("bite", bite)
	tree.set_value("home", Vector2(200, 48))
	tree.set_value("bites", 4)
	await _frames(40)
	check("walk" in tree.get_running(), "a tree walks: %s" % tree.get_running())
	var _begun := tree.get_trace()
	await _frames(120)
	check(absf(agent.get_feet_position().x - 200.0) < 3.0, "a tree leads its agent to %s" % agent.get_feet_position())
	check(calls.size() == 3 and calls[0] == {"strength": 2.5, "words": ["a", "b"]}, "a task is called with its parameters until it succeeds: %s" % str(calls))
	check(tree.get_value("bites") == 7 and tree.get_value("home") == Vector2(200, 48), "values: %s, %s" % [tree.get_value("bites"), tree.get_value("home")])
	check("wait \"stand\": running" in tree.get_trace() or "\"stand\": running" in tree.get_trace(), "a trace: %s" % tree.get_trace())
	calls.clear()
	tree.reset()
	check(tree.get_running().is_empty(), "a tree is reset")
	var aborted := []
	tree.task_aborted.connect(func(name: String) -> void: aborted.append(name))
	await _frames(10)
	agent.stun()
	await _frames(10)
	check(tree.get_running().is_empty(), "a stunned agent leaves its tree")
	print("expected error:")
	tree.set_value("hoem", 1)
	print("expected error:")
	check(NavbakeTreeFile.load_file("user://broken.navmesh") == null, "a broken tree is refused")
	var broken := _tree_of("(root: task(task: \"biet\"))", agent)
	broken.set_task("bite", bite)
	print("expected error:")
	await _frames(3)
	check(broken.get_running().is_empty(), "a tree with an unknown task does nothing")
	agent.get_parent().free()
	region.free()


## Two trees share a pool of one token.
func _tokens() -> void:
	var region := _add(Levels.region(["....................", "....................", "....................", "####################"]))
	var pool := NavbakePool.new()
	var agents: Array[NavbakeAgent2D] = []
	var active := [0, 0, 0]
	for i in 2:
		var agent := _walker(region, Vector2(40 + 60 * i, 47))
		var tree := _tree_of("""{"root": {"repeat": {"child": {"with_token": {"pool": "melee", "child":
			{"sequence": {"children": [{"task": {"task": "begin"}}, {"task": {"task": "wait", "params": {"seconds": 0.3}}}, {"task": {"task": "end"}}]}}}}}}}""", agent)
		tree.pools = [pool] as Array[NavbakePool]
		tree.set_task("begin", func(_parameters: Dictionary) -> void:
			active[2] += 1
			active[i] += 1
			check(active[2] == 1 and pool.get_held() == 1, "one token, one holder"))
		tree.set_task("end", func(_parameters: Dictionary) -> void: active[2] -= 1)
		agents.append(agent)
	await _frames(120)
	check(active[0] > 0 and pool.get_held() <= 1, "a token is used: %s" % str(active))
	agents[0].get_parent().free()
	active[2] = 0
	await _frames(60)
	check(active[1] > 0, "a freed agent returns its token: %s" % str(active))
	agents[1].get_parent().free()
	region.free()


## What Godot's own nodes have has their names.
func _names() -> void:
	var methods := {
		"NavigationAgent2D": ["distance_to_target", "get_current_navigation_path", "get_final_position", "is_navigation_finished", "is_target_reachable", "is_target_reached"],
		"NavigationRegion2D": ["is_baking"],
	}
	var properties := {
		"NavigationAgent2D": ["target_position", "avoidance_enabled", "debug_enabled"],
		"NavigationPolygon": ["parsed_collision_mask", "source_geometry_group_name", "baking_rect"],
	}
	var signals := {
		"NavigationAgent2D": ["path_changed", "target_reached", "link_reached", "navigation_finished"],
		"NavigationRegion2D": ["bake_finished"],
	}
	for godot: String in ["NavigationAgent2D", "NavigationRegion2D", "NavigationPolygon"]:
		var own := "NavbakeAgent2D" if godot == "NavigationAgent2D" else "NavbakeRegion2D"
		for type: String in [godot, own]:
			for name: String in methods.get(godot, []):
				check(ClassDB.class_has_method(type, name), "%s has the method %s" % [type, name])
			for name: String in signals.get(godot, []):
				check(ClassDB.class_has_signal(type, name), "%s has the signal %s" % [type, name])
			var known := ClassDB.class_get_property_list(type).map(func(property: Dictionary) -> String: return property.name)
			for name: String in properties.get(godot, []):
				check(name in known, "%s has the property %s" % [type, name])


## A floor, and a platform higher than the agents jump.
const HIGH := ["....................", "....................", "....................", "....................", "...........########.", "....................",
	"....................", "....................", "....................", "....................", "....................", "####################"]


## An area that throws bodies.
func _springs() -> void:
	var region := _add(Levels.region(HIGH))
	var reason := region.explain("ground", Vector2(200, 176), Vector2(240, 64))
	check(reason == "no path, and no link: 112 up, at most 56", "why there is no path: %s" % reason)
	var spring := Area2D.new()
	spring.position = Vector2(152, 172)
	spring.collision_mask = 2
	spring.add_to_group("navbake_spring")
	spring.set_meta("velocity", 560.0)
	var collision := CollisionShape2D.new()
	collision.shape = _rectangle(Vector2(16, 8))
	spring.add_child(collision)
	spring.body_entered.connect(func(body: Node2D) -> void: (body as CharacterBody2D).velocity.y = -560.0)
	region.add_child(spring)
	region.bake(false)
	check(region.explain("ground", Vector2(40, 176), Vector2(240, 64)).contains("spring"), "a path over a spring")
	var agent := _walker(region, Vector2(40, 175))
	(agent.get_parent() as CharacterBody2D).collision_layer = 2
	var types := []
	var lost := []
	agent.link_reached.connect(func(details: Dictionary) -> void: types.append(details.type))
	agent.path_lost.connect(func(reason: String) -> void: lost.append(reason))
	await _frames(5)
	agent.target_position = Vector2(280, 64)
	await _frames(240)
	check(agent.get_feet_position().distance_to(Vector2(280, 64)) < 3.0 and agent.is_target_reached(), "a spring throws it up: %s %s" % [agent.get_feet_position(), agent.get_activity()])
	check(types == ["thrown"] and lost.is_empty(), "it is thrown once: %s %s" % [types, lost])
	agent.get_parent().free()
	region.free()


## Tiles whose custom data says that they are springs, and how fast.
func _spring_tiles() -> void:
	var region := Levels.region(HIGH)
	var map := region.get_child(0) as TileMapLayer
	map.tile_set.add_custom_data_layer()
	map.tile_set.set_custom_data_layer_name(1, "velocity")
	map.tile_set.set_custom_data_layer_type(1, TYPE_FLOAT)
	var tile := Vector2i(Levels.SHAPES.keys().find("^"), 0)
	var data := (map.tile_set.get_source(0) as TileSetAtlasSource).get_tile_data(tile, 0)
	data.set_custom_data("navbake", "spring")
	data.set_custom_data("velocity", 560.0)
	for x in [8, 9]:
		map.set_cell(Vector2i(x, 10), 0, tile)
	_add(region)
	check(region.get_markers("spring", "") == PackedVector2Array([Vector2(144, 168)]), "two tiles are one spring: %s" % region.get_markers("spring", ""))
	check(region.explain("ground", Vector2(40, 176), Vector2(240, 64)).contains("spring"), "a path over a spring of tiles")
	region.free()


## A line along which the game moves agents.
func _link() -> void:
	var region := Levels.region(["..............................", "..............................", "..............................", "#####....................#####"])
	var rope := Path2D.new()
	rope.name = "Rope"
	rope.curve = Curve2D.new()
	for at: Vector2 in [Vector2(60, 48), Vector2(240, 20), Vector2(430, 48)]:
		rope.curve.add_point(at)
	rope.add_to_group("navbake_link")
	rope.set_meta("time", 1.0)
	region.add_child(rope)
	_add(region)
	var agent := _walker(region, Vector2(30, 47))
	var links := []
	agent.link_reached.connect(func(details: Dictionary) -> void: links.append(details))
	await _frames(5)
	agent.target_position = Vector2(450, 48)
	await _frames(60)
	check(agent.get_feet_position().y < 44.0, "it is on the rope: %s" % agent.get_feet_position())
	check(links.size() == 1 and links[0].name == "Rope" and links[0].type == "link_started" and links[0].link_exit_position.is_equal_approx(Vector2(430, 48)), "a link is reported: %s" % str(links))
	await _frames(90)
	check(agent.is_target_reached(), "it goes on from the rope: %s %s" % [agent.get_feet_position(), agent.get_activity()])
	# The game takes it back at once.
	agent.target_position = Vector2(20, 48)
	for _i in 60:
		await physics_frame
		if links.size() == 2:
			break
	(agent.get_parent() as Node2D).position = Vector2(60, 47.9)
	agent.finish_link()
	await _frames(60)
	check(links.size() == 2 and agent.is_target_reached() and agent.distance_to_target() < 3.0, "the game may end a link: %s %s" % [agent.get_feet_position(), links.size()])
	agent.get_parent().free()
	region.free()


## A wall that agents break, which is a static body.
func _breakable() -> void:
	var region := Levels.region(["#############", "#...........#", "#...........#", "#############"])
	var wall := _body(region, _rectangle(Vector2(8, 32)), Vector2(104, 32))
	wall.name = "Crates"
	wall.add_to_group("navbake_breakable")
	_add(region)
	check(region.is_door_closed("Crates"), "what can be broken is closed")
	var agents: Array[NavbakeAgent2D] = []
	var reached := []
	for i in 2:
		var agent := _walker(region, Vector2(40 + 30 * i, 47))
		agent.allow_partial_path = false
		agent.break_cost = 2.0 * i
		agent.door_reached.connect(func(name: String) -> void: reached.append(name))
		agents.append(agent)
	await _frames(5)
	for agent in agents:
		agent.target_position = Vector2(170, 48)
	await _frames(60)
	check(reached == ["Crates"] and not agents[0].is_target_reachable(), "one agent stands in front of the wall: %s" % str(reached))
	wall.free()
	region.open_door("Crates")
	await _frames(120)
	for agent in agents:
		check(agent.is_target_reached(), "it goes through the broken wall: %s" % agent.get_feet_position())
		agent.get_parent().free()
	region.free()


## Bodies that move are left out, unless a group says otherwise.
func _movers() -> void:
	var region := Levels.region(GROUND)
	var mover := AnimatableBody2D.new()
	mover.position = Vector2(96, 20)
	var collision := CollisionShape2D.new()
	collision.shape = _rectangle(Vector2(48, 8))
	mover.add_child(collision)
	region.add_child(mover)
	print("expected warning:")
	_add(region)
	check(region.find_path("ground", Vector2(96, 48), Vector2(96, 16)).is_empty(), "no floor on what moves")
	mover.add_to_group("navbake_solid")
	region.bake(false)
	check(not region.find_path("ground", Vector2(60, 48), Vector2(96, 16)).is_empty(), "a floor on what stands still")
	region.free()


## A platform that moves over a gap. The region moves its body.
func _rides() -> void:
	var rows := PackedStringArray()
	for y in 9:
		rows.append("######..............########" if y == 5 else "............................")
	var region := Levels.region(rows)
	var way := Path2D.new()
	way.name = "Way"
	way.curve = Curve2D.new()
	way.curve.add_point(Vector2(0, 0))
	way.curve.add_point(Vector2(176, 0))
	way.add_to_group("navbake_platform_path")
	region.add_child(way)
	var platform := AnimatableBody2D.new()
	platform.name = "Lift"
	platform.position = Vector2(120, 84)
	platform.add_to_group("navbake_moving_platform")
	platform.set_meta("path", "Way")
	platform.set_meta("speed", 40.0)
	platform.set_meta("pause", 1.0)
	var collision := CollisionShape2D.new()
	collision.shape = _rectangle(Vector2(48, 8))
	platform.add_child(collision)
	region.add_child(platform)
	_add(region)
	var data := region.navmesh.data
	for shape in ["box", "capsule"]:
		var agent := _walker(region, Vector2(40, 79))
		if shape == "capsule":
			var capsule := CapsuleShape2D.new()
			capsule.radius = 6
			capsule.height = 16
			(agent.get_parent().get_child(0) as CollisionShape2D).shape = capsule
		agent.allow_partial_path = false
		await _frames(5)
		var ridden := 0
		for trip in 4:
			agent.target_position = Vector2(400 if trip % 2 == 0 else 40, 80)
			for _i in 30 * 60:
				await physics_frame
				ridden += int(agent.get_activity() == "riding")
				if agent.is_target_reached():
					break
			check(agent.is_target_reached(), "a %s rides over the gap, trip %d: %s %s" % [shape, trip, agent.get_feet_position(), agent.get_activity()])
		check(ridden > 60, "a %s rides: %d" % [shape, ridden])
		agent.get_parent().free()
	region.bake(false)
	check(region.navmesh.data == data, "a bake takes the platform where it was drawn")
	region.free()


## Two agents with one target.
func _avoidance() -> void:
	var region := _add(Levels.region(["....................", "....................", "....................", "####################"]))
	var agents: Array[NavbakeAgent2D] = []
	for i in 2:
		var agent := _walker(region, Vector2(40 + 240 * i, 47))
		agent.avoidance_enabled = true
		agents.append(agent)
	await _frames(5)
	for agent in agents:
		agent.target_position = Vector2(160, 48)
	await _frames(240)
	var gap := absf(agents[0].get_feet_position().x - agents[1].get_feet_position().x)
	check(gap > 11.0 and gap < 40.0, "agents keep apart: %s" % gap)
	for agent in agents:
		agent.get_parent().free()
	region.free()
