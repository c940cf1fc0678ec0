//! Token and waypoint pools, scores, and the nodes that use pools, by example.

use std::sync::Arc;

use crate::mock;
use crate::mock::{claim_one, free};

use glam::Vec2;
use mock::Mock;
use navmesh_behavior::{
    AgentTask, Context, Measure, Node, NodeKind, Outcome, Priority, Score, Status, Tick, Tree,
    TreeState, Wait,
};
use navmesh_behavior::{Aggression, Pools, Token, TokenPool, Waypoint, WaypointPool};
use navmesh_runtime::mesh::{Grid, Marker, NavMesh, NavMeshParts, Provenance, Units, YAxis};

use Status::{Failure, Running, Success};

#[test]
fn a_pool_grants_as_many_tokens_as_its_aggression_says() {
    for (aggression, tokens) in [
        (Aggression::Low, 1),
        (Aggression::Medium, 2),
        (Aggression::High, 3),
    ] {
        let pool = TokenPool::new(aggression);
        let held: Vec<_> = (0..5).filter_map(|_| pool.request(0)).collect();
        assert_eq!(held.len(), tokens);
        assert_eq!(pool.held(), tokens as u32);
        drop(held);
        assert_eq!(pool.held(), 0);
    }
    assert!(TokenPool::new(0u32).request(9).is_none());
}

// A lower limit takes no token, and grants none until enough are returned.
#[test]
fn the_limit_can_change_while_tokens_are_held() {
    let pool = TokenPool::new(3u32);
    let mut held: Vec<_> = (0..3).filter_map(|_| pool.request(0)).collect();
    pool.set_limit(1u32);
    assert_eq!(pool.held(), 3);
    held.truncate(1);
    assert!(pool.request(0).is_none());
    held.clear();
    let one = pool.request(0);
    assert!(one.is_some() && pool.request(0).is_none());
    pool.set_limit(2u32);
    assert!(pool.request(0).is_some());
}

#[test]
fn the_longest_held_of_the_lowest_priority_is_taken() {
    let pool = TokenPool::new(3u32);
    let [a, b, c] = [1, 0, 0].map(|priority| pool.request(priority).expect("free"));
    assert!(pool.request(0).is_none());
    let taker = pool.request(1).expect("b is weaker");
    assert_eq!([&a, &b, &c].map(Token::is_held), [true, false, true]);
    drop(b);
    assert_eq!(pool.held(), 3, "dropping a lost token returns none");
    drop((a, c, taker));
    assert_eq!(pool.held(), 0);
}

/// A game of three agents: which are on screen, and which attack.
struct Fight {
    on_screen: [bool; 3],
    me: usize,
    attacking: [bool; 3],
}

impl Context for Fight {
    type View<'a> = Self;
}

fn fight() -> Fight {
    Fight {
        on_screen: [false; 3],
        me: 0,
        attacking: [false; 3],
    }
}

struct Attack;
impl Node<Fight> for Attack {
    fn tick(&self, tick: &mut Tick<'_, '_, Fight>) -> Outcome {
        let me = tick.context.me;
        tick.context.attacking[me] = true;
        Running.into()
    }
    fn abort(&self, tick: &mut Tick<'_, '_, Fight>) {
        let me = tick.context.me;
        tick.context.attacking[me] = false;
    }
}

fn attacker(wait: f32) -> Arc<Tree<Fight>> {
    Tree::<Fight>::builder("attacker")
        .node(
            "may attack",
            NodeKind::WithToken {
                pool: "melee".into(),
                wait,
                priority: Priority::default(),
            },
        )
        .priority("", |fight| i32::from(fight.on_screen[fight.me]))
        .inside(|b| b.task("attack", Attack))
        .build()
        .expect("a valid tree")
}

fn tick(fight: &mut Fight, me: usize, state: &mut TreeState<Fight>) -> Status {
    fight.me = me;
    state.tick(fight, 0.5).status
}

