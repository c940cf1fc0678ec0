//! The enemies of the example `roguelike`.

use std::collections::BTreeMap;

use glam::IVec2;

use navmesh_games::roguelike::{Game, Kind};

fn game(kept: Kind) -> Game {
    let mut game = Game::new().expect("the room is valid");
    let order = &mut game.order;
    let mut first = true;
    game.room.bodies.retain(|body| {
        let keep = body.kind == kept && std::mem::take(&mut first);
        if !keep {
            order.remove(body.id);
        }
        keep
    });
    game
}

fn place(game: &mut Game, player: [i32; 2], enemy: [i32; 2]) {
    game.room.player = IVec2::from(player);
    game.room.bodies[0].tile = IVec2::from(enemy);
}

#[test]
fn the_zombie_comes_every_second_turn_and_hits() {
    let mut game = game(Kind::Zombie);
    place(&mut game, [10, 9], [14, 9]);
    let mut log = Vec::new();
    for _ in 0..10 {
        let outlined = game.to_string().contains("(z)");
        let before = (game.room.bodies[0].tile.x, game.room.health);
        assert!(game.play('.'));
        let after = (game.room.bodies[0].tile.x, game.room.health);
        assert_eq!(outlined, before != after, "what the outline says happens");
        log.push(after);
    }
    let expected = [14, 13, 13, 12, 12, 11, 11, 11, 11, 11]
        .into_iter()
        .zip([5, 5, 5, 5, 5, 5, 5, 4, 4, 3]);
    assert_eq!(log, expected.collect::<Vec<_>>());
}

#[test]
fn the_zombie_does_not_notice_a_player_far_away() {
    let mut game = game(Kind::Zombie);
    place(&mut game, [1, 3], [14, 3]);
    for _ in 0..4 {
        game.play('.');
    }
    assert_eq!(game.room.bodies[0].tile, IVec2::new(14, 3), "13 tiles");
    place(&mut game, [2, 3], [14, 3]);
    for _ in 0..4 {
        game.play('.');
    }
    assert_eq!(game.room.bodies[0].tile, IVec2::new(12, 3), "12 tiles");
}

// The way is a straight line of any slope through a door.
#[test]
fn the_zombie_comes_through_doors() {
    let mut game = game(Kind::Zombie);
    place(&mut game, [2, 2], [4, 7]);
    for _ in 0..12 {
        game.play('.');
    }
    assert!(game.room.health < 5, "{game}");
}

#[test]
fn the_jester_throws_four_knives_in_one_turn() {
    let mut game = game(Kind::Jester);
    place(&mut game, [9, 3], [12, 3]);
    game.play('.');
    let knives = || {
        game.room
            .bodies
            .iter()
            .filter(|body| body.kind == Kind::Knife)
    };
    let mut directions: Vec<_> = knives().map(|knife| knife.heading.to_array()).collect();
    directions.sort_unstable();
    assert_eq!(directions, [[-1, 0], [0, -1], [0, 1], [1, 0]]);
    assert_eq!(
        game.room.bodies[0].tile,
        IVec2::new(12, 3),
        "one action a turn"
    );
    // A knife is twice as quick as the player: outlined twice, and it moves so.
    assert!(game.to_string().contains("[*]"), "{game}");
    assert_eq!(game.room.health, 5);
    game.play('.');
    assert_eq!(game.room.health, 4, "{game}");
}

// It stands in a corner, and a zombie bars the only way out; the zombie has no turn.
#[test]
fn the_jester_hits_a_player_beside_it() {
    for (player, zombie) in [([2, 1], [1, 2]), ([1, 2], [2, 1])] {
        let mut game = Game::new().expect("the room is valid");
        game.room.player = IVec2::from(player);
        for (kind, tile) in [(Kind::Jester, [1, 1]), (Kind::Zombie, zombie)] {
            let mut bodies = game.room.bodies.iter_mut();
            let body = bodies.find(|body| body.kind == kind);
            body.expect("it is there").tile = IVec2::from(tile);
        }
        game.play('.');
        assert_eq!(game.room.health, 4, "{game}");
    }
}

#[test]
fn the_jester_keeps_away() {
    let mut game = game(Kind::Jester);
    place(&mut game, [10, 9], [12, 9]);
    game.play('.');
    let distance = (game.room.bodies[0].tile - game.room.player)
        .abs()
        .max_element();
    assert_eq!(distance, 3, "{game}");
}

#[test]
fn enemies_have_the_turns_of_the_preview_and_keep_out_of_walls() {
    for seed in 0..200_u64 {
        let mut game = Game::new().expect("the room is valid");
        let mut dice = seed;
        for _ in 0..60 {
            if game.is_over() {
                break;
            }
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let letter = b"hjklyubn."[(dice >> 33) as usize % 9] as char;
            let bodies = |game: &Game| -> BTreeMap<u32, (IVec2, u32)> {
                let bodies = game.room.bodies.iter();
                bodies
                    .map(|body| (body.id, (body.tile, game.order.preview(body.id))))
                    .collect()
            };
            let before = bodies(&game);
            if !game.play(letter) {
                assert_eq!(
                    before,
                    bodies(&game),
                    "a move that is refused costs no turn"
                );
                continue;
            }
            let after = bodies(&game);
            for (id, (tile, _)) in &after {
                if let Some((was, turns)) = before.get(id) {
                    let moved = (*tile - *was).abs().max_element();
                    assert!(
                        moved <= *turns as i32,
                        "{moved} tiles in {turns} turns\n{game}"
                    );
                }
            }
            let mut tiles: Vec<_> = after.values().map(|(tile, _)| tile.to_array()).collect();
            tiles.push(game.room.player.to_array());
            let count = tiles.len();
            tiles.sort_unstable();
            tiles.dedup();
            assert_eq!(tiles.len(), count, "two on one tile\n{game}");
            let drawn = game.to_string();
            assert_eq!(drawn.matches("###").count(), 103, "{drawn}");
        }
    }
}
