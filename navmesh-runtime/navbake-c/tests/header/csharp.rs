//! The module for C#: classes for the objects, with a method for each function.

use std::fmt::Write;

use crate::model::{Item, Kind, Signature, Variable};

/// What does not follow from the declarations: errors, memory, and the functions of the
/// game that trees call.
const TOP: &str = include_str!("top.cs");

/// The objects, and what the names of their functions begin with.
pub const OBJECTS: [(&str, &str); 7] = [
    ("NbMesh", "nb_mesh_"),
    ("NbNav", "nb_nav_"),
    ("NbAgent", "nb_agent_"),
    ("NbTasks", "nb_tasks_"),
    ("NbTree", "nb_tree_"),
    ("NbPools", "nb_pools_"),
    ("NbTreeState", "nb_state_"),
];

/// Functions that `top.cs` calls in its own way.
pub const BY_HAND: [&str; 7] = [
    "nb_version",
    "nb_runtime_version",
    "nb_error_message",
    "nb_tasks_add",
    "nb_state_tick",
    "nb_state_reset",
    "nb_state_migrate",
];

/// What a parameter or a group of parameters is.
pub enum Role<'a> {
    /// An object, number, flag or text.
    Value(&'a Variable),
    /// A struct that is read: one without pointers, and one with pointers, which may be null.
    Read(&'a Variable),
    ReadDeep(&'a Variable),
    Bytes(&'a Variable),
    /// A result: an object, a number, a flag or a position.
    Out(&'a Variable),
    /// A struct with its size as a result.
    OutStruct(&'a Variable),
    OutText,
    /// A list with a capacity; whether it has an argument for the size of its elements.
    OutList(&'a Variable, bool),
    /// A list of as many elements as the program wants.
    OutCount(&'a Variable),
}

impl Role<'_> {
    fn is_result(&self) -> bool {
        !matches!(
            self,
            Self::Value(_) | Self::Read(_) | Self::ReadDeep(_) | Self::Bytes(_)
        )
    }
}

/// `include/Navbake.cs`.
pub fn module(items: &[Item]) -> String {
    let names = Names { items };
    let version = items.iter().find_map(|item| match &item.kind {
        Kind::Constant(value) => Some(value),
        _ => None,
    });
    let mut text = TOP.replace("VERSION", version.expect("the version"));
    for item in items {
        match &item.kind {
            Kind::Enum(base, values) => names.enumeration(&mut text, item, base, values),
            Kind::Struct(fields) => names.structure(&mut text, item, fields),
            _ => {}
        }
    }
    for (object, start) in OBJECTS {
        let item = items
            .iter()
            .find(|item| item.name == object)
            .expect("an object");
        names.class(&mut text, item, start);
    }
    text += "\n    static class Native\n    {\n        const string Library = Nb.Library;\n";
    for item in items {
        if let Kind::Function(own) = &item.kind {
            names.import(&mut text, &item.name, own);
        }
    }
    text + "    }\n}\n"
}

pub struct Names<'a> {
    pub items: &'a [Item],
}

impl Names<'_> {
    pub fn fields(&self, name: &str) -> Option<&[Variable]> {
        self.items.iter().find_map(|item| match &item.kind {
            Kind::Struct(fields) if item.name == name => Some(&**fields),
            _ => None,
        })
    }

    fn is_deep(&self, name: &str) -> bool {
        let fields = self.fields(name).unwrap_or_default();
        fields
            .iter()
            .any(|field| field.is_pointer() || field.kind.ends_with("Fn"))
    }

    pub fn has_size(&self, name: &str) -> bool {
        let first = self.fields(name).and_then(<[_]>::first);
        first.is_some_and(|field| field.name == "size")
    }

    fn enumeration(&self, text: &mut String, item: &Item, base: &str, values: &[Variable]) {
        text.push('\n');
        self.summary(text, "    ", &item.doc);
        let base = in_csharp(base);
        writeln!(text, "    public enum {} : {base}\n    {{", item.name).unwrap();
        for value in values {
            self.summary(text, "        ", &value.doc);
            let name = value_name(&item.name, &value.name);
            writeln!(text, "        {name} = {},", value.kind).unwrap();
        }
        *text += "    }\n";
    }

    fn structure(&self, text: &mut String, item: &Item, fields: &[Variable]) {
        let name = &item.name;
        let layout = "[StructLayout(LayoutKind.Sequential)]";
        let deep = self.is_deep(name);
        if deep {
            // As C sees it.
            writeln!(text, "\n    {layout}\n    struct {name}Raw\n    {{").unwrap();
            for field in fields {
                let is_address = field.is_pointer() || field.kind.ends_with("Fn");
                let kind = if is_address {
                    "IntPtr"
                } else {
                    in_csharp(&field.kind)
                };
                writeln!(text, "        public {kind} {};", escaped(&field.name)).unwrap();
            }
            *text += "    }\n";
        }
        if ["NbTick", "NbTaskCall"].contains(&&**name) {
            return; // by hand
        }
        text.push('\n');
        self.summary(text, "    ", &item.doc);
        let layout = if deep {
            String::new()
        } else {
            format!("    {layout}\n")
        };
        writeln!(text, "{layout}    public partial struct {name}\n    {{").unwrap();
        let mut copies = String::new();
        let mut after_list = 0;
        for (i, field) in fields.iter().enumerate() {
            let raw = escaped(&field.name);
            let public = pascal(&field.name);
            if after_list > 0 {
                after_list -= 1;
                continue;
            }
            if field.name == "size" {
                if deep {
                    writeln!(
                        copies,
                        "            raw.size = (uint)Marshal.SizeOf<{name}Raw>();"
                    )
                    .unwrap();
                } else {
                    *text += "        internal uint size;\n";
                }
                continue;
            }
            self.summary(text, "        ", &field.doc);
            let base = field.base();
            let is_list = fields.get(i + 1).is_some_and(|next| next.kind == "size_t");
            let kind = if field.is_pointer() && is_list {
                after_list = 2;
                let [count, size] = [&fields[i + 1].name, &fields[i + 2].name];
                writeln!(copies, "            raw.{raw} = memory.Put({public});").unwrap();
                writeln!(
                    copies,
                    "            raw.{count} = (UIntPtr)({public} == null ? 0 : {public}.Length);"
                )
                .unwrap();
                writeln!(
                    copies,
                    "            raw.{size} = (UIntPtr)Marshal.SizeOf<{base}>();"
                )
                .unwrap();
                format!("{base}[]")
            } else if field.is_pointer() {
                writeln!(copies, "            raw.{raw} = memory.Put({public});").unwrap();
                format!("{base}?")
            } else if is_flag(field) {
                *text += if deep {
                    ""
                } else {
                    "        [MarshalAs(UnmanagedType.Bool)]\n"
                };
                writeln!(copies, "            raw.{raw} = {public} ? 1 : 0;").unwrap();
                "bool".to_owned()
            } else {
                writeln!(copies, "            raw.{raw} = {public};").unwrap();
                in_csharp(&field.kind).to_owned()
            };
            writeln!(text, "        public {kind} {public};").unwrap();
        }
        if deep {
            write!(text, "\n        internal {name}Raw ToRaw(Memory memory)\n        {{\n            var raw = new {name}Raw();\n{copies}            return raw;\n        }}\n").unwrap();
        }
        *text += "    }\n";
    }

    fn class(&self, text: &mut String, item: &Item, start: &str) {
        let object = &item.name;
        text.push('\n');
        self.summary(text, "    ", &item.doc);
        write!(
            text,
            "    public sealed partial class {object} : NbObject\n    {{\n        {object}() {{ }}\n\n        \
             internal override void Free(IntPtr handle) => Native.{start}free(handle);\n"
        )
        .unwrap();
        for item in self.items {
            if let Kind::Function(own) = &item.kind
                && !BY_HAND.contains(&&*item.name)
                && !item.name.ends_with("_free")
                && owner(own) == Some(object)
            {
                self.method(text, item, own);
            }
        }
        *text += "    }\n";
    }

    pub fn roles<'a>(&self, own: &'a Signature) -> Vec<Role<'a>> {
        let list = &own.parameters;
        let mut roles = Vec::new();
        let mut i = 0;
        while let Some(one) = list.get(i) {
            let is_size = |at: usize| list.get(at).is_some_and(|next| next.kind == "size_t");
            let is_const = one.kind.starts_with("const ");
            i += 1;
            let base = one.base();
            roles.push(if one.kind == "const uint8_t *" {
                i += 1;
                Role::Bytes(one)
            } else if one.kind == "char *" {
                i += 2;
                Role::OutText
            } else if one.kind.ends_with("**") {
                Role::Out(one)
            } else if one.is_pointer() && !is_const && is_size(i) {
                let sized = is_size(i + 1);
                let counted = list.get(i + 1 + usize::from(sized)).is_some();
                i += 1 + usize::from(sized) + usize::from(counted);
                if counted {
                    Role::OutList(one, sized)
                } else {
                    Role::OutCount(one)
                }
            } else if self.has_size(base) {
                match (is_const, self.is_deep(base)) {
                    (true, true) => Role::ReadDeep(one),
                    (true, false) => Role::Read(one),
                    (false, _) => Role::OutStruct(one),
                }
            } else if one.is_pointer() && !is_object(base) && one.kind != "const char *" {
                Role::Out(one)
            } else {
                Role::Value(one)
            });
        }
        roles
    }

    fn method(&self, text: &mut String, item: &Item, own: &Signature) {
        let roles = self.roles(own);
        let is_static = own
            .parameters
            .last()
            .is_some_and(|last| last.kind.ends_with("**"));
        let mut method = Method {
            is_static,
            results: roles.iter().filter(|role| role.is_result()).count(),
            may_be_null: item.name == "nb_mesh_find_markers",
            ..Method::default()
        };
        for role in &roles {
            method.add(role);
        }
        // A result is returned, or it is an argument when there are several.
        let (mut result, mut value) = ("void".to_owned(), None);
        let given = std::mem::take(&mut method.given);
        for (kind, name, shown) in given {
            if method.results > 1 {
                method.parameters.push(format!("out {kind} {name}"));
            } else {
                (result, value) = (kind, Some(shown));
            }
        }
        // Optional parameters are the last ones in C#.
        method.parameters.sort_by_key(|one| one.contains(" = null"));
        let call = format!("Native.{}({})", item.name, method.arguments.join(", "));
        let (name, parameters) = (method_name(&item.name), method.parameters.join(", "));
        text.push('\n');
        self.summary(text, "        ", item.summary());
        if own.result != "NbResult" {
            let kind = in_csharp(&own.result);
            writeln!(
                text,
                "        public {kind} {name}({parameters}) => {call};"
            )
            .unwrap();
            return;
        }
        let fixed = if is_static { "static " } else { "" };
        writeln!(
            text,
            "        public {fixed}{result} {name}({parameters})\n        {{"
        )
        .unwrap();
        *text += &method.before;
        let body = method.body(&call, value);
        if method.is_deep {
            *text += "            using (var memory = new Memory())\n            {\n";
        }
        let indent = if method.is_deep {
            "                "
        } else {
            "            "
        };
        for line in body.lines() {
            writeln!(text, "{indent}{line}").unwrap();
        }
        *text += if method.is_deep {
            "            }\n        }\n"
        } else {
            "        }\n"
        };
    }

    fn import(&self, text: &mut String, name: &str, own: &Signature) {
        let mut parameters = Vec::new();
        if name.ends_with("_free") {
            parameters.push("IntPtr handle".to_owned());
        } else if name == "nb_tasks_add" {
            parameters.push("NbTasks tasks, [MarshalAs(UnmanagedType.LPUTF8Str)] string name, TaskFn function, IntPtr user".to_owned());
        } else {
            for role in self.roles(own) {
                parameters.push(parameter(&role));
            }
        }
        let result = if own.result == "const char *" {
            "IntPtr"
        } else {
            in_csharp(&own.result)
        };
        writeln!(
            text,
            "\n        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n        \
             internal static extern {result} {name}({});",
            parameters.join(", ")
        )
        .unwrap();
    }

    /// A comment, with the names that C# has for what it names.
    fn summary(&self, text: &mut String, indent: &str, doc: &[String]) {
        let doc = doc
            .join("\n")
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let mut shown = String::new();
        for (i, part) in doc.split('`').enumerate() {
            if i % 2 == 0 {
                shown += part;
            } else {
                write!(shown, "<c>{}</c>", self.translated(part)).unwrap();
            }
        }
        let shown = match shown.strip_prefix("1 if ") {
            Some(rest) if !shown.contains("-1") => format!(
                "Whether {}",
                rest.replace(", otherwise 0", "")
                    .replace(" Otherwise 0.", "")
            ),
            _ => shown,
        };
        let between = if shown.contains('\n') { "\n" } else { "" };
        let shown = format!("<summary>{between}{shown}{between}</summary>");
        for line in shown.lines() {
            writeln!(text, "{indent}/// {line}").unwrap();
        }
    }

    fn translated(&self, word: &str) -> String {
        for item in self.items {
            match &item.kind {
                Kind::Function(own) if item.name == word => {
                    let object = owner(own).unwrap_or("Nb");
                    return format!("{object}.{}", method_name(word));
                }
                Kind::Enum(_, values) if values.iter().any(|value| value.name == word) => {
                    return format!("{}.{}", item.name, value_name(&item.name, word));
                }
                Kind::Struct(fields) if fields.iter().any(|field| field.name == word) => {
                    return pascal(word);
                }
                _ => {}
            }
        }
        word.to_owned()
    }
}

/// A method of a class while it is written.
#[derive(Default)]
struct Method {
    is_static: bool,
    /// How many results it has.
    results: usize,
    /// Whether its parameter `name` may be null.
    may_be_null: bool,
    /// Whether it passes structs with pointers.
    is_deep: bool,
    parameters: Vec<String>,
    arguments: Vec<String>,
    /// Lines before the call.
    before: String,
    /// The results: type, name and value.
    given: Vec<(String, String, String)>,
    /// The type of the elements of a list.
    loops: Option<String>,
}

/// A parameter of an imported function.
fn parameter(role: &Role<'_>) -> String {
    let flag = "[MarshalAs(UnmanagedType.Bool)] ";
    match role {
        Role::Value(one) => {
            let name = escaped(&camel(&one.name));
            match one.base() {
                "char" => format!("[MarshalAs(UnmanagedType.LPUTF8Str)] string {name}"),
                "int32_t" => format!("{flag}bool {name}"),
                kind => format!("{} {name}", in_csharp(kind)),
            }
        }
        Role::ReadDeep(one) if one.base() == "NbTick" => "ref NbTickRaw tick".to_owned(),
        Role::ReadDeep(one) => format!("IntPtr {}", camel(&one.name)),
        Role::Read(one) | Role::OutStruct(one) => {
            format!("ref {} {}", one.base(), camel(&one.name))
        }
        Role::Bytes(one) => format!("byte[] {}, UIntPtr length", camel(&one.name)),
        Role::Out(one) => match one.base() {
            "int32_t" => format!("{flag}out bool {}", camel(&one.name)),
            kind => format!("out {} {}", in_csharp(kind), camel(&one.name)),
        },
        Role::OutText => "[Out] byte[] buffer, UIntPtr capacity, out UIntPtr length".to_owned(),
        Role::OutList(one, sized) => {
            let size = if *sized { "UIntPtr size, " } else { "" };
            format!(
                "[Out] {}[] {}, UIntPtr capacity, {size}out UIntPtr count",
                in_csharp(one.base()),
                camel(&one.name)
            )
        }
        Role::OutCount(one) => format!(
            "[Out] {}[] {}, UIntPtr count",
            in_csharp(one.base()),
            camel(&one.name)
        ),
    }
}

impl Method {
    #[allow(clippy::too_many_lines, reason = "an arm for each role")]
    fn add(&mut self, role: &Role<'_>) {
        let outs = self.results;
        match role {
            Role::Value(one) => {
                let (kind, name) = (one.base(), escaped(&camel(&one.name)));
                if is_object(kind) && self.arguments.is_empty() && !self.is_static {
                    self.arguments.push("this".to_owned());
                    return;
                }
                let (shown, default) = match kind {
                    "char" => (
                        "string",
                        if one.name == "name" && self.may_be_null {
                            " = null"
                        } else {
                            ""
                        },
                    ),
                    "NbPools" => ("NbPools", " = null"),
                    "int32_t" => ("bool", ""),
                    kind => (in_csharp(kind), ""),
                };
                self.parameters.push(format!("{shown} {name}{default}"));
                self.arguments.push(if kind == "NbPools" {
                    format!("{name} ?? NbPools.None")
                } else {
                    name
                });
            }
            Role::Read(one) => {
                let (kind, name) = (one.base(), camel(&one.name));
                self.parameters.push(format!("{kind} {name}"));
                writeln!(
                    self.before,
                    "            {name}.size = (uint)Marshal.SizeOf<{kind}>();"
                )
                .unwrap();
                self.arguments.push(format!("ref {name}"));
            }
            Role::ReadDeep(one) => {
                self.is_deep = true;
                let (kind, name) = (one.base(), camel(&one.name));
                let optional = if kind == "NbFilter" { "?" } else { "" };
                self.parameters.push(format!("{kind}{optional} {name}"));
                self.arguments.push(format!("memory.Put({name})"));
            }
            Role::Bytes(one) => {
                let name = camel(&one.name);
                self.parameters.push(format!("byte[] {name}"));
                self.arguments
                    .push(format!("{name}, (UIntPtr){name}.Length"));
            }
            Role::Out(one) => {
                let name = camel(&one.name);
                let kind = match one.base() {
                    "int32_t" => "bool",
                    kind => in_csharp(kind),
                };
                let own = if outs == 1 {
                    format!("out {kind} {name}")
                } else {
                    format!("out {name}")
                };
                self.arguments.push(own);
                self.given.push((kind.to_owned(), name.clone(), name));
            }
            Role::OutStruct(one) => {
                let (kind, name) = (one.base(), camel(&one.name));
                let var = if outs == 1 { "var " } else { "" };
                writeln!(self.before, "            {var}{name} = new {kind} {{ size = (uint)Marshal.SizeOf<{kind}>() }};").unwrap();
                self.arguments.push(format!("ref {name}"));
                self.given.push((kind.to_owned(), name.clone(), name));
            }
            Role::OutText => {
                self.loops = Some("byte".to_owned());
                self.arguments
                    .push("buffer, (UIntPtr)buffer.Length, out count".to_owned());
                let shown = "Encoding.UTF8.GetString(buffer, 0, (int)count)";
                self.given
                    .push(("string".to_owned(), "text".to_owned(), shown.to_owned()));
            }
            Role::OutList(one, sized) => {
                let (kind, name) = (in_csharp(one.base()).to_owned(), camel(&one.name));
                let size = if *sized {
                    format!("(UIntPtr)Marshal.SizeOf<{kind}>(), ")
                } else {
                    String::new()
                };
                self.arguments
                    .push(format!("buffer, (UIntPtr)buffer.Length, {size}out count"));
                self.given
                    .push((format!("{kind}[]"), name, "buffer".to_owned()));
                self.loops = Some(kind);
            }
            Role::OutCount(one) => {
                let (kind, name) = (in_csharp(one.base()), camel(&one.name));
                self.parameters.push("int count".to_owned());
                writeln!(self.before, "            var {name} = new {kind}[count];").unwrap();
                self.arguments.push(format!("{name}, (UIntPtr)count"));
                self.given.push((format!("{kind}[]"), name.clone(), name));
            }
        }
    }

    /// The lines of the call.
    fn body(&self, call: &str, value: Option<String>) -> String {
        let mut body = String::new();
        if let Some(kind) = &self.loops {
            // Most lists are empty or short, and one more call is faster than garbage. A path
            // is searched for again.
            let guess = if self.results > 1 {
                format!("new {kind}[32]")
            } else {
                format!("Array.Empty<{kind}>()")
            };
            writeln!(body, "UIntPtr count;\nvar buffer = {guess};").unwrap();
            writeln!(body, "while (Nb.IsLonger({call}, ref buffer, count)) {{ }}").unwrap();
            if kind != "byte" {
                body += "Array.Resize(ref buffer, (int)count);\n";
            }
            if self.results > 1 {
                body += "steps = buffer;\n";
            }
        } else {
            writeln!(body, "Nb.Check({call});").unwrap();
        }
        if let Some(value) = value {
            writeln!(body, "return {value};").unwrap();
        }
        body
    }
}

pub fn is_object(name: &str) -> bool {
    OBJECTS.iter().any(|(object, _)| *object == name)
}

/// The object whose class has the method of a function: the one that it makes, or its first
/// parameter.
pub fn owner(own: &Signature) -> Option<&str> {
    let made = own
        .parameters
        .last()
        .filter(|last| last.kind.ends_with("**"));
    let owner = made.or(own.parameters.first())?.base();
    is_object(owner).then_some(owner)
}

/// `nb_agent_set_filter`: `SetFilter`; `nb_layer_name`: `LayerName`.
fn method_name(function: &str) -> String {
    pascal(short_name(function))
}

/// `nb_agent_set_filter`: `set_filter`; `nb_layer_name`: `layer_name`.
pub fn short_name(function: &str) -> &str {
    let start = OBJECTS
        .iter()
        .find(|(_, start)| function.starts_with(start));
    let start = start.map_or("nb_", |(_, start)| start);
    &function[start.len()..]
}

/// `NB_STEP_KIND_DROP_THROUGH` of `NbStepKind`: `DropThrough`.
fn value_name(of: &str, value: &str) -> String {
    let words = of.chars().filter(|letter| letter.is_uppercase()).count();
    let value = value.to_lowercase();
    pascal(value.splitn(words + 1, '_').last().unwrap_or_default())
}

/// A flag, which C has as a number.
fn is_flag(field: &Variable) -> bool {
    let doc = field.doc.join(" ");
    field.kind == "int32_t" && doc.starts_with("1 if") && !doc.contains("-1")
}

fn pascal(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

fn camel(name: &str) -> String {
    let name = pascal(name);
    name[..1].to_lowercase() + &name[1..]
}

/// `params` is a word of the language.
fn escaped(name: &str) -> String {
    if name == "params" {
        "@params".to_owned()
    } else {
        name.to_owned()
    }
}

/// A type by value.
fn in_csharp(kind: &str) -> &str {
    match kind {
        "uint32_t" => "uint",
        "int32_t" => "int",
        "uint64_t" => "ulong",
        "size_t" => "UIntPtr",
        kind => kind,
    }
}
