//! The programs in `docs/engines.md`, copied out of it as a reader does.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{
    SYSTEM, can_compile, compile, folder, has_c, has_tools, level, libraries, output, package,
    play, project_in_lua, run, skipped,
};

fn repository() -> PathBuf {
    package().join("../..")
}

/// The code blocks of a language under a heading of the guide.
fn blocks(heading: &str, language: &str) -> Vec<String> {
    let guide = std::fs::read_to_string(repository().join("docs/engines.md"));
    let guide = guide
        .expect("the guide is in the repository")
        .replace('\r', "");
    let sections = guide.split("\n## ");
    let heading = format!("{heading}\n");
    let section = { sections }.find(|section| section.starts_with(&heading));
    let section = section.unwrap_or_else(|| panic!("the guide has no section {heading}"));
    let fence = format!("\n```{language}\n");
    let blocks = section.split(&fence).skip(1);
    let blocks = blocks.map(|rest| rest.split("\n```").next().unwrap_or_default());
    blocks.map(|block| format!("{block}\n")).collect()
}

fn block(heading: &str, language: &str) -> String {
    let mut blocks = blocks(heading, language);
    assert_eq!(blocks.len(), 1, "{heading}: {language}");
    blocks.remove(0)
}

/// An empty project with the level.
pub(crate) fn project(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::copy(level(), folder.join("level.navmesh")).expect("the level is copied");
    folder
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file in the target folder");
}

#[test]
fn the_program_in_c_catches_the_player() {
    if !has_c() {
        return;
    }
    let folder = project("guide-c");
    write(&folder.join("chase.c"), &block("C and C++", "c"));
    for flags in [&["-std=c99"][..], &["-fsanitize=address,undefined"]] {
        if !can_compile("cc", flags) {
            skipped(&format!("`cc` does not have {}", flags.join(" ")));
            continue;
        }
        let program = folder.join("chase");
        compile("cc", &folder.join("chase.c"), flags, &program);
        let printed = run(Command::new(&program).current_dir(&folder));
        assert!(
            printed.contains("it lands at ") && printed.ends_with("caught\n"),
            "{printed}"
        );
    }
    if can_compile("c++", &["-std=c++20"]) {
        let (source, program) = (folder.join("chase.cpp"), folder.join("chase-cpp"));
        write(&source, &block("C and C++", "c"));
        // In C++, GCC warns of fields that are left at 0 by name, too.
        let flags = ["-std=c++20", "-pedantic", "-Wno-missing-field-initializers"];
        compile("c++", &source, &flags, &program);
        let printed = run(Command::new(&program).current_dir(&folder));
        assert!(printed.ends_with("caught\n"), "{printed}");
    }
    // The line with which the reader compiles it, with the library beside it.
    let line = blocks("C and C++", "sh")
        .into_iter()
        .find(|block| block.starts_with("cc "));
    let line = line.expect("the guide says how to compile it");
    assert!(
        SYSTEM.iter().all(|library| line.contains(library)),
        "{line}"
    );
}

/// The name of the shared library.
pub(crate) fn shared_library() -> &'static str {
    if cfg!(windows) {
        "navbake_c.dll"
    } else if cfg!(target_os = "macos") {
        "libnavbake_c.dylib"
    } else {
        "libnavbake_c.so"
    }
}

/// A project in C# as the guide makes it.
pub(crate) fn project_in_c_sharp(name: &str) -> PathBuf {
    let folder = project(name);
    let include = package().join("include/Navbake.cs");
    std::fs::copy(include, folder.join("Navbake.cs")).expect("the declarations are copied");
    let library = libraries().join(shared_library());
    std::fs::copy(library, folder.join(shared_library())).expect("the library is copied");
    folder
}

#[test]
fn the_program_in_c_sharp_catches_the_player_in_dotnet() {
    if !has_tools(&["dotnet"]) {
        return;
    }
    let folder = project_in_c_sharp("guide-csharp");
    if output(
        Command::new("dotnet")
            .args(["new", "console", "--force"])
            .current_dir(&folder),
    )
    .is_none_or(|output| !output.status.success())
    {
        return skipped("`dotnet new console` failed");
    }
    write(&folder.join("Program.cs"), &blocks("C#", "csharp")[0]);
    let file = folder.join("guide-csharp.csproj");
    let text = std::fs::read_to_string(&file).expect("the project file");
    let (head, _) = text.rsplit_once("</Project>").expect("its last line");
    let lines = block("C#", "xml");
    write(&file, &format!("{head}{lines}</Project>\n"));
    let mut dotnet = Command::new("dotnet");
    assert!(run(dotnet.arg("run").current_dir(&folder)).contains("caught"));
}

/// Compiles a project in C# with Mono.
pub(crate) fn compile_with_mono(folder: &Path, files: &[&str]) -> bool {
    if !has_tools(&["mcs", "mono"]) {
        return false;
    }
    let mut compiler = Command::new("mcs");
    compiler.args(["-warnaserror", "-out:chase.exe", "Navbake.cs"]);
    run(compiler.args(files).current_dir(folder));
    true
}

pub(crate) fn mono(folder: &Path) -> Command {
    let mut mono = Command::new("mono");
    mono.arg("chase.exe").current_dir(folder);
    mono
}

#[test]
fn the_program_in_c_sharp_catches_the_player_in_mono() {
    let folder = project_in_c_sharp("guide-mono");
    write(&folder.join("Program.cs"), &blocks("C#", "csharp")[0]);
    if !compile_with_mono(&folder, &["Program.cs"]) {
        return;
    }
    let printed = run(&mut mono(&folder));
    assert!(
        printed.starts_with("it lands\n") && printed.ends_with("caught\n"),
        "{printed}"
    );
    // Without the level, the error of the library is an exception.
    write(&folder.join("level.navmesh"), "no mesh");
    let failed = output(&mut mono(&folder)).expect("mono runs");
    let printed = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success(), "{printed}");
    assert!(printed.contains("Navbake.NbException"), "{printed}");
}

