extends SceneTree
## Runs the scene of the guide, until the enemy has the player:
##     godot --headless --fixed-fps 60 --path PROJECT -s play.gd -- [PICTURE.png]


func _initialize() -> void:
	Engine.max_physics_steps_per_frame = 1
	_run.call_deferred()


func _run() -> void:
	var main := (load("res://main.tscn") as PackedScene).instantiate()
	var region := main.get_node("Region") as NavbakeRegion2D
	var is_baked := region.navmesh != null
	root.add_child(main)
	var enemy := main.get_node("Enemy") as CharacterBody2D
	var player := main.get_node("Player") as CharacterBody2D
	var seconds := 0.0
	while enemy.position.distance_to(player.position) > 14.0 and seconds < 20.0:
		if is_equal_approx(seconds, 3.0):
			await _picture()
		await physics_frame
		seconds += 1.0 / 60.0
	print("the enemy has the player after %.1f s" % seconds)
	var is_failed := seconds >= 20.0 or not is_baked
	if is_failed:
		printerr("failed: the level is baked: %s, the enemy is at %s" % [is_baked, enemy.position])
	quit(1 if is_failed else 0)


func _picture() -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments.is_empty() or DisplayServer.get_name() == "headless":
		return
	await RenderingServer.frame_post_draw
	root.get_texture().get_image().save_png(arguments[0])