#[test]
fn with_token_waits_and_is_taken_from_off_screen_by_on_screen() {
    let (tree, pool) = (attacker(1.0), TokenPool::new(1u32));
    let pools = Pools {
        tokens: [("melee".into(), pool.clone())].into(),
        ..Pools::default()
    };
    let mut states = [0; 3].map(|_| tree.state(&pools).expect("the pool is there"));
    let mut fight = fight();
    let [a, b, c] = &mut states;
    assert_eq!(tick(&mut fight, 0, a), Running);
    assert!(
        fight.attacking[0],
        "granted: the child runs in the same tick"
    );
    let waiting = [0; 3].map(|_| tick(&mut fight, 1, b));
    assert_eq!(waiting, [Running, Running, Failure], "refused for a second");
    fight.on_screen = [false, true, true];
    assert_eq!(tick(&mut fight, 1, b), Running);
    assert_eq!((a.tokens_held(), b.tokens_held(), pool.held()), (1, 0, 1));
    assert_eq!(
        tick(&mut fight, 2, c),
        Running,
        "equal priorities take nothing"
    );
    assert_eq!(fight.attacking, [true, false, false], "a has not stopped");
    assert_eq!(tick(&mut fight, 0, a), Failure);
    assert_eq!(fight.attacking, [false; 3]);
    assert_eq!(tick(&mut fight, 2, c), Running);
    assert_eq!(tick(&mut fight, 1, b), Running);
    assert_eq!((b.tokens_held(), c.tokens_held()), (1, 0), "b asked first");
    assert_eq!(fight.attacking, [false, true, false]);
    // A despawned holder returns its token.
    let [_, b, c] = states;
    drop(b);
    assert_eq!((c.tokens_held(), pool.held()), (1, 1), "it waits");
    drop(c);
    assert_eq!(pool.held(), 0);
}

#[test]
fn a_holder_that_becomes_more_urgent_keeps_its_token() {
    for (comes_on_screen, is_kept) in [(false, false), (true, true)] {
        let pool = TokenPool::new(1u32);
        let pools = Pools {
            tokens: [("melee".into(), pool.clone())].into(),
            ..Pools::default()
        };
        let mut state = attacker(1.0).state(&pools).expect("the pool is there");
        let mut fight = fight();
        assert_eq!(tick(&mut fight, 0, &mut state), Running);
        fight.on_screen[0] = comes_on_screen;
        assert_eq!(tick(&mut fight, 0, &mut state), Running);
        let rival = pool.request(1);
        assert_eq!(rival.is_none(), is_kept);
        let after = tick(&mut fight, 0, &mut state);
        assert_eq!(after, if is_kept { Running } else { Failure });
    }
}

#[test]
fn with_token_can_try_once() {
    let tree = attacker(0.0);
    let pools = Pools {
        tokens: [("melee".into(), TokenPool::new(0u32))].into(),
        ..Pools::default()
    };
    let mut state = tree.state(&pools).expect("the pool is there");
    assert_eq!(tick(&mut fight(), 0, &mut state), Failure);
}

#[test]
fn waypoints_come_from_markers_and_are_claimed_by_one() {
    let marker = |pool: &str, name: &str, position: Vec2, size: Vec2| Marker {
        class: "Waypoint".into(),
        name: name.into(),
        position,
        size,
        properties: vec![("pool".into(), pool.into())],
    };
    let markers = [
        marker("ground", "a", Vec2::new(10.0, 20.0), Vec2::new(8.0, 4.0)),
        marker("air", "b", Vec2::ZERO, Vec2::ZERO),
        marker("Ground", "c", Vec2::ONE, Vec2::ZERO),
    ];
    let down = level_of(YAxis::Down, markers.to_vec());
    let pool = ground_of(&down);
    let expected = [(0, "a", Vec2::new(14.0, 24.0)), (1, "c", Vec2::ONE)];
    let found = pool.waypoints().iter();
    let found: Vec<_> = found.map(|w| (w.index, &*w.name, w.position)).collect();
    assert_eq!(found, expected);
    let up = ground_of(&level_of(YAxis::Up, markers.to_vec()));
    assert_eq!(up.waypoints()[0].position, Vec2::new(14.0, 16.0));

    let claim = claim_one(&pool, 0).expect("free");
    assert!(claim_one(&pool, 0).is_none() && claim_one(&pool, 2).is_none());
    assert!(claim_one(&pool, 1).is_some());
    drop(claim);
    assert!(claim_one(&pool, 0).is_some());
}

