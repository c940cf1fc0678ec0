//! Baked files in version control: `navbake dump` as git's textconv, and edits
//! that change few lines of a dump.

use crate::sandbox;

use std::process::{Command, Output};

use sandbox::{Sandbox, ledges_with};

/// Runs git in the folder, without the settings of the user or the system.
fn git(sandbox: &Sandbox, args: &[&str]) -> Output {
    let output = Command::new("git")
        .args(args)
        .current_dir(sandbox.path(""))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", sandbox.path("none"))
        .env("GIT_AUTHOR_NAME", "a")
        .env("GIT_AUTHOR_EMAIL", "a@example.com")
        .env("GIT_COMMITTER_NAME", "a")
        .env("GIT_COMMITTER_EMAIL", "a@example.com")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn bake(sandbox: &Sandbox, text: &str) {
    sandbox.write("level.tmx", text);
    sandbox.fine("bake level.tmx");
}

/// A folder with the files that `ledges.tmx` needs.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.fixture("tiles.tsx");
    sandbox.fixture("tiles.png");
    sandbox
}

#[test]
fn git_diff_shows_what_an_edit_changed() {
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: git_diff_shows_what_an_edit_changed needs git");
        return;
    }
    let sandbox = sandbox();
    git(&sandbox, &["init", "-q"]);
    // As in docs/reviewing.md, except for the path of the command.
    sandbox.write(".gitattributes", "*.navmesh diff=navbake\n");
    let command = format!("'{}' dump", env!("CARGO_BIN_EXE_navbake"));
    git(&sandbox, &["config", "diff.navbake.textconv", &command]);
    bake(&sandbox, &ledges_with(&[]));
    git(&sandbox, &["add", "-A"]);
    git(&sandbox, &["commit", "-q", "-m", "before"]);

    // Without the step.
    bake(&sandbox, &ledges_with(&[(4..=6, 14, 0)]));
    let diff = git(&sandbox, &["diff", "--", "level.navmesh"]).stdout;
    let diff = String::from_utf8(diff).unwrap();
    assert!(!diff.contains("Binary files"), "{diff}");
    let has = |begin: &str, rest: &str| {
        let found = diff
            .lines()
            .any(|l| l.starts_with(begin) && l.contains(rest));
        assert!(found, "{begin} … {rest} in\n{diff}");
    };
    has("-  platform 58", ",224 .. 11");
    has("-  jump ", "");
    has("@@ ", "");
    let removed = diff
        .lines()
        .filter(|l| l.starts_with("-  platform"))
        .count();
    assert_eq!(removed, 2, "of each agent");

    // A comparison with the version that `git show` prints.
    let before = git(&sandbox, &["show", "HEAD:level.navmesh"]).stdout;
    let run = sandbox.run_with("diff - level.navmesh", &before);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stdout.starts_with("stdin -> level.navmesh: "),
        "{}",
        run.stdout
    );
}

/// Runs the script of docs/reviewing.md for the changes since `base`, with a `gh` that
/// keeps the comment; its exit status and the comment.
#[cfg(unix)]
fn review(sandbox: &Sandbox, base: &str) -> (Option<i32>, Option<String>) {
    let page = include_str!("../../../docs/reviewing.md");
    let (_, script) = page.split_once("```sh\nstatus=0\n").unwrap();
    let script = script.split_once("```\n").unwrap().0;
    // Called as: gh pr comment PR --body-file FILE
    let gh = "gh() { cp \"$5\" posted.md; }\nstatus=0\n";
    let mut shell = sandbox.tool("sh");
    shell.args(["-ec", &format!("{gh}{script}")]);
    let run = shell.env("BASE", base).env("PR", "7").output().unwrap();
    let comment = std::fs::read_to_string(sandbox.path("posted.md"));
    (run.status.code(), comment.ok())
}

#[cfg(unix)]
#[test]
fn the_script_of_the_guide_comments_only_on_changes() {
    let sandbox = sandbox();
    let copy = || {
        for number in 0..50 {
            let to = sandbox.path(&format!("level{number}.navmesh"));
            std::fs::copy(sandbox.path("level.navmesh"), to).unwrap();
        }
    };
    git(&sandbox, &["init", "-q"]);
    bake(&sandbox, &ledges_with(&[]));
    copy();
    git(&sandbox, &["add", "-A"]);
    git(&sandbox, &["commit", "-q", "-m", "before"]);
    assert_eq!(review(&sandbox, "HEAD"), (Some(0), None));
    // The first gap becomes too wide.
    bake(
        &sandbox,
        &ledges_with(&[(7..=8, 17, 0), (7..=8, 18, 0), (7..=8, 19, 0)]),
    );
    let (code, comment) = review(&sandbox, "HEAD");
    let comment = comment.unwrap();
    assert_eq!(code, Some(1));
    assert!(comment.contains("no longer reachable"), "{comment}");
    // GitHub rejects a comment of more than 65,536 characters.
    copy();
    let (_, comment) = review(&sandbox, "HEAD");
    assert_eq!(comment.map(|text| text.len()), Some(65_000));
}

#[test]
fn a_new_platform_at_the_left_end_changes_few_lines() {
    let sandbox = sandbox();
    let dump = |edits: &[(std::ops::RangeInclusive<usize>, usize, u32)]| -> Vec<String> {
        bake(&sandbox, &ledges_with(edits));
        let text = sandbox.run("dump level.navmesh").stdout;
        text.lines().map(String::from).collect()
    };
    let before = dump(&[]);
    // High up at the left wall, where nothing reaches it.
    let after = dump(&[(1..=2, 3, 1)]);
    let count = |lines: &[String], kind: &str| lines.iter().filter(|l| l.starts_with(kind)).count();
    assert_eq!(
        count(&after, "  platform ") - count(&before, "  platform "),
        2,
        "for each agent"
    );
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().filter(|l| !b.contains(l)).cloned().collect()
    };
    let (gone, come) = (only(&before, &after), only(&after, &before));
    // Without the fingerprint, the lines of the platform, and the rows of terrain
    // that it touches, for two agents.
    let others = |lines: &[String]| -> Vec<String> {
        let own = |l: &&String| {
            !(l.starts_with("  row ") || l.starts_with("source_fingerprint") || l.contains(",48"))
        };
        lines.iter().filter(own).cloned().collect()
    };
    assert_eq!(others(&gone), [""; 0], "lines changed elsewhere");
    assert_eq!(others(&come), [""; 0], "lines changed elsewhere");
    let rows = gone.iter().filter(|l| l.starts_with("  row ")).count();
    assert!(rows <= 12, "{rows} rows of {}", before.len());
    // The other lines keep their order.
    let kept: Vec<_> = before.iter().filter(|l| after.contains(l)).collect();
    let still: Vec<_> = after.iter().filter(|l| before.contains(l)).collect();
    assert_eq!(kept, still);
}
