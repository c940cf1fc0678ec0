//! The animation of the documentation is what the example writes, and shows
//! every kind of enemy in action.

use std::collections::BTreeSet;

use navmesh_games::arena::acts::Act;
use navmesh_games::arena::body::Kind;
use navmesh_games::arena::effects::Sight;
use navmesh_games::arena::film;

const FILM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/img/arena.gif");

#[test]
fn the_animation_in_the_documentation_is_up_to_date() {
    let mut arena = film::scene().expect("the arena is valid");
    let seen = arena.effects.log.len();
    let mut new = Vec::new();
    film::write(&mut new, &mut arena, film::SECONDS).expect("it can be written");
    let mut acting = BTreeSet::new();
    for entry in &arena.effects.log[seen..] {
        if let Sight::Begins(act) = entry.sight {
            acting.insert((entry.kind, act));
            let is_bite = matches!(act, Act::Bite | Act::Peck);
            assert!(entry.in_reach || !is_bite, "it bites the air: {entry:?}");
        }
    }
    for all in [
        (Kind::Crawler, Act::Bite),
        (Kind::Spitter, Act::Spit),
        (Kind::Charger, Act::Charge),
        (Kind::Spiker, Act::Rock),
        (Kind::Immolator, Act::Burst),
        (Kind::Defender, Act::Shield),
        (Kind::Healer, Act::Heal),
        (Kind::Flyer, Act::Peck),
        (Kind::Gunner, Act::Fire),
    ] {
        assert!(acting.contains(&all), "{all:?}");
    }
    let old = std::fs::read(FILM).expect("it is in the repository");
    assert!(old == new, "docs/img/arena.gif is stale: run `just arena`");
}
