//! The programs in `docs/engines.md`, copied out of it as a reader does.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{
    SYSTEM, can_compile, compile, folder, has_c, is_installed, level, libraries, output, package,
    run, skipped,
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
fn project(name: &str) -> PathBuf {
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
    if !is_installed("dotnet") {
        return skipped("there is no `dotnet`");
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
    for tool in ["mcs", "mono"] {
        if !is_installed(tool) {
            skipped(&format!("there is no `{tool}`"));
            return false;
        }
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
    assert_eq!(run(&mut mono(&folder)), "caught\n");
    // Without the level, the error of the library is an exception.
    write(&folder.join("level.navmesh"), "no mesh");
    let failed = output(&mut mono(&folder)).expect("mono runs");
    let printed = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success(), "{printed}");
    assert!(printed.contains("System.Exception"), "{printed}");
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

/// What the extension uses of godot-cpp, so that it can be compiled without.
const GODOT: &str = r"
#include <cstddef>
#include <cstdint>
#define GDE_EXPORT
#define ERR_PRINT(text) (void)(text)
#define GDCLASS(own, base) public: using Base = base; private:
#define D_METHOD(...) 0
#define ADD_PROPERTY(info, setter, getter) (void)(info)
#define ADD_SIGNAL(info) (void)(info)
#define GDREGISTER_RUNTIME_CLASS(own) ClassDB::register_runtime_class<own>()
typedef uint8_t GDExtensionBool;
typedef void (*GDExtensionInterfaceGetProcAddress)(const char *);
typedef void *GDExtensionClassLibraryPtr;
struct GDExtensionInitialization;
namespace godot {
enum ModuleInitializationLevel { MODULE_INITIALIZATION_LEVEL_SCENE = 2 };
struct CharString { const char *get_data() const; };
struct String { String(const char *); CharString utf8() const; };
struct NodePath {};
struct Variant { enum Type { NODE_PATH }; };
struct PropertyInfo { PropertyInfo(Variant::Type, const char *); };
struct MethodInfo { MethodInfo(const char *); };
struct Vector2 { float x, y; Vector2(float, float); float distance_to(const Vector2 &) const; };
struct PackedByteArray { const uint8_t *ptr() const; int64_t size() const; };
struct FileAccess { static PackedByteArray get_file_as_bytes(const String &); };
struct Object { template <class T> static T *cast_to(Object *object); int emit_signal(const char *); };
struct Node : Object {
  virtual void _ready(); virtual void _physics_process(double delta); virtual ~Node();
  Node *get_node_or_null(const NodePath &) const;
};
struct Node2D : Node { Vector2 get_position() const; void set_position(const Vector2 &); void set_scale(const Vector2 &); };
struct ClassDB { template <class M> static void bind_method(int, M); template <class T> static void register_runtime_class() {} };
struct GDExtensionBinding { struct InitObject {
  InitObject(GDExtensionInterfaceGetProcAddress, GDExtensionClassLibraryPtr, GDExtensionInitialization *);
  void register_initializer(void (*)(ModuleInitializationLevel)) const;
  void set_minimum_library_initialization_level(ModuleInitializationLevel) const;
  GDExtensionBool init() const;
}; };
}
";

#[test]
fn the_extension_for_godot_compiles() {
    if !has_c() {
        return;
    }
    if !is_installed("c++") {
        return skipped("there is no `c++`");
    }
    let folder = project("guide-godot");
    write(&folder.join("chaser.cpp"), &block("Godot", "cpp"));
    let mut command = Command::new("c++");
    command.args(["-std=c++17", "-fsyntax-only", "-Wall", "-Werror"]);
    command.arg("-I").arg(package().join("include"));
    if let Some(godot) = std::env::var_os("GODOT_CPP").map(PathBuf::from) {
        for part in ["include", "gen/include", "gdextension"] {
            command.arg("-isystem").arg(godot.join(part));
        }
    } else {
        skipped("godot-cpp: GODOT_CPP is not set; compiled against a stand-in");
        let stub = folder.join("stub/godot_cpp");
        for part in ["classes", "core"] {
            std::fs::create_dir_all(stub.join(part)).expect("a folder");
        }
        for name in [
            "classes/file_access",
            "classes/node2d",
            "core/class_db",
            "godot",
        ] {
            let text = "#pragma once\n#include \"all.hpp\"\n";
            write(&stub.join(format!("{name}.hpp")), text);
        }

        write(
            &folder.join("stub/all.hpp"),
            &format!("#pragma once\n{GODOT}"),
        );
        command.arg("-I").arg(folder.join("stub"));
    }
    run(command.arg(folder.join("chaser.cpp")));
}

/// godot-cpp as its `SConstruct` looks to that of the guide: it asks for a version, and
/// what it builds is the default.
const GODOT_CPP: &str = r#"
Import("api_version")
env = Environment()
Default(env.Command("godot-cpp-library", [], Touch("$TARGET")))
Return("env")
"#;

#[test]
fn the_build_for_godot_makes_the_extension() {
    if !is_installed("scons") {
        return skipped("there is no `scons`");
    }
    let folder = folder("guide-scons");
    std::fs::create_dir_all(folder.join("godot-cpp")).expect("a folder");
    write(&folder.join("godot-cpp/SConstruct"), GODOT_CPP);
    write(&folder.join("SConstruct"), &block("Godot", "python"));
    write(&folder.join("chaser.cpp"), &block("Godot", "cpp"));
    write(&folder.join("libnavbake_c.a"), "");
    let commands = run(Command::new("scons").arg("--dry-run").current_dir(&folder));
    assert!(commands.contains("chaser.cpp"), "{commands}");
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