/// The pool `ground` of a level.
fn ground_of(mesh: &NavMesh) -> WaypointPool {
    let pools = Pools::from(mesh);
    pools.waypoints["ground"].clone()
}

/// A level that has only markers.
fn level_of(y_axis: YAxis, markers: Vec<Marker>) -> NavMesh {
    let grid = Grid {
        origin: Vec2::ZERO,
        spacing: 8.0,
        columns: 4,
        rows: 4,
        y_axis,
    };
    let provenance = Provenance {
        source: "cave.tmx".into(),
        ..Provenance::default()
    };
    let parts = NavMeshParts {
        provenance,
        units: Units {
            y_axis,
            ..Units::default()
        },
        grid,
        layers: Vec::new(),
        markers,
    };
    NavMesh::new(parts).expect("a valid level")
}

// Markers name their pools and tags.
#[test]
fn pools_come_from_the_properties_of_markers() {
    let marker = |name: &str, pool: &str, tags: &str| Marker {
        class: "waypoint".into(),
        name: name.into(),
        position: Vec2::ZERO,
        size: Vec2::ZERO,
        properties: vec![("pool".into(), pool.into()), ("tags".into(), tags.into())],
    };
    let spawn = Marker {
        class: "spawn".into(),
        ..marker("boss", "", "")
    };
    let markers = vec![
        marker("ledge", "ground", "high, dark"),
        spawn.clone(),
        marker("rafters", "Ground, air", "High"),
        marker("pit", "ground", ""),
        // It names no pool, and the level has no floor there.
        marker("nook", " ,", "dark"),
    ];
    let level = level_of(YAxis::Down, markers);
    let pools = Pools::from(&level);
    let named = pools.waypoints.keys();
    assert_eq!(named.collect::<Vec<_>>(), ["air", "ground"]);
    let names = |pool: &str| -> Vec<String> {
        pools.waypoints[pool]
            .waypoints()
            .iter()
            .map(|w| w.name.to_string())
            .collect()
    };
    assert_eq!(names("ground"), ["ledge", "rafters", "pit"]);
    assert_eq!(names("air"), ["rafters", "nook"]);
    let ground = &pools.waypoints["ground"];
    let dark = Score::<()>::tagged("dark");
    let claim = ground
        .claim(None, |w| dark.of(&(), w))
        .expect("all are free");
    assert_eq!(&*claim.name, "ledge");
    let high = Score::<()>::from(1.0).only_if(Score::tagged("high"));
    let other = ground
        .claim(None, |w| high.of(&(), w))
        .expect("one is left");
    assert_eq!(&*other.name, "rafters");
    assert!(
        ground.claim(None, |w| high.of(&(), w)).is_none(),
        "the pit is low"
    );
}

// Negative is never, the lowest index wins a tie, NaN is never.
#[test]
fn the_best_waypoint_is_claimed() {
    let pool = WaypointPool::new([Vec2::ZERO; 4]);
    let claim = |scores: [f32; 4], except| {
        let claim = pool.claim(except, |w| scores[w.index as usize]);
        claim.map(|claim| claim.index)
    };
    assert_eq!(claim([-1.0, 2.0, 2.0, 1.0], None), Some(1));
    assert_eq!(claim([-1.0, 2.0, 2.0, 1.0], Some(1)), Some(2));
    assert_eq!(claim([-1.0, -0.5, f32::NAN, 0.0], None), Some(3));
    assert_eq!(claim([-1.0, -0.5, f32::NAN, 0.0], Some(3)), None);
    assert_eq!(free(&pool), 4);
}

