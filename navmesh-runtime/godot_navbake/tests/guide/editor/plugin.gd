@tool
extends EditorPlugin
## Selects the region, clicks Bake Nav Mesh, lets a way be explained, and saves the scene:
##     godot --editor --path PROJECT -- reader [FOLDER FOR A PICTURE]


func _enter_tree() -> void:
	var arguments := OS.get_cmdline_user_args()
	if not arguments.is_empty() and arguments[0] == "reader":
		_read.call_deferred(arguments)


func _read(arguments: PackedStringArray) -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	EditorInterface.open_scene_from_path("res://main.tscn")
	await _frames(30)
	var scene := EditorInterface.get_edited_scene_root()
	var region := scene.get_node("Region") as NavbakeRegion2D
	EditorInterface.set_main_screen_editor("2D")
	EditorInterface.edit_node(region)
	await _frames(10)
	var buttons := EditorInterface.get_base_control().find_children("*", "Button", true, false)
	buttons = buttons.filter(func(button: Button) -> bool: return button.text == "Bake Nav Mesh")
	if buttons.size() != 1 or not buttons[0].is_visible_in_tree():
		printerr("failed: there is one button: %d" % buttons.size())
	buttons[0].pressed.emit()
	var title := ""
	while region.is_baking():
		title = buttons[0].text
		await get_tree().process_frame
	if not title.begins_with("Cancel (ground: "):
		printerr("failed: the button shows the progress: %s" % title)
	await _frames(10)
	region.explain_click(Vector2(60, 376))
	region.explain_click(Vector2(700, 200))
	await _frames(30)
	if arguments.size() > 1:
		EditorInterface.get_base_control().get_viewport().get_texture().get_image().save_png(arguments[1] + "/editor.png")
	if EditorInterface.save_scene() != OK:
		printerr("failed: the scene is saved")
	print("baked: %s" % region.navmesh.get_counts("ground"))
	get_tree().quit()


func _frames(count: int) -> void:
	for _i in count:
		await get_tree().process_frame
