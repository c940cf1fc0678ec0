//! The declarations of the header in C#.

use std::fmt::Write;

const TOP: &str = "\
/* Navbake.cs: the functions, structs and numbers of navbake.h for C#. Generated from the
   header, which documents them; do not edit.

   Handles are IntPtr, null is IntPtr.Zero. A struct that begins with its size is made by
   its method New. The size of the elements of a list, for instance step_size, is
   (UIntPtr)Marshal.SizeOf<NbStep>(). Errors become exceptions by Nb.Check. */
using System;
using System.Runtime.InteropServices;

namespace Navbake
{";

const CLASS: &str = "
    public static class Nb
    {
#if UNITY_IOS && !UNITY_EDITOR
        const string Library = \"__Internal\"; // part of the program
#else
        const string Library = \"navbake_c\";
#endif

        public static void Check(NbResult result)
        {
            if (result != NbResult.Ok) throw new Exception(Marshal.PtrToStringUTF8(nb_error_message()));
        }

";

/// `include/Navbake.cs`.
pub(crate) fn declarations(header: &str) -> String {
    let (_, header) = header.split_once("*/").expect("the contract");
    let is_code =
        |line: &&str| !line.trim_start().starts_with(['/', '#', '}']) || line.starts_with("} Nb");
    let code: Vec<_> = header.lines().filter(is_code).collect();
    let code = code.join("\n");
    let version = header.split_once("NB_VERSION ").expect("the version").1;
    let version = version.lines().next().unwrap_or_default();
    let (types, functions) = code.split_once("extern \"C\" {").expect("functions");
    let mut text = TOP.to_owned();
    // Each type begins at the start of a line.
    for part in types.split("\nenum ").skip(1) {
        enumeration(&mut text, part);
    }
    let structs: Vec<_> = types.split("\ntypedef struct ").skip(1).collect();
    let sized: Vec<_> = structs.iter().filter_map(|part| name_of(part)).collect();
    for part in &structs {
        structure(&mut text, part);
    }
    for line in types.lines().filter(|line| line.contains("(*")) {
        let (kind, rest) = line["typedef ".len()..].split_once(" (*").expect("a kind");
        let (name, arguments) = rest.split_once(")(").expect("arguments");
        let (kind, arguments) = (in_csharp(kind), parameters(arguments, &sized));
        let attribute = "[UnmanagedFunctionPointer(CallingConvention.Cdecl)]";
        writeln!(
            text,
            "\n    {attribute}\n    public delegate {kind} {name}({arguments});"
        )
        .unwrap();
    }
    text += CLASS;
    writeln!(text, "        public const uint NB_VERSION = {version};\n").unwrap();
    for function in functions.split(';').filter(|text| text.contains('(')) {
        let function = function.split_whitespace().collect::<Vec<_>>().join(" ");
        let (own, arguments) = function.split_once('(').expect("arguments");
        let (kind, name) = split(own);
        let (kind, arguments) = (in_csharp(kind), parameters(arguments, &sized));
        let attribute = "[DllImport(Library, CallingConvention = CallingConvention.Cdecl)]";
        writeln!(text, "        {attribute}").unwrap();
        writeln!(
            text,
            "        public static extern {kind} {name}({arguments});"
        )
        .unwrap();
    }
    text + "    }\n}\n"
}

/// The name of a struct whose fields are known.
fn name_of(part: &str) -> Option<&str> {
    let (name, _) = part.split_once(" {\n")?;
    Some(name)
}

/// Type and name of a declaration such as `const struct NbMesh *mesh`.
fn split(declared: &str) -> (&str, &str) {
    let at = declared.rfind([' ', '*']).map_or(0, |at| at + 1);
    (declared[..at].trim(), &declared[at..])
}

/// A type of C by value, of a field or of a result.
fn in_csharp(kind: &str) -> &str {
    match kind {
        "uint32_t" => "uint",
        "int32_t" => "int",
        "size_t" => "UIntPtr",
        pointer if pointer.ends_with('*') => "IntPtr",
        kind => kind.trim_start_matches("struct "),
    }
}

fn enumeration(text: &mut String, part: &str) {
    let (name, _) = part.split_once('\n').expect("a name");
    let kind = if part.contains(": int32_t") {
        "int"
    } else {
        "uint"
    };
    let mut prefix = String::new();
    for letter in name.chars() {
        prefix += if letter.is_uppercase() { "_" } else { "" };
        prefix.extend(letter.to_uppercase());
    }
    let prefix = &prefix[1..];
    writeln!(text, "\n    public enum {name} : {kind}\n    {{").unwrap();
    for line in part.lines().filter(|line| line.contains(" = ")) {
        let variant = line.trim().trim_start_matches(prefix);
        let (variant, number) = variant.split_once(" = ").expect("a number");
        let words = variant.split('_').skip(1);
        let words = words.map(|word| format!("{}{}", &word[..1], word[1..].to_lowercase()));
        writeln!(text, "        {} = {number}", words.collect::<String>()).unwrap();
    }
    *text += "    }\n";
}

fn structure(text: &mut String, part: &str) {
    let Some(name) = name_of(part) else {
        return;
    };
    let layout = "[StructLayout(LayoutKind.Sequential)]";
    writeln!(text, "\n    {layout}\n    public struct {name}\n    {{").unwrap();
    let fields = part
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('}'));
    let fields: Vec<_> = fields
        .map(|line| split(line.trim().trim_end_matches(';')))
        .collect();
    for (kind, field) in &fields {
        let (kind, at) = (in_csharp(kind), at_sign(field));
        writeln!(text, "        public {kind} {at}{field};").unwrap();
    }
    if fields.first() == Some(&("uint32_t", "size")) {
        let size = format!("(uint)Marshal.SizeOf<{name}>()");
        writeln!(
            text,
            "        public static {name} New() => new {name} {{ size = {size} }};"
        )
        .unwrap();
    }
    *text += "    }\n";
}

/// `params` is a word of the language.
fn at_sign(name: &str) -> &str {
    if name == "params" { "@" } else { "" }
}

fn parameters(list: &str, structs: &[&str]) -> String {
    let list: Vec<_> = list
        .split(',')
        .map(|one| split(one.trim_end_matches([')', ';']).trim()))
        .collect();
    let mut result = Vec::new();
    for (i, &(kind, name)) in list.iter().enumerate() {
        if name == "void" {
            continue;
        }
        // A pointer before a number of elements is that of a list.
        let next = list.get(i + 1);
        let is_list = next.is_some_and(|next| next.0 == "size_t");
        let base = kind
            .trim_end_matches('*')
            .trim()
            .trim_start_matches("const ");
        let own = in_csharp(base);
        let kind = match kind {
            "const char *" => "[MarshalAs(UnmanagedType.LPUTF8Str)] string".to_owned(),
            "char *" | "const uint8_t *" => "byte[]".to_owned(),
            "void *" => "IntPtr".to_owned(),
            kind if kind.ends_with("**") => "out IntPtr".to_owned(),
            kind if !kind.ends_with('*') => in_csharp(kind).to_owned(),
            _ if base.starts_with("struct ") && !structs.contains(&own) => "IntPtr".to_owned(),
            _ if is_list => format!("[Out] {own}[]"),
            // The library reads at least the size of these.
            _ if own.starts_with("Nb") && own != "NbVec2" => format!("ref {own}"),
            _ => format!("out {own}"),
        };
        result.push(format!("{kind} {}{name}", at_sign(name)));
    }
    result.join(", ")
}
