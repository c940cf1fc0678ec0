//! A bake that is killed leaves the old file or the new one. The next bake
//! removes its temporary files.
#![cfg(unix)]

use crate::sandbox;

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use navmesh_runtime::asset;
use sandbox::{Sandbox, level};

const LEVELS: usize = 24;
const KILLS: u64 = 40;

#[test]
fn a_killed_bake_leaves_the_old_files_or_the_new() {
    let sandbox = Sandbox::new();
    let draw = |edit: usize| {
        for i in 0..LEVELS {
            sandbox.write(
                &format!("levels/{i}.tmx"),
                &level(&[(i % 20, 5), (edit, 9)]),
            );
        }
    };
    let read = || -> BTreeMap<String, Vec<u8>> {
        let Ok(entries) = fs::read_dir(sandbox.path("out")) else {
            return BTreeMap::new();
        };
        entries
            .map(|entry| entry.unwrap())
            .map(|e| {
                (
                    e.file_name().into_string().unwrap(),
                    fs::read(e.path()).unwrap(),
                )
            })
            .collect()
    };
    let bake = ["bake", "levels", "-o", "out", "--threads", "2"];
    // The content of the files before and after the edit.
    let mut versions = Vec::new();
    for edit in [4, 12] {
        draw(edit);
        sandbox.fine(&bake);
        versions.push(read());
    }
    assert_eq!(versions[0].len(), LEVELS);
    fs::remove_dir_all(sandbox.path("out")).unwrap();

    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut cut_short = 0;
    let mut strays = 0;
    for kill in 0..KILLS {
        draw([4, 12][kill as usize % 2]);
        let mut child = sandbox
            .command(&bake)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        std::thread::sleep(Duration::from_micros((state >> 40) % 25_000));
        // SIGKILL: the process cannot clean up.
        let _ = child.kill();
        let status = child.wait().unwrap();
        cut_short += u32::from(!status.success());
        let mut temporary = 0;
        for (name, bytes) in read() {
            if name.starts_with('.') {
                temporary += 1;
                continue;
            }
            let known = versions.iter().any(|v| v[&name] == bytes);
            assert!(known, "{name} is neither the old file nor the new one");
            assert!(asset::decode(&bytes).is_ok(), "{name} does not load");
        }
        // Two threads write at most two files; those of earlier runs were removed.
        assert!(temporary <= 2, "{temporary} temporary files have piled up");
        strays += temporary;
    }
    assert!(cut_short > 0, "no bake was killed before its end");
    eprintln!(
        "{cut_short} of {KILLS} bakes were killed before their end and left {strays} temporary files"
    );

    draw(12);
    sandbox.fine(&bake);
    assert_eq!(read(), versions[1], "only the new files are left");
}
