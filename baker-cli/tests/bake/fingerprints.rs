//! The fingerprint of the settings.

use baker_cli::bake::{Settings, settings_fingerprint};
use baker_cli::source::Rect;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet, YAxis};

fn settings() -> Settings {
    Settings::for_agents(vec![AgentProfile::ground("ground", 16.0)])
}

/// A changed hash makes every asset stale, so this value must never change.
#[test]
fn the_hash_of_known_settings_stays_the_same() {
    assert_eq!(
        settings_fingerprint(&settings()).to_string(),
        "55f3086f6afb247207382ccd8ab336e6"
    );
}

#[test]
fn every_setting_changes_the_hash() {
    type Change = fn(&mut Settings);
    let changes: &[Change] = &[
        |s| s.spacing = Some(8.0),
        |s| s.link_stretch = 1.5,
        |s| s.units.pixels_per_unit = 2.0,
        |s| s.units.y_axis = YAxis::Up,
        |s| s.area = Some(Rect::new((0.0, 0.0).into(), (1.0, 2.0).into())),
        |s| s.reading = "other rules".to_owned(),
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
