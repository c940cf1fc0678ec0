@tool
extends EditorImportPlugin
## Imports the files of the command `navbake` as resources, which exports contain.


func _get_importer_name() -> String:
	return "navbake.mesh"


func _get_visible_name() -> String:
	return "Nav Mesh"


func _get_recognized_extensions() -> PackedStringArray:
	return ["navmesh"]


func _get_save_extension() -> String:
	return "res"


func _get_resource_type() -> String:
	return "NavbakeMesh"


func _get_preset_count() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	return []


func _get_import_order() -> int:
	return 0


func _get_priority() -> float:
	return 1.0


func _can_import_threaded() -> bool:
	return false


func _import(source: String, save_path: String, _options: Dictionary,
		_variants: Array[String], _files: Array[String]) -> Error:
	var mesh := NavbakeMesh.load_file(source)
	if mesh == null:
		return ERR_FILE_CORRUPT
	return ResourceSaver.save(mesh, save_path + ".res")
