//! Enemies that are spawned, stunned, thrown, killed and removed at any time:
//! what they shared returns at once.

use glam::Vec2;
use navmesh_behavior::{Aggression, TokenPool};

use crate::bestiary_sharing::claimed;
use navmesh_games::arena::body::{Condition, Kind};
use navmesh_games::arena::director::Stun;
use navmesh_games::arena::play::Arena;
use navmesh_games::arena::player::Script;
use navmesh_games::arena::stage::random;

fn arena() -> Arena {
    let mut arena = Arena::new(Aggression::High).expect("the arena is valid");
    arena.player.script = Script::Run(3);
    arena.player.fights = false;
    arena
}

/// Enemies that may not act hold nothing and do nothing, and what the pools miss
/// is what the others hold.
fn check(arena: &Arena) {
    let (mut tokens, mut waypoints) = (0, 0);
    for (me, body) in arena.enemies.iter().enumerate() {
        let state = arena.enemies.state(me);
        tokens += state.tokens_held();
        waypoints += usize::from(state.waypoint().is_some());
        if !body.is_able() {
            assert_eq!(state.tokens_held(), 0);
            assert!(state.waypoint().is_none());
            assert!(body.acting.is_none() && body.burning.is_none());
            assert_eq!(arena.enemies.running(me).count(), 0);
        }
    }
    let pools = &arena.stage.pools;
    let held: u32 = pools.tokens.values().map(TokenPool::held).sum();
    assert_eq!(held as usize, tokens);
    let taken: usize = pools.waypoints.values().map(claimed).sum();
    assert_eq!(taken, waypoints);
}

#[test]
fn nothing_is_lost_whenever_an_enemy_comes_or_goes() {
    let mut arena = arena();
    let mut seed = 7;
    let mut interrupted = 0;
    for _ in 0..600 {
        arena.run(0.3 * random(&mut seed));
        let count = arena.enemies.len();
        let me = (random(&mut seed) * count as f32) as usize;
        let held = arena.enemies.state(me).tokens_held() > 0;
        interrupted += u32::from(held);
        match (random(&mut seed) * 6.0) as u32 {
            0 => arena.stun(me, Stun::InPlace(1.0)),
            1 => arena.stun(me, Stun::AfterFall(1.0)),
            2 => arena.launch(me, Vec2::new(150.0, -250.0)),
            3 => arena.kill(me),
            4 if count > 20 => arena.despawn(me),
            4 => {}
            _ => {
                let kind = Kind::ALL[(random(&mut seed) * 9.0) as usize];
                let home = arena.stage.random_place(&mut seed);
                arena.spawn(kind, home).expect("the level has all layers");
            }
        }
        check(&arena);
        arena.step();
        check(&arena);
    }
    assert!(interrupted > 30, "{interrupted}");
    for me in 0..arena.enemies.len() {
        arena.despawn(me);
    }
    check(&arena);
    let mut pools = arena.stage.pools.tokens.values();
    assert!(pools.all(|pool| pool.held() == 0));
}

// Held in the air, or lying where it lands.
#[test]
fn a_stun_in_the_air_holds_or_drops_the_body() {
    for (stun, falls) in [(Stun::InPlace(2.0), false), (Stun::AfterFall(2.0), true)] {
        let mut arena = arena();
        let flyer = arena.enemies.iter().position(|b| b.kind == Kind::Flyer);
        let flyer = flyer.expect("it is there");
        arena.run(0.5);
        let before = arena.enemies[flyer].position();
        arena.stun(flyer, stun);
        arena.run(1.9);
        let at = arena.enemies[flyer].position();
        assert!(!arena.enemies[flyer].is_able());
        if falls {
            let floor = arena.stage.floor_beneath(at).expect("the arena is closed");
            assert!((floor.position.y - at.y).abs() < 8.0, "{at}");
            assert!(at.y > before.y + 30.0);
        } else {
            assert_eq!(at, before);
        }
        arena.run(0.2);
        assert!(arena.enemies[flyer].is_able());
    }
}

// A thrown enemy decides again once it has landed.
#[test]
fn a_thrown_enemy_lands_and_goes_on() {
    let mut arena = arena();
    let charger = arena.enemies.iter().position(|b| b.kind == Kind::Charger);
    let charger = charger.expect("it is there");
    arena.run(0.5);
    let before = arena.enemies[charger].position();
    arena.launch(charger, Vec2::new(-120.0, -300.0));
    assert_eq!(arena.enemies[charger].condition(), Condition::Thrown);
    let mut highest = before.y;
    let mut frames = 0;
    while !arena.enemies[charger].is_able() {
        arena.step();
        highest = highest.min(arena.enemies[charger].position().y);
        frames += 1;
        assert!(frames < 300, "it does not land");
    }
    assert!(highest < before.y - 25.0, "{highest}");
    assert!(frames > 20, "{frames}");
    arena.run(0.1);
    assert!(arena.enemies.running(charger).count() > 0);
}

// A number is not given to another enemy.
#[test]
fn a_removed_enemy_never_returns() {
    let mut arena = arena();
    arena.run(2.0);
    arena.despawn(3);
    let new = arena
        .spawn(Kind::Spitter, Vec2::new(48.0, 352.0))
        .expect("valid");
    assert_eq!(new, arena.enemies.len() - 1);
    arena.run(20.0);
    assert_eq!(arena.enemies[3].condition(), Condition::Gone);
    arena.kill(3);
    arena.stun(3, Stun::InPlace(1.0));
    arena.launch(3, Vec2::new(0.0, -100.0));
    assert_eq!(arena.enemies[3].condition(), Condition::Gone);
}

// Outside of the level it holds nothing and decides nothing.
#[test]
fn an_enemy_that_left_the_level_returns_home() {
    let mut arena = arena();
    let holds = |arena: &Arena, me: usize| {
        let state = arena.enemies.state(me);
        state.tokens_held() > 0 || state.waypoint().is_some()
    };
    let mut me = None;
    while me.is_none() {
        arena.step();
        me = (0..arena.enemies.len()).find(|me| holds(&arena, *me));
    }
    let me = me.expect("it holds something");
    arena.enemies[me]
        .actor
        .agent
        .teleport(Vec2::new(-500.0, 0.0));
    arena.run(0.1);
    assert!(!arena.enemies[me].is_alive() && !holds(&arena, me));
    check(&arena);
    arena.run(5.0);
    let body = &arena.enemies[me];
    assert!(body.is_alive() && body.position().x > 0.0);
}
