extends Node2D
## Keys, the trace of the guard's tree, and what happens when an enemy has the player.

@onready var region: NavbakeRegion2D = $Region
@onready var wall: StaticBody2D = $Region/Wall


func _ready() -> void:
	$Player.wall_hit.connect(_hit_wall)


func _process(_delta: float) -> void:
	$Screen/Trace.text = $Guard/Agent/Tree.get_trace()
	var is_caught := false
	for enemy: Node2D in [$Chaser, $Bat]:
		is_caught = is_caught or enemy.position.distance_to($Player.position) < 14.0
	$Player/Figure.color = Color.INDIAN_RED if is_caught else Color(0.35, 0.7, 1)
	if Input.is_action_just_pressed("ui_focus_next"):
		region.debug_enabled = not region.debug_enabled


func _hit_wall() -> void:
	if not is_instance_valid(wall) or wall.position.distance_to($Player.position) > 40.0:
		return
	wall.free()
	# Agents go through the hole as soon as the bake has found it.
	region.bake(true)
