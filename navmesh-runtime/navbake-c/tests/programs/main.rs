//! Programs in C, C++, C#, Lua and Python that use the library as a game does. Tools that are
//! missing are named by `skipped`.

mod guide;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use navmesh_runtime::glam::Vec2;
use navmesh_runtime::search::Rect;
use navmesh_runtime::{Navigator, asset};

/// The folder of this package.
fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The baked level of the runtime's example.
fn level() -> PathBuf {
    package().join("../games/levels/arena.navmesh")
}

/// The folder with the shared and the static library, built from the present source.
fn libraries() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // .../target/debug/deps/programs-0123: Cargo does not tell tests where the
        // libraries are.
        let test = std::env::current_exe().expect("the test has a path");
        let target = test.ancestors().nth(3).expect("a target folder");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--lib", "--locked", "--quiet", "--target-dir"]);
        run(cargo.arg(target).current_dir(package()));
        target.join("debug")
    })
}

fn output(command: &mut Command) -> Option<Output> {
    command.output().ok()
}

/// Runs a command that must succeed, and returns what it printed.
fn run(command: &mut Command) -> String {
    let output = output(command).unwrap_or_else(|| panic!("{command:?} cannot be started"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn is_installed(tool: &str) -> bool {
    // LuaJIT has only the short one.
    ["--version", "-v"].iter().any(|option| {
        let found = output(Command::new(tool).arg(option));
        found.is_some_and(|output| output.status.success())
    })
}

/// Names a tool that is missing, so that nothing was tested.
fn skipped(tool: &str) {
    println!("skipped: {tool}");
}

/// Whether all tools are there; names the first that is not.
fn has_tools(tools: &[&str]) -> bool {
    let missing = tools.iter().find(|tool| !is_installed(tool));
    if let Some(tool) = missing {
        skipped(tool);
    }
    missing.is_none()
}

/// A folder for what a test makes.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder in the target folder");
    folder
}

/// What a program in C needs of the system beside the static library.
const SYSTEM: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// Compiles a program in C or C++ with warnings as errors.
fn compile(compiler: &str, source: &Path, flags: &[&str], program: &Path) {
    let mut command = Command::new(compiler);
    command
        .args(["-Wall", "-Wextra", "-Werror", "-g"])
        .args(flags);
    command.arg("-I").arg(package().join("include"));
    command.arg(source).arg(libraries().join("libnavbake_c.a"));
    run(command.args(SYSTEM).arg("-o").arg(program));
}

/// Whether the system's compiler can link and run with these flags.
fn can_compile(compiler: &str, flags: &[&str]) -> bool {
    let folder = folder("probe");
    let (source, program) = (
        folder.join("probe.c"),
        folder.join(flags.concat().replace('/', "")),
    );
    let text = "int main(void) { return 0; }\n";
    std::fs::write(&source, text).expect("a file in the target folder");
    let mut command = Command::new(compiler);
    let built = command.args(flags).arg(source).arg("-o").arg(&program);
    let works = |output: Option<Output>| output.is_some_and(|output| output.status.success());
    works(output(built)) && works(output(&mut Command::new(program)))
}

/// Programs are linked with the names of libraries of Unix.
fn has_c() -> bool {
    if cfg!(unix) && is_installed("cc") {
        return true;
    }
    skipped("the programs in C need a system of the Unix kind with `cc`");
    false
}

fn chase_in_c(name: &str, flags: &[&str]) {
    if !has_c() {
        return;
    }
    if !can_compile("cc", flags) {
        return skipped(&format!("`cc` does not have {}", flags.join(" ")));
    }
    let program = folder("chase").join(name);
    compile("cc", &package().join("tests/chase.c"), flags, &program);
    let printed = run(Command::new(program).arg(level()));
    assert!(printed.starts_with("caught after "), "{printed}");
    print!("{printed}");
}

#[test]
fn a_program_in_c_chases() {
    chase_in_c("plain", &["-std=c99", "-pedantic", "-O2"]);
}

#[test]
fn a_program_in_c_chases_under_the_address_and_undefined_behaviour_sanitizers() {
    chase_in_c(
        "sanitized",
        &[
            "-std=c11",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ],
    );
}

#[test]
fn the_header_is_also_cpp() {
    if !has_c() {
        return;
    }
    if !has_tools(&["c++"]) {
        return;
    }
    let source = folder("cpp").join("version.cpp");
    let text =
        "#include \"navbake.h\"\nint main() { return nb_version() == NB_VERSION ? 0 : 1; }\n";
    std::fs::write(&source, text).expect("a file in the target folder");
    let program = folder("cpp").join("version");
    compile("c++", &source, &["-std=c++17", "-pedantic"], &program);
    run(&mut Command::new(program));
}

#[test]
fn a_script_in_python_chases() {
    if !has_tools(&["python3"]) {
        return;
    }
    let mut python = Command::new("python3");
    python.arg(package().join("tests/chase.py"));
    let printed = run(python
        .arg(libraries().join(guide::shared_library()))
        .arg(level()));
    assert!(printed.starts_with("bitten after "), "{printed}");
    print!("{printed}");
}

#[test]
fn a_program_in_c_sharp_chases() {
    let folder = guide::project_in_c_sharp("csharp");
    let program = package().join("tests/chase.cs");
    if guide::compile_with_mono(&folder, &[&program.to_string_lossy()]) {
        let printed = run(guide::mono(&folder).arg(level()));
        assert_eq!(printed, "bitten\n");
    }
}

/// Runs a program in Lua with `luajit` and, without a window, with `love`.
fn play(folder: &Path, main: &Path, argument: Option<&Path>) {
    for (tool, program) in [("luajit", main), ("love", folder)] {
        if !has_tools(&[tool]) {
            continue;
        }
        let mut command = Command::new(tool);
        command.arg(program).args(argument).current_dir(folder);
        let printed = run(&mut command);
        assert_eq!(printed, "bitten\n", "{tool}");
    }
}

/// A folder with the module for Lua, the library, and a `conf.lua` without a window.
fn project_in_lua(name: &str) -> PathBuf {
    let folder = folder(name);
    let module = package().join("include/navbake.lua");
    std::fs::copy(module, folder.join("navbake.lua")).expect("the module is copied");
    let library = guide::shared_library();
    std::fs::copy(libraries().join(library), folder.join(library)).expect("the library is copied");
    let conf = "function love.conf(t)\n\
        for _, name in ipairs { 'audio', 'graphics', 'joystick', 'sound', 'window' } do\n\
        t.modules[name] = false\nend\nend\n";
    std::fs::write(folder.join("conf.lua"), conf).expect("a file in the target folder");
    folder
}

#[test]
fn a_program_in_lua_chases() {
    let folder = project_in_lua("lua");
    let main = folder.join("main.lua");
    std::fs::copy(package().join("tests/chase.lua"), &main).expect("the program is copied");
    play(&folder, &main, Some(&level()));
}

#[test]
fn a_game_in_c_survives_an_edited_level_a_restart_and_a_saved_game() {
    if !has_c() {
        return;
    }
    let folder = guide::project("game-c");
    let program = folder.join("game");
    compile(
        "cc",
        &package().join("tests/game.c"),
        &["-std=c99", "-pedantic"],
        &program,
    );
    play_game(&folder, &mut Command::new(program));
}

#[test]
fn a_game_in_c_sharp_survives_an_edited_level_a_restart_and_a_saved_game() {
    let folder = guide::project_in_c_sharp("game-csharp");
    let program = package().join("tests/game.cs");
    if guide::compile_with_mono(&folder, &[&program.to_string_lossy()]) {
        play_game(&folder, &mut guide::mono(&folder));
    }
}

/// Runs a game whose level is edited while it plays: the file is written again without a
/// part of a floor.
fn play_game(folder: &Path, game: &mut Command) {
    let bytes = std::fs::read(level()).expect("the level");
    let mut nav = Navigator::new(asset::decode(&bytes).expect("a mesh"));
    let [from, to] = [Vec2::new(640.0, 124.0), Vec2::new(690.0, 150.0)];
    nav.remove(Rect::new(from, to));
    let edited = asset::encode(nav.mesh());
    std::fs::write(folder.join("edited.navmesh"), edited).expect("a file in the target folder");
    let printed = run(game.current_dir(folder));
    assert!(printed.ends_with("the game is won\n"), "{printed}");
    print!("{printed}");
}
