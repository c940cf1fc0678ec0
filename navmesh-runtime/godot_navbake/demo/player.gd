extends CharacterBody2D
## A player as in Godot's template: left and right, Space jumps, down drops through a platform,
## Enter breaks the wall in reach.

const SPEED := 150.0
const JUMP := 345.0

signal wall_hit


func _physics_process(delta: float) -> void:
	velocity.y += get_gravity().y * delta
	velocity.x = move_toward(velocity.x, SPEED * Input.get_axis("ui_left", "ui_right"), 1200.0 * delta)
	if is_on_floor() and Input.is_action_just_pressed("ui_select"):
		velocity.y = -JUMP
	if is_on_floor() and Input.is_action_just_pressed("ui_down"):
		position.y += 2.0
	if Input.is_action_just_pressed("ui_accept") and not Input.is_action_just_pressed("ui_select"):
		wall_hit.emit()
	move_and_slide()
	position.x = clampf(position.x, 6.0, 634.0)


## Thrown back by a bite.
func hit(from: Vector2) -> void:
	velocity = Vector2(180.0 * signf(position.x - from.x), -160.0)
