//! The module for `LuaJIT`: the declarations for its `ffi`, and a function for each of C.

use std::fmt::Write;

use crate::c::declaration;
use crate::csharp::{BY_HAND, Names, OBJECTS, Role, is_object, owner, short_name};
use crate::model::{Item, Kind, Signature};

/// What does not follow from the declarations.
const TOP: &str = include_str!("top.lua");

/// `include/navbake.lua`.
pub fn module(items: &[Item]) -> String {
    let names = Names { items };
    let mut declarations = String::new();
    for item in items {
        declare(&mut declarations, item);
    }
    let mut enums = String::new();
    for item in items {
        if let Kind::Enum(_, values) = &item.kind {
            // `NbStepKind` is `nb.StepKind`, with the values `FLOOR` and so on.
            let words = item
                .name
                .chars()
                .filter(|letter| letter.is_uppercase())
                .count();
            writeln!(enums, "nb.{} = {{", &item.name[2..]).unwrap();
            for value in values {
                let name = value.name.splitn(words + 1, '_').last().unwrap_or_default();
                writeln!(enums, "  {name} = {},", value.kind).unwrap();
            }
            enums += "}\n";
        }
    }
    let mut functions = String::new();
    for item in items {
        if let Kind::Function(own) = &item.kind
            && !BY_HAND.contains(&&*item.name)
            && !item.name.ends_with("_free")
        {
            function(&mut functions, &names, item, own);
        }
    }
    TOP.replace("DECLARATIONS\n", &declarations)
        .replace("-- ENUMS\n", &enums)
        .replace("-- FUNCTIONS\n", &functions)
}

fn declare(text: &mut String, item: &Item) {
    let name = &item.name;
    let list = |own: &Signature| {
        own.parameters
            .iter()
            .map(declaration)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match &item.kind {
        Kind::Constant(_) => return,
        Kind::Object => write!(text, "typedef struct {name} {name};"),
        Kind::Enum(base, _) => write!(text, "typedef {base} {name};"),
        Kind::Struct(fields) => {
            let fields = fields.iter().map(|field| declaration(field) + "; ");
            write!(
                text,
                "typedef struct {{ {}}} {name};",
                fields.collect::<String>()
            )
        }
        Kind::Callback(own) => write!(text, "typedef {} (*{name})({});", own.result, list(own)),
        Kind::Function(own) => write!(text, "{} {name}({});", own.result, list(own)),
    }
    .unwrap();
    text.push('\n');
}

#[allow(clippy::too_many_lines, reason = "an arm for each role")]
fn function(text: &mut String, names: &Names<'_>, item: &Item, own: &Signature) {
    let (mut parameters, mut arguments, mut before, mut results) =
        (Vec::new(), Vec::new(), String::new(), Vec::new());
    let mut buffer = None;
    let makes = own
        .parameters
        .last()
        .is_some_and(|last| last.kind.ends_with("**"));
    for (i, role) in names.roles(own).iter().enumerate() {
        match role {
            Role::Value(one) if i == 0 && is_object(one.base()) && !makes => {
                arguments.push("self".to_owned());
            }
            Role::Value(one) => {
                parameters.push(&*one.name);
                let name = &one.name;
                arguments.push(if one.kind == "NbVec2" {
                    format!("vec2({name})")
                } else {
                    name.clone()
                });
            }
            Role::Read(one) | Role::ReadDeep(one) => {
                parameters.push(&one.name);
                writeln!(before, "  local keep = {{}}").unwrap();
                arguments.push(format!("struct(\"{}\", {}, keep)", one.base(), one.name));
            }
            Role::Bytes(one) => {
                parameters.push(&one.name);
                arguments.push(format!("{0}, #{0}", one.name));
            }
            Role::Out(one) => {
                let (name, kind) = (&one.name, one.base());
                let star = if makes { " *" } else { "" };
                writeln!(before, "  local {name} = ffi.new(\"{kind}{star}[1]\")").unwrap();
                arguments.push(name.clone());
                results.push(match kind {
                    kind if is_object(kind) => {
                        format!("ffi.gc({name}[0], C.{}free)", start_of(kind))
                    }
                    "int32_t" => format!("{name}[0] ~= 0"),
                    "NbVec2" => format!("NbVec2({name}[0])"),
                    "double" | "float" => format!("{name}[0]"),
                    _ => format!("tonumber({name}[0])"),
                });
            }
            Role::OutStruct(one) => {
                let (name, kind) = (&one.name, one.base());
                writeln!(before, "  local {name} = struct(\"{kind}\", {{}})").unwrap();
                arguments.push(name.clone());
                results.push(name.clone());
            }
            Role::OutText => {
                buffer = Some("text(".to_owned());
                arguments.push("buffer, capacity, count".to_owned());
            }
            Role::OutList(one, sized) => {
                let kind = one.base();
                buffer = Some(format!("list(\"{kind}\", "));
                let size = if *sized {
                    format!("ffi.sizeof(\"{kind}\"), ")
                } else {
                    String::new()
                };
                arguments.push(format!("buffer, capacity, {size}count"));
            }
            Role::OutCount(one) => {
                parameters.push("count");
                writeln!(
                    before,
                    "  local {} = ffi.new(\"{}[?]\", count)",
                    one.name,
                    one.base()
                )
                .unwrap();
                arguments.push(format!("{}, count", one.name));
                results.push(one.name.clone());
            }
        }
    }
    let call = format!("C.{}({})", item.name, arguments.join(", "));
    let object = owner(own);
    // What makes an object is a function of the module, everything else a method.
    let target = match object {
        Some(object) if !makes => format!("methods.{object}:{}", short_name(&item.name)),
        _ => format!("nb.{}", &item.name["nb_".len()..]),
    };
    writeln!(text, "function {target}({})", parameters.join(", ")).unwrap();
    if own.result != "NbResult" {
        writeln!(text, "  return {call}\nend\n").unwrap();
        return;
    }
    *text += &before;
    if let Some(buffer) = buffer {
        results.push("result".to_owned());
        writeln!(
            text,
            "  local result = {buffer}function(buffer, capacity, count)\n    return {call}\n  end)"
        )
        .unwrap();
    } else {
        writeln!(text, "  check({call})").unwrap();
    }
    if !results.is_empty() {
        writeln!(text, "  return {}", results.join(", ")).unwrap();
    }
    *text += "end\n\n";
}

fn start_of(object: &str) -> &'static str {
    let found = OBJECTS.iter().find(|(name, _)| *name == object);
    found.map_or("nb_", |(_, start)| start)
}
