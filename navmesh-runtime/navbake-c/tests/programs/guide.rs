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

/// What a type of C# is in C.
fn in_c(kind: &str) -> &'static [&'static str] {
    match kind {
        "void" => &["void"],
        "int" => &["NbResult", "int32_t"],
        "uint" => &["uint32_t"],
        "float" => &["float"],
        "UIntPtr" => &["size_t"],
        "Vec2" => &["struct NbVec2"],
        "byte[]" => &["const uint8_t *", "const char *"],
        "ref Pose" => &["struct NbPose *"],
        "out uint" => &["uint32_t *"],
        "out IntPtr" => &[" **"],
        "IntPtr" => &[" *"],
        _ => panic!("the test does not know the type {kind}"),
    }
}

/// Type and name of a declaration such as `const struct NbMesh *mesh`.
fn declared(text: &str) -> (&str, &str) {
    let at = text.rfind([' ', '*']).map_or(0, |at| at + 1);
    (&text[..at], &text[at..])
}

fn agree(kind: &str, in_header: &str, place: &str) {
    let found = in_c(kind).iter().any(|c| match *c {
        " *" => in_header.ends_with(" *") && !in_header.ends_with("**"),
        " **" => in_header.ends_with("**"),
        c => in_header.trim() == c,
    });
    assert!(found, "{place}: {kind} is {in_header} in the header");
}

#[test]
fn the_declarations_in_c_sharp_are_those_of_the_header() {
    let program = block("C#", "csharp");
    let header = std::fs::read_to_string(package().join("include/navbake.h"));
    let header = header.expect("the header is committed");
    let (_, functions) = header.split_once("extern \"C\"").expect("functions");
    let mut count = 0;
    for line in program.lines().filter(|line| line.contains("[DllImport")) {
        let (_, line) = line.split_once("extern ").expect("a function");
        let (kind, rest) = line.split_once(' ').expect("a type");
        let (name, arguments) = rest.split_once('(').expect("arguments");
        let arguments = arguments.trim_end_matches(");");
        let before = format!(" {name}(");
        let at = functions
            .find(&before)
            .or_else(|| functions.find(&format!("*{name}(")));
        let at = at.unwrap_or_else(|| panic!("the header has no {name}"));
        let start = functions[..at].rfind('\n').expect("not the first line") + 1;
        let end = at + functions[at..].find(");").expect("its end");
        let text = functions[start..end].replace('\n', " ");
        let (own, expected) = text.split_once('(').expect("arguments");
        agree(kind, declared(own).0, name);
        let expected: Vec<_> = (expected.split(',').map(str::trim))
            .filter(|argument| *argument != "void")
            .collect();
        let arguments: Vec<_> = (arguments.split(',').map(str::trim))
            .filter(|argument| !argument.is_empty())
            .collect();
        assert_eq!(arguments.len(), expected.len(), "{name}");
        for (argument, expected) in arguments.iter().zip(&expected) {
            let (kind, own) = argument.rsplit_once(' ').expect("a type and a name");
            let (in_header, expected) = declared(expected);
            assert!(
                own == expected || own == "data",
                "{name}: {own} is {expected}"
            );
            agree(kind, in_header, name);
        }
        count += 1;
    }
    assert!(count >= 10, "{count} functions");
    // The fields of the struct, in their order.
    let kinds = |text: &str| {
        let fields = text.lines().filter(|line| line.trim_end().ends_with(';'));
        let mut kinds = Vec::new();
        for field in fields {
            let field = field
                .trim()
                .trim_start_matches("public ")
                .trim_end_matches(';');
            let (kind, names) = field.rsplit_once("struct ").map_or_else(
                || field.split_once(' ').expect("a type"),
                |(_, rest)| rest.split_once(' ').expect("a type"),
            );
            let kind = match kind {
                "uint32_t" => "uint",
                "int32_t" => "int",
                "NbVec2" => "Vec2",
                kind => kind,
            };
            kinds.extend(names.split(',').map(|_| kind.to_owned()));
        }
        kinds
    };
    let part = |text: &str, start: &str| {
        let at = text.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len();
        let end = at + text[at..].find('}').expect("its end");
        kinds(&text[at..end])
    };
    let own = part(&program, "public struct Pose\n");
    assert_eq!(own, part(&header, "typedef struct NbPose {\n"));
    assert_eq!(own.len(), 6);
}

/// Lets a program load the shared library.
fn with_libraries(program: &mut Command) -> &mut Command {
    // Where the systems look for shared libraries.
    for variable in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PATH"] {
        let old = std::env::var_os(variable).unwrap_or_default();
        let all = std::iter::once(libraries().to_path_buf()).chain(std::env::split_paths(&old));
        let all = std::env::join_paths(all).expect("a list of folders");
        program.env(variable, all);
    }
    program
}

#[test]
fn the_program_in_c_sharp_catches_the_player_in_dotnet() {
    if !is_installed("dotnet") {
        return skipped("there is no `dotnet`");
    }
    let folder = project("guide-csharp");
    if output(
        Command::new("dotnet")
            .args(["new", "console", "--force"])
            .current_dir(&folder),
    )
    .is_none_or(|output| !output.status.success())
    {
        return skipped("`dotnet new console` failed");
    }
    write(&folder.join("Program.cs"), &block("C#", "csharp"));
    let mut dotnet = Command::new("dotnet");
    dotnet.arg("run").current_dir(&folder);
    assert!(run(with_libraries(&mut dotnet)).contains("caught"));
}

#[test]
fn the_program_in_c_sharp_catches_the_player_in_mono() {
    for tool in ["mcs", "mono"] {
        if !is_installed(tool) {
            return skipped(&format!("there is no `{tool}`"));
        }
    }
    let folder = project("guide-mono");
    write(&folder.join("Program.cs"), &block("C#", "csharp"));
    let mut compiler = Command::new("mcs");
    compiler.args(["-warnaserror", "-out:chase.exe", "Program.cs"]);
    run(compiler.current_dir(&folder));
    let mut mono = Command::new("mono");
    mono.arg("chase.exe").current_dir(&folder);
    assert_eq!(run(with_libraries(&mut mono)), "caught\n");
    // Without the level, the error of the library is an exception.
    write(&folder.join("level.navmesh"), "no mesh");
    let mut mono = Command::new("mono");
    mono.arg("chase.exe").current_dir(&folder);
    let failed = output(with_libraries(&mut mono)).expect("mono runs");
    let printed = String::from_utf8_lossy(&failed.stderr);
    assert!(!failed.status.success(), "{printed}");
    assert!(printed.contains("System.Exception"), "{printed}");
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
struct Vector2 { float x, y; Vector2(float, float); };
struct PackedByteArray { const uint8_t *ptr() const; int64_t size() const; };
struct FileAccess { static PackedByteArray get_file_as_bytes(const String &); };
struct Object { template <class T> static T *cast_to(Object *object); };
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

#[test]
fn programs_in_rust_are_the_files_that_are_compiled() {
    for (heading, file) in [
        ("macroquad", "docs/engines/macroquad/src/main.rs"),
        ("Your own engine", "navmesh-runtime/examples/fixed_step.rs"),
    ] {
        let text = std::fs::read_to_string(repository().join(file)).expect("a file");
        assert_eq!(
            block(heading, "rust,ignore"),
            text.replace('\r', ""),
            "{file}"
        );
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
