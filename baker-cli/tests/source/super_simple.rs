//! LDtk's super simple export: a folder with `data.json`, CSV files and pictures.

use baker_cli::source::LevelFile;
use baker_cli::source::{MemoryFiles, Rules, SourceError, read_bytes};

use crate::maps::first_row;

const DATA: &str = r##"{
	"identifier": "Level_0",
	"uniqueIdentifer": "53525970-fec0-11ee-b5a6-735f3df1ae2b",
	"x": 0, "y": 0, "width": 64, "height": 32, "bgColor": "#696A79",
	"neighbourLevels": [], "customFields" : {},
	"layers": ["Tiles.png"],
	"entities": {
		"spawn": [{"id": "spawn", "iid": "a1", "layer": "Entities", "x": 8, "y": 16, "width": 16, "height": 16,
			"color": 1, "customFields": {"name": "start", "agent": "ground", "none": null, "route": [{"cx": 1}]}}],
		"door": [{"id": "door", "iid": "a2", "layer": "Entities", "x": 48, "y": 0, "width": 16, "height": 32,
			"customFields": {}}]
	}
}"##;

fn read(grids: &[(&str, &str)], rules: &Rules) -> Result<LevelFile, SourceError> {
    let mut files = MemoryFiles::default();
    files.insert("Tiles.png", "not read");
    for (name, text) in grids {
        files.insert(*name, *text);
    }
    read_bytes("data.json", DATA.as_bytes(), &files, rules)
}

#[test]
fn layers_and_entities_are_read() {
    let grids = [
        ("Collisions.csv", "1,1,0,0,\r\n0,0,0,0,\r\n"),
        ("Spikes.csv", "0,0,3,0,\n0,0,0,0,\n"),
    ];
    let level = read(&grids, &Rules::default()).unwrap();
    assert_eq!(level.warnings, [""; 0]);
    assert_eq!(level.tile_size, Some([16, 16]));
    assert_eq!(level.bounds.max.to_array(), [64.0, 32.0]);
    assert_eq!(first_row(&level), "##^.");
    let inputs: Vec<_> = level
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    assert_eq!(inputs, ["data.json", "Collisions.csv", "Spikes.csv"]);
    let [door, spawn] = &level.markers[..] else {
        panic!("{:?}", level.markers);
    };
    assert_eq!(
        (&*door.class, &*spawn.class, &*spawn.name),
        ("door", "spawn", "start")
    );
    assert_eq!(spawn.area.min.to_array(), [8.0, 16.0]);
    let properties: Vec<_> = spawn.properties.iter().map(|(n, v)| (&**n, &**v)).collect();
    let expected = [
        ("agent", "ground"),
        ("iid", "a1"),
        ("name", "start"),
        ("route.0.cx", "1"),
    ];
    for property in expected {
        assert!(
            properties.contains(&property),
            "{property:?}: {properties:?}"
        );
    }
}

#[test]
fn values_are_named_by_their_numbers() {
    let grids = [("Tiles.csv", "1,2,0,0\n0,0,0,0\n")];
    let guessed = read(&grids, &Rules::default()).unwrap();
    assert_eq!(guessed.undecided.len(), 1, "{:?}", guessed.undecided);
    let mut rules = Rules::default();
    rules.solid.push("intgrid:1".parse().unwrap());
    rules.hazard.push("intgrid:2".parse().unwrap());
    assert_eq!(first_row(&read(&grids, &rules).unwrap()), "#^..");
}

#[test]
fn errors_name_the_file() {
    let rules = Rules::default();
    for (grids, parts) in [
        (&[][..], ["data.json: no IntGrid layer", "help: in LDtk"]),
        (&[("Wall.csv", "1,1,0,0\n0,0\n")], ["Wall.csv", "6 cells"]),
        (
            &[("Wall.csv", "1,x,0,0\n0,0,0,0\n")],
            ["Wall.csv", "cell 2 is \"x\""],
        ),
        (&[("Wall.csv", "")], ["Wall.csv", "do not fit"]),
        (&[("Wall.csv", "1,1,0,0\n")], ["Wall.csv", "do not fit"]),
    ] {
        let error = read(grids, &rules).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }
}

// The last column and row of a layer may lie partly outside the level.
#[test]
fn the_last_cells_need_not_be_whole() {
    let read = |size: [u32; 2], csv: &str| {
        let data = DATA.replace("\"width\": 64", &format!("\"width\": {}", size[0]));
        let data = data.replace("\"height\": 32", &format!("\"height\": {}", size[1]));
        let mut files = MemoryFiles::default();
        files.insert("Collisions.csv", csv);
        let level = read_bytes("data.json", data.as_bytes(), &files, &Rules::default()).unwrap();
        let unsure = |warning: &&String| warning.contains("more sizes fit");
        (
            level.tile_size,
            level.warnings.iter().filter(unsure).count(),
        )
    };
    assert_eq!(
        read([100, 32], "1,1,1,1,1,1,1\n0,0,0,0,0,0,0\n"),
        (Some([16; 2]), 0)
    );
    // 15 and 16 fit.
    assert_eq!(
        read([100, 20], "1,1,1,1,1,1,1\n0,0,0,0,0,0,0\n"),
        (Some([16; 2]), 1)
    );
    assert_eq!(read([48, 40], "1,1\n1,1\n"), (Some([32; 2]), 1));
}

#[test]
fn more_layers_than_the_limit_are_refused() {
    let names: Vec<String> = (0..257)
        .map(|number| format!("Collision {number}.csv"))
        .collect();
    let grids: Vec<_> = names
        .iter()
        .map(|name| (&**name, "1,1,0,0\n0,0,0,0\n"))
        .collect();
    let error = read(&grids, &Rules::default()).unwrap_err().to_string();
    assert!(error.contains("257 CSV files"), "{error}");
    read(&grids[1..], &Rules::default()).unwrap();
}
