//! The recipes of the guide, as they stand on the page and in the files it names, by
//! their effects on agents of a mock world.

use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::{Perception, Pools, TokenPool};
use navmesh_behavior::{Registry, Tree, TreeDef, TreeState};

use crate::mock::Mock;

const GUIDE: &str = include_str!("../../docs/behaviour.md");
const CRAWLER: &str = include_str!("../../../games/trees/arena/crawler.ron");
const GUARD: &str = include_str!("../../../games/trees/arena/guard.ron");
const PATROL: &str = "(root: task(task: \"patrol\", params: {\"pause\": 0.5}))";
const DT: f32 = 1.0 / 60.0;

/// A recipe of the guide, by the comment in its first line.
fn recipe(title: &str) -> &'static str {
    let start = format!("```ron\n// {title}\n");
    let (_, recipe) = GUIDE.split_once(&start).expect("the guide has it");
    recipe.split_once("```").expect("it ends").0
}

fn tree(file: &str) -> Arc<Tree<Mock>> {
    let def: TreeDef = ron::from_str(file).expect("it is RON");
    Registry::with_agent_tasks()
        .build(&def)
        .expect("a valid tree")
}

fn pools(tokens: u32) -> Pools {
    Pools {
        tokens: [("melee".into(), TokenPool::new(tokens))].into(),
        ..Pools::default()
    }
}

fn play(world: &mut Mock, state: &mut TreeState<Mock>, seconds: f32) {
    for _ in 0..(seconds / DT) as u32 {
        world.look(DT);
        state.tick(world, DT);
        world.walk();
    }
}

fn bites(world: &Mock) -> usize {
    world.log.iter().filter(|cue| *cue == "bite").count()
}

#[test]
fn a_patrol_reaches_both_ends_and_rarely_searches_at_a_closed_door() {
    for file in [PATROL, CRAWLER] {
        let tree = tree(file);
        // Open; closed on one side; closed on both.
        for (doors, ends) in [
            (vec![], [-10.0, 10.0]),
            (vec![-5.0], [0.0, 10.0]),
            (vec![5.0], [-10.0, 0.0]),
            (vec![-5.0, 5.0], [0.0, 0.0]),
        ] {
            let mut state = tree.state(&pools(1)).expect("the pool is there");
            if let Some(home) = tree.key::<Vec2>("home") {
                state.board.set(home, Vec2::ZERO).expect("it is the tree's");
            }
            let mut world = Mock::at(0.0, 500.0);
            world.doors = doors;
            let (mut least, mut most) = (0.0_f32, 0.0_f32);
            for _ in 0..60 * 60 {
                play(&mut world, &mut state, DT);
                (least, most) = (least.min(world.position.x), most.max(world.position.x));
            }
            assert_eq!([least, most], ends);
            let rate = world.searches as f32 / 60.0;
            assert!(
                rate <= 6.0,
                "{rate} searches a second, doors {:?}",
                world.doors
            );
        }
    }
}

#[test]
fn a_chase_rarely_searches_for_a_path_to_a_target_out_of_reach() {
    let tree = tree(recipe("Chase"));
    let (mut state, mut world) = (
        tree.state(&Pools::default()).expect("no pools"),
        Mock::at(0.0, 500.0),
    );
    // The target rests on another platform, to which no path leads.
    world.platforms.push((Vec2::X * 490.0, Vec2::X * 510.0));
    world.doors = vec![100.0];
    play(&mut world, &mut state, 60.0);
    assert!(
        world.searches <= 61,
        "{} searches in a minute",
        world.searches
    );
    assert_eq!(world.facing, 1.0, "it looks at the target");
    // In range, but behind a wall.
    world.target = Some(Vec2::X * 20.0);
    (world.walls, world.doors) = (vec![10.0], vec![10.0]);
    play(&mut world, &mut state, 60.0);
    assert_eq!((bites(&world), world.position.x), (0, 0.0));
    assert!(
        world.searches <= 122,
        "{} searches in two minutes",
        world.searches
    );
    world.walls.clear();
    world.doors.clear();
    play(&mut world, &mut state, 10.0);
    assert!(bites(&world) > 5, "{} bites", bites(&world));
}

#[test]
fn a_guard_rarely_searches_for_a_path_to_a_player_out_of_reach() {
    let tree = tree(&GUARD.replace("\"leash\"", "\"vault\""));
    let mut state = tree.state(&pools(1)).expect("the pool is there");
    let home = tree.key::<Vec2>("home").expect("a key");
    state.board.set(home, Vec2::ZERO).expect("it is the tree's");
    let mut world = Mock::at(0.0, 7.0);
    world.doors = vec![5.0];
    play(&mut world, &mut state, 60.0);
    let rate = world.searches as f32 / 60.0;
    assert!(rate <= 5.0, "{rate} searches a second");
    world.doors.clear();
    play(&mut world, &mut state, 5.0);
    assert!(bites(&world) > 0);
}