/// Runs the guard of the guide without a window.
const LOVE: &str = r#"
if not love then
  love = { filesystem = {
    getSource = function() return "." end,
    getSourceBaseDirectory = function() return "." end,
    read = function(path) return assert(io.open(path)):read "*a" end,
  } }
end
love.graphics = { rectangle = function() end, print = function() end }
local write, bites = print, 0
function print(text) bites = bites + (text == "it plays bite" and 1 or 0) end
require "guide"
local load = love.load
local function game()
  load()
  for _ = 1, 3600 do
    love.update(1 / 60)
    love.draw()
    if bites > 0 then return write "bitten" end
  end
end
if love.event then
  function love.load() game() love.event.quit(0) end
else
  game()
end
"#;

#[test]
fn the_guard_in_lua_bites_the_player() {
    let folder = project_in_lua("guide-lua");
    std::fs::copy(level(), folder.join("level.navmesh")).expect("the level is copied");
    write(&folder.join("guide.lua"), &block("Lua", "lua"));
    write(&folder.join("main.lua"), LOVE);
    let guide = repository().join("navmesh-runtime/behavior/docs/behaviour.md");
    let guide = std::fs::read_to_string(guide).expect("the guide is in the repository");
    let (_, guard) = guide.split_once("// Guard\n").expect("the guard");
    let (guard, _) = guard.split_once("\n```").expect("its end");
    write(&folder.join("guard.tree.ron"), guard);
    play(&folder, Path::new("main.lua"), None);
}

/// A program that uses the package as a project does: its assembly, and the library of its
/// system.
#[test]
fn the_nuget_package_has_the_assembly_and_the_library() {
    if !has_tools(&["mcs", "mono", "python3", "bash"]) || !cfg!(target_os = "linux") {
        return;
    }
    let folder = folder("nuget");
    let library = libraries().join(shared_library());
    let mut pack = Command::new(package().join("csharp/pack"));
    let file = run(pack
        .arg(&folder)
        .arg(format!("linux-x64={}", library.display())));
    let mut unpack = Command::new("python3");
    run(unpack
        .args(["-m", "zipfile", "-e", file.trim()])
        .arg(&folder));
    let assemblies = folder.join("lib/netstandard2.1");
    let mut compiler = Command::new("mcs");
    compiler.args(["-r:Navbake.dll", "-out:chase.exe"]);
    run(compiler
        .arg(package().join("tests/chase.cs"))
        .current_dir(&assemblies));
    let native = folder.join("runtimes/linux-x64/native");
    let mut game = mono(&assemblies);
    assert_eq!(
        run(game.arg(level()).env("LD_LIBRARY_PATH", native)),
        "bitten\n"
    );
}

/// What the component uses of Unity, and a game that runs it.
const UNITY: &str = r#"
using System.Reflection;
namespace UnityEngine
{
    public struct Vector2
    {
        public float x, y;
        public static float Distance(Vector2 a, Vector2 b) => (float)System.Math.Sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
        public static implicit operator Vector2(Vector3 v) => new Vector2 { x = v.x, y = v.y };
    }
    public struct Color { public static Color green, blue, yellow; }
    public static class Gizmos { public static Color color; public static int Lines; public static void DrawLine(Vector3 from, Vector3 to) => Lines++; }
    public struct Vector3 { public float x, y, z; public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; } }
    public class Transform { public Vector3 position, localScale; }
    public class MonoBehaviour { public Transform transform = new Transform(); public static void print(object text) { System.Console.WriteLine(text); Game.IsOver = true; } }
    public class TextAsset { public byte[] bytes; }
    public static class Time { public static float fixedDeltaTime = 0.02f; }
}
static class Game
{
    public static bool IsOver;
    static void Main()
    {
        var target = new UnityEngine.Transform { position = new UnityEngine.Vector3(48, 352, 0) };
        var chaser = new Chaser { agent = "walker", target = target };
        chaser.level = new UnityEngine.TextAsset { bytes = System.IO.File.ReadAllBytes("level.navmesh") };
        chaser.transform.position = new UnityEngine.Vector3(624, 128, 0);
        System.Action<string> call = name =>
            typeof(Chaser).GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic).Invoke(chaser, null);
        call("Start");
        for (int frame = 0; frame < 3000 && !IsOver; frame++)
        {
            target.position.x += 0.5f;
            call("FixedUpdate");
        }
        call("OnDrawGizmosSelected");
        if (UnityEngine.Gizmos.Lines < 100) throw new System.Exception("too few lines");
        call("OnDestroy");
    }
}
"#;

#[test]
fn the_component_for_unity_catches_the_player_in_mono() {
    let folder = project_in_c_sharp("guide-unity");
    write(&folder.join("Chaser.cs"), &blocks("C#", "csharp")[1]);
    write(&folder.join("Unity.cs"), UNITY);
    if compile_with_mono(&folder, &["Chaser.cs", "Unity.cs"]) {
        assert_eq!(run(&mut mono(&folder)), "caught\n");
    }
}

/// They are copies, because some systems check out symbolic links as text.
#[test]
fn the_licences_are_those_of_the_repository() {
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let read = |path: PathBuf| std::fs::read_to_string(path).expect("a licence");
        assert_eq!(read(package().join(file)), read(repository().join(file)));
        assert!(!package().join(file).is_symlink(), "{file}");
    }
}
