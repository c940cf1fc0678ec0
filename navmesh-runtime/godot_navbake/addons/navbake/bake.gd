extends SceneTree
## Bakes the regions of scenes without the editor, for builds:
##     godot --headless -s addons/navbake/bake.gd -- res://level.tscn …
## Writes the mesh of each region next to its scene, as SCENE.REGION.navmesh. The exit status
## is 1 if a bake fails.


func _initialize() -> void:
	var scenes := OS.get_cmdline_user_args()
	if scenes.is_empty():
		printerr("usage: godot --headless -s addons/navbake/bake.gd -- SCENE.tscn …")
		quit(2)
		return
	var status := 0
	for path in scenes:
		var packed := load(path) as PackedScene
		if packed == null:
			printerr("%s: it is not a scene" % path)
			status = 1
			continue
		var scene := packed.instantiate()
		root.add_child(scene)
		for region in scene.find_children("*", "NavbakeRegion2D", true, false) + [scene]:
			if region is NavbakeRegion2D and not _bake(region, path):
				status = 1
		scene.free()
	quit(status)


func _bake(region: NavbakeRegion2D, path: String) -> bool:
	region.bake(false)
	var mesh := region.navmesh
	if mesh == null:
		return false
	var file := "%s.%s.navmesh" % [path.get_basename(), region.name]
	if mesh.save_file(file) != OK:
		printerr("%s: it cannot be written" % file)
		return false
	for agent_name in mesh.get_agent_names():
		var counts := mesh.get_counts(agent_name)
		print("%s: %s: %d platforms, %d links" % [file, agent_name, counts.x, counts.y])
	return true
