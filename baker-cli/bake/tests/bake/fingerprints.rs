//! The fingerprints of settings and of levels.

use navmesh_bake::Settings;
use navmesh_bake::tools::{level_fingerprint, settings_fingerprint};
use navmesh_bake::{
    Collision, Level, LevelMarker, Material, PassDirection, Piece, PixelMap, Rect, Shape,
};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, YAxis};

fn settings() -> Settings {
    let agent = AgentProfile {
        air_acceleration: None,
        ..AgentProfile::ground("ground", 16.0)
    };
    Settings::for_agents(vec![agent])
}

/// A changed hash makes every asset stale, so this value must never change.
#[test]
fn the_hash_of_known_settings_stays_the_same() {
    assert_eq!(
        settings_fingerprint(&settings()).to_string(),
        "d73be902ed97b38c543c3b843e0fe11a"
    );
}

#[test]
fn every_setting_changes_the_hash() {
    type Change = fn(&mut Settings);
    let changes: &[Change] = &[
        |s| s.spacing = Some(8.0),
        |s| s.link_stretch = 1.5,
        |s| s.index_routes = true,
        |s| s.units.pixels_per_unit = 2.0,
        |s| s.units.y_axis = YAxis::Up,
        |s| s.area = Some(Rect::new((0.0, 0.0).into(), (1.0, 2.0).into())),
        |s| s.agents.push(AgentProfile::air("air", 16.0)),
        |s| s.agents[0].name = "other".to_owned(),
        |s| s.agents[0].body[0] += 1.0,
        |s| s.agents[0].body[1] += 1.0,
        |s| s.agents[0].run_speed += 1.0,
        |s| s.agents[0].acceleration += 1.0,
        |s| s.agents[0].deceleration += 1.0,
        |s| s.agents[0].jump_height += 1.0,
        |s| s.agents[0].gravity += 1.0,
        |s| s.agents[0].jump_speed += 1.0,
        |s| s.agents[0].max_jump[0] += 1.0,
        |s| s.agents[0].max_jump[1] += 1.0,
        |s| s.agents[0].max_drop[0] += 1.0,
        |s| s.agents[0].max_drop[1] += 1.0,
        |s| s.agents[0].air_control = !s.agents[0].air_control,
        |s| s.agents[0].step_height += 1.0,
        |s| s.agents[0].max_slope += 1.0,
        |s| s.agents[0].edges = s.agents[0].edges | EdgeSet::PORTAL | EdgeSet::FLY,
        |s| s.agents[0].max_fall_speed = Some(100.0),
        |s| s.agents[0].air_acceleration = Some(100.0),
        |s| s.agents[0].air_jumps += 1,
        |s| s.agents[0].climb_speed += 1.0,
        |s| s.agents[0].ignores_hazards = !s.agents[0].ignores_hazards,
    ];
    let mut seen = vec![settings_fingerprint(&settings())];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = settings();
        change(&mut changed);
        let fingerprint = settings_fingerprint(&changed);
        assert!(!seen.contains(&fingerprint), "change {i}");
        seen.push(fingerprint);
    }
}

fn rect(x: f64, y: f64, right: f64, bottom: f64) -> Rect {
    Rect::new((x, y).into(), (right, bottom).into())
}

fn level() -> Level {
    let piece = |shape, material| Piece {
        shape,
        material,
        origin: 0,
    };
    let points = [(0.0, 0.0), (8.0, 0.0), (4.0, 6.0)].map(Into::into);
    Level {
        source: "a.tmx".to_owned(),
        bounds: rect(0.0, 0.0, 64.0, 32.0),
        tile_size: Some([16, 16]),
        collision: Collision::Shapes(vec![
            piece(Shape::Box(rect(0.0, 16.0, 64.0, 32.0)), Material::Solid),
            piece(Shape::Convex(points.to_vec()), Material::Hazard),
        ]),
        origins: vec!["layer \"ground\"".to_owned()],
        markers: vec![LevelMarker {
            class: "spawn".to_owned(),
            name: "player".to_owned(),
            area: rect(8.0, 16.0, 8.0, 16.0),
            properties: vec![("agent".to_owned(), "ground".to_owned())],
        }],
    }
}

fn pixels() -> Level {
    let mut map = PixelMap::empty(70, 3);
    map.solid.set(69, 2, true);
    Level {
        collision: Collision::Pixels(map),
        ..level()
    }
}

/// A changed hash makes every asset stale, so these values must never change.
#[test]
fn the_hashes_of_known_levels_stay_the_same() {
    assert_eq!(
        [level(), pixels()].map(|level| level_fingerprint(&level).to_string()),
        [
            "6b810c9b5aea9ad04e8452ee6c1af5b4",
            "234106669a7ab7bf44bc36d39cf70807"
        ]
    );
}

#[test]
fn what_the_bake_reads_of_a_level_changes_the_hash() {
    type Change = fn(&mut Level);
    fn piece(level: &mut Level, number: usize) -> &mut Piece {
        match &mut level.collision {
            Collision::Shapes(pieces) => &mut pieces[number],
            Collision::Pixels(_) => panic!("no pieces"),
        }
    }
    fn plane(level: &mut Level) -> &mut PixelMap {
        match &mut level.collision {
            Collision::Pixels(map) => map,
            Collision::Shapes(_) => panic!("no pixels"),
        }
    }
    let changes: &[Change] = &[
        |l| l.bounds.max.x += 1.0,
        |l| l.tile_size = Some([16, 8]),
        |l| l.tile_size = None,
        |l| piece(l, 0).material = Material::OneWay(PassDirection::Up),
        |l| piece(l, 0).material = Material::OneWay(PassDirection::Down),
        |l| piece(l, 0).material = Material::OneWay(PassDirection::Left),
        |l| piece(l, 0).material = Material::OneWay(PassDirection::Right),
        |l| piece(l, 0).material = Material::Ladder,
        |l| piece(l, 1).shape = Shape::Box(rect(0.0, 0.0, 8.0, 6.0)),
        |l| piece(l, 1).shape = Shape::Convex(vec![(0.0, 0.0).into(), (8.0, 0.0).into()]),
        |l| l.collision = Collision::Shapes(Vec::new()),
        |l| l.markers.clear(),
        |l| l.markers[0].class = "waypoint".to_owned(),
        |l| l.markers[0].name = "other".to_owned(),
        |l| l.markers[0].area.min.x += 1.0,
        |l| l.markers[0].properties.clear(),
        |l| l.markers[0].properties[0].0 = "agen".to_owned(),
        |l| l.markers[0].properties[0].1 = "tground".to_owned(),
        |l| *l = pixels(),
        |l| {
            *l = pixels();
            plane(l).solid.set(0, 0, true);
        },
        |l| {
            *l = pixels();
            plane(l).one_way.set(0, 0, true);
        },
        |l| {
            *l = pixels();
            plane(l).hazard.set(0, 0, true);
        },
        |l| {
            *l = pixels();
            plane(l).ladder.set(0, 0, true);
        },
    ];
    let mut seen = vec![level_fingerprint(&level())];
    for (i, change) in changes.iter().enumerate() {
        let mut changed = level();
        change(&mut changed);
        let fingerprint = level_fingerprint(&changed);
        assert!(!seen.contains(&fingerprint), "change {i}");
        seen.push(fingerprint);
    }
    // Names of layers and texts for people do not count.
    let renamed = Level {
        origins: vec!["layer \"rock\"".to_owned()],
        ..level()
    };
    assert_eq!(level_fingerprint(&renamed), level_fingerprint(&level()));
}