fn seeker(no_repeat: bool) -> Arc<Tree<Mock>> {
    let builder = Tree::<Mock>::builder("seeker");
    let opened = builder.with_waypoint("seek", "ground", 1.0, Measure::LineOfSight);
    let opened = if no_repeat {
        opened.no_repeat()
    } else {
        opened
    };
    opened
        .inside(|b| {
            b.task("there", Wait { seconds: 0.5 })
                .task("fallback", Wait { seconds: 0.5 })
        })
        .build()
        .expect("a valid tree")
}

fn is_running(state: &TreeState<Mock>, node: u32) -> bool {
    state.running().any(|(running, _)| running == node)
}

#[test]
fn with_waypoint_falls_back_after_a_while_and_claims_no_more() {
    let (tree, pool) = (seeker(false), WaypointPool::new([Vec2::X * -5.0]));
    let pools = Pools {
        waypoints: [("ground".into(), pool.clone())].into(),
        ..Pools::default()
    };
    let mut state = tree.state(&pools).expect("the pool is there");
    let mut world = Mock::at(0.0, 5.0);
    world.walls = vec![1.0];
    let tick = |state: &mut TreeState<Mock>, world: &mut Mock| {
        let status = state.tick(world, 0.5).status;
        world.walk();
        (status, is_running(state, 2), free(&pool))
    };
    assert_eq!(tick(&mut state, &mut world), (Running, false, 1));
    assert_eq!(tick(&mut state, &mut world), (Running, false, 1));
    assert_eq!(tick(&mut state, &mut world), (Running, true, 1), "fallback");
    world.walls.clear();
    assert_eq!(tick(&mut state, &mut world), (Success, false, 1));
    // When it starts again, the waypoint has sight of the target.
    assert_eq!(tick(&mut state, &mut world), (Running, false, 0));
    assert_eq!(state.destination, Some(Vec2::X * -5.0));
    assert_eq!(tick(&mut state, &mut world), (Success, false, 1));
}

#[test]
fn no_repeat_leaves_out_the_last_waypoint_until_restart() {
    let (tree, pool) = (seeker(true), WaypointPool::new([Vec2::X, Vec2::X * 2.0]));
    let pools = Pools {
        waypoints: [("ground".into(), pool)].into(),
        ..Pools::default()
    };
    let mut state = tree.state(&pools).expect("the pool is there");
    let mut world = Mock::at(0.0, 5.0);
    let mut visit = |state: &mut TreeState<Mock>| {
        while !state.tick(&mut world, 0.5).status.is_done() {}
        state.destination.map(|to| to.x)
    };
    assert_eq!([0; 3].map(|_| visit(&mut state)), [1.0, 2.0, 1.0].map(Some));
    state.restart(&mut Mock::default());
    assert_eq!(visit(&mut state), Some(1.0));
    state.reset(&mut Mock::default());
    assert_eq!(visit(&mut state), Some(2.0), "it survives reset");
}

