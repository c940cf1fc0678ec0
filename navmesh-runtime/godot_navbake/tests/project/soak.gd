extends SceneTree
## Plays the demo again and again, with all that may happen in it:
##     godot --headless --fixed-fps 60 -s soak.gd -- SECONDS
## Prints how memory, objects and nodes grew since the first quarter. The exit status is 1 if
## there are more nodes than then, 8 MB more, or more objects in most of the rounds: Godot itself
## makes one at some time in ten minutes.

const Usage := preload("usage.gd")
const MOST_GROWTH := 8.0
## Seconds of a round, which begins with a new scene.
const ROUND := 20

const PLACES: Array[Vector2] = [Vector2(470, 296), Vector2(180, 296), Vector2(320, 168), Vector2(190, 56), Vector2(590, 40), Vector2(40, 296)]


func _initialize() -> void:
	Engine.max_physics_steps_per_frame = 1
	_run.call_deferred(int(OS.get_cmdline_user_args()[0]))


func _run(seconds: int) -> void:
	var rounds := maxi(seconds / ROUND, 4)
	var before := {}
	for number in rounds:
		await _play()
		# Bakes of scenes that have gone end.
		OS.delay_msec(50)
		for _i in 3:
			await physics_frame
		if number == rounds / 4:
			before = _held()
	var grown := _held()
	for what: String in before:
		grown[what] -= before[what]
	print("%d s of the demo: %.1f MB more, %d objects more, %d nodes more, %d orphans more" % [
		rounds * ROUND, grown.memory, grown.objects, grown.nodes, grown.orphans])
	var is_sound: bool = grown.memory < MOST_GROWTH and grown.objects <= maxi(1, rounds / 4) and grown.nodes <= 0 and grown.orphans <= 0
	if not is_sound:
		printerr("failed: what the game holds grows")
	quit(0 if is_sound else 1)


func _held() -> Dictionary:
	return {
		"memory": Usage.megabytes(),
		"objects": Performance.get_monitor(Performance.OBJECT_COUNT),
		"nodes": Performance.get_monitor(Performance.OBJECT_NODE_COUNT),
		"orphans": Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT),
	}


func _play() -> void:
	var main := (load("res://main.tscn") as PackedScene).instantiate()
	root.add_child(main)
	var region := main.get_node("Region") as NavbakeRegion2D
	var player := main.get_node("Player") as CharacterBody2D
	var chaser := main.get_node("Chaser/Agent") as NavbakeAgent2D
	var tiles := main.get_node("Region/Tiles") as TileMapLayer
	region.debug_enabled = true
	for second in ROUND:
		player.position = PLACES[second % PLACES.size()]
		match second:
			2: # The wall breaks.
				main.get_node("Region/Wall").free()
				region.bake()
			5:
				chaser.launch(Vector2(-150, -200))
			7:
				chaser.stun()
			8:
				chaser.enable()
				region.explain_click(player.position)
				region.explain_click(Vector2(590, 40))
			10, 14: # A floor breaks, and is repaired.
				var rect := Rect2(320, 304, 64, 32)
				if second == 10:
					region.remove(rect)
				for x in range(20, 24):
					for y in [19, 20]:
						if second == 10:
							tiles.erase_cell(Vector2i(x, y))
						else:
							tiles.set_cell(Vector2i(x, y), 0, Vector2i.ZERO)
				region.bake()
			12: # More of them, which leave before the scene does.
				for _i in 5:
					var other := main.get_node("Chaser").duplicate() as CharacterBody2D
					main.add_child(other)
					(other.get_node("Agent") as NavbakeAgent2D).follow = player
					create_timer(4.0).timeout.connect(other.queue_free)
			17:
				var saved := chaser.get_state()
				chaser.set_state(saved)
			18:
				region.bake()
				region.cancel_bake()
		for _i in 60:
			await physics_frame
	main.free()
