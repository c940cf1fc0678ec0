//! Behaviour trees as resources, and the pools that agents share.

use std::collections::BTreeMap;
use std::sync::Arc;

use godot::classes::{FileAccess, Resource};
use godot::prelude::*;
use navmesh_behavior::{Registry, TokenPool, Tree, TreeDef};

use crate::tree::{CallTask, Game};

/// A behaviour tree: the text of a `.ron` file, or the same as JSON.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub struct NavbakeTreeFile {
    /// The text of the file.
    #[var(set = set_text)]
    #[export(multiline)]
    text: GString,
    /// The trees that were built, by the names of the tasks of the game.
    built: BTreeMap<Vec<String>, Arc<Tree<Game>>>,
    base: Base<Resource>,
}

#[godot_api]
impl NavbakeTreeFile {
    #[func]
    fn set_text(&mut self, text: GString) {
        self.text = text;
        self.built.clear();
        self.base_mut().emit_changed();
    }

    /// Loads a file. Null, with an error in the console, if it cannot be read.
    #[func]
    fn load_file(path: GString) -> Option<Gd<Self>> {
        let text = FileAccess::get_file_as_string(&path);
        if let Err(error) = parse(&text.to_string()) {
            godot_error!("{path}: {error}");
            return None;
        }
        let mut this = Self::new_gd();
        this.bind_mut().text = text;
        Some(this)
    }
}

impl NavbakeTreeFile {
    /// The tree with the ready-made tasks and those of the game, shared by agents.
    pub fn tree(&mut self, tasks: Vec<String>) -> Result<Arc<Tree<Game>>, String> {
        if let Some(tree) = self.built.get(&tasks) {
            return Ok(Arc::clone(tree));
        }
        let def = parse(&self.text.to_string())?;
        let mut registry = Registry::<Game>::with_agent_tasks();
        for name in &tasks {
            let task = name.clone();
            registry.task(name, move |params| CallTask::new(&task, params));
        }
        let tree = registry.build(&def).map_err(|error| error.to_string())?;
        self.built.insert(tasks, Arc::clone(&tree));
        Ok(tree)
    }
}

/// A text in braces is JSON.
fn parse(text: &str) -> Result<TreeDef, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| error.to_string());
    }
    ron::from_str(text).map_err(|error| error.to_string())
}

/// Tokens for the node `with_token`, shared by all trees that have this resource.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub struct NavbakePool {
    /// The name in trees.
    #[export]
    #[init(val = "melee".into())]
    pool_name: GString,
    /// How many agents may hold a token at once.
    #[var(set = set_tokens)]
    #[export(range = (0.0, 100.0, or_greater))]
    #[init(val = 1)]
    tokens: i64,
    pool: Option<TokenPool>,
    base: Base<Resource>,
}

#[godot_api]
impl NavbakePool {
    #[func]
    fn set_tokens(&mut self, tokens: i64) {
        self.tokens = tokens;
        if let Some(pool) = &self.pool {
            pool.set_limit(limit(tokens));
        }
    }

    /// How many tokens are held.
    #[func]
    fn get_held(&self) -> i64 {
        self.pool.as_ref().map_or(0, |pool| pool.held().into())
    }
}

impl NavbakePool {
    pub fn shared(&mut self) -> (String, TokenPool) {
        let limit = limit(self.tokens);
        let pool = self.pool.get_or_insert_with(|| TokenPool::new(limit));
        (self.pool_name.to_string(), pool.clone())
    }
}

fn limit(tokens: i64) -> u32 {
    u32::try_from(tokens.max(0)).unwrap_or(u32::MAX)
}
