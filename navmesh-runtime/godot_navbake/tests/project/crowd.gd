extends SceneTree
## Many agents that follow a moving target, while tiles are erased and put back:
##     godot --headless --fixed-fps 60 -s crowd.gd -- AGENTS SECONDS
## Prints the milliseconds of a frame, with all that Godot does: the time of the main thread's
## processor, and what passed; and how the memory grew since the first quarter. The exit status
## is 1 if it grew by more than 8 MB.

const Usage := preload("usage.gd")
const MOST_GROWTH := 8.0

var _region: NavbakeRegion2D
var _target := Node2D.new()
var _ends: PackedVector2Array
var _frames: int
var _frame := 0
var _began := 0
var _before := 0
var _times := PackedInt32Array()
var _memory := 0.0


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	_frames = int(arguments[1]) * 60
	Engine.max_physics_steps_per_frame = 1
	_region = Levels.region(Levels.rows(2))
	root.add_child(_region)
	root.add_child(_target)
	_begin.call_deferred(int(arguments[0]))


func _begin(count: int) -> void:
	_region.bake(false)
	_ends = Levels.ends(_region.navmesh)
	var dice := RandomNumberGenerator.new()
	dice.seed = 1
	for i in count:
		var body := CharacterBody2D.new()
		var collision := CollisionShape2D.new()
		var shape := CapsuleShape2D.new()
		shape.radius = 6
		shape.height = 16
		collision.shape = shape
		body.collision_layer = 0
		body.add_child(collision)
		var agent := NavbakeAgent2D.new()
		agent.region = _region
		agent.follow = _target
		body.add_child(agent)
		body.position = _ends[dice.randi_range(0, _ends.size() - 1)] - Vector2(0, 8)
		root.add_child(body)
	_before = Time.get_ticks_usec()
	_began = Usage.processor()


func _physics_process(_delta: float) -> bool:
	if _began == 0:
		return false
	_frame += 1
	var now := Time.get_ticks_usec()
	_times.append(now - _before)
	_before = now
	if _frame % 60 == 0:
		_target.position = _ends[(_frame / 60 * 7) % _ends.size()]
	if _frame % 600 == 0:
		var map := _region.get_child(0) as TileMapLayer
		var cell := Vector2i(20, Levels.SIZE.y - 2)
		if map.get_cell_source_id(cell) < 0:
			map.set_cell(cell, 0, Vector2i.ZERO)
		else:
			map.erase_cell(cell)
		_region.bake(true)
	if _frame == _frames / 4:
		_memory = Usage.megabytes()
	if _frame < _frames:
		return false
	var grown := Usage.megabytes() - _memory
	var used := 10.0 * (Usage.processor() - _began) / _frame
	_times.sort()
	print("%.2f ms of the processor a frame; half of the frames took %.2f ms, the slowest %.1f; memory grew by %.1f MB" % [
		used, _times[_times.size() / 2] / 1000.0, _times[-1] / 1000.0, grown])
	if grown > MOST_GROWTH:
		printerr("failed: the memory grows")
	quit(1 if grown > MOST_GROWTH else 0)
	return true
