//! All enemies of the arena together: files and code define the same trees,
//! tokens and waypoints are shared, trees are replaced while they run, and every run
//! is the same. The trees are over a view that borrows.

use std::collections::BTreeSet;

use navmesh_behavior::Aggression;
use navmesh_behavior::{TokenPool, TreeDef, TreeState, WaypointPool};
use navmesh_games::arena::acts::Act;
use navmesh_games::arena::body::{Body, Kind};
use navmesh_games::arena::director::Stun;
use navmesh_games::arena::effects::Sight;
use navmesh_games::arena::play::Arena;
use navmesh_games::arena::{bestiary, files, stage};

fn arena(aggression: Aggression) -> Arena {
    Arena::new(aggression).expect("the arena is valid")
}

/// Whether a node of that name is running.
fn runs(arena: &Arena, me: usize, name: &str) -> bool {
    arena.enemies.running(me).any(|running| running == name)
}

/// How many waypoints of a pool are claimed.
pub(crate) fn claimed(pool: &WaypointPool) -> usize {
    let all = pool.waypoints().iter();
    all.filter(|waypoint| !pool.is_free(waypoint.index)).count()
}

/// The pools and the agents agree on what is held.
fn check_pools(arena: &Arena) {
    let states = || (0..arena.enemies.len()).map(|me| arena.enemies.state(me));
    let pools = &arena.stage.pools;
    let tokens: u32 = pools.tokens.values().map(TokenPool::held).sum();
    let held: usize = states().map(TreeState::tokens_held).sum();
    assert_eq!(tokens as usize, held);
    let taken: usize = pools.waypoints.values().map(claimed).sum();
    let claims = states().filter(|state| state.waypoint().is_some()).count();
    assert_eq!(taken, claims);
}

#[test]
fn files_and_code_define_the_same_trees() {
    for kind in Kind::ALL {
        let in_code = bestiary::tree(kind)
            .expect("valid")
            .to_def()
            .expect("every node has a form");
        let file: TreeDef = ron::from_str(files::file(kind)).expect("a valid file");
        assert_eq!(file, in_code, "{}", kind.name());
        let from_file = files::tree(files::file(kind)).expect("valid").to_def();
        assert_eq!(from_file.expect("every node has a form"), in_code);
        let json = serde_json::to_string(&in_code).expect("it has a form");
        assert_eq!(
            serde_json::from_str::<TreeDef>(&json).expect("and back"),
            in_code
        );
    }
}

// Trees over views that borrow may cross threads too.
#[test]
fn trees_over_views_that_borrow_may_cross_threads() {
    fn assert_shared<T: Send + Sync>(_: &T) {}
    assert_shared(&bestiary::tree(Kind::Gunner).expect("valid"));
}

// A mistake in a file is reported with the path of its node.
#[test]
fn a_mistake_in_a_tree_file_names_its_node() {
    let text = files::file(Kind::Spiker).replace("\"sees_target\"", "\"sees_taget\"");
    let error = files::tree(&text).expect_err("a mistake").to_string();
    assert_eq!(
        error,
        "`for ever/rock or teeth/now and then/vantage/throw/may throw/raise/still in sight`: there is no task \
         named \"sees_taget\"; did you mean \"sees_target\"?"
    );
    let text = files::file(Kind::Immolator).replace("per_second", "per_minute");
    let error = files::tree(&text).expect_err("a mistake").to_string();
    assert!(
        error.starts_with("`for ever/burn or prowl/may burn/burn/until there/burn`: "),
        "{error}"
    );
}

// In minutes of play, the number of attackers reaches the number of
// tokens, and never exceeds it.
#[test]
fn at_most_as_many_attack_as_there_are_tokens() {
    for aggression in [Aggression::Low, Aggression::Medium, Aggression::High] {
        let mut arena = arena(aggression);
        let homes: Vec<_> = arena.stage.markers("spawn").map(|m| m.position).collect();
        // More spitters than waypoints, so that many fall back to biting.
        for home in homes.iter().cycle().take(14) {
            arena
                .spawn(Kind::Spitter, *home)
                .expect("the pools are there");
        }
        let limit = u32::from(aggression) as usize;
        let mut most = 0;
        for _ in 0..120 * 60 {
            arena.step();
            let enemies = 0..arena.enemies.len();
            let closing = enemies.filter(|me| runs(&arena, *me, "close in")).count();
            assert!(closing <= limit, "{closing} close in");
            most = most.max(closing);
            let biting = arena.enemies.iter().filter(|body| {
                let has_token = matches!(body.kind, Kind::Spitter | Kind::Spiker);
                has_token && body.is_acting(Act::Bite)
            });
            assert!(biting.count() <= limit);
            check_pools(&arena);
        }
        assert_eq!(most, limit);
    }
}

