//! Jumps onto steps below low ceilings, in bitmaps: the upward speed must be right to a
//! few percent. Compared with a search over speeds and small time steps.

use navmesh_bake::{Collision, Level, NoProgress, PixelMap, Settings, bake};
use navmesh_runtime::mesh::{AgentProfile, PlatformId};

const COLUMNS: u32 = 160;
/// Where the step is, and the height of the lower floor.
const STEP: u32 = 80;
const FLOOR: u32 = 72;

/// A floor with a step up in the middle, and a ceiling over all of it.
#[derive(Debug)]
struct Tunnel {
    /// Height of the step.
    step: u32,
    /// Pixels between the ceiling and the head of a body on the step.
    room: u32,
    agent: AgentProfile,
}

impl Tunnel {
    fn ceiling(&self) -> u32 {
        FLOOR - self.step - self.room - self.agent.body[1] as u32
    }

    fn level(&self) -> Level {
        let mut map = PixelMap::empty(COLUMNS, FLOOR + 8);
        for y in 0..self.ceiling() {
            map.solid.set_run(y, 0, COLUMNS);
        }
        for y in FLOOR - self.step..FLOOR + 8 {
            map.solid
                .set_run(y, if y < FLOOR { STEP } else { 0 }, COLUMNS);
        }
        let [width, height] = [COLUMNS, FLOOR + 8].map(f64::from);
        Level::in_memory("tunnel", Collision::Pixels(map), width, height)
    }

    fn is_linked(&self) -> bool {
        let settings = Settings::for_agents(vec![self.agent.clone()]);
        let mesh = bake(&self.level(), &settings, &NoProgress).unwrap();
        let layer = &mesh.layers()[0];
        let at = |right: bool| {
            let found = layer
                .platforms()
                .find(|p| (p.left().x > f64::from(STEP) as f32 * 0.8) == right);
            found.map(|p| p.id)
        };
        let [low, high]: [Option<PlatformId>; 2] = [at(false), at(true)];
        assert!(low.is_some() && high.is_some() && low != high, "{self:?}");
        let mut links = layer.links().iter();
        links.any(|l| Some(l.from_platform) == low && Some(l.to_platform) == high)
    }

    /// Whether any jump with one horizontal speed leads onto the step.
    fn can_jump(&self) -> bool {
        let most = f64::from(self.agent.jump_speed);
        (1..=1000)
            .any(|k| (1..32).any(|away| self.lands(most * f64::from(k) / 1000.0, f64::from(away))))
    }

    /// Whether a body lands on the step that jumps `away` from it, with the horizontal
    /// speed that takes it over the edge of the step when it is highest.
    fn lands(&self, speed: f64, away: f64) -> bool {
        let [width, height] = self.agent.body.map(f64::from);
        let gravity = f64::from(self.agent.gravity);
        let across = away * gravity / speed;
        if across > f64::from(self.agent.run_speed) {
            return false;
        }
        let top = f64::from(self.step);
        let most = f64::from(FLOOR - self.ceiling()) - height;
        let mut time = 0.0;
        loop {
            time += 1e-3;
            let up = speed * time - 0.5 * gravity * time * time;
            // How far the front side is beyond the edge.
            let beyond = across * time - away;
            if up > most || up < 0.0 {
                return false;
            }
            if beyond > 0.0 && up < top {
                return up > top - 0.5 && speed < gravity * time && beyond < width;
            }
        }
    }
}

#[test]
fn steps_below_low_ceilings_are_jumped_onto() {
    let mut count = 0;
    for (air_control, air_acceleration) in [(false, None), (true, None), (true, Some(720.0))] {
        for (step, room) in (13..24).flat_map(|step| [(step, 1), (step, 2)]) {
            // Agents that jump 3 and 10 times as high.
            for tile in [16.0, 48.0] {
                let agent = AgentProfile {
                    body: [12.0, 20.0],
                    air_control,
                    air_acceleration,
                    ..AgentProfile::ground("hops", tile)
                };
                let tunnel = Tunnel { step, room, agent };
                assert!(tunnel.can_jump(), "{tunnel:?}");
                assert!(tunnel.is_linked(), "{tunnel:?}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 132);
}