#[test]
fn measures_and_their_combinations() {
    let at = |x: f32, y: f32| Waypoint {
        tags: Box::default(),
        index: 0,
        position: Vec2::new(x, y),
        name: "".into(),
    };
    let mut world = Mock::at(0.0, 10.0);
    world.walls = vec![-5.0];
    let of = |measure: Measure, x: f32, y: f32| Score::<Mock>::from(measure).of(&world, &at(x, y));
    assert_eq!(of(Measure::LineOfSight, 0.0, 0.0), 1.0);
    assert!(of(Measure::LineOfSight, -6.0, 0.0) < 0.0);
    let (near, far, fade) = (3.0, 6.0, 4.0);
    let band = Measure::DistanceBand { near, far, fade };
    for (x, score) in [(5.0, 1.0), (2.0, 0.5), (-10.0, 0.0), (9.0, 0.5)] {
        assert_eq!(of(band, x, 0.0), score, "{x}");
    }
    let high = Measure::DifferentElevation { height: 8.0 };
    assert_eq!([0.0, -4.0, 16.0].map(|y| of(high, 0.0, y)), [0.0, 0.5, 1.0]);
    let away = [(-3.0, 0.0), (3.0, 0.0), (0.0, 3.0)];
    let away = away.map(|(x, y)| of(Measure::AwayFromTarget, x, y));
    assert_eq!(away, [1.0, 0.0, 0.5]);
    let nearby = Measure::NearSelf { distance: 4.0 };
    assert_eq!([0.0, 4.0].map(|x| of(nearby, x, 0.0)), [1.0, 0.5]);

    let score = |score: Score<Mock>, x: f32| score.of(&world, &at(x, 0.0));
    let sight = || Score::from(Measure::LineOfSight);
    let two = || Score::from(2.0);
    assert_eq!(score(sight() + two() + two(), 0.0), 5.0);
    assert_eq!(score(two() * two() * sight(), 0.0), 4.0);
    // No sum, product or weight outweighs "never".
    let never = Score::from(-1.0);
    assert!(score(sight() + 9.0, -6.0) < 0.0);
    assert!(score(sight() * never, -6.0) < 0.0);
    assert!(score(sight() * 0.0, -6.0) < 0.0);
    assert!(score(Score::from(f32::NAN) + two(), 0.0) < 0.0);
    // A preference as a condition.
    assert!(score(two().only_if(band), -10.0) < 0.0);
    assert_eq!(score(two().only_if(band), 5.0), 2.0);
    assert_eq!(
        score(
            Score::from_fn(|m: &Mock, w| w.position.x - m.position.x),
            7.0
        ),
        7.0
    );
}

// In whatever order the agents are ticked, the one that loses its token has
// stopped before the other begins, and the other begins in the same frame or the
// next.
#[test]
fn a_token_changes_hands_after_its_holder_has_stopped() {
    let tree = attacker(0.0);
    for order in [[0, 1], [1, 0]] {
        let (mut fight, pool) = (fight(), TokenPool::new(1u32));
        let pools = Pools {
            tokens: [("melee".into(), pool.clone())].into(),
            ..Pools::default()
        };
        let mut states = [0; 2].map(|_| tree.state(&pools).expect("the pool is there"));
        fight.on_screen = [false, true, false];
        assert_eq!(tick(&mut fight, 0, &mut states[0]), Running);
        for frame in 0..3 {
            for me in order {
                tick(&mut fight, me, &mut states[me]);
                let attackers = fight.attacking.iter().filter(|a| **a).count();
                assert!(attackers <= 1, "{attackers} in frame {frame}");
            }
        }
        assert_eq!(fight.attacking, [false, true, false]);
        // One that gives up does not stop the holder.
        fight.on_screen = [true, false, false];
        fight.me = 0;
        tick(&mut fight, 0, &mut states[0]);
        fight.me = 0;
        states[0].reset(&mut fight);
        assert_eq!(tick(&mut fight, 1, &mut states[1]), Running);
        assert_eq!(fight.attacking, [false, true, false]);
        drop(states);
        assert_eq!(pool.held(), 0);
    }
}