// A melee token covers the approach, a ranged token the shot, and that of a gunner
// also the time to reload.
#[test]
fn tokens_cover_an_approach_or_a_shot() {
    let mut arena = arena(Aggression::Medium);
    let (mut approaching, mut shooting, mut reloading, mut recovering) = (0, 0, 0, 0);
    for _ in 0..120 * 60 {
        arena.step();
        for me in 0..arena.enemies.len() {
            let holds = arena.enemies.state(me).tokens_held() > 0;
            let moves = arena.enemies[me].actor.agent.pose().activity.is_moving();
            if runs(&arena, me, "close in") {
                assert!(holds);
                approaching += u32::from(moves);
            } else if runs(&arena, me, "spit") {
                assert!(holds && !moves);
                shooting += 1;
            } else if runs(&arena, me, "reload") {
                assert!(holds);
                reloading += 1;
            } else if runs(&arena, me, "from a perch") && runs(&arena, me, "recover") {
                assert!(!holds);
                recovering += 1;
            }
        }
    }
    assert!(
        approaching > 300 && shooting > 100 && reloading > 1000 && recovering > 900,
        "{approaching} {shooting} {reloading} {recovering}"
    );
}

// No two on one waypoint.
#[test]
fn two_spitters_never_hold_one_waypoint() {
    let mut arena = Arena::without_enemies(stage::ARENA, Aggression::High).expect("valid");
    let wanted = |kind| kind == Kind::Spitter;
    arena.populate(wanted).expect("the pools are there");
    for spawn in 0..12 {
        let home = arena.enemies[spawn % 2].home;
        arena
            .spawn(Kind::Spitter, home)
            .expect("the pools are there");
    }
    let mut claimed = 0;
    for _ in 0..120 * 60 {
        arena.step();
        let claims = (0..arena.enemies.len()).filter_map(|me| arena.enemies.state(me).waypoint());
        let mut seen = BTreeSet::new();
        for claim in claims {
            assert!(seen.insert(claim.index), "two at {claim:?}");
        }
        claimed = claimed.max(seen.len());
        let spitting: Vec<_> = (arena.enemies.iter())
            .filter(|body| body.is_acting(Act::Spit))
            .map(Body::position)
            .collect();
        for (i, a) in spitting.iter().enumerate() {
            assert!(spitting[..i].iter().all(|b| a.distance(*b) > 12.0));
        }
    }
    assert!(claimed >= 8, "{claimed}");
}

// A stunned or killed enemy returns its token at once.
#[test]
fn a_stunned_or_killed_holder_returns_its_token() {
    let mut arena = arena(Aggression::Low);
    arena.player.fights = false;
    let pools = arena.stage.pools.clone();
    let melee = &pools.tokens["melee"];
    for round in 0..8 {
        let mut frames = 0;
        let holder = loop {
            arena.step();
            frames += 1;
            assert!(frames < 60 * 60, "no enemy took the token");
            let mut enemies = 0..arena.enemies.len();
            if let Some(me) = enemies.find(|me| runs(&arena, *me, "close in")) {
                break me;
            }
        };
        assert_eq!(melee.held(), 1);
        if round % 2 == 0 {
            arena.stun(holder, Stun::InPlace(1.0));
        } else {
            arena.enemies[holder].health = 0.0;
            arena.enemies[holder].shield = 0.0;
            let before = arena.effects.log.len();
            arena.step();
            let died = arena.effects.log[before..].iter();
            assert_eq!(died.filter(|e| e.sight == Sight::Died).count(), 1);
        }
        assert_eq!(arena.enemies.state(holder).tokens_held(), 0);
        assert!(!runs(&arena, holder, "close in"));
        check_pools(&arena);
        if round % 2 == 0 {
            let at = arena.enemies[holder].position();
            arena.run(0.9);
            assert_eq!(arena.enemies[holder].position(), at, "it stays where it is");
        }
    }
}

// All tree files are edited while enemies run them.
#[test]
fn trees_are_replaced_while_enemies_run_them() {
    let mut arena = arena(Aggression::Medium);
    let (mut kept, mut aborted) = (0, 0);
    for round in 0..20 {
        arena.run(3.1);
        for kind in Kind::ALL {
            let text = files::file(kind);
            // In one round of four another number, in one another name.
            let edited = match round % 4 {
                0 => text.replace("\"seconds\": 1.0", "\"seconds\": 1.5"),
                1 => text.replace("\"on the way\"", "\"under way\""),
                _ => text.to_owned(),
            };
            let tree = files::tree(&edited).expect("a valid edit");
            for migration in arena.reload(kind, tree).expect("the pools are there") {
                kept += migration.kept;
                aborted += migration.aborted;
            }
            check_pools(&arena);
        }
    }
    assert!(kept > 500, "{kept}");
    assert!((1..300).contains(&aborted), "{aborted}");
}

// Two runs are equal to the bit.
#[test]
fn every_run_is_the_same() {
    let run = || {
        let mut arena = arena(Aggression::High);
        arena.run(60.0);
        let places: Vec<_> = arena.enemies.iter().map(Body::position).collect();
        (arena.effects.log, places, arena.player.hurts)
    };
    assert!(run() == run());
}
