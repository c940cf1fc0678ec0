extends SceneTree
## Bodies that travel between random places of random levels:
##     godot --headless --fixed-fps HZ -s trips.gd -- HZ SHAPE LEVELS TRIPS
## Prints how many trips were completed, and how many without planning again. All count.

const BODIES := 25

var _hz: int
var _travellers: Array[Traveller] = []
var _level := 0
var _levels: int
var _trips: int
var _shape: String
var _total := {"trips": 0, "completed": 0, "first": 0}
var _region: NavbakeRegion2D


func _initialize() -> void:
	var args := OS.get_cmdline_user_args()
	_hz = int(args[0])
	_shape = args[1]
	_levels = int(args[2])
	_trips = int(args[3])
	Engine.physics_ticks_per_second = _hz
	Engine.max_physics_steps_per_frame = 1


func _begin() -> void:
	_region = Levels.region(Levels.rows(_level))
	root.add_child(_region)
	_region.bake(false)
	for i in BODIES:
		var traveller := Traveller.new(_region, _shape, 1000 * _level + i, _trips / BODIES)
		root.add_child(traveller.body)
		_travellers.append(traveller)


func _physics_process(delta: float) -> bool:
	if _travellers.is_empty():
		_begin()
		return false
	var is_done := true
	for traveller in _travellers:
		is_done = traveller.step(delta) and is_done
	if not is_done:
		return false
	for traveller in _travellers:
		_total.trips += traveller.trips
		_total.completed += traveller.completed
		_total.first += traveller.first
		traveller.body.free()
	_region.free()
	_travellers.clear()
	_level += 1
	if _level < _levels:
		return false
	print("%d Hz, %s: %d trips, %.2f %% completed, %.2f %% at the first try" % [
		_hz, _shape, _total.trips, 100.0 * _total.completed / _total.trips,
		100.0 * _total.first / _total.trips])
	return true


class Traveller:
	var body := CharacterBody2D.new()
	var agent := NavbakeAgent2D.new()
	var trips := 0
	var completed := 0
	var first := 0
	var _region: NavbakeRegion2D
	var _dice := RandomNumberGenerator.new()
	var _most: int
	var _seconds := 0.0
	var _limit := 0.0
	var _is_lost := false
	var _arrived := false
	var _waiting := 3
	var _log: String
	var _link: String
	var _level: int
	var _trace := PackedStringArray()
	var _half := 8.0

	func _init(region: NavbakeRegion2D, shape: String, seed_number: int, most: int) -> void:
		_region = region
		_level = seed_number / 1000
		_most = most
		_dice.seed = seed_number
		var collision := CollisionShape2D.new()
		if shape == "capsule":
			var capsule := CapsuleShape2D.new()
			capsule.radius = 6
			capsule.height = 16
			collision.shape = capsule
		else:
			var rectangle := RectangleShape2D.new()
			# The bake is for 12 by 16.
			rectangle.size = Vector2(10.8, 14.4) if shape == "small" else Vector2(12, 16)
			collision.shape = rectangle
			_half = 0.5 * rectangle.size.y
		body.collision_layer = 0
		body.collision_mask = 1
		body.add_child(collision)
		agent.region = region
		agent.allow_partial_path = false
		agent.target_reached.connect(func() -> void: _arrived = true)
		agent.path_lost.connect(func(reason: String) -> void:
			_is_lost = true
			_log += "\n  lost at %s v %s in %s: %s" % [
				agent.get_feet_position(), body.velocity, _link, reason] + "\n" + "\n".join(_trace)
			_log += "\n    level %d, path %s" % [_level, agent.get_current_navigation_path()])
		agent.link_reached.connect(func(link: Dictionary) -> void: _link = str(link))
		agent.stuck.connect(func() -> void: _is_lost = true)
		body.add_child(agent)
		body.position = _place() - Vector2(0, _half)

	## A random position on a platform.
	func _place() -> Vector2:
		var platforms := _region.navmesh.get_platforms("ground")
		var lengths := 0.0
		for points in platforms:
			lengths += points[0].distance_to(points[-1])
		var at := _dice.randf() * lengths
		for points in platforms:
			var length := points[0].distance_to(points[-1])
			if at <= length and length > 0.0:
				return Levels.place_on(points, at / length)
			at -= length
		return platforms[0][0]

	## Returns whether all trips are over.
	func step(delta: float) -> bool:
		if trips >= _most and _limit == 0.0:
			return true
		if _waiting > 0:
			_waiting -= 1
			return false
		if _limit == 0.0:
			for _try in 40:
				var to := _place()
				var from := agent.get_feet_position()
				var path := _region.find_path("ground", from, to)
				if path.size() > 1 and from.distance_to(to) > 24.0:
					agent.target_position = to
					_limit = 10.0 + 3.0 * _region.get_path_cost("ground", from, to)
					_seconds = 0.0
					_is_lost = false
					_arrived = false
					_log = "%s -> %s" % [from, to]
					trips += 1
					return false
			# A place without a way out: begin elsewhere.
			body.position = _place() - Vector2(0, _half)
			body.velocity = Vector2.ZERO
			_waiting = 3
			return false
		_seconds += delta
		_trace.append("    %s v %s %s %s" % [agent.get_feet_position(), body.velocity, body.is_on_floor(), agent.get_activity()])
		if _trace.size() > 8:
			_trace.remove_at(0)
		if _arrived:
			completed += 1
			if not _is_lost:
				first += 1
		elif _seconds < _limit:
			return false
		else:
			print("not completed: ", _log, " ends at ", agent.get_feet_position(), " ", agent.get_activity())
			body.position = _place() - Vector2(0, _half)
			body.velocity = Vector2.ZERO
			_waiting = 3
		if OS.has_environment("VERBOSE") and (_is_lost or not _arrived):
			print(_log)
		_limit = 0.0
		return false
