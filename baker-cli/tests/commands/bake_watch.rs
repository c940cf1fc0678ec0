//! `navbake bake --watch`: levels are baked again on every save.
#![cfg(unix)]

use crate::sandbox;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use sandbox::{Sandbox, level_with_tileset, tileset};
use serde_json::Value;

/// How long to wait for a line. A bake of these levels takes milliseconds; a
/// busy machine may take seconds to start a process.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running `navbake bake --watch`.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(sandbox: &Sandbox) -> Self {
        let mut child = sandbox
            .command("bake --watch levels -o out --json")
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(sandbox.path("messages")).unwrap())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if send.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    /// Waits for a line about a level with a status.
    fn wait_for(&self, level: &str, status: &str) -> Value {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no line says that {level} is {status}"));
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["level"] == level && line["status"] == status {
                return line;
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn saved_levels_are_baked_again() {
    let sandbox = Sandbox::new();
    sandbox.write("levels/a.tmx", &level_with_tileset(&[]));
    sandbox.write("levels/tiles.tsx", &tileset("rock"));
    let mut watch = Watch::start(&sandbox);
    watch.wait_for("levels/a.tmx", "written");

    sandbox.write("levels/a.tmx", &level_with_tileset(&[(3, 4)]));
    let line = watch.wait_for("levels/a.tmx", "written");
    assert_eq!(line["reasons"][0]["file"], "a.tmx");
    sandbox.write("levels/tiles.tsx", &tileset("stone"));
    watch.wait_for("levels/a.tmx", "unchanged");
    // Notes are printed once, not after each save.
    let messages = sandbox.text("messages");
    assert_eq!(
        messages.matches("no agents are configured").count(),
        1,
        "{messages}"
    );

    // A level that is broken for a while, and a new level.
    sandbox.write("levels/a.tmx", "<map");
    watch.wait_for("levels/a.tmx", "error");
    sandbox.write("levels/new/b.tmx", &level_with_tileset(&[]));
    watch.wait_for("levels/new/b.tmx", "error");
    sandbox.write("levels/new/tiles.tsx", &tileset("rock"));
    watch.wait_for("levels/new/b.tmx", "written");
    sandbox.write("levels/a.tmx", &level_with_tileset(&[(5, 4)]));
    watch.wait_for("levels/a.tmx", "written");

    // A new configuration that is invalid and then corrected, and a baked file
    // that is deleted.
    sandbox.write("levels/new/navbake.toml", "[level");
    watch.wait_for("levels/new/b.tmx", "error");
    sandbox.write("levels/new/navbake.toml", "[[agent]]\nname = \"imp\"\n");
    let line = watch.wait_for("levels/new/b.tmx", "written");
    assert_eq!(line["agents"][0]["name"], "imp");

    // A configuration that becomes a link that leads nowhere, until its file is back.
    std::os::unix::fs::symlink("shared.toml", sandbox.path("levels/new/link")).unwrap();
    std::fs::rename(
        sandbox.path("levels/new/link"),
        sandbox.path("levels/new/navbake.toml"),
    )
    .unwrap();
    watch.wait_for("levels/new/b.tmx", "error");
    sandbox.write("levels/new/shared.toml", "[[agent]]\nname = \"imp\"\n");
    watch.wait_for("levels/new/b.tmx", "unchanged");
    std::fs::remove_file(sandbox.path("out/a.navmesh")).unwrap();
    let line = watch.wait_for("levels/a.tmx", "written");
    assert_eq!(line["reasons"][0]["why"], "missing");

    // A level that is deleted for good is reported, and only once.
    let message = "out/new/b.navmesh: its level levels/new/b.tmx is not there";
    std::fs::remove_file(sandbox.path("levels/new/b.tmx")).unwrap();
    let start = Instant::now();
    while !sandbox.text("messages").contains(message) {
        assert!(start.elapsed() < PATIENCE, "{}", sandbox.text("messages"));
        std::thread::sleep(Duration::from_millis(50));
    }
    sandbox.write("levels/a.tmx", &level_with_tileset(&[(6, 4)]));
    watch.wait_for("levels/a.tmx", "written");
    assert_eq!(sandbox.text("messages").matches(message).count(), 1);

    // Ctrl-C ends it with success.
    let interrupt = Command::new("kill")
        .args(["-INT", &watch.child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
    sandbox.fine("bake levels -o out --prune");
}

#[test]
fn watch_refuses_stdin_and_options_that_do_not_fit() {
    let sandbox = Sandbox::new();
    for args in [
        "bake --watch -",
        "bake --watch --check levels",
        "bake --watch --depfile d levels",
        "bake --watch a.tmx -o -",
    ] {
        sandbox.exits(2, args).says("watch");
    }
}
