@tool
extends TileMapLayer
## A level that is drawn as text: `#` is solid, `=` one-way, `H` a ladder.

const KINDS := "#=H"

@export_multiline var rows := "":
	set(value):
		rows = value
		_fill()


func _fill() -> void:
	tile_set = _tiles()
	clear()
	var lines := rows.split("\n")
	for y in lines.size():
		for x in lines[y].length():
			var kind := KINDS.find(lines[y][x])
			if kind < 0:
				continue
			# Solid tiles below the surface have no grass.
			var is_covered := kind == 0 and y > 0 and lines[y - 1].substr(x, 1) == "#"
			set_cell(Vector2i(x, y), 0, Vector2i(3 if is_covered else kind, 0))


func _tiles() -> TileSet:
	var image := Image.create(64, 16, false, Image.FORMAT_RGBA8)
	for left: int in [0, 48]:
		image.fill_rect(Rect2i(left, 0, 16, 16), Color("4a3f4f"))
		for spot: Vector2i in [Vector2i(3, 7), Vector2i(10, 5), Vector2i(6, 12), Vector2i(13, 11)]:
			image.fill_rect(Rect2i(spot + Vector2i(left, 0), Vector2i(2, 2)), Color("5c4f61"))
	image.fill_rect(Rect2i(0, 0, 16, 4), Color("6fae5c"))
	image.fill_rect(Rect2i(0, 3, 16, 1), Color("4d8145"))
	image.fill_rect(Rect2i(16, 0, 16, 5), Color("b98a56"))
	image.fill_rect(Rect2i(16, 4, 16, 1), Color("7d5b39"))
	for x: int in [35, 43]:
		image.fill_rect(Rect2i(x, 0, 2, 16), Color("8f6f4b"))
	for y: int in [2, 7, 12]:
		image.fill_rect(Rect2i(35, y, 10, 2), Color("a98459"))
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = Vector2i(16, 16)
	var tiles := TileSet.new()
	tiles.add_physics_layer()
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(0, "navbake")
	tiles.set_custom_data_layer_type(0, TYPE_STRING)
	tiles.add_source(source, 0)
	for kind in 4:
		source.create_tile(Vector2i(kind, 0))
		var data := source.get_tile_data(Vector2i(kind, 0), 0)
		if kind == 2:
			data.set_custom_data("navbake", "ladder")
			continue
		var bottom := -3 if kind == 1 else 8
		data.add_collision_polygon(0)
		data.set_collision_polygon_points(0, 0, [Vector2(-8, -8), Vector2(8, -8), Vector2(8, bottom), Vector2(-8, bottom)])
		data.set_collision_polygon_one_way(0, 0, kind == 1)
	return tiles
