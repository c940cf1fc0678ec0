//! Measures the command on a hundred levels: baking all, baking none, and
//! baking one that was edited. For comparison: reading the levels, which is
//! what the command mostly does when nothing changed.
//!
//! `cargo bench -p navbake-benches --bench hundred [-- FOLDER]`: copies of the
//! project's own level, or of the .tmx files of a folder with what they refer
//! to, each with a block of its own drawn in.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use baker_cli::source::{Rules, read};

const LEVELS: usize = 100;

/// Number of repetitions of quick measurements; the least counts.
const TIMES: usize = 9;

/// Set for the processes that this program starts as the command `navbake`: itself.
const AS_COMMAND: &str = "NAVBAKE_AS_COMMAND";

fn main() -> ExitCode {
    if std::env::var_os(AS_COMMAND).is_some() {
        return baker_cli::cli::main();
    }
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn navbake() -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.env(AS_COMMAND, "1");
    Ok(command)
}

fn measure() -> Result<(), Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    // Cargo adds arguments of its own.
    let given = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let from = given.map_or(own, PathBuf::from);
    let temp = tempfile::tempdir()?;
    let levels = temp.path().join("levels");
    fs::create_dir(&levels)?;
    let mut maps = Vec::new();
    for entry in fs::read_dir(&from)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "tmx") {
            maps.push(path);
        } else if path.is_file() && path.extension().is_some_and(|e| e == "tsx" || e == "tx") {
            fs::copy(&path, levels.join(path.file_name().unwrap_or_default()))?;
        }
    }
    maps.sort();
    if maps.is_empty() {
        return Err(format!("{}: no .tmx files", from.display()).into());
    }
    let mut drawn = Vec::new();
    for i in 0..LEVELS {
        let path = levels.join(format!("{i:03}.tmx"));
        fs::write(&path, edited(&maps[i % maps.len()], i)?)?;
        drawn.push(path);
    }
    println!(
        "{LEVELS} levels from {} maps of {}",
        maps.len(),
        from.display()
    );

    let bake = |threads: &str| -> Result<Duration, Box<dyn Error>> {
        let start = Instant::now();
        let status = navbake()?
            .args(["bake", "levels", "-o", "out", "--threads", threads])
            .current_dir(temp.path())
            .stderr(Stdio::null())
            .status()?;
        let took = start.elapsed();
        status
            .success()
            .then_some(took)
            .ok_or("a bake failed".into())
    };
    let cores = std::thread::available_parallelism()?.to_string();
    tell("all, one thread", bake("1")?);
    fs::remove_dir_all(temp.path().join("out"))?;
    tell(&format!("all, {cores} threads"), bake(&cores)?);
    let mut none = Duration::MAX;
    for _ in 0..TIMES {
        none = none.min(bake(&cores)?);
    }
    tell("none", none);
    let mut reading = Duration::MAX;
    for _ in 0..TIMES {
        let start = Instant::now();
        for level in &drawn {
            std::hint::black_box(read(level, &Rules::default())?);
        }
        reading = reading.min(start.elapsed());
    }
    tell("  reading the levels, one thread", reading);
    let mut start = Duration::MAX;
    for _ in 0..TIMES {
        let now = Instant::now();
        navbake()?.arg("--version").stdout(Stdio::null()).status()?;
        start = start.min(now.elapsed());
    }
    tell("  starting the program", start);
    let mut one = Duration::MAX;
    for i in 0..TIMES {
        let at = LEVELS / 2;
        fs::write(&drawn[at], edited(&maps[at % maps.len()], LEVELS + i)?)?;
        one = one.min(bake(&cores)?);
    }
    tell("one edited", one);
    Ok(())
}

fn tell(what: &str, took: Duration) {
    println!("{what:<56} {:>9.2} ms", took.as_secs_f64() * 1e3);
}

/// A map with one more block in it, elsewhere for each number.
fn edited(map: &Path, number: usize) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(map)?;
    let (before, after) = text.rsplit_once("</map>").ok_or("no </map>")?;
    let (x, y) = (32 + number % 20 * 16, 32 + number / 20 * 16);
    Ok(format!(
        "{before}<objectgroup name=\"collision edit\"><object id=\"9000001\" x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\"/></objectgroup>\n</map>{after}"
    ))
}