// The child is aborted before a sibling that is ticked first.
#[test]
fn a_lost_token_aborts_before_anything_else_of_the_tick() {
    let tree = Tree::<Mock>::builder("attacker")
        .node(
            "both",
            NodeKind::Parallel {
                success: 2,
                failure: 2,
            },
        )
        .inside(|b| {
            b.action("watch", |tick| {
                tick.context.log.push("watch".into());
                Running
            })
            .node(
                "may attack",
                NodeKind::WithToken {
                    pool: "melee".into(),
                    wait: 0.0,
                    priority: Priority::default(),
                },
            )
            .inside(|b| b.task("bite", AgentTask::Cue { cue: "bite".into() }))
        })
        .build()
        .expect("a valid tree");
    let pool = TokenPool::new(1u32);
    let pools = Pools {
        tokens: [("melee".into(), pool.clone())].into(),
        ..Pools::default()
    };
    let mut state = tree.state(&pools).expect("the pool is there");
    let mut world = Mock::at(0.0, 5.0);
    world.cue_ticks.insert("bite", 100);
    state.tick(&mut world, 0.1);
    let thief = pool.request(1).expect("a higher priority");
    state.tick(&mut world, 0.1);
    assert_eq!(world.log, ["watch", "bite", "cancel bite", "watch"]);
    assert!(thief.is_held());
    assert_eq!(state.tokens_held(), 0);
}

// A waypoint in two pools is one waypoint.
#[test]
fn a_waypoint_claimed_in_one_pool_is_taken_in_the_other() {
    let marker = |name: &str, pool: &str| Marker {
        class: "waypoint".into(),
        name: name.into(),
        position: Vec2::ZERO,
        size: Vec2::ZERO,
        properties: vec![("pool".into(), pool.into())],
    };
    let markers = vec![marker("low", "ground"), marker("both", "ground, air")];
    let level = level_of(YAxis::Down, markers);
    let pools = Pools::from(&level);
    let [ground, air] = ["ground", "air"].map(|name| &pools.waypoints[name]);
    let claim = claim_one(ground, 1).expect("it is free");
    assert!(claim_one(air, 0).is_none());
    assert!(air.claim(None, |_| 1.0).is_none());
    assert_eq!((free(ground), free(air)), (1, 0));
    drop(claim);
    let claim = air.claim(None, |_| 1.0).expect("it is free again");
    assert!(claim_one(ground, 1).is_none() && claim_one(ground, 0).is_some());
    drop(claim);
    assert_eq!((free(ground), free(air)), (2, 1));
}

// Without a limit, the only waypoint is used again.
#[test]
fn no_repeat_without_a_limit_does_not_wait_for_ever() {
    let tree = Tree::<Mock>::builder("seeker")
        .with_waypoint("seek", "ground", f32::INFINITY, Measure::LineOfSight)
        .no_repeat()
        .inside(|b| b.task("there", Wait { seconds: 0.5 }))
        .build()
        .expect("a valid tree");
    let pool = WaypointPool::new([Vec2::X]);
    let pools = Pools {
        waypoints: [("ground".into(), pool)].into(),
        ..Pools::default()
    };
    let mut state = tree.state(&pools).expect("the pool is there");
    let mut world = Mock::at(0.0, 5.0);
    let done = (0..20).filter(|_| state.tick(&mut world, 0.5).status == Success);
    assert!(done.count() >= 9);
}

struct Seeker(f32);

impl Context for Seeker {
    type View<'a> = Self;
}

/// Moves the game's position to its waypoint.
fn arrive(tick: &mut Tick<'_, '_, Seeker>) -> f32 {
    tick.context.0 = tick.destination.map_or(0.0, |to| to.x);
    tick.context.0
}

