//! Hashes of a level and of settings: they show whether an asset is stale,
//! without another bake.

use std::fmt::Write as _;
use std::hash::Hasher;

use glam::DVec2;
use navmesh_runtime::mesh::{
    AgentProfile, BitGrid, Fingerprint, MarkerKind, Units, YAxis, marker_kind,
};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::level::{Collision, Level, Material, PassDirection, PixelMap, Rect, Shape};
use crate::settings::Settings;

/// The revision of this baker. Bakers of one revision make the same bytes of
/// the same level and settings: increase it whenever they would not.
pub const BAKER_REVISION: u32 = 25;

/// The hash of what a bake reads of a level: its extent, its tile size,
/// collision geometry and markers. Names of layers, and everything in the files
/// that is only drawn, do not count.
///
/// The order and the form of the values are part of the fingerprint of every
/// asset that was ever baked, so they must not change.
pub fn level_fingerprint(level: &Level) -> Fingerprint {
    // Without `..`, so that a new field does not compile until it is decided
    // whether the bake reads it.
    let Level {
        source: _, // compared by itself
        bounds,
        tile_size,
        collision,
        origins: _,
        markers,
    } = level;
    let mut out = LevelHasher(SipHasher13::new());
    out.rect(bounds);
    let [width, height] = tile_size.unwrap_or_default();
    out.integer(u64::from(width));
    out.integer(u64::from(height));
    match collision {
        Collision::Shapes(pieces) => {
            out.integer(0);
            out.integer(pieces.len() as u64);
            for piece in pieces {
                out.integer(material_code(piece.material));
                out.shape(&piece.shape);
            }
        }
        Collision::Pixels(map) => {
            out.integer(1);
            let PixelMap {
                solid,
                one_way,
                hazard,
                ladder,
            } = map;
            for plane in [solid, one_way, hazard, ladder] {
                out.plane(plane);
            }
        }
    }
    out.integer(markers.len() as u64);
    for marker in markers {
        out.text(&marker.class);
        out.text(&marker.name);
        out.rect(&marker.area);
        out.integer(marker.properties.len() as u64);
        for (name, value) in &marker.properties {
            out.text(name);
            out.text(value);
        }
    }
    // Before they had a meaning, these classes were baked as other markers are.
    let has_new = markers.iter().any(|marker| {
        let class = marker.class.trim();
        matches!(marker_kind(class), MarkerKind::Link | MarkerKind::Spring)
            || class.eq_ignore_ascii_case("breakable")
    });
    if has_new {
        out.text("links");
    }
    Fingerprint(out.0.finish128().as_bytes())
}

/// The number of a material in fingerprints.
const fn material_code(material: Material) -> u64 {
    match material {
        Material::Solid => 0,
        Material::OneWay(PassDirection::Up) => 1,
        Material::OneWay(PassDirection::Down) => 2,
        Material::OneWay(PassDirection::Left) => 3,
        Material::OneWay(PassDirection::Right) => 4,
        Material::Hazard => 5,
        Material::Ladder => 6,
    }
}

/// Hashes values in a form that is the same on every machine.
struct LevelHasher(SipHasher13);

impl LevelHasher {
    fn integer(&mut self, value: u64) {
        self.0.write(&value.to_le_bytes());
    }

    fn number(&mut self, value: f64) {
        // Adding zero makes -0 the same as 0, as it is for a bake.
        self.integer((value + 0.0).to_bits());
    }

    fn text(&mut self, text: &str) {
        self.integer(text.len() as u64);
        self.0.write(text.as_bytes());
    }

    fn point(&mut self, point: DVec2) {
        self.number(point.x);
        self.number(point.y);
    }

    fn rect(&mut self, rect: &Rect) {
        self.point(rect.min);
        self.point(rect.max);
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Box(rect) => {
                self.integer(0);
                self.rect(rect);
            }
            Shape::Convex(points) => {
                self.integer(points.len() as u64);
                for &point in points {
                    self.point(point);
                }
            }
        }
    }

    fn plane(&mut self, plane: &BitGrid) {
        self.integer(u64::from(plane.columns()));
        self.integer(u64::from(plane.rows()));
        for row in 0..plane.rows() {
            for &word in plane.row(row) {
                self.integer(word);
            }
        }
    }
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
        index_routes,
        units: Units {
            pixels_per_unit,
            y_axis,
        },
        area,
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
    if *index_routes {
        out.line("index_routes", "true");
    }
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
        air_acceleration,
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
    // Without a limit there is no line, as before there was the setting.
    if let Some(acceleration) = air_acceleration {
        out.numbers("air_acceleration", &[*acceleration]);
    }
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
