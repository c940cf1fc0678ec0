@tool
extends EditorImportPlugin
## Imports files as resources, which exports contain: those of the command `navbake`, and
## behaviour trees.

var _extension: String
var _type: String


func _init(extension: String, type: String) -> void:
	_extension = extension
	_type = type


func _get_importer_name() -> String:
	return "navbake." + ("mesh" if _extension == "navmesh" else _extension)


func _get_visible_name() -> String:
	return "Nav Mesh" if _extension == "navmesh" else "Behaviour Tree"


func _get_recognized_extensions() -> PackedStringArray:
	return [_extension]


func _get_save_extension() -> String:
	return "res"


func _get_resource_type() -> String:
	return _type


func _get_preset_count() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	return []


func _import(source: String, save_path: String, _options: Dictionary,
		_variants: Array[String], _files: Array[String]) -> Error:
	var resource: Resource
	if _type == "NavbakeMesh":
		resource = NavbakeMesh.load_file(source)
	else:
		resource = NavbakeTreeFile.load_file(source)
	if resource == null:
		return ERR_FILE_CORRUPT
	return ResourceSaver.save(resource, save_path + ".res")
