//! Guards in a level with several rooms: each keeps to its own room, drives the
//! player out of it, and goes home when the player has left.

use crate::random::Dice;

use glam::Vec2;
use navmesh_behavior::Aggression;
use navmesh_games::arena::acts::Act;
use navmesh_games::arena::body::Kind;
use navmesh_games::arena::effects::Sight;
use navmesh_games::arena::play::Arena;
use navmesh_games::arena::player::Script;
use navmesh_games::arena::stage;

const DT: f32 = 1.0 / 30.0;

fn rooms(script: Script) -> Arena {
    let mut arena = Arena::without_enemies(stage::ROOMS, Aggression::High).expect("valid");
    arena.populate(|_| true).expect("the pools are there");
    arena.dt = DT;
    arena.player.script = script;
    arena.player.fights = false;
    arena
}

/// Whether a position is in the area of that name.
fn is_in(arena: &Arena, area: &str, at: Vec2) -> bool {
    let mut areas = arena.stage.mesh.areas();
    areas.any(|found| found.marker.name == area && found.contains(at))
}

#[test]
fn guards_keep_to_their_rooms_and_go_home() {
    let (mut bites, mut chases, mut given_up, mut at_home, mut away) = (0, 0, 0, 0, 0);
    for number in 0..20 {
        let Dice(seed) = Dice::case(number);
        let script = if number % 2 == 0 {
            Script::Run(seed)
        } else {
            Script::Flee(seed)
        };
        let mut arena = rooms(script);
        let count = arena.enemies.len();
        // Since when the player has been outside of each guard's room.
        let mut alone = vec![0.0; count];
        let mut chasing = vec![false; count];
        for _ in 0..(300.0 / DT) as u32 {
            let seen = arena.effects.log.len();
            arena.step();
            for entry in &arena.effects.log[seen..] {
                if entry.kind == Kind::Guard && entry.sight == Sight::Begins(Act::Bite) {
                    assert!(entry.in_reach, "{entry:?}");
                    bites += 1;
                }
            }
            let player = arena.player.position();
            for (me, guard) in arena.enemies.iter().enumerate() {
                let Some(leash) = &guard.leash else {
                    continue;
                };
                let at = guard.position();
                assert!(is_in(&arena, leash, at), "{at} is outside of {leash}");
                let chases_now = arena.enemies.running(me).any(|node| node == "run after");
                let is_inside = is_in(&arena, leash, player);
                if chases_now {
                    assert!(is_inside, "it chases a player at {player}");
                    chases += u32::from(!chasing[me]);
                } else if chasing[me] && !is_inside {
                    given_up += 1;
                }
                chasing[me] = chases_now;
                alone[me] = if is_inside { 0.0 } else { alone[me] + DT };
                if alone[me] > 6.0 {
                    away += 1;
                    at_home += u32::from(at.distance(guard.home) < 1.0);
                }
            }
        }
    }
    println!("{chases} chases, {given_up} given up, {bites} bites, {at_home} of {away} at home");
    assert!(bites > 80 && chases > 150 && given_up > 50);
    assert!(away > 10_000 && at_home * 100 >= away * 98);
}

// Two guards share a tree, and each has the area that its spawn names.
#[test]
fn a_guard_ignores_a_player_in_the_room_of_another() {
    let mut arena = rooms(Script::Stand);
    let guards: Vec<usize> = (0..arena.enemies.len())
        .filter(|me| arena.enemies[*me].kind == Kind::Guard)
        .collect();
    assert_eq!(guards.len(), 2);
    for (inside, outside) in [(guards[0], guards[1]), (guards[1], guards[0])] {
        let place = arena.enemies[inside].home + Vec2::X * 40.0;
        arena.player.agent.teleport(place);
        arena.run(8.0);
        let seen = arena.effects.log.len();
        arena.run(20.0);
        let bitten = |me: usize| {
            let log = arena.effects.log[seen..].iter();
            log.filter(|e| e.enemy == me && e.sight == Sight::Hits(Act::Bite))
                .count()
        };
        assert!(bitten(inside) > 3);
        assert_eq!(bitten(outside), 0);
        let guard = &arena.enemies[outside];
        assert!(guard.position().distance(guard.home) < 1.0);
    }
}
