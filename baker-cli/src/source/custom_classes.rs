//! Custom classes of Tiled projects: maps do not store the defaults of their members.

use std::collections::BTreeMap;

use super::classify::Attributes;
use super::json::{Json, parse};
use super::level::Level;
use super::rule::pattern;
use super::text::TextFile;

/// Warnings about classes that nothing in a level says is collision, but the defaults
/// of their members in a Tiled project do. `shown` is the level in messages, `project`
/// the name of the project. A project that cannot be read says nothing.
pub fn class_warnings(level: &Level, shown: &str, project: &str, bytes: &[u8]) -> Vec<String> {
    let warning = |json: Json<'_>| {
        let class = json.members("").ok()?;
        let name = class.text("", "name").ok()??;
        if !level.undeclared_classes.contains(&*name) {
            return None;
        }
        let mut defaults = BTreeMap::new();
        for json in class.list("", "members").ok()? {
            let member = json.members("").ok()?;
            if let (Ok(Some(name)), Ok(Some(value))) =
                (member.text("", "name"), member.text("", "value"))
            {
                defaults.insert(name.into_owned(), value.into_owned());
            }
        }
        let (list, why) = Attributes::new("", "", defaults, None).declared()?;
        Some(format!(
            "{shown}: class \"{name}\" has {why} by default in {project}, but Tiled does not store defaults in \
             maps: {list} = [\"class:{}\"]",
            pattern(&name)
        ))
    };
    let Ok(text) = TextFile::new(project, bytes, "") else {
        return Vec::new();
    };
    let types = parse(&text).and_then(|root| root.list("", "propertyTypes"));
    types.into_iter().flatten().filter_map(warning).collect()
}
