extends SceneTree
## Plays the demo for some seconds, and takes pictures if there is a screen:
##     godot --fixed-fps 60 -s demo.gd -- FOLDER

var _failed := 0


func _initialize() -> void:
	Engine.max_physics_steps_per_frame = 1
	_run.call_deferred()


func _run() -> void:
	var main := (load("res://main.tscn") as PackedScene).instantiate()
	root.add_child(main)
	var player := main.get_node("Player") as CharacterBody2D
	var chaser := main.get_node("Chaser") as CharacterBody2D
	var bat := main.get_node("Bat") as CharacterBody2D
	var guard := main.get_node("Guard") as CharacterBody2D
	var region := main.get_node("Region") as NavbakeRegion2D
	check(region.navmesh != null and region.navmesh.get_counts("grunt").y > 20, "the level is baked")
	await _frames(150)
	await _picture("1")
	check(chaser.position.x > 500.0, "the wall stops the chaser: %s" % chaser.position)
	check(bat.position.distance_to(player.position) < 40.0 or bat.position.x < 500.0, "the bat comes: %s" % bat.position)
	check(absf(guard.position.x - 344.0) > 2.0, "the guard patrols: %s" % guard.position)
	# Runs to the wall by the keys: over the hill by jumps, and breaks the wall.
	player.position = Vector2(200, 296)
	Input.action_press("ui_right")
	while player.position.x < 320.0 and Engine.get_physics_frames() < 2000:
		await _press("ui_select", 2)
	await _frames(90)
	Input.action_release("ui_right")
	check(player.position.x > 470.0, "the player jumps over the hill: %s" % player.position)
	Input.action_press("ui_accept")
	await _frames(2)
	Input.action_release("ui_accept")
	# Without a screen, frames take less time than they stand for.
	check(region.is_baking() and await region.bake_finished, "the wall breaks")
	player.position = Vector2(180, 296)
	await _frames(160)
	await _picture("2")
	check(chaser.position.x < 480.0, "the chaser goes through the hole: %s" % chaser.position)
	region.debug_enabled = true
	player.position = Vector2(320, 168)
	await _frames(25)
	await _picture("3")
	for place: Vector2 in [Vector2(60, 300), Vector2(600, 40)]:
		_click(place)
	await _frames(2)
	await _picture("5")
	_click(Vector2(60, 300))
	_click(Vector2(150, 50))
	await _frames(2)
	await _picture("6")
	await _frames(100)
	check(player.position.distance_to(Vector2(320, 168)) > 2.0, "the guard bites the player: %s" % player.position)
	region.debug_enabled = false
	player.position = Vector2(190, 56)
	await _frames(240)
	await _picture("4")
	await _frames(360)
	check(chaser.position.y < 80.0, "the chaser climbs after the player: %s" % chaser.position)
	# Drops through the floor, and leaves the level at neither end.
	player.position = Vector2(190, 56)
	await _frames(20)
	await _press("ui_down", 2)
	await _frames(30)
	check(player.position.y > 70.0, "the player drops: %s" % player.position)
	player.position = Vector2(40, 296)
	Input.action_press("ui_left")
	await _frames(60)
	Input.action_release("ui_left")
	check(player.position.distance_to(Vector2(6, 296)) < 3.0, "the player stays in the level: %s" % player.position)
	await _picture("7")
	quit(1 if _failed > 0 else 0)


func check(holds: bool, what: String) -> void:
	if not holds:
		_failed += 1
		printerr("failed: ", what)


func _press(action: String, frames: int) -> void:
	Input.action_press(action)
	await _frames(frames)
	Input.action_release(action)
	await _frames(frames)


## Alt and the left button at a place of the level.
func _click(at: Vector2) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.alt_pressed = true
	click.pressed = true
	click.position = root.get_final_transform() * root.canvas_transform * at
	root.push_input(click)


func _frames(count: int) -> void:
	for _i in count:
		await physics_frame


func _picture(name: String) -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments.is_empty() or DisplayServer.get_name() == "headless":
		return
	await process_frame
	await RenderingServer.frame_post_draw
	root.get_texture().get_image().save_png("%s/demo%s.png" % [arguments[0], name])
