extends SceneTree
## What a reader of the guide makes by hand in the editor, with no line of code:
##     godot --headless --path PROJECT -s make.gd -- tiles|tiled
## With `tiled`, the level is baked by the command, and its collision is not below the region.


func _initialize() -> void:
	var is_drawn := OS.get_cmdline_user_args()[0] == "tiles"
	var main := Node2D.new()
	main.name = "Main"
	var region := NavbakeRegion2D.new()
	region.name = "Region"
	region.debug_enabled = true
	main.add_child(region)
	for ladders: bool in [false, true]:
		var tiles := Levels.layer(Levels.of_layer(Levels.rows(3), ladders))
		tiles.name = "Ladders" if ladders else "Ground"
		(region if is_drawn else main).add_child(tiles)
	if is_drawn:
		region.profiles = [Levels.profile()] as Array[NavbakeProfile]
	else:
		region.navmesh = load("res://level.navmesh")
	var player := _body("Player", Vector2(900, 376))
	main.add_child(player)
	var enemy := _body("Enemy", Vector2(40, 376))
	main.add_child(enemy)
	var agent := NavbakeAgent2D.new()
	agent.name = "Agent"
	agent.debug_enabled = true
	enemy.add_child(agent)
	agent.follow = player
	for node in main.find_children("*", "", true, false):
		node.owner = main
	var scene := PackedScene.new()
	var is_saved := scene.pack(main) == OK and ResourceSaver.save(scene, "res://main.tscn") == OK
	print("%d nodes" % (main.find_children("*", "", true, false).size() + 1))
	main.free()
	quit(0 if is_saved else 1)


func _body(title: String, at: Vector2) -> CharacterBody2D:
	var body := CharacterBody2D.new()
	body.name = title
	body.position = at
	body.collision_layer = 0
	var shape := CollisionShape2D.new()
	shape.name = "Shape"
	var capsule := CapsuleShape2D.new()
	capsule.radius = 6
	capsule.height = 16
	shape.shape = capsule
	body.add_child(shape)
	var picture := ColorRect.new()
	picture.name = "Picture"
	picture.color = Color.CORNFLOWER_BLUE if title == "Player" else Color.INDIAN_RED
	picture.position = Vector2(-6, -8)
	picture.size = Vector2(12, 16)
	body.add_child(picture)
	return body
