//! What the library exports, read from the declarations that cbindgen writes.

/// A declaration with its comment.
pub struct Item {
    /// The lines of the comment, without the marks of comments.
    pub doc: Vec<String>,
    pub name: String,
    pub kind: Kind,
}

pub enum Kind {
    /// A number that the preprocessor knows.
    Constant(String),
    /// A type whose fields only the library knows.
    Object,
    /// The type of its numbers, and its values.
    Enum(String, Vec<Variable>),
    Struct(Vec<Variable>),
    Callback(Signature),
    Function(Signature),
}

/// A field, a parameter, or a value of an enum, whose type is its number.
pub struct Variable {
    pub doc: Vec<String>,
    /// In C, with the stars of pointers: `const NbMesh *`.
    pub kind: String,
    pub name: String,
}

pub struct Signature {
    pub result: String,
    pub parameters: Vec<Variable>,
}

/// Functions in which the object of the first parameter stays as it is, but for its caches.
const READS: [&str; 15] = [
    "nb_agent_destination",
    "nb_agent_events",
    "nb_agent_pose",
    "nb_agent_remaining_path",
    "nb_nav_find",
    "nb_nav_is_door_closed",
    "nb_nav_line_of_sight",
    "nb_state_now",
    "nb_state_number",
    "nb_state_position",
    "nb_state_running",
    "nb_state_save",
    "nb_state_text",
    "nb_state_trace",
    "nb_tree_load",
];

/// Objects that never change.
const CONSTANT: [&str; 2] = ["NbMesh", "NbTree"];

impl Item {
    /// The comment up to its first empty line: what follows is about pointers in C.
    pub fn summary(&self) -> &[String] {
        let end = self.doc.iter().position(String::is_empty);
        &self.doc[..end.unwrap_or(self.doc.len())]
    }
}

impl Variable {
    /// The type that a pointer leads to, or the type itself.
    pub fn base(&self) -> &str {
        let kind = self.kind.trim_end_matches('*').trim();
        kind.trim_start_matches("const ")
    }

    pub fn is_pointer(&self) -> bool {
        self.kind.ends_with('*')
    }

    fn new(doc: &[String], declared: &str) -> Self {
        let at = declared.rfind([' ', '*']).map_or(0, |at| at + 1);
        Self {
            doc: doc.to_vec(),
            kind: declared[..at].trim().replace("struct ", ""),
            name: declared[at..].to_owned(),
        }
    }
}

/// The items of the declarations.
pub fn items(raw: &str) -> Vec<Item> {
    let mut items: Vec<Item> = raw.split("\n\n").filter_map(item).collect();
    let is_enum = |item: &&Item| matches!(item.kind, Kind::Enum(..));
    let is_object = |item: &&Item| matches!(item.kind, Kind::Object);
    let name = |item: &Item| item.name.clone();
    let enums: Vec<_> = items.iter().filter(is_enum).map(name).collect();
    let objects: Vec<_> = items.iter().filter(is_object).map(name).collect();
    for Item { doc, name, kind } in &mut items {
        match kind {
            Kind::Struct(fields) => {
                for field in fields.iter_mut() {
                    let doc = field.doc.clone();
                    type_enum(field, &doc, &enums);
                }
            }
            Kind::Function(signature) => {
                let reads = READS.contains(&&**name);
                for (i, parameter) in signature.parameters.iter_mut().enumerate() {
                    let base = parameter.base().to_owned();
                    // `kind` is a `NbMarkerKind`, `avoidance` a `NbAvoidance`.
                    let word = enums
                        .iter()
                        .any(|name| name.to_lowercase().ends_with(&parameter.name));
                    if word {
                        type_enum(parameter, doc, &enums);
                    }
                    let is_read = (reads && i == 0) || CONSTANT.contains(&&*base);
                    if objects.contains(&base) && !is_read {
                        parameter.kind = parameter.kind.replace("const ", "");
                    }
                }
            }
            _ => {}
        }
    }
    items
}

/// Gives a number the type of the enum that its comment names: "one of `NbActivity`". In the
/// source it is a number, because a program may pass any.
fn type_enum(variable: &mut Variable, doc: &[String], enums: &[String]) {
    let text = doc.join(" ").to_lowercase();
    let is_one_of = |name: &&String| text.contains(&format!("one of `{}`", name.to_lowercase()));
    if let Some(name) = enums.iter().find(is_one_of)
        && variable.kind == "uint32_t"
    {
        variable.kind.clone_from(name);
    }
}

fn item(text: &str) -> Option<Item> {
    let is_doc = |line: &&str| line.starts_with("//");
    let doc: Vec<String> = text.lines().take_while(is_doc).map(comment).collect();
    let code: Vec<&str> = text.lines().skip_while(is_doc).collect();
    let first = *code.first()?;
    let whole = code.join(" ");
    let whole = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let (name, kind) = if let Some(constant) = first.strip_prefix("#define ") {
        let (name, value) = constant.split_once(' ')?;
        (name, Kind::Constant(value.to_owned()))
    } else if let Some(name) = first.strip_prefix("enum ") {
        let base = if whole.contains(": int32_t") {
            "int32_t"
        } else {
            "uint32_t"
        };
        (
            name,
            Kind::Enum(base.to_owned(), variables(&code, " = ", ',')),
        )
    } else if let Some(callback) = whole
        .strip_prefix("typedef ")
        .filter(|text| text.contains("(*"))
    {
        let (result, rest) = callback.split_once(" (*")?;
        let (name, parameters) = rest.split_once(")(")?;
        (name, Kind::Callback(signature(result, parameters)))
    } else if first.starts_with("typedef struct ") && code.len() == 1 {
        let name = first.trim_end_matches(';').rsplit(' ').next()?;
        (name, Kind::Object)
    } else if first.starts_with("typedef struct ") {
        let name = first
            .strip_prefix("typedef struct ")?
            .trim_end_matches(" {");
        (name, Kind::Struct(variables(&code, ";", ';')))
    } else if first.starts_with('#') {
        return None;
    } else {
        let (own, parameters) = whole.split_once('(')?;
        let own = Variable::new(&[], own);
        let signature = signature(&own.kind, parameters);
        return Some(Item {
            doc,
            name: own.name,
            kind: Kind::Function(signature),
        });
    };
    Some(Item {
        doc,
        name: name.to_owned(),
        kind,
    })
}

fn comment(line: &str) -> String {
    line.trim_start().trim_start_matches("//").trim().to_owned()
}

/// The fields of a struct or the values of an enum, with their comments.
fn variables(code: &[&str], mark: &str, end: char) -> Vec<Variable> {
    let (mut list, mut doc) = (Vec::new(), Vec::new());
    for line in code[1..].iter().filter(|line| line.starts_with("  ")) {
        let line = line.trim();
        if line.starts_with("//") {
            doc.push(comment(line));
        } else if line.contains(mark) {
            let line = line.trim_end_matches(end);
            list.push(match line.split_once(" = ") {
                Some((name, number)) => Variable {
                    doc: doc.clone(),
                    kind: number.to_owned(),
                    name: name.to_owned(),
                },
                None => Variable::new(&doc, line),
            });
            doc.clear();
        }
    }
    list
}

fn signature(result: &str, parameters: &str) -> Signature {
    let parameters = parameters.trim_end_matches([')', ';']).split(", ");
    let parameters = parameters.filter(|one| *one != "void");
    Signature {
        result: result.to_owned(),
        parameters: parameters.map(|one| Variable::new(&[], one)).collect(),
    }
}
