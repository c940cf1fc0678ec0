//! Programs in C, C++, C# and Python that use the library as a game does. Tools that are
//! missing are named by `skipped`.

mod guide;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

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
    let found = output(Command::new(tool).arg("--version"));
    found.is_some_and(|output| output.status.success())
}

/// Says that a tool is missing, so that nothing was tested.
fn skipped(why: &str) {
    println!("skipped: {why}");
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
    if !is_installed("c++") {
        return skipped("there is no `c++`");
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
    if !is_installed("python3") {
        return skipped("there is no `python3`");
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
