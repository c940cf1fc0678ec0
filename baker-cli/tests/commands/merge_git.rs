//! Baked files in a git repository: changes of art never conflict, and the merge
//! driver of docs/pipelines.md bakes merged levels.
#![cfg(unix)]

use crate::sandbox;

use std::fs;
use std::process::{Command, Output};

use sandbox::{Sandbox, level_with_tileset, tileset};

const PAGE: &str = include_str!("../../../docs/pipelines.md");

/// The code blocks of the section about git: the driver, and how it is set up.
fn recipe() -> [&'static str; 2] {
    let (_, section) = PAGE.split_once("## Baked files in git").unwrap();
    let mut blocks = section.split("```sh\n").skip(1);
    [(); 2].map(|()| blocks.next().unwrap().split_once("```\n").unwrap().0)
}

/// A repository with two levels in a folder and a configuration above it.
struct Repository(Sandbox);

impl Repository {
    /// With the merge driver, or without.
    fn new(has_driver: bool) -> Self {
        let this = Self(Sandbox::new());
        this.git("init -q -b main");
        this.git("config merge.conflictStyle merge");
        let sandbox = &this.0;
        sandbox.configure("[[agent]]\nname = \"imp\"\n");
        sandbox.write("levels/tiles.tsx", &tileset("rock"));
        sandbox.write("levels/other.tmx", &level_with_tileset(&[]));
        if has_driver {
            let [driver, setup] = recipe();
            sandbox.write("tools/navbake-merge", driver);
            let set_up = sandbox.tool("sh").args(["-ec", setup]).status().unwrap();
            assert!(set_up.success());
        }
        this.commit(&level_with_tileset(&[]), "base");
        this
    }

    fn run(&self, args: &str) -> Output {
        let mut command: Command = self.0.tool("git");
        command
            .args(args.split(' '))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.0.path("none"))
            .env("GIT_EDITOR", "true");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "a");
            command.env(format!("GIT_{who}_EMAIL"), "a@example.com");
        }
        command.output().unwrap()
    }

    fn git(&self, args: &str) {
        let output = self.run(args);
        let reported = [output.stdout, output.stderr].concat();
        let reported = String::from_utf8_lossy(&reported);
        assert!(output.status.success(), "git {args}: {reported}");
    }

    /// Saves the level, bakes and commits.
    fn commit(&self, level: &str, subject: &str) {
        self.0.write("levels/a.tmx", level);
        self.bake_all();
        self.git("add -A");
        self.git(&format!("commit -q -m {subject}"));
    }

    fn bake_all(&self) {
        self.0.fine("bake levels");
    }

    /// Commits one level on a new branch `theirs` and another one on `main`.
    fn diverge(&self, theirs: &str, ours: &str) {
        self.git("switch -q -c theirs");
        self.commit(theirs, "theirs");
        self.git("switch -q main");
        self.commit(ours, "ours");
    }

    fn level(&self) -> String {
        fs::read_to_string(self.0.path("levels/a.tmx")).unwrap()
    }

    /// The work tree is committed, and every baked file is that of its level.
    fn is_merged_and_fresh(&self) {
        let status = self.run("status --porcelain").stdout;
        assert_eq!(String::from_utf8_lossy(&status), "");
        self.0.fine("bake --check --force levels");
        let level = self.level();
        assert!(
            level.contains(THEIRS.1) && level.contains(OURS.1),
            "{level}"
        );
    }
}

/// Edits of rows that are far apart, so that git merges the level.
const THEIRS: (&str, &str) = (
    "0,0,0,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0",
    "0,0,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0",
);
const OURS: (&str, &str) = ("x=\"24\" y=\"160\"", "x=\"40\" y=\"160\"");

fn edited(edits: &[(&str, &str)]) -> String {
    let mut text = level_with_tileset(&[]);
    for (before, after) in edits {
        assert!(text.contains(before), "{text}");
        text = text.replace(before, after);
    }
    text
}

#[test]
fn changes_of_art_never_conflict() {
    let repository = Repository::new(false);
    repository.git("switch -q -c theirs");
    repository.0.write("levels/tiles.tsx", &tileset("stone"));
    repository.commit(
        &edited(&[("<layer id=\"1\"", "<!-- grass -->\n <layer id=\"1\"")]),
        "theirs",
    );
    repository.git("switch -q main");
    repository.commit(&edited(&[("\"things\"", "\"places\"")]), "ours");
    repository.git("merge -q --no-edit theirs");
    repository.0.fine("bake --check levels");
}

#[test]
fn without_the_driver_a_merged_level_conflicts_in_its_baked_file() {
    let repository = Repository::new(false);
    repository.diverge(&edited(&[THEIRS]), &edited(&[OURS]));
    let merge = repository.run("merge -q --no-edit theirs");
    assert_eq!(merge.status.code(), Some(1));
}

#[test]
fn the_merge_driver_bakes_the_merged_level() {
    let repository = Repository::new(true);
    repository.diverge(&edited(&[THEIRS]), &edited(&[OURS]));
    repository.git("branch second");
    repository.git("merge -q --no-edit theirs");
    repository.is_merged_and_fresh();

    // A rebase of a branch with an earlier commit that is not rebased.
    repository.git("switch -q second");
    repository.git("rebase -q theirs");
    repository.is_merged_and_fresh();
    repository.git("switch -q -c third main~1");
    repository.git("cherry-pick theirs");
    repository.is_merged_and_fresh();
}

#[test]
fn a_conflict_in_the_level_stays_one_in_the_baked_file() {
    let repository = Repository::new(true);
    let other = (OURS.0, "x=\"56\" y=\"160\"");
    repository.diverge(&edited(&[THEIRS, other]), &edited(&[OURS]));
    let merge = repository.run("merge -q --no-edit theirs");
    assert_eq!(merge.status.code(), Some(1));
    let unmerged = repository.run("diff --name-only --diff-filter=U").stdout;
    assert_eq!(
        String::from_utf8_lossy(&unmerged),
        "levels/a.navmesh\nlevels/a.tmx\n"
    );
    // What the page says to do then.
    repository.0.write("levels/a.tmx", &edited(&[THEIRS, OURS]));
    repository.bake_all();
    repository.git("add -A");
    repository.git("commit -q --no-edit");
    repository.is_merged_and_fresh();
}
