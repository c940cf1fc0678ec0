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
    use super::*;

    #[test]
    fn a_value_cannot_pass_for_another_line() {
        let lines = |name: &str| {
            let agents = vec![AgentProfile::ground(name, 16.0)];
            encode(&Settings::for_agents(agents)).lines().count()
        };
        assert_eq!(lines("ground\nbody 0"), lines("ground"));
    }
}
