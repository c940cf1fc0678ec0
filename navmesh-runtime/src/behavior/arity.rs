//! How many children a node may have.

use super::Context;
use super::builder::Builder;
use super::error::BuildError;
use super::node::Kind;

impl<C: ?Sized + Context> Builder<C> {
    /// Checks the children of a node that was just closed, and settles what
    /// depends on their number.
    pub(super) fn check_children(&mut self, at: usize) {
        let mut found = 0;
        let mut child = at + 1;
        while child < self.nodes.len() {
            found += 1;
            child = self.nodes[child].end as usize;
        }
        let kind = self.nodes[at].kind;
        let (fits, expected) = match kind {
            Kind::Race | Kind::Parallel { .. } => (found > 0, "at least one child".to_owned()),
            Kind::WithWaypoint { .. } => (
                (1..=2).contains(&found),
                "a child and at most one fallback".to_owned(),
            ),
            Kind::Custom { node } => {
                let custom = &mut self.customs[node as usize];
                custom.children = found as u32;
                let range = custom.composite.children();
                let (least, most) = (range.start(), range.end());
                let words = if least == most {
                    format!("exactly {least}")
                } else if *most == usize::MAX {
                    format!("at least {least}")
                } else {
                    format!("{least} to {most}")
                };
                (range.contains(&found), format!("{words} children"))
            }
            Kind::Sequence { .. }
            | Kind::Selector { .. }
            | Kind::ReactiveSequence
            | Kind::ReactiveSelector => (true, String::new()),
            _ => (found == 1, "exactly one child".to_owned()),
        };
        if !fits {
            let path = self.path(at);
            self.note(BuildError::Children {
                path,
                kind: kind.name(),
                expected,
                found,
            });
        }
        if let Kind::Parallel { success, failure } = kind {
            self.sizes[at].run = 2 * (found as u32).div_ceil(64);
            let most = usize::from(success.max(failure));
            if fits && most > found {
                let path = self.path(at);
                self.note(BuildError::Number {
                    path,
                    what: "a threshold",
                    value: most.to_string(),
                    must: format!("at most {found}, its number of children"),
                });
            }
        }
    }
}
