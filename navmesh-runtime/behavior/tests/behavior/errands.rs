//! Tasks that last, and perception, by the effects on a real agent in the baked arena.

use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{
    Actor, Context, Perception, Pools, Registry, Status, TaskContext, Tree, TreeDef, TreeState,
};
use navmesh_runtime::Navigator;
use navmesh_runtime::motion::Facing;

const DT: f32 = 1.0 / 60.0;
/// On the ground floor of the arena, and on the bridge.
const GROUND: Vec2 = Vec2::new(96.0, 352.0);
const BRIDGE: Vec2 = Vec2::new(300.0, 272.0);

struct View<'a> {
    actor: &'a mut Actor,
    nav: &'a mut Navigator,
    target: Option<Vec2>,
    is_seen: bool,
}

enum Enemy {}

impl Context for Enemy {
    type View<'a> = View<'a>;
}

impl TaskContext for View<'_> {
    fn actor(&self) -> Option<(&Actor, &Navigator)> {
        Some((self.actor, self.nav))
    }
    fn actor_mut(&mut self) -> Option<(&mut Actor, &mut Navigator)> {
        Some((self.actor, self.nav))
    }
    fn target(&self) -> Option<Vec2> {
        self.target
    }
    fn on_screen(&self) -> bool {
        self.is_seen
    }
}

/// A walker in the arena that runs a tree of one task.
struct Game {
    nav: Navigator,
    actor: Actor,
    state: TreeState<Enemy>,
    target: Option<Vec2>,
    is_seen: bool,
}

fn tree(task: &str, params: &str) -> Arc<Tree<Enemy>> {
    let file = format!("(root: task(task: {task:?}, params: {{{params}}}))");
    let def: TreeDef = ron::from_str(&file).expect("it is RON");
    Registry::with_agent_tasks()
        .build(&def)
        .expect("a valid tree")
}

impl Game {
    fn new(task: &str, params: &str, at: Vec2) -> Self {
        let level = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/levels/arena.navmesh");
        let nav = Navigator::load(level).expect("a valid asset");
        let actor = Actor::from(nav.agent("walker", at).expect("it is there"));
        let state = tree(task, params)
            .state(&Pools::default())
            .expect("no pools");
        let mut game = Self {
            nav,
            actor,
            state,
            target: None,
            is_seen: true,
        };
        for _ in 0..30 {
            game.actor.agent.update(&mut game.nav, DT);
        }
        game
    }

    fn position(&self) -> Vec2 {
        self.actor.agent.pose().position
    }

    fn tick(&mut self) -> Status {
        self.actor.agent.update(&mut self.nav, DT);
        let mut view = View {
            actor: &mut self.actor,
            nav: &mut self.nav,
            target: self.target,
            is_seen: self.is_seen,
        };
        if let Some(mut perception) = view.perception() {
            perception.update(&view, DT);
            view.actor.perception = Some(perception);
        }
        self.state.tick(&mut view, DT).status
    }

    /// Ticks until the task completes, at most that many seconds.
    fn finish(&mut self, seconds: f32) -> Status {
        for _ in 0..(seconds / DT) as u32 {
            let status = self.tick();
            if status != Status::Running {
                return status;
            }
        }
        Status::Running
    }

    fn ends(&self, at: Vec2) -> [Vec2; 2] {
        let layer = self.nav.layer_of(&self.actor.agent).expect("its layer");
        layer.platform_ends(at).expect("a platform")
    }

    fn set(&mut self, key: &str, at: Vec2) {
        let key = self
            .state
            .tree()
            .key::<Vec2>(key)
            .expect("the key of the task");
        self.state.board.set(key, at).expect("the tree's");
    }
}