// An unreachable waypoint with the highest score does not keep the agent from others.
#[test]
fn a_child_that_fails_at_once_leaves_the_node_to_the_next_best_waypoint() {
    // The game's position is that of the waypoint; only one place is within reach.
    let tree_in = |reach: f32| {
        Tree::<Seeker>::builder("seeker")
            .with_waypoint(
                "seek",
                "ground",
                f32::INFINITY,
                Score::from_fn(|_: &Seeker, waypoint: &Waypoint| 9.0 - waypoint.position.x),
            )
            .no_repeat()
            .inside(|b| {
                b.sequence("go").inside(|b| {
                    b.action("path", move |tick| arrive(tick) >= reach)
                        .task("there", Wait { seconds: 0.5 })
                })
            })
            .build()
            .expect("a valid tree")
    };
    let pool = WaypointPool::new([3.0, 1.0, 2.0, 1.0].map(|x| Vec2::X * x));
    let pools = Pools {
        waypoints: [("ground".into(), pool.clone())].into(),
        ..Pools::default()
    };
    let visits = |reach: f32, count: usize| -> Vec<f32> {
        let mut state = tree_in(reach).state(&pools).expect("the pool is there");
        let mut seeker = Seeker(0.0);
        let mut visit = || {
            let status = state.tick(&mut seeker, 0.5).status;
            assert_eq!(status == Running, seeker.0 >= reach);
            if status == Running {
                assert_eq!(state.tick(&mut seeker, 0.5).status, Success);
            }
            assert_eq!(free(&pool), 4);
            seeker.0
        };
        (0..count).map(|_| visit()).collect()
    };
    // From the best again after each success, without the waypoint of that success.
    assert_eq!(visits(2.0, 7), [1.0, 1.0, 2.0, 1.0, 1.0, 3.0, 1.0]);
    // The last one comes after all others, as there is no limit to the wait.
    assert_eq!(visits(3.0, 8), [1.0, 1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 3.0]);
    // None is within reach: it tries all again two seconds after the last failure.
    let mut state = tree_in(4.0).state(&pools).expect("the pool is there");
    let tried = [(); 12].map(|()| {
        let mut seeker = Seeker(0.0);
        let status = state.tick(&mut seeker, 0.5).status;
        assert_eq!(status == Running, seeker.0 == 0.0);
        seeker.0
    });
    let round = [1.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
    assert_eq!((&tried[..7], &tried[7..]), (&round[..], &round[..5]));
}

// Which waypoints could not be used survives reset and reloading, but not restart.
#[test]
fn waypoints_that_could_not_be_used_are_left_out_until_restart() {
    let tree = || {
        Tree::<Seeker>::builder("seeker")
            .with_waypoint(
                "seek",
                "ground",
                1.0,
                Score::from_fn(|_: &Seeker, waypoint: &Waypoint| 9.0 - waypoint.position.x),
            )
            .inside(|b| b.action("no path", |tick| arrive(tick) < 0.0))
            .build()
            .expect("a valid tree")
    };
    let pool = WaypointPool::new([1.0, 2.0, 3.0].map(|x| Vec2::X * x));
    let pools = Pools {
        waypoints: [("ground".into(), pool)].into(),
        ..Pools::default()
    };
    let mut state = tree().state(&pools).expect("the pool is there");
    let mut seeker = Seeker(0.0);
    let mut tried = |state: &mut TreeState<Seeker>| {
        assert_eq!(state.tick(&mut seeker, 0.1).status, Failure);
        seeker.0
    };
    assert_eq!(tried(&mut state), 1.0);
    state.reset(&mut Seeker(0.0));
    assert_eq!(tried(&mut state), 2.0);
    let moved = state.migrate(&tree(), &pools, &mut Seeker(0.0));
    moved.expect("the pool is there");
    assert_eq!(tried(&mut state), 3.0);
    state.restart(&mut Seeker(0.0));
    assert_eq!([tried(&mut state), tried(&mut state)], [1.0, 2.0]);
}

// The same where a queue answers the request for a path in a later tick.
#[test]
fn a_waypoint_to_which_a_queue_finds_no_path_leaves_the_node_to_the_next_best_one() {
    let tree = Tree::<Mock>::builder("seeker")
        .with_waypoint(
            "seek",
            "ground",
            1.0,
            Score::from_fn(|_: &Mock, waypoint: &Waypoint| waypoint.position.x),
        )
        .inside(|b| {
            b.sequence("go").inside(|b| {
                b.task("", AgentTask::StartNavigation {})
                    .task("", AgentTask::WaitForAtDestination {})
            })
        })
        .build()
        .expect("a valid tree");
    let pool = WaypointPool::new([1.0, 3.0, 2.0].map(|x| Vec2::X * x));
    let pools = Pools {
        waypoints: [("ground".into(), pool.clone())].into(),
        ..Pools::default()
    };
    let mut state = tree.state(&pools).expect("the pool is there");
    let mut world = Mock::at(0.0, 5.0);
    let ask = |state: &mut TreeState<Mock>, world: &mut Mock, found: bool| {
        world.planning = Some(found);
        for _ in 0..3 {
            assert_eq!(state.tick(world, 0.5).status, Running);
        }
        world.destination.map_or(0.0, |to| to.x)
    };
    let fail = |state: &mut TreeState<Mock>, world: &mut Mock| {
        let to = ask(state, world, false);
        world.find();
        assert_eq!(state.tick(world, 0.5).status, Failure);
        to
    };
    let first = [(); 2].map(|()| fail(&mut state, &mut world));
    assert_eq!(first, [3.0, 2.0]);
    // What is aborted before there is an answer is as good as before.
    assert_eq!(ask(&mut state, &mut world, true), 1.0);
    state.reset(&mut world);
    assert_eq!(ask(&mut state, &mut world, true), 1.0);
    // What fails on the way there can be reached, and all others count again.
    world.find();
    assert_eq!(state.tick(&mut world, 0.5).status, Running);
    world.moving = false;
    assert_eq!(state.tick(&mut world, 0.5).status, Failure);
    let all = [(); 3].map(|()| fail(&mut state, &mut world));
    assert_eq!(all, [3.0, 2.0, 1.0]);
    // None is left in the second that it waits.
    let waits = [(); 3].map(|()| state.tick(&mut world, 0.5).status);
    assert_eq!(waits, [Running, Running, Failure]);
    assert_eq!(ask(&mut state, &mut world, true), 3.0);
}

// Where no path leads to any waypoint, the fallback runs. The node looks for paths again
// now and then, and claims a waypoint once there is a path.
#[test]
fn with_waypoint_falls_back_where_no_waypoint_can_be_reached() {
    let dt = 1.0 / 60.0;
    for wait in [0.0, 1.0, 5.0] {
        let tree = Tree::<Mock>::builder("spitter")
            .node("", NodeKind::Repeat { count: 0 })
            .inside(|b| {
                b.with_waypoint("perch", "ground", wait, Measure::NearSelf { distance: 9.0 })
                    .inside(|b| {
                        b.sequence("go")
                            .inside(|b| {
                                b.task("", AgentTask::StartNavigation {})
                                    .task("spit", Wait { seconds: 1.0 })
                            })
                            .task("bite", Wait { seconds: 2.0 })
                    })
            })
            .build()
            .expect("a valid tree");
        let far = (0..10).map(|i| Vec2::X * (20.0 + i as f32));
        let pools = Pools {
            waypoints: [("ground".into(), WaypointPool::new(far))].into(),
            ..Pools::default()
        };
        let mut state = tree.state(&pools).expect("the pool is there");
        let mut world = Mock::at(0.0, 5.0);
        let mut bites = 0;
        for _ in 0..60 * 60 {
            // Its scores change all the time.
            world.position.x = (world.position.x + 0.001) % 1.0;
            state.tick(&mut world, dt);
            bites += u32::from(is_running(&state, 5));
        }
        let (bites, searches) = (bites as f32 / 3600.0, world.searches as f32 / 60.0);
        println!("wait {wait}: it bites {bites} of the time, {searches} searches a second");
        // Ten ticks for the waypoints, then the wait, and two seconds for the bite.
        let least = 2.0 / (2.0 + wait + 0.2);
        assert!(
            bites >= least * 0.9,
            "{bites} of the time with a wait of {wait} s"
        );
        assert!(searches <= 5.0, "{searches} searches a second");
        // A door opens.
        world.platforms.push((Vec2::X * 25.0, Vec2::X * 26.0));
        let spits = (0..(8.0 / dt) as u32).filter(|_| {
            state.tick(&mut world, dt);
            is_running(&state, 4)
        });
        assert!(spits.count() > 0, "with a wait of {wait} s");
    }
}
