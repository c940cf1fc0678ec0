//! An enemy that chases and bites a player who stands where its own feet cannot be.

use glam::Vec2;
use navmesh_behavior::{
    Actor, AgentTask, Context, CueStep, NodeKind, Pools, Status, TaskContext, Tree, Wait,
};
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::{Layer, Platform, PlatformKind};
use navmesh_runtime::search::{Doors, line_of_sight};

struct View<'a> {
    actor: &'a mut Actor,
    nav: &'a mut Navigator,
    player: Vec2,
    body: Option<[f32; 2]>,
    bites: &'a mut u32,
}

impl TaskContext for View<'_> {
    fn actor(&self) -> Option<(&Actor, &Navigator)> {
        Some((self.actor, self.nav))
    }

    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Navigator)> {
        Some((self.actor, self.nav))
    }

    fn target(&self) -> Option<Vec2> {
        Some(self.player)
    }

    fn target_body(&self) -> Option<[f32; 2]> {
        self.body
    }

    fn cue(&mut self, _name: &str, _step: CueStep) -> Status {
        *self.bites += 1;
        Status::Success
    }
}

enum Enemy {}

impl Context for Enemy {
    type View<'a> = View<'a>;
}

/// The bites in ten seconds of an enemy that begins at a position.
fn fight(nav: &mut Navigator, from: Vec2, player: Vec2, body: Option<[f32; 2]>) -> u32 {
    const DT: f32 = 1.0 / 60.0;
    let pursue = AgentTask::Pursue {
        range: 24.0,
        sight: false,
        floor: true,
        seconds: 10.0,
    };
    let tree = Tree::<Enemy>::builder("biter")
        .node("forever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.sequence("attack").inside(|b| {
                let bite = AgentTask::RangedAttack { cue: "bite".into() };
                b.task("chase", pursue)
                    .task("bite", bite)
                    .task("recover", Wait { seconds: 0.5 })
            })
        });
    let (tree, mut bites) = (tree.build().unwrap(), 0);
    let mut state = tree.state(&Pools::default()).expect("no pools");
    let mut actor = Actor::from(nav.agent("walker", from).unwrap());
    for _ in 0..600 {
        actor.agent.update(nav, DT);
        let (actor, bites) = (&mut actor, &mut bites);
        let mut view = View {
            actor,
            nav,
            player,
            body,
            bites,
        };
        state.tick(&mut view, DT);
    }
    bites
}

/// Whether a wall, and not a drop, is at the end of a platform.
fn is_at_wall(layer: &Layer, end: Vec2, side: f32) -> bool {
    let [width, height] = layer.profile().body;
    let middle = end - Vec2::new(0.0, height / 2.0);
    let beyond = middle + Vec2::new(side * (width / 2.0 + 1.0), 0.0);
    !line_of_sight(layer, &Doors::new(), middle, beyond)
}

/// Next to a wall, a narrower player is nearer to it than the enemy can be; at a drop, a
/// wider one stands farther out.
#[test]
fn a_player_at_the_end_of_a_platform_is_bitten() {
    let (mut walls, mut drops) = (0, 0);
    for level in ["arena", "rooms"] {
        let path = format!("{}/levels/{level}.navmesh", env!("CARGO_MANIFEST_DIR"));
        let mut nav = Navigator::load(path).unwrap();
        let mesh = nav.mesh().clone();
        let Some(layer) = mesh.layer_named("walker") else {
            continue;
        };
        let own = layer.profile().body;
        let is_wide = |on: &Platform<'_>| {
            on.kind == PlatformKind::Floor && on.right().x - on.left().x > 4.0 * own[0]
        };
        for on in layer.platforms().filter(is_wide) {
            let middle = on.clamp(f32::midpoint(on.left().x, on.right().x));
            for (end, side) in [(on.left(), -1.0), (on.right(), 1.0)] {
                let at_wall = is_at_wall(layer, end, side);
                let count = if at_wall { &mut walls } else { &mut drops };
                *count += 1;
                for share in [0.2, 0.6, 1.6] {
                    let body = [own[0] * share, own[1]];
                    let aside = (body[0] - own[0]) / 2.0 * if at_wall { -1.0 } else { 1.0 };
                    let player = end + Vec2::new(side * aside, 0.0);
                    // The game may not know how large the player is.
                    for body in [Some(body), None] {
                        let bites = fight(&mut nav, middle, player, body);
                        assert!(
                            bites >= 10,
                            "{level}: {bites} bites of {body:?} at {player}"
                        );
                    }
                }
            }
        }
    }
    assert!(walls >= 4 && drops >= 8, "{walls} walls, {drops} drops");
}
