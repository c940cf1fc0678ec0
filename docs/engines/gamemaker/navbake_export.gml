/// Writes the room in navbake's level format, see docs/level-format.md.
/// @param {String} file    a file in the save folder, such as "first.level.json"
/// @param {Struct} kinds   lists of objects by kind: {solid: [obj_wall], one_way: [], hazard: [], ladder: []}
/// @param {Array} spawns   objects whose instances are spawns
/// @param {Array} layers   names of tile layers whose tiles are solid
function navbake_export(file, kinds, spawns, layers) {
    var level = {shapes: [], markers: []};
    var names = variable_struct_get_names(kinds);
    for (var i = 0; i < array_length(names); i++) {
        var objects = kinds[$ names[i]];
        for (var j = 0; j < array_length(objects); j++) {
            with (objects[j]) {
                // The last pixel of a bounding box is part of it.
                var box = [bbox_left, bbox_top, bbox_right - bbox_left + 1, bbox_bottom - bbox_top + 1];
                array_push(level.shapes, {kind: names[i], name: object_get_name(object_index), box: box});
            }
        }
    }
    for (var i = 0; i < array_length(spawns); i++) {
        with (spawns[i]) {
            var at = [x, bbox_bottom + 1];
            array_push(level.markers, {class: "spawn", name: object_get_name(object_index), at: at});
        }
    }
    for (var i = 0; i < array_length(layers); i++) {
        var map = layer_tilemap_get_id(layers[i]);
        var w = tilemap_get_tile_width(map), h = tilemap_get_tile_height(map);
        for (var row = 0; row < tilemap_get_height(map); row++) {
            for (var column = 0; column < tilemap_get_width(map); column++) {
                if (tile_get_index(tilemap_get(map, column, row)) > 0) {
                    var box = [tilemap_get_x(map) + column * w, tilemap_get_y(map) + row * h, w, h];
                    array_push(level.shapes, {kind: "solid", name: layers[i], box: box});
                }
            }
        }
    }
    var text = json_stringify({bounds: [0, 0, room_width, room_height], shapes: level.shapes, markers: level.markers});
    var out = file_text_open_write(file);
    // The version must be the first key.
    file_text_write_string(out, "{\"navbake_level\": 1, " + string_delete(text, 1, 1));
    file_text_close(out);
}
