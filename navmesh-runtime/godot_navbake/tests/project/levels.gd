class_name Levels
## Levels of tiles, drawn at random: as a scene, and as a map for the command `navbake`.

const TILE := 16
const SIZE := Vector2i(60, 26)

## The polygons of tiles, relative to their centre.
const SHAPES: Dictionary = {
	"#": [Vector2(-8, -8), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)],
	"/": [Vector2(-8, 8), Vector2(8, -8), Vector2(8, 8)],
	"l": [Vector2(-8, 8), Vector2(8, 0), Vector2(8, 8)],
	"L": [Vector2(-8, 0), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)],
	"-": [Vector2(-8, 0), Vector2(8, 0), Vector2(8, 8), Vector2(-8, 8)],
	"=": [Vector2(-8, -8), Vector2(8, -8), Vector2(8, 0), Vector2(-8, 0)],
	"H": [],
	"^": [],
}
## Tiles that are others, mirrored.
const MIRRORED: Dictionary = {"\\": "/", "r": "l", "R": "L"}


## The rows of a level. `E` is a ladder that passes a one-way platform.
static func rows(seed_number: int) -> PackedStringArray:
	var dice := RandomNumberGenerator.new()
	dice.seed = seed_number
	var grid: Array[PackedStringArray] = []
	for y in SIZE.y:
		var row := PackedStringArray()
		for x in SIZE.x:
			row.append("#" if y >= SIZE.y - 2 or x == 0 or x == SIZE.x - 1 else ".")
		grid.append(row)
	var floor_row := SIZE.y - 3
	var x := 4
	while x < SIZE.x - 12:
		match dice.randi_range(0, 4):
			0: # A pit, which is left by a jump.
				for column in dice.randi_range(2, 4):
					grid[SIZE.y - 2][x + column] = "."
				x += 6
			1:
				x = _draw(grid, floor_row, x, "/##\\")
			2:
				x = _draw(grid, floor_row, x, "lL##Rr")
			3:
				x = _draw(grid, floor_row, x, "--##--")
			_:
				x += 3
		x += dice.randi_range(2, 4)
	for _i in 16:
		var y := dice.randi_range(5, SIZE.y - 6)
		var length := dice.randi_range(3, 9)
		var left := dice.randi_range(2, SIZE.x - length - 3)
		var kind := ["#", "#", "=", "=", "-"][dice.randi_range(0, 4)] as String
		for column in length:
			if grid[y][left + column] == ".":
				grid[y][left + column] = kind
		if dice.randf() < 0.3 and kind == "=":
			for down in range(y, SIZE.y - 2):
				if not grid[down][left] in [".", "="]:
					break
				grid[down][left] = "E" if grid[down][left] == "=" else "H"
	var lines := PackedStringArray()
	for row in grid:
		lines.append("".join(row))
	return lines


static func _draw(grid: Array[PackedStringArray], y: int, x: int, tiles: String) -> int:
	for column in tiles.length():
		grid[y][x + column] = tiles[column]
	return x + tiles.length()


static func tile_set() -> TileSet:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(TILE, TILE)
	tiles.add_physics_layer()
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(0, "navbake")
	tiles.set_custom_data_layer_type(0, TYPE_STRING)
	var source := TileSetAtlasSource.new()
	var image := Image.create(TILE * SHAPES.size(), TILE, false, Image.FORMAT_RGBA8)
	image.fill(Color.DIM_GRAY)
	source.texture = ImageTexture.create_from_image(image)
	source.texture_region_size = Vector2i(TILE, TILE)
	tiles.add_source(source, 0)
	for index in SHAPES.size():
		var kind := SHAPES.keys()[index] as String
		source.create_tile(Vector2i(index, 0))
		var data := source.get_tile_data(Vector2i(index, 0), 0)
		var points := PackedVector2Array(SHAPES[kind])
		if points.is_empty():
			data.set_custom_data("navbake", "ladder" if kind == "H" else "hazard")
			continue
		data.add_collision_polygon(0)
		data.set_collision_polygon_points(0, 0, points)
		data.set_collision_polygon_one_way(0, 0, kind == "=")
	return tiles


