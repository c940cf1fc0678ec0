//! Hashes that show whether an asset is stale, without another bake.

use std::fmt::Write as _;
use std::hash::Hasher;

use navmesh_runtime::mesh::{AgentProfile, Fingerprint, Units, YAxis};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::bake::settings::Settings;
use crate::source::Level;

/// The revision of this baker. Bakers of one revision make the same bytes of
/// the same level and settings: increase it whenever they would not.
pub const BAKER_REVISION: u32 = 4;

/// The hash of every file that a level was read from: names and contents.
pub(crate) fn source_fingerprint(level: &Level) -> Fingerprint {
    let mut hasher = SipHasher13::new();
    for input in &level.inputs {
        hasher.write(input.name.as_bytes());
        hasher.write(&[0]);
        hasher.write(&input.hash);
    }
    Fingerprint(hasher.finish128().as_bytes())
}

/// The hash of the settings.
pub fn settings_fingerprint(settings: &Settings) -> Fingerprint {
    let mut hasher = SipHasher13::new();
    hasher.write(encode(settings).as_bytes());
    Fingerprint(hasher.finish128().as_bytes())
}

/// The settings as text, one line for each value.
///
/// The names and their order are part of the fingerprint of every asset that
/// was ever baked, so they must not change, even when fields are renamed. A new
/// setting adds a line only where it differs from its default.
fn encode(settings: &Settings) -> String {
    let Settings {
        agents,
        spacing,
        link_stretch,
        units: Units {
            pixels_per_unit,
            y_axis,
        },
        area,
        reading,
    } = settings;
    let mut out = Lines::default();
    for agent in agents {
        encode_agent(agent, &mut out);
    }
    out.numbers("spacing", spacing.as_slice());
    out.numbers("link_stretch", &[*link_stretch]);
    out.numbers("pixels_per_unit", &[*pixels_per_unit]);
    let y_axis = match y_axis {
        YAxis::Down => "down",
        YAxis::Up => "up",
    };
    out.line("y_axis", y_axis);
    if let Some(area) = area {
        let corners = [area.min.x, area.min.y, area.max.x, area.max.y];
        let bits = corners.map(|v| format!("{:016x}", v.to_bits()));
        out.line("area", &bits.join(" "));
    }
    out.line("reading", reading);
    out.0
}

fn encode_agent(agent: &AgentProfile, out: &mut Lines) {
    // Without `..`, so that a new field does not compile until it has a line.
    let AgentProfile {
        name,
        body,
        run_speed,
        acceleration,
        deceleration,
        jump_height,
        gravity,
        jump_speed,
        max_jump,
        max_drop,
        air_control,
        step_height,
        max_slope,
        edges,
        max_fall_speed,
        air_jumps,
        climb_speed,
        ignores_hazards,
    } = agent;
    out.line("agent", name);
    out.numbers("body", body);
    out.numbers("run_speed", &[*run_speed]);
    out.numbers("acceleration", &[*acceleration]);
    out.numbers("deceleration", &[*deceleration]);
    out.numbers("jump_height", &[*jump_height]);
    out.numbers("gravity", &[*gravity]);
    out.numbers("jump_speed", &[*jump_speed]);
    out.numbers("max_jump", max_jump);
    out.numbers("max_drop", max_drop);
    out.line("air_control", &air_control.to_string());
    out.numbers("step_height", &[*step_height]);
    out.numbers("max_slope", &[*max_slope]);
    let edges: Vec<&str> = edges.names().collect();
    out.line("edges", &edges.join(" "));
    out.numbers("max_fall_speed", max_fall_speed.as_slice());
    out.line("air_jumps", &air_jumps.to_string());
    out.numbers("climb_speed", &[*climb_speed]);
    out.line("ignores_hazards", &ignores_hazards.to_string());
}

/// Text made of lines `name value`.
#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a line. Line breaks inside the value are escaped, so that a value
    /// does not look like another line.
    fn line(&mut self, name: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('\n', "\\n");
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{name} {value}");
    }

    /// Adds a line of numbers as the bits of IEEE 754, which do not depend on
    /// how numbers are formatted.
    fn numbers(&mut self, name: &str, values: &[f32]) {
        let bits: Vec<String> = values
            .iter()
            .map(|v| format!("{:08x}", v.to_bits()))
            .collect();
        self.line(name, &bits.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use navmesh_runtime::mesh::EdgeSet;

    use super::*;
    use crate::source::Rect;

    fn settings() -> Settings {
        Settings::for_agents(vec![AgentProfile::ground("ground", 16.0)])
    }

    /// A changed hash makes every asset stale, so this value must never change.
    #[test]
    fn the_hash_of_known_settings_stays_the_same() {
        assert_eq!(
            settings_fingerprint(&settings()).to_string(),
            "55f3086f6afb247207382ccd8ab336e6",
            "{}",
            encode(&settings())
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

    #[test]
    fn a_value_cannot_pass_for_another_line() {
        let mut changed = settings();
        changed.agents[0].name = "ground\nbody 0".to_owned();
        assert_eq!(
            encode(&changed).lines().count(),
            encode(&settings()).lines().count()
        );
    }
}
