extends SceneTree
## Checks that a file which `bake.gd` wrote was imported, and is the level of its scene.


func _initialize() -> void:
	var mesh := load("res://scene.Region.navmesh") as NavbakeMesh
	var region := Levels.region(Levels.rows(0))
	root.add_child(region)
	region.bake(false)
	var is_equal := mesh != null and mesh.data == region.navmesh.data
	if not is_equal:
		printerr("failed: a baked file is imported as a resource")
	region.free()
	quit(0 if is_equal else 1)