## The rows of the layer of the ground, or of that of the ladders.
static func of_layer(lines: PackedStringArray, ladders: bool) -> PackedStringArray:
	var found := PackedStringArray()
	for line in lines:
		if ladders:
			for kind: String in SHAPES.keys() + MIRRORED.keys():
				line = line if kind == "H" else line.replace(kind, ".")
			found.append(line.replace("E", "H"))
		else:
			found.append(line.replace("H", ".").replace("E", "="))
	return found


static func layer(lines: PackedStringArray, offset := Vector2i.ZERO) -> TileMapLayer:
	var map := TileMapLayer.new()
	map.tile_set = tile_set()
	for y in lines.size():
		for x in lines[y].length():
			var kind := lines[y][x]
			if kind == ".":
				continue
			var flip := TileSetAtlasSource.TRANSFORM_FLIP_H if MIRRORED.has(kind) else 0
			var index := SHAPES.keys().find(MIRRORED.get(kind, kind))
			map.set_cell(offset + Vector2i(x, y), 0, Vector2i(index, 0), flip)
	return map


## The same level as a Tiled map.
static func tmx(lines: PackedStringArray) -> String:
	var tiles := ""
	for index in SHAPES.size():
		var kind := SHAPES.keys()[index] as String
		var name := {"H": "ladder", "^": "hazard", "=": "one_way"}.get(kind, "solid") as String
		var shape := ""
		var points: Array = SHAPES[kind]
		if not points.is_empty():
			var texts := PackedStringArray()
			for point: Vector2 in points:
				texts.append("%d,%d" % [point.x + 8, point.y + 8])
			shape = "<objectgroup><object id=\"1\" x=\"0\" y=\"0\"><polygon points=\"%s\"/></object></objectgroup>" % " ".join(texts)
		tiles += "<tile id=\"%d\" type=\"%s\">%s</tile>\n" % [index, name, shape]
	var layers := ""
	for ladders: bool in [false, true]:
		var cells := PackedStringArray()
		for line in of_layer(lines, ladders):
			for kind in line:
				var index := SHAPES.keys().find(MIRRORED.get(kind, kind))
				var flip := 0x80000000 if MIRRORED.has(kind) else 0
				cells.append(str(0 if kind == "." else (index + 1) | flip))
		layers += "<layer id=\"%d\" name=\"%s\" width=\"%d\" height=\"%d\"><data encoding=\"csv\">%s</data></layer>\n" % [
			2 if ladders else 1, "Ladders" if ladders else "Ground", SIZE.x, SIZE.y, ",".join(cells)]
	return """<?xml version="1.0"?>
<map version="1.10" orientation="orthogonal" width="%d" height="%d" tilewidth="16" tileheight="16">
<tileset firstgid="1" name="tiles" tilewidth="16" tileheight="16" tilecount="%d" columns="%d">
<image source="tiles.png" width="%d" height="16"/>
%s</tileset>
%s</map>
""" % [SIZE.x, SIZE.y, SHAPES.size(), SHAPES.size(), 16 * SHAPES.size(), tiles, layers]


static func profile(body := Vector2(12, 16)) -> NavbakeProfile:
	var made := NavbakeProfile.new()
	made.body_size = body
	made.speed = 120.0
	made.jump_velocity = 330.0
	made.climb_speed = 60.0
	return made


## The left and the right end of each platform.
static func ends(mesh: NavbakeMesh) -> PackedVector2Array:
	var found := PackedVector2Array()
	for points in mesh.get_platforms("ground"):
		found.append_array([points[0], points[-1]])
	return found


## A position on a platform: 0 for its left end, or the upper one of a ladder, 1 for the other.
static func place_on(points: PackedVector2Array, share: float) -> Vector2:
	var at := points[0].lerp(points[-1], share)
	for i in range(1, points.size()):
		if points[i - 1].x < points[i].x and at.x <= points[i].x:
			var part := inverse_lerp(points[i - 1].x, points[i].x, at.x)
			return Vector2(at.x, lerpf(points[i - 1].y, points[i].y, part))
	return at


static func region(lines: PackedStringArray, offset := Vector2i.ZERO) -> NavbakeRegion2D:
	var made := NavbakeRegion2D.new()
	made.name = "Region"
	made.bake_on_ready = false
	# That of the map for the command.
	made.baking_rect = Rect2(offset * TILE, Vector2i(lines[0].length(), lines.size()) * TILE)
	made.profiles = [profile()] as Array[NavbakeProfile]
	for ladders: bool in [false, true]:
		made.add_child(layer(of_layer(lines, ladders), offset))
	return made
