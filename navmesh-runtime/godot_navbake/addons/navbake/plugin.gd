@tool
extends EditorPlugin
## Imports meshes and behaviour trees, and bakes the selected region from a button above the scene.

const Importer := preload("importer.gd")

var _importers: Array[EditorImportPlugin]
var _button: Button
var _region: Node


func _enter_tree() -> void:
	_importers = [Importer.new("navmesh", "NavbakeMesh"), Importer.new("ron", "NavbakeTreeFile")]
	for importer in _importers:
		add_import_plugin(importer)
	_button = Button.new()
	_button.text = "Bake Nav Mesh"
	_button.pressed.connect(_bake)
	_button.hide()
	add_control_to_container(CONTAINER_CANVAS_EDITOR_MENU, _button)


func _exit_tree() -> void:
	for importer in _importers:
		remove_import_plugin(importer)
	remove_control_from_container(CONTAINER_CANVAS_EDITOR_MENU, _button)
	_button.queue_free()


func _handles(object: Object) -> bool:
	return object.is_class("NavbakeRegion2D")


func _edit(object: Object) -> void:
	_region = object


func _make_visible(visible: bool) -> void:
	_button.visible = visible


## Alt and a click explain the way between two places.
func _forward_canvas_gui_input(event: InputEvent) -> bool:
	var click := event as InputEventMouseButton
	if _region == null or click == null or not (click.alt_pressed and click.pressed and click.button_index == MOUSE_BUTTON_LEFT):
		return false
	_region.explain_click(_region.get_global_mouse_position())
	return true


## Bakes, or ends the bake that is under way.
func _bake() -> void:
	var region := _region
	if region.is_baking():
		region.cancel_bake()
		return
	region.bake(true)
	if await region.bake_finished:
		EditorInterface.mark_scene_as_unsaved()


func _process(_delta: float) -> void:
	var is_baking: bool = is_instance_valid(_region) and _region.is_baking()
	_button.text = "Cancel (%s)" % _region.get_bake_progress() if is_baking else "Bake Nav Mesh"
