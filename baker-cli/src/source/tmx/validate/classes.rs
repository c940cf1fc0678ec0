//! Custom classes of Tiled: maps store only the members whose values differ from the
//! defaults in the project.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;

use crate::source::error::Fault;
use crate::source::files::FileProvider;
use crate::source::json::{Json, MAX_NESTING, Members, parse};
use crate::source::limits::{MAX_COPIED_BYTES, MAX_FILE_BYTES};
use crate::source::text::TextFile;
use crate::source::tmx::element::Element;

/// The advice for projects that Tiled would not write like this.
const SAVE_AGAIN: &str = "open the project in Tiled and save it again";

/// The most members of all classes of a project, those of classes inside of classes
/// included. Projects have some hundreds.
const MAX_MEMBERS: u32 = 1 << 16;

/// The classes of the project that a map belongs to. It is read when the first
/// element with a class asks for it.
pub struct Classes<'f> {
    provider: &'f dyn FileProvider,
    project: OnceCell<Project>,
    /// How many bytes of defaults elements may still get.
    left: Cell<u64>,
}

/// A project of Tiled.
#[derive(Default)]
struct Project {
    /// Its file, unless there is none.
    name: Option<String>,
    classes: BTreeMap<String, Class>,
    /// The bytes of the defaults of its largest class.
    heaviest: u64,
    /// Why its classes are not known.
    fault: Option<Fault>,
}

#[derive(Default)]
struct Class {
    /// The kinds of elements that may have it; empty for all of them.
    used_for: Vec<String>,
    /// The names and values of its members.
    defaults: BTreeMap<String, String>,
}

impl<'f> Classes<'f> {
    pub fn new(provider: &'f dyn FileProvider) -> Self {
        Self {
            provider,
            project: OnceCell::new(),
            left: Cell::new(MAX_COPIED_BYTES),
        }
    }

    /// The file of the project, if it was read.
    pub fn file(&self) -> Option<&str> {
        self.project.get()?.name.as_deref()
    }

    /// Why the classes of the project are not known.
    pub fn fault(&self) -> Option<&Fault> {
        self.project.get()?.fault.as_ref()
    }

    /// The defaults of the members of a class that an element of this kind has.
    pub fn defaults(&self, class: &str, kind: &str) -> Option<&BTreeMap<String, String>> {
        if class.is_empty() {
            return None;
        }
        let project = self.project.get_or_init(|| self.read());
        let class = project.classes.get(class)?;
        let is_used = class.used_for.is_empty() || class.used_for.iter().any(|used| used == kind);
        is_used.then_some(&class.defaults)
    }

    /// The bytes of the defaults that an element of a map may have at most.
    pub fn heaviest(&self) -> u64 {
        self.project.get().map_or(0, |project| project.heaviest)
    }

    /// Subtracts the default of a member from the bytes that elements may get.
    pub fn charge(&self, owner: Element<'_>, place: &str, bytes: usize) -> Result<(), Fault> {
        if let Some(left) = self.left.get().checked_sub(bytes as u64) {
            self.left.set(left);
            return Ok(());
        }
        let problem = "custom classes with many members are used too often";
        Err(owner.fault(place, problem, "remove members, or split the level"))
    }

    fn read(&self) -> Project {
        let Some(name) = self.provider.tiled_project() else {
            return Project::default();
        };
        let bytes = self.provider.read(&name, MAX_FILE_BYTES);
        let bytes = bytes.map_err(|error| Fault::of_file(&name, error.to_string(), ""));
        let found = bytes.and_then(|bytes| classes(&TextFile::new(&name, &bytes, SAVE_AGAIN)?));
        let (classes, fault) = match found {
            Ok(classes) => (classes, None),
            Err(fault) => (BTreeMap::new(), Some(fault)),
        };
        // Once, as every object layer and template of a map uses it.
        let sizes = classes.values().map(|class| {
            let members = class.defaults.iter();
            let bytes = members.map(|(name, value)| name.len() + value.len());
            bytes.sum::<usize>() as u64
        });
        Project {
            heaviest: sizes.max().unwrap_or(0),
            name: Some(name),
            classes,
            fault,
        }
    }
}

/// The classes of a project by their names.
fn classes(project: &TextFile<'_>) -> Result<BTreeMap<String, Class>, Fault> {
    let mut members = BTreeMap::new();
    let mut classes = BTreeMap::new();
    for json in parse(project)?.list("", "propertyTypes")? {
        let class = json.members("")?;
        let (Some(name), Some("class")) =
            (class.text("", "name")?, class.text("", "type")?.as_deref())
        else {
            continue;
        };
        let used_for = class.list("", "useAs")?;
        let used_for = used_for.into_iter().filter_map(Json::scalar);
        let used_for = used_for.map(Cow::into_owned).collect();
        let own = class.list(&name, "members")?.into_iter();
        let own: Result<Vec<Members<'_>>, Fault> = own.map(|json| json.members(&name)).collect();
        members.insert(name.to_string(), own?);
        let defaults = BTreeMap::new();
        classes.insert(name.into_owned(), Class { used_for, defaults });
    }
    let mut left = MAX_MEMBERS;
    for (name, class) in &mut classes {
        add_defaults(
            &members,
            name,
            "",
            MAX_NESTING,
            &mut left,
            &mut class.defaults,
        )?;
    }
    Ok(classes)
}

/// Adds the defaults of the members of a class, each with `prefix` before its name,
/// except of those that have one.
fn add_defaults(
    classes: &BTreeMap<String, Vec<Members<'_>>>,
    class: &str,
    prefix: &str,
    nesting: u32,
    left: &mut u32,
    defaults: &mut BTreeMap<String, String>,
) -> Result<(), Fault> {
    for member in classes.get(class).into_iter().flatten() {
        *left = left.checked_sub(1).ok_or_else(|| {
            let problem = format!("its classes have more than {MAX_MEMBERS} members");
            member.json.fault(class, problem, "")
        })?;
        let Some(name) = member.text(class, "name")? else {
            continue;
        };
        let name = format!("{prefix}{name}");
        let kind = member.text(class, "type")?.unwrap_or_default();
        // Without a text or an object it says nothing.
        let is_nothing = |value: &str| value.is_empty() || kind == "object" && value == "0";
        if let Some(value) = member.get("value") {
            value.flatten(MAX_NESTING, &name, class, &mut |name, value| {
                if !is_nothing(&value) {
                    defaults.entry(name).or_insert_with(|| value.into_owned());
                }
            })?;
        }
        if kind == "class" && nesting > 0 {
            let inner = member.text(class, "propertyType")?.unwrap_or_default();
            let prefix = format!("{name}.");
            add_defaults(classes, &inner, &prefix, nesting - 1, left, defaults)?;
        }
    }
    Ok(())
}
