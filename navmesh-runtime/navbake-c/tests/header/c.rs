//! The header: the declarations in sections, with an index.

use std::fmt::Write;

use crate::model::{Item, Kind, Signature, Variable};

/// The top of the header: what holds for all functions.
const CONTRACT: &str = "\
/* navbake.h: nav meshes of side-scrolling levels, paths in them, and agents that
   follow the paths. Generated from the source of navbake-c; do not edit.

   The guide, with complete programs for C and C#, is docs/engines.md.

   Errors
     Functions return NB_RESULT_OK, which is 0, or an error. Then
     nb_error_message() says what is wrong, and results are not written unless the
     function says so. Nothing aborts the program. A position or number that is not
     finite is an error, unless the function says that it may be infinite.

   Pointers
     - Objects (NbMesh *, NbAgent *, ...) come from a function ..._new or _load, and
       are freed once by the function ..._free of their type. Free functions accept
       null. After an error the pointer is null.
     - A null pointer is an error, unless the function says that it may be null. One
       that is neither null nor valid is undefined behaviour, as in all of C.
     - Texts are UTF-8 and end with a zero. The library keeps no pointer to them.
     - A list or text is written to a buffer with a capacity, the number of its elements
       or bytes, with the zero of the text. The last argument gets the number of
       elements, or of bytes without the zero, also if the buffer is too small; then what
       fits is written, and the result is NB_RESULT_ERROR_BUFFER. The buffer is null if
       the capacity is 0, and the last argument may be null.
     - Pointers for results do not overlap. Flags are int32_t: 1 or 0.

   Structs
     The first field of most structs is their size: set it to sizeof before the call.
     Lists have an argument for the size of their elements, for instance
     sizeof(NbStep). So a program works with later versions of the library, which add
     fields at the end.

   Threads
     Every function may be called on every thread. Only one call uses an object at a
     time: a second one at the same time returns NB_RESULT_ERROR_BUSY, without waiting.
     A level (NbMesh) may be used by all threads at once. No object may be freed while
     it is in use.

   Units
     Positions are world units, those of an agent's feet: the bottom centre of its
     body. Time is an argument, in seconds. The same calls give the same results.
";

const START: &str = "
#ifndef NAVBAKE_H
#define NAVBAKE_H

#include <stddef.h>
#include <stdint.h>

// An enum whose values have a fixed size; in C before C23 a number of that size.
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
#define NB_ENUM(name, type) enum name : type; typedef enum name name; enum name : type
#else
#define NB_ENUM(name, type) typedef type name; enum name
#endif
";

/// The sections: title, types, and the beginnings of the names of functions.
const SECTIONS: [(&str, &[&str], &[&str]); 8] = [
    (
        "Versions and errors",
        &["NB_VERSION", "NbResult"],
        &["nb_version", "nb_runtime_version", "nb_error_message"],
    ),
    (
        "Objects, and types of all sections",
        &[
            "NbMesh",
            "NbNav",
            "NbAgent",
            "NbTasks",
            "NbTree",
            "NbPools",
            "NbTreeState",
            "NbVec2",
            "NbStepKind",
            "NbReason",
        ],
        &[],
    ),
    (
        "Levels and their markers",
        &["NbMarkerKind", "NbMarker", "NbMovingPlatform"],
        &["nb_mesh_", "nb_marker_"],
    ),
    (
        "Layers: what is baked for one agent",
        &["NbProfile", "NbPlatform", "NbLink"],
        &["nb_layer_", "nb_platform_", "nb_link_"],
    ),
    (
        "Levels in play, and paths in them",
        &[
            "NbCostArea",
            "NbFilter",
            "NbQuery",
            "NbFound",
            "NbPath",
            "NbStep",
        ],
        &["nb_nav_"],
    ),
    (
        "Agents",
        &[
            "NbActivity",
            "NbPose",
            "NbEventKind",
            "NbEvent",
            "NbBody",
            "NbCommand",
            "NbAvoidance",
        ],
        &["nb_agent_"],
    ),
    (
        "Behaviour trees and what they share",
        &["NbStatus", "NbCall", "NbTaskCall", "NbTaskFn"],
        &["nb_tasks_", "nb_tree_", "nb_pools_"],
    ),
    (
        "What one agent is doing in its tree",
        &["NbCueFn", "NbFaceFn", "NbPerception", "NbTick"],
        &["nb_state_"],
    ),
];