#[test]
fn all_members_of_a_pack_attack_equally_often() {
    let turns = r#"(root: repeat(child: with_token(pool: "melee", child: sequence(children: [
        task(task: "pursue", params: {"range": 24.0, "floor": true, "seconds": 10.0}),
        task(task: "cue", params: {"cue": "bite"}),
        task(task: "wait", params: {"seconds": 0.5}),
    ]))))"#;
    for tokens in [1, 2, 3] {
        for apart in [0.0, 1.3, 7.0] {
            let (tree, pools) = (tree(turns), pools(tokens));
            let member = |i: u8| {
                let mut world = Mock::at(f32::from(i) * -apart, 20.0);
                world.platforms = vec![(Vec2::X * -100.0, Vec2::X * 100.0)];
                world.cue_ticks.insert("bite", 30);
                (world, tree.state(&pools).expect("the pool is there"))
            };
            let mut pack: Vec<_> = (0..6).map(member).collect();
            for _ in 0..120 * 60 {
                for (world, state) in &mut pack {
                    play(world, state, DT);
                }
            }
            let all = pack.iter().map(|(world, _)| bites(world));
            let [fewest, most] = [all.clone().min(), all.max()].map(|n| n.unwrap_or(0));
            assert!(fewest >= 18 && most <= fewest + 1, "{fewest} to {most}");
        }
    }
}

// It patrols, notices the target, bites it, gives up, and returns; at a target that stays away
// it does nothing else.
#[test]
fn a_guard_that_loses_its_target_returns_to_its_post_and_patrols() {
    let tree = tree(recipe("Guard"));
    let pools = pools(1);
    let mut state = tree.state(&pools).expect("the pool is there");
    let mut world = Mock::at(0.0, 5000.0);
    world.platforms = vec![(Vec2::X * -200.0, Vec2::X * 200.0)];
    world.perception = Some(Perception {
        range: 120.0,
        memory: 2.0,
        ..Perception::default()
    });
    let is_running = |state: &TreeState<Mock>, name| state.running().any(|(_, n)| n == name);

    let (mut least, mut most) = (0.0_f32, 0.0_f32);
    for _ in 0..30 * 60 {
        play(&mut world, &mut state, DT);
        (least, most) = (least.min(world.position.x), most.max(world.position.x));
    }
    assert_eq!((least, most, bites(&world)), (-200.0, 200.0, 0));
    assert_eq!(pools.tokens["melee"].held(), 0);
    // Behind a wall, and behind its back, it is not noticed.
    world.position = Vec2::ZERO;
    world.walls = vec![world.position.x + 60.0, world.position.x - 60.0];
    world.target = Some(Vec2::X * (world.position.x + 100.0));
    play(&mut world, &mut state, 0.2);
    assert!(is_running(&state, "patrol"));
    // Ahead of it, it is.
    world.walls.clear();
    world.target = Some(Vec2::X * (world.position.x + 100.0 * world.facing));
    play(&mut world, &mut state, 5.0);
    assert!(bites(&world) >= 3, "{} bites", bites(&world));
    let target = world.target.expect("it has one");
    assert!(world.position.distance(target) <= 24.0 + 1.0);
    assert_eq!(pools.tokens["melee"].held(), 1);
    // It goes to where the target was, not to where it is.
    let (before, last) = (bites(&world), world.position);
    world.target = Some(Vec2::X * -5000.0);
    play(&mut world, &mut state, 1.5);
    assert!(
        world.position.distance(last) <= 30.0,
        "{} from {last}",
        world.position
    );
    let mut names = Vec::new();
    for _ in 0..60 * 60 {
        play(&mut world, &mut state, DT);
        for name in ["search", "return", "patrol"] {
            if is_running(&state, name) && names.last() != Some(&name) {
                names.push(name);
            }
        }
        if world.position == Vec2::ZERO && names.last() == Some(&"patrol") {
            break;
        }
    }
    assert_eq!(names, ["search", "return", "patrol"]);
    assert_eq!((bites(&world), pools.tokens["melee"].held()), (before, 0));
    // Lured too far away, it goes home although it sees the target.
    world.target = Some(Vec2::X * 60.0 * world.facing);
    let mut farthest = 0.0_f32;
    for _ in 0..10 * 60 {
        if let Some(target) = &mut world.target {
            target.x += 0.9 * target.x.signum();
            world.platforms = vec![(Vec2::X * -2000.0, Vec2::X * 2000.0)];
        }
        play(&mut world, &mut state, DT);
        farthest = farthest.max(world.position.length());
    }
    assert!((250.0..320.0).contains(&farthest), "{farthest}");
}
