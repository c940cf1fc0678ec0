//! What an agent can do, set in the inspector.

use godot::classes::{CollisionShape2D, ProjectSettings, Resource};
use godot::prelude::*;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use serde_json::{Map, Value as Json};

/// The body, speeds and jumps of a kind of enemy. The defaults are those of Godot's template
/// for `CharacterBody2D`: speed 300, jump velocity 400, and the project's gravity.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub struct NavbakeProfile {
    /// The name by which agents choose this profile.
    #[export]
    #[init(val = "ground".into())]
    agent_name: GString,
    /// Width and height of the body in pixels.
    #[export]
    #[init(val = Vector2::new(12.0, 16.0))]
    body_size: Vector2,
    /// How far `CharacterBody2D` keeps away from what it touches: its `safe_margin`. The bake
    /// adds it to each side of the body, so that a passage as high as the body is too low.
    #[export(range = (0.0, 4.0, suffix = "px"))]
    #[init(val = 0.08)]
    safe_margin: f32,
    /// Pixels per second, on the floor and in the air.
    #[export(range = (1.0, 2000.0, or_greater, suffix = "px/s"))]
    #[init(val = 300.0)]
    speed: f32,
    /// Upward speed at the begin of a jump, above 0. Without a jump, 0.
    #[export(range = (0.0, 2000.0, or_greater, suffix = "px/s"))]
    #[init(val = 400.0)]
    jump_velocity: f32,
    /// Downward acceleration; 0 takes that of the project.
    #[export(range = (0.0, 4000.0, or_greater, suffix = "px/s²"))]
    gravity: f32,
    /// Greatest falling speed; 0 for no limit.
    #[export(range = (0.0, 4000.0, or_greater, suffix = "px/s"))]
    max_fall_speed: f32,
    /// Greatest change of the speed on the floor; 0 for 10 times the speed per second.
    #[export(range = (0.0, 10000.0, or_greater, suffix = "px/s²"))]
    acceleration: f32,
    /// Greatest change of the speed in the air; 0 for 8 times the speed per second.
    #[export(range = (0.0, 10000.0, or_greater, suffix = "px/s²"))]
    air_acceleration: f32,
    /// How many times it can jump again in the air.
    #[export(range = (0.0, 3.0))]
    air_jumps: i64,
    /// How deep it drops at most.
    #[export(range = (0.0, 4000.0, or_greater, suffix = "px"))]
    #[init(val = 480.0)]
    max_drop: f32,
    /// The steepest floor it walks on: `floor_max_angle` of its `CharacterBody2D`.
    #[export(range = (0.0, 89.0, suffix = "°"))]
    #[init(val = 45.0)]
    max_slope: f32,
    /// Height of steps that it walks up: 0, because `CharacterBody2D` does not.
    #[export(range = (0.0, 32.0, or_greater, suffix = "px"))]
    step_height: f32,
    /// Whether it drops through one-way platforms.
    #[export]
    #[init(val = true)]
    drop_through: bool,
    /// Whether it flies, instead of walking and jumping.
    #[export]
    flies: bool,
    /// Speed on ladders; 0 for an agent that does not climb.
    #[export(range = (0.0, 1000.0, or_greater, suffix = "px/s"))]
    climb_speed: f32,
    /// Whether it climbs walls and ceilings too.
    #[export]
    climbs_walls: bool,
    /// Whether it passes through hazards.
    #[export]
    ignores_hazards: bool,
    base: Base<Resource>,
}

#[godot_api]
impl NavbakeProfile {
    /// Sets the body to the size of a collision shape. Returns false if the node has no shape.
    #[func]
    fn set_body_from(&mut self, shape: Gd<CollisionShape2D>) -> bool {
        let size = shape.get_shape().map(|shape| shape.get_rect().size);
        self.body_size = size.map_or(self.body_size, |size| size * shape.get_scale().abs());
        size.is_some()
    }

    /// The table for the `navbake.toml` of the command, which then bakes for the same agent.
    #[func]
    fn get_toml(&self) -> GString {
        // Numbers, texts and lists are written as in JSON.
        let text = serde_json::to_string(&self.agent(project_gravity()));
        let keys = text.and_then(|text| serde_json::from_str::<Map<String, Json>>(&text));
        let is_key =
            |key: &str| key != "jump_speed" && (key != "climb_speed" || self.climb_speed > 0.0);
        let keys = keys.into_iter().flatten().filter(|(key, _)| is_key(key));
        let lines = keys.map(|(key, value)| format!("{key} = {value}\n"));
        GString::from(&format!("[[agent]]\n{}", lines.collect::<String>()))
    }
}

/// The gravity of the project.
pub fn project_gravity() -> f32 {
    let setting = ProjectSettings::singleton().get_setting("physics/2d/default_gravity");
    setting.try_to_relaxed::<f32>().unwrap_or(980.0)
}

impl NavbakeProfile {
    /// The agent for the bake.
    pub fn agent(&self, gravity: f32) -> AgentProfile {
        let gravity = or(self.gravity, gravity);
        let [run, jump] = [self.speed, self.jump_velocity];
        let jump_height = jump * jump / (2.0 * gravity);
        // From take-off to a landing as deep as it drops.
        let seconds = jump / gravity + (2.0 * (jump_height + self.max_drop) / gravity).sqrt();
        let walls = EdgeSet::WALL_CLIMB | EdgeSet::CEILING_CLIMB;
        let edges = [
            (jump > 0.0, EdgeSet::JUMP),
            (self.drop_through, EdgeSet::DROP_THROUGH),
            (self.climb_speed > 0.0, EdgeSet::LADDER),
            (self.climbs_walls, walls),
        ];
        let always = EdgeSet::PORTAL | EdgeSet::FLOOR | EdgeSet::DROP;
        let edges = edges.into_iter().filter(|(has, _)| *has);
        let edges = edges.fold(always, |all, (_, edge)| all | edge);
        let edges = if self.flies { EdgeSet::FLY } else { edges };
        let change = or(self.acceleration, 10.0 * run);
        AgentProfile {
            name: self.agent_name.to_string(),
            body: [self.body_size.x, self.body_size.y].map(|side| side + 2.0 * self.safe_margin),
            run_speed: run,
            acceleration: change,
            deceleration: change,
            jump_height,
            gravity,
            jump_speed: jump,
            max_jump: [run * seconds, jump_height],
            max_drop: [run * seconds, self.max_drop],
            air_control: true,
            air_acceleration: Some(or(self.air_acceleration, 8.0 * run)),
            step_height: self.step_height,
            max_slope: self.max_slope,
            edges,
            max_fall_speed: (self.max_fall_speed > 0.0).then_some(self.max_fall_speed),
            air_jumps: u8::try_from(self.air_jumps.clamp(0, 3)).unwrap_or(0),
            climb_speed: self.climb_speed,
            ignores_hazards: self.ignores_hazards,
        }
    }
}

/// A number of the inspector, where 0 stands for a default.
fn or(value: f32, default: f32) -> f32 {
    if value > 0.0 { value } else { default }
}
