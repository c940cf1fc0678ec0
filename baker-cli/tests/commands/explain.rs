//! `navbake explain`: the nearest failure, in words and as JSON.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn ledges() -> String {
    format!("{}/../fixtures/ledges.tmx", env!("CARGO_MANIFEST_DIR"))
}

fn explain(file: &Path, from: &str, to: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navbake"))
        .arg("explain")
        .arg(file)
        .args(["--agent", "ground", "--from", from, "--to", to])
        .args(more)
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A level of one row of ledges in the middle of which something is varied.
fn level(folder: &Path, middle: &[&str]) -> std::path::PathBuf {
    let width = middle[0].len();
    let cells: Vec<String> = middle
        .iter()
        .map(|row| {
            row.chars()
                .map(|c| if c == '#' { "1," } else { "0," })
                .collect::<String>()
        })
        .collect();
    let csv = cells.join("\n");
    let map = format!(
        r#"<?xml version="1.0"?><map version="1.10" orientation="orthogonal" width="{width}" height="{h}" tilewidth="16" tileheight="16" infinite="0"><tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1"><image source="t.png" width="16" height="16"/></tileset><layer id="1" name="ground" width="{width}" height="{h}"><data encoding="csv">{csv}</data></layer></map>"#,
        h = middle.len(),
        csv = csv.trim_end_matches(',')
    );
    let path = folder.join("level.tmx");
    std::fs::write(&path, map).unwrap();
    path
}

#[test]
fn links_and_the_nearest_failures_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str, &str, &str); 5] = [
        (
            &["..........", "..........", "..........", "####...###"],
            "8,48",
            "152,48",
            "linked",
        ),
        (
            &["....................", "####..........######"],
            "8,16",
            "300,16",
            "too_far",
        ),
        (
            &[
                "#####", ".....", ".....", ".....", ".....", ".....", ".....", ".....", "#####",
            ],
            "8,128",
            "8,0",
            "no_floor",
        ),
        (
            &[
                "......", "......", "......##", "......", "......", "......", "......", "......",
                "######",
            ],
            "8,128",
            "120,32",
            "too_high",
        ),
        (
            &[
                "..........",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "....#.....",
                "####.#####",
            ],
            "8,128",
            "152,128",
            "blocked",
        ),
    ];
    for (rows, from, to, reason) in cases {
        let width = rows.iter().map(|r| r.len()).max().unwrap();
        let padded: Vec<String> = rows.iter().map(|r| format!("{r:.<width$}")).collect();
        let padded: Vec<&str> = padded.iter().map(String::as_str).collect();
        let path = level(folder.path(), &padded);
        let output = explain(&path, from, to, &["--json"]);
        let answer = json(&output);
        assert_eq!(answer["reason"], reason, "{padded:#?}\n{answer}");
        let linked = answer["linked"].as_bool().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(!linked)));
        match reason {
            "too_far" | "too_high" => assert!(answer["by"].as_f64().unwrap() > 0.0),
            "blocked" => {
                assert!(answer["at"].is_array());
                assert!(
                    answer["by_what"].as_str().unwrap().contains("ground"),
                    "{answer}"
                );
            }
            _ => {}
        }
    }
}

#[test]
fn a_baked_file_answers_too() {
    let folder = tempfile::tempdir().unwrap();
    let baked = folder.path().join("ledges.navmesh");
    let bake = Command::new(env!("CARGO_BIN_EXE_navbake"))
        .arg("bake")
        .arg(ledges())
        .arg("-o")
        .arg(&baked)
        .output()
        .unwrap();
    assert!(bake.status.success());
    for (from, to) in [
        ("24,304", "136,304"),
        ("24,304", "250,80"),
        ("24,304", "40,304"),
    ] {
        let (a, b) = (
            explain(&baked, from, to, &["--json"]),
            explain(ledges().as_ref(), from, to, &["--json"]),
        );
        assert_eq!(json(&a)["reason"], json(&b)["reason"], "{from} to {to}");
        assert_eq!(a.status.code(), b.status.code());
    }
}

#[test]
fn trouble_is_status_2() {
    let output = explain("no-such.tmx".as_ref(), "0,0", "1,1", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such.tmx"));
}
