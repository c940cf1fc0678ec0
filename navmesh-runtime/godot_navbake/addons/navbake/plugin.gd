@tool
extends EditorPlugin
## Imports `.navmesh` files, and bakes the selected region from a button above the scene.

const Importer := preload("importer.gd")

var _importer: EditorImportPlugin
var _button: Button
var _region: Node


func _enter_tree() -> void:
	_importer = Importer.new()
	add_import_plugin(_importer)
	_button = Button.new()
	_button.text = "Bake Nav Mesh"
	_button.pressed.connect(_bake)
	_button.hide()
	add_control_to_container(CONTAINER_CANVAS_EDITOR_MENU, _button)


func _exit_tree() -> void:
	remove_import_plugin(_importer)
	remove_control_from_container(CONTAINER_CANVAS_EDITOR_MENU, _button)
	_button.queue_free()


func _handles(object: Object) -> bool:
	return object.is_class("NavbakeRegion2D")


func _edit(object: Object) -> void:
	_region = object


func _make_visible(visible: bool) -> void:
	_button.visible = visible


func _bake() -> void:
	if _region == null or _region.is_baking():
		return
	_button.text = "Baking…"
	_button.disabled = true
	_region.bake(true)
	var success: bool = await _region.bake_finished
	_button.text = "Bake Nav Mesh"
	_button.disabled = false
	if success:
		EditorInterface.mark_scene_as_unsaved()
