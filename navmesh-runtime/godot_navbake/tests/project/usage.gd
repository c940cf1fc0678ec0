extends RefCounted
## What this process uses, on Linux.


## What the main thread has used of the processor, in hundredths of a second.
static func processor() -> int:
	var fields := _lines("/proc/thread-self/stat")[0].get_slice(") ", 1).split(" ")
	return int(fields[11]) + int(fields[12])


## What the process holds, with the library's part.
static func megabytes() -> float:
	for line in _lines("/proc/self/status"):
		if line.begins_with("VmRSS:"):
			return line.get_slice(":", 1).strip_edges().to_float() / 1024.0
	return 0.0


## The lines of a file of the kernel, which has no length.
static func _lines(path: String) -> PackedStringArray:
	var lines := PackedStringArray()
	var file := FileAccess.open(path, FileAccess.READ)
	while not file.eof_reached():
		lines.append(file.get_line())
	return lines