#[test]
fn a_patrol_visits_its_points_or_both_ends_of_its_platform() {
    let points = [Vec2::new(280.0, 272.0), Vec2::new(340.0, 272.0)];
    for (params, goals) in [
        ("\"look\": true", None),
        (
            "\"points\": [(280, 272), (340, 272)], \"pause\": 0.5",
            Some(points),
        ),
    ] {
        let mut game = Game::new("patrol", params, BRIDGE);
        let goals = goals.unwrap_or_else(|| game.ends(BRIDGE));
        let mut visits = Vec::new();
        let mut turns = 0;
        for _ in 0..60 * 60 {
            let facing = game.actor.agent.pose().facing;
            let before = game.position();
            assert_eq!(game.tick(), Status::Running);
            turns +=
                u32::from(game.position() == before && game.actor.agent.pose().facing != facing);
            let near = |goal: &Vec2| goal.distance(game.position()) < 0.5;
            if let Some(goal) = goals.iter().position(near)
                && visits.last() != Some(&goal)
            {
                visits.push(goal);
            }
        }
        assert!(visits.len() >= 10, "{visits:?}");
        assert!(visits.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(
            params != "\"look\": true" || turns as usize >= visits.len() - 2,
            "{turns} turns at {} ends",
            visits.len()
        );
    }
}

#[test]
fn an_agent_returns_to_its_post_from_beyond_its_leash() {
    let mut game = Game::new("return_to_post", "\"leash\": 100", GROUND);
    assert_eq!(game.tick(), Status::Failure, "it is at its post");
    game.actor.agent.go_to(BRIDGE);
    let mut farthest = 0.0_f32;
    for _ in 0..120 {
        game.actor.agent.update(&mut game.nav, DT);
        farthest = farthest.max(game.position().distance(GROUND));
    }
    assert!(farthest > 100.0);
    assert_eq!(game.finish(20.0), Status::Success);
    assert!(game.position().distance(GROUND) < 1.0);
    assert_eq!(game.tick(), Status::Failure);
}

// It stays at its distance, follows up to the bridge, jumps when the leader does, and teleports
// only where that is not seen.
#[test]
fn a_follower_stays_near_its_leader() {
    let mut game = Game::new("follow", "\"distance\": 24, \"teleport\": 600", GROUND);
    for leader in [Vec2::new(200.0, 352.0), BRIDGE, GROUND] {
        game.set("leader", leader);
        assert_eq!(game.finish(15.0), Status::Running);
        let away = game.position().distance(leader);
        assert!((8.0..=48.0).contains(&away), "{away} from {leader}");
    }
    let highest = |game: &mut Game| {
        let ticks = (0..60).map(|_| {
            game.tick();
            game.position().y
        });
        ticks.fold(f32::INFINITY, f32::min)
    };
    let here = game.position();
    assert_eq!(highest(&mut game), here.y);
    game.set("leader", GROUND - Vec2::Y * 20.0);
    assert!(highest(&mut game) < here.y - 8.0, "it jumps too");
    // Where no path leads.
    game.set("leader", Vec2::new(-4000.0, 0.0));
    game.finish(6.0);
    assert!(game.position().distance(GROUND) < 400.0, "it is seen");
    let above = Vec2::new(640.0, 128.0);
    let mut game = Game::new("follow", "\"distance\": 24, \"teleport\": 100", GROUND);
    game.set("leader", above);
    game.is_seen = false;
    let mut jumps = 0;
    for _ in 0..60 * 20 {
        let before = game.position();
        game.tick();
        jumps += u32::from(before.distance(game.position()) > 60.0);
    }
    assert!(
        jumps <= 1 && game.position().distance(above) < 60.0,
        "{}",
        game.position()
    );
}

#[test]
fn an_agent_keeps_its_distance_and_faces_the_target() {
    let mut game = Game::new("keep_distance", "\"near\": 60, \"far\": 120", GROUND);
    let [left, right] = game.ends(GROUND);
    for x in [GROUND.x + 10.0, GROUND.x - 10.0, GROUND.x + 60.0] {
        let target = Vec2::new(x.clamp(left.x, right.x), GROUND.y);
        game.target = Some(target);
        game.finish(6.0);
        let away = game.position().distance(target);
        assert!((60.0..=120.0).contains(&away), "{away} from {target}");
        let is_left = target.x < game.position().x;
        assert_eq!(game.actor.agent.pose().facing == Facing::Left, is_left);
    }
}

#[test]
fn an_agent_flees_until_it_is_safe() {
    let mut game = Game::new("flee_to", "\"safe\": 80", GROUND);
    game.set("refuge", BRIDGE);
    game.target = Some(GROUND + Vec2::X * 4.0);
    assert_eq!(game.finish(20.0), Status::Success);
    let away = game.position().distance(GROUND);
    assert!((75.0..=120.0).contains(&away), "{away}");
    let mut game = Game::new("flee_to", "", GROUND);
    game.set("refuge", BRIDGE);
    game.target = Some(GROUND);
    assert_eq!(game.finish(20.0), Status::Success);
    assert!(game.position().distance(BRIDGE) < 1.0);
}

// It goes to where it saw the target, then to both ends of every platform near, and gives up.
#[test]
fn a_search_sweeps_the_platforms_around() {
    let mut game = Game::new("search", "\"radius\": 120, \"pause\": 0.2", GROUND);
    game.actor.perception = Some(Perception {
        known: Some(BRIDGE),
        memory: 0.5,
        ..Perception::default()
    });
    let layer = game.nav.layer_of(&game.actor.agent).expect("its layer");
    let mut ends = vec![BRIDGE];
    for platform in layer.platforms() {
        let [left, right] = [platform.left(), platform.right()];
        let x = BRIDGE.x.clamp(left.x, right.x);
        if Vec2::new(x, left.y).distance(BRIDGE) <= 100.0 && left.y == right.y {
            ends.extend([left, right]);
        }
    }
    assert!(ends.len() >= 3, "{ends:?}");
    let mut status = Status::Running;
    for _ in 0..60 * 240 {
        status = game.tick();
        let here = game.position();
        ends.retain(|end| end.distance(here) > 2.0);
        if status != Status::Running {
            break;
        }
    }
    assert_eq!(status, Status::Failure, "there is no target");
    assert!(ends.is_empty(), "never at {ends:?}");
    // It ends as soon as it sees the target.
    game.actor.perception = Some(Perception {
        known: Some(game.position()),
        range: 400.0,
        angle: 180.0,
        ..Perception::default()
    });
    game.target = Some(game.position());
    assert_eq!(game.finish(1.0), Status::Success);
}

#[test]
fn a_pursuer_goes_to_where_it_last_saw_its_target() {
    let mut game = Game::new("pursue", "\"range\": 10, \"floor\": true", GROUND);
    game.actor.perception = Some(Perception {
        range: 300.0,
        angle: 180.0,
        memory: 20.0,
        ..Perception::default()
    });
    let seen = GROUND + Vec2::X * 60.0;
    game.target = Some(seen);
    game.tick();
    // Out of sight at once, and far away.
    game.target = Some(Vec2::new(4000.0, -900.0));
    assert_eq!(game.finish(20.0), Status::Failure);
    assert!(game.position().distance(seen) < 2.0, "{}", game.position());
    // One that knows all does not stop there.
    let mut game = Game::new("pursue", "\"range\": 10, \"floor\": true", GROUND);
    game.target = Some(BRIDGE);
    assert_eq!(game.finish(20.0), Status::Success);
    assert!(game.position().distance(BRIDGE) <= 10.0);
}

#[test]
fn perception_is_a_cone_and_a_circle_with_a_memory() {
    let mut game = Game::new("knows_target", "", GROUND);
    let perception = Perception {
        range: 100.0,
        angle: 45.0,
        hearing: 10.0,
        memory: 1.0,
        ..Perception::default()
    };
    let is_left = game.actor.agent.pose().facing == Facing::Left;
    let facing = if is_left { Vec2::NEG_X } else { Vec2::X };
    for (away, knows) in [
        (facing * 60.0, true),
        (facing * 101.0, false),
        (facing * -60.0, false),
        (facing * -9.0, true),
        (facing * 30.0 - Vec2::Y * 29.0, true),
        (facing * 30.0 - Vec2::Y * 31.0, false),
    ] {
        game.actor.perception = Some(perception);
        game.target = Some(GROUND + away);
        assert_eq!(game.tick() == Status::Success, knows, "{away}");
        game.target = None;
        let remembers = (0..120).filter(|_| game.tick() == Status::Success).count();
        assert_eq!(remembers, if knows { 60 } else { 0 });
    }
}
