@tool
extends Node2D
## Draws a body of 12 by 16 pixels, which looks to where it moves.

@export var color := Color.WHITE
@export var wings := false

var _looks := 1.0
var _time := 0.0


func _process(delta: float) -> void:
	_time += delta
	var body := get_parent() as CharacterBody2D
	if body and absf(body.velocity.x) > 5.0:
		_looks = signf(body.velocity.x)
	queue_redraw()


func _draw() -> void:
	if wings:
		var up := -6.0 + 4.0 * sin(_time * 14.0)
		for side: float in [-1.0, 1.0]:
			draw_colored_polygon([Vector2(side * 4, -4), Vector2(side * 14, up - 4), Vector2(side * 11, up + 4), Vector2(side * 4, 2)], color.darkened(0.3))
	draw_circle(Vector2(0, -2), 6.0, color)
	draw_rect(Rect2(-6, -2, 12, 10), color)
	if not wings:
		for x: float in [-4.0, 2.0]:
			draw_rect(Rect2(x, 6, 3, 2), color.darkened(0.4))
	for x: float in [1.0, 4.0]:
		draw_rect(Rect2(x * _looks - (1.0 if _looks < 0 else 0.0) - 0.5, -4, 2, 3), Color.WHITE)
		draw_rect(Rect2(x * _looks - 0.5 + 0.5 * _looks, -3, 1, 2), Color.BLACK)
