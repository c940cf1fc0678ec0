extends CharacterBody2D
## Walks to and fro on its platform, as `guard.ron` has it, and bites who comes near.

@export var player: CharacterBody2D

var _since := 0.0

@onready var tree: NavbakeTree = $Agent/Tree


func _ready() -> void:
	tree.set_task("bite", _bite)
	tree.set_value("left", position + Vector2(-36, 8))
	tree.set_value("right", position + Vector2(36, 8))
	tree.task_aborted.connect(func(_name: String) -> void: _since = 0.0)


## A third of a second of warning, and then the bite.
func _bite(parameters: Dictionary) -> int:
	_since += get_physics_process_delta_time()
	scale = Vector2.ONE * (1.0 + 0.3 * sin(_since * 20.0))
	if _since < 0.33:
		return NavbakeTree.RUNNING
	_since = 0.0
	scale = Vector2.ONE
	if position.distance_to(player.position) > parameters.reach:
		return NavbakeTree.FAILURE
	player.hit(position)
	return NavbakeTree.SUCCESS
