//! Custom classes of Tiled: maps store only the members whose values differ from the
//! defaults in the project.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::source::error::Fault;
use crate::source::files::FileProvider;
use crate::source::json::{Json, MAX_NESTING, parse};
use crate::source::limits::MAX_FILE_BYTES;
use crate::source::text::TextFile;

/// The most members of all classes of a project, those of classes inside of classes
/// included. Projects have some hundreds.
const MAX_MEMBERS: u32 = 1 << 16;

/// The classes of the project that a map belongs to.
#[derive(Default)]
pub struct Classes {
    /// The file of the project, unless there is none.
    pub file: Option<String>,
    by_name: BTreeMap<String, Class>,
    /// Why its classes are not known.
    pub fault: Option<Fault>,
}

#[derive(Default)]
struct Class {
    /// The kinds of elements that may have it; empty for all of them.
    used_for: Vec<String>,
    /// The names and values of its members.
    defaults: BTreeMap<String, String>,
}

/// A type of properties, as the project stores it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PropertyType<'a> {
    #[serde(default)]
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    use_as: Vec<String>,
    #[serde(default, borrow)]
    members: Vec<Member<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Member<'a> {
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    property_type: String,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

impl Classes {
    /// Reads the project of a map.
    pub fn read(provider: &dyn FileProvider) -> Self {
        let Some(name) = provider.tiled_project() else {
            return Self::default();
        };
        let bytes = provider.read(&name, MAX_FILE_BYTES);
        let bytes = bytes.map_err(|error| Fault::of_file(&name, error.to_string(), ""));
        let save_again = "open the project in Tiled and save it again";
        let found = bytes.and_then(|bytes| classes(&TextFile::new(&name, &bytes, save_again)?));
        let (by_name, fault) = match found {
            Ok(classes) => (classes, None),
            Err(fault) => (BTreeMap::new(), Some(fault)),
        };
        let file = Some(name);
        Self {
            file,
            by_name,
            fault,
        }
    }

    /// The defaults of the members of a class that an element of this kind has.
    pub fn defaults(&self, class: &str, kind: &str) -> Option<&BTreeMap<String, String>> {
        let class = self.by_name.get(class)?;
        let is_used = class.used_for.is_empty() || class.used_for.iter().any(|used| used == kind);
        is_used.then_some(&class.defaults)
    }
}

/// The classes of a project by their names.
fn classes<'a>(project: &'a TextFile<'a>) -> Result<BTreeMap<String, Class>, Fault> {
    let root = parse(project)?;
    let types = root.get("propertyTypes");
    let types: Vec<PropertyType<'a>> = types.map_or(Ok(Vec::new()), |types| types.read(""))?;
    let types = types.into_iter().filter(|class| class.kind == "class");
    let types: BTreeMap<String, _> = types.map(|class| (class.name.clone(), class)).collect();
    let mut left = MAX_MEMBERS;
    let mut classes = BTreeMap::new();
    for (name, class) in &types {
        let mut defaults = BTreeMap::new();
        add_defaults(
            project,
            &types,
            name,
            "",
            MAX_NESTING,
            &mut left,
            &mut defaults,
        )?;
        let used_for = class.use_as.clone();
        classes.insert(name.clone(), Class { used_for, defaults });
    }
    Ok(classes)
}

/// Adds the defaults of the members of a class, each with `prefix` before its name,
/// except of those that have one.
fn add_defaults<'a>(
    project: &'a TextFile<'a>,
    types: &BTreeMap<String, PropertyType<'a>>,
    class: &str,
    prefix: &str,
    nesting: u32,
    left: &mut u32,
    defaults: &mut BTreeMap<String, String>,
) -> Result<(), Fault> {
    for member in types.get(class).iter().flat_map(|class| &class.members) {
        *left = left.checked_sub(1).ok_or_else(|| {
            let problem = format!("its classes have more than {MAX_MEMBERS} members");
            Fault::at(project.name, None, class, problem, "")
        })?;
        let name = format!("{prefix}{}", member.name);
        // Without a text or an object it says nothing.
        let is_nothing = |value: &str| value.is_empty() || member.kind == "object" && value == "0";
        if let Some(value) = member.value {
            let value = Json::new(project, value);
            value.flatten(MAX_NESTING, &name, class, &mut |name, value| {
                if !is_nothing(&value) {
                    defaults.entry(name).or_insert_with(|| value.into_owned());
                }
            })?;
        }
        if member.kind == "class" && nesting > 0 {
            let (inner, prefix) = (&member.property_type, format!("{name}."));
            add_defaults(project, types, inner, &prefix, nesting - 1, left, defaults)?;
        }
    }
    Ok(())
}