/// `include/navbake.h`.
pub fn header(items: &[Item]) -> String {
    let mut text = CONTRACT.to_owned() + "\n   Sections\n";
    let sections = SECTIONS.map(|(title, types, functions)| {
        let is_named = |item: &&Item, name: &&str| item.name == **name;
        let types = types.iter().map(|name| {
            let found = items.iter().find(|item| is_named(item, name));
            found.unwrap_or_else(|| panic!("there is no {name}"))
        });
        let functions = items.iter().filter(|item| {
            let is_function = matches!(item.kind, Kind::Function(_));
            is_function && functions.iter().any(|start| item.name.starts_with(start))
        });
        (
            title,
            types.collect::<Vec<_>>(),
            functions.collect::<Vec<_>>(),
        )
    });
    let count: usize = sections
        .iter()
        .map(|(_, types, functions)| types.len() + functions.len())
        .sum();
    assert_eq!(count, items.len(), "every item has one section");
    for (title, types, functions) in &sections {
        writeln!(text, "     {title}").unwrap();
        let names: Vec<&str> = types
            .iter()
            .chain(functions)
            .map(|item| &*item.name)
            .collect();
        wrapped(&mut text, "       ", &names, " ");
    }
    text += "*/\n";
    text += START;
    for (title, types, functions) in &sections {
        write!(text, "\n/* ---- {title} ---- */\n").unwrap();
        for item in types {
            declare(&mut text, item);
        }
        if functions.is_empty() {
            continue;
        }
        text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
        for item in functions {
            declare(&mut text, item);
        }
        text += "\n#ifdef __cplusplus\n}\n#endif\n";
    }
    text + "\n#endif  /* NAVBAKE_H */\n"
}

fn declare(text: &mut String, item: &Item) {
    text.push('\n');
    comment(text, "", &item.doc);
    let name = &item.name;
    match &item.kind {
        Kind::Constant(value) => writeln!(text, "#define {name} {value}").unwrap(),
        Kind::Object => writeln!(text, "typedef struct {name} {name};").unwrap(),
        Kind::Enum(base, values) => {
            writeln!(text, "NB_ENUM({name}, {base}) {{").unwrap();
            for value in values {
                comment(text, "  ", &value.doc);
                writeln!(text, "  {} = {},", value.name, value.kind).unwrap();
            }
            *text += "};\n";
        }
        Kind::Struct(fields) => {
            writeln!(text, "typedef struct {name} {{").unwrap();
            for field in fields {
                comment(text, "  ", &field.doc);
                writeln!(text, "  {};", declaration(field)).unwrap();
            }
            writeln!(text, "}} {name};").unwrap();
        }
        Kind::Callback(own) => function(text, &format!("typedef {} (*{name})", own.result), own),
        Kind::Function(own) => {
            let space = if own.result.ends_with('*') { "" } else { " " };
            function(text, &format!("{}{space}{name}", own.result), own);
        }
    }
}

fn comment(text: &mut String, indent: &str, doc: &[String]) {
    for line in doc {
        writeln!(text, "{}", format!("{indent}// {line}").trim_end()).unwrap();
    }
}

/// A field or parameter, such as `const NbMesh *mesh`.
pub fn declaration(variable: &Variable) -> String {
    let space = if variable.is_pointer() { "" } else { " " };
    format!("{}{space}{}", variable.kind, variable.name)
}

fn function(text: &mut String, start: &str, own: &Signature) {
    let parameters: Vec<String> = own.parameters.iter().map(declaration).collect();
    let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
    let one_line = format!("{start}({});", parameters.join(", "));
    if parameters.is_empty() {
        writeln!(text, "{start}(void);").unwrap();
    } else if one_line.len() <= WIDTH {
        writeln!(text, "{one_line}").unwrap();
    } else {
        writeln!(text, "{start}(").unwrap();
        let mut list = String::new();
        wrapped(&mut list, "    ", &parameters, ", ");
        writeln!(text, "{});", list.trim_end()).unwrap();
    }
}

/// The length of a line.
const WIDTH: usize = 90;

/// Words in lines.
fn wrapped(text: &mut String, indent: &str, words: &[&str], between: &str) {
    let mut line = indent.to_owned();
    for (i, word) in words.iter().enumerate() {
        if line.len() + word.len() > WIDTH {
            writeln!(text, "{}", line.trim_end()).unwrap();
            indent.clone_into(&mut line);
        }
        line += word;
        if i + 1 < words.len() {
            line += between;
        }
    }
    writeln!(text, "{}", line.trim_end()).unwrap();
}
