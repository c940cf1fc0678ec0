//! Each kind of enemy in the baked arena, by what a player would see,
//! with the trees from their files and the motion of real agents.

use glam::Vec2;
use navmesh_behavior::Aggression;
use navmesh_games::arena::acts::Act;
use navmesh_games::arena::body::Kind;
use navmesh_games::arena::effects::{Entry, FIRE, ROCK, Rock, Shot, Sight};
use navmesh_games::arena::files;
use navmesh_games::arena::play::{Arena, DT};
use navmesh_games::arena::player::Script;
use navmesh_games::arena::stage;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{EdgeSet, Grid, Layer, NavMesh, NavMeshParts, Platforms, Units, YAxis};
use navmesh_runtime::search::Filter;

/// The whole arena.
fn arena() -> Arena {
    Arena::new(Aggression::Medium).expect("the arena is valid")
}

/// A player who stands still and does not fight, and enemies of some kinds.
fn quiet(kinds: &[Kind], player: Vec2) -> Arena {
    let mut arena = Arena::without_enemies(stage::ARENA, Aggression::Medium).expect("valid");
    let wanted = |kind| kinds.contains(&kind);
    arena.populate(wanted).expect("the pools are there");
    arena.player.script = Script::Stand;
    arena.player.fights = false;
    arena.player.agent.teleport(player);
    arena
}

/// The times of a visible event of a kind of enemy.
fn times(arena: &Arena, kind: Kind, sight: Sight) -> Vec<f64> {
    let log = arena.effects.log.iter();
    log.filter(|e| e.kind == kind && e.sight == sight)
        .map(|e| e.time)
        .collect()
}

/// Steps until a visible event of a kind of enemy; at most that many seconds.
fn until(arena: &mut Arena, kind: Kind, sight: Sight, seconds: f32) -> Entry {
    let from = arena.effects.log.len();
    for _ in 0..(seconds / DT) as u32 {
        arena.step();
        let mut new = arena.effects.log[from..].iter();
        if let Some(entry) = new.find(|e| e.kind == kind && e.sight == sight) {
            return *entry;
        }
    }
    panic!("no {sight:?} of the {} in {seconds} s", kind.name());
}

const FAR_WEST: Vec2 = Vec2::new(40.0, 352.0);
const BRIDGE: Vec2 = Vec2::new(300.0, 272.0);

// It turns at both ends, and never leaves the platform.
#[test]
fn a_crawler_turns_at_both_ends_of_its_platform() {
    let mut arena = quiet(&[Kind::Crawler], FAR_WEST);
    let home = arena.enemies[0].home;
    let [left, right] = arena.stage.platform_ends(home).expect("it has a platform");
    let (mut turns, mut heading) = (Vec::new(), 0.0);
    for _ in 0..120 * 60 {
        let before = arena.enemies[0].position();
        arena.step();
        let at = arena.enemies[0].position();
        assert_eq!(at.y, home.y);
        assert!(left.x <= at.x && at.x <= right.x, "{at}");
        let now = (at.x - before.x).signum() * f32::from(at.x != before.x);
        if now != 0.0 && heading != 0.0 && now != heading {
            turns.push(before.x);
        }
        heading = if now == 0.0 { heading } else { now };
    }
    assert!(turns.len() >= 10, "{turns:?}");
    for (number, x) in turns.iter().enumerate() {
        let end = if number % 2 == 0 { left } else { right };
        assert!(
            (x - end.x).abs() < 0.5,
            "turn {number} at {x}, not at {end}"
        );
    }
}

/// An arena with a crawler that patrols between two positions.
fn patrol(places: [Vec2; 2]) -> Arena {
    let mut arena = quiet(&[Kind::Crawler], FAR_WEST);
    let file = files::file(Kind::Crawler);
    let (before, rest) = file
        .split_once("task(\n")
        .expect("the first task finds the ends");
    let (_, after) = rest.split_once("),").expect("it ends");
    let given = files::tree(&format!("{before}{after}")).expect("a valid edit");
    let keys = ["edge_left", "edge_right"]
        .map(|name| given.key::<Vec2>(name).expect("the tree heads for it"));
    arena
        .reload(Kind::Crawler, given)
        .expect("the pools are there");
    for (key, place) in keys.into_iter().zip(places) {
        let board = &mut arena.enemies.state_mut(0).board;
        board.set(key, place).expect("the key is the tree's");
    }
    arena
}

// A patrol between positions that the game sets, instead of the ends.
#[test]
fn a_crawler_patrols_between_given_positions() {
    let places = [Vec2::new(280.0, 272.0), Vec2::new(360.0, 272.0)];
    let mut arena = patrol(places);
    arena.run(5.0);
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    for _ in 0..30 * 60 {
        arena.step();
        let x = arena.enemies[0].position().x;
        (least, most) = (least.min(x), most.max(x));
    }
    assert!((least - places[0].x).abs() < 0.5 && (most - places[1].x).abs() < 0.5);
}

// Where one end of the patrol cannot be reached, it goes to the other.
#[test]
fn a_crawler_goes_to_the_end_that_it_can_reach() {
    let [far, near] = [Vec2::new(280.0, -9000.0), Vec2::new(360.0, 272.0)];
    for places in [[far, near], [near, far]] {
        let mut arena = patrol(places);
        arena.run(20.0);
        assert!(arena.enemies[0].position().distance(near) < 0.5);
    }
}

// It bites only a player in front of it; it stays on its platform in a
// melee too.
#[test]
fn a_crawler_bites_a_player_in_front() {
    let mut arena = quiet(&[Kind::Crawler], BRIDGE);
    let bite = until(&mut arena, Kind::Crawler, Sight::Begins(Act::Bite), 10.0);
    let (body, player) = (&arena.enemies[0], arena.player.position());
    let ahead = (player.x - body.position().x) * body.facing();
    assert!((0.0..=41.0).contains(&ahead), "{ahead} ahead at {bite:?}");
    assert!(
        !arena.enemies[0].actor.agent.pose().activity.is_moving(),
        "it stopped"
    );
    let mut arena = self::arena();
    for _ in 0..180 * 60 {
        arena.step();
        let crawler = &arena.enemies[0];
        assert_eq!(crawler.position().y, crawler.home.y);
    }
    assert!(!times(&arena, Kind::Crawler, Sight::Begins(Act::Bite)).is_empty());
}

// It spits from waypoints in sight of the player; if there is none it
// bites.
#[test]
fn a_spitter_spits_from_waypoints_in_sight_and_else_bites() {
    let mut arena = quiet(&[Kind::Spitter], BRIDGE);
    for _ in 0..10 {
        let spit = until(&mut arena, Kind::Spitter, Sight::Begins(Act::Spit), 20.0);
        let spitter = &arena.enemies[spit.enemy];
        let claim = arena
            .enemies
            .state(spit.enemy)
            .waypoint()
            .expect("it has a perch");
        let perch = claim.position;
        assert!(spitter.position().distance(perch) < 2.0);
        assert!(arena.stage.sees(perch, arena.player.position()));
        let to_player = arena.player.position().x - spitter.position().x;
        assert!(spitter.facing() * to_player > 0.0, "it faces the player");
    }
    // With every waypoint taken, it bites.
    let mut arena = quiet(&[Kind::Spitter], BRIDGE);
    let ground = arena.stage.pools.waypoints["ground"].clone();
    let taken: Vec<_> = std::iter::from_fn(|| ground.claim(None, |_| 1.0)).collect();
    let bite = until(&mut arena, Kind::Spitter, Sight::Begins(Act::Bite), 20.0);
    let far = arena.enemies[bite.enemy]
        .position()
        .distance(arena.player.position());
    assert!(far < 28.0, "it bites from {far}");
    assert!(times(&arena, Kind::Spitter, Sight::Begins(Act::Spit)).is_empty());
    drop(taken);
    until(&mut arena, Kind::Spitter, Sight::Begins(Act::Spit), 20.0);
}

// On every platform, it walks to one end and charges to the other.
#[test]
fn a_charger_charges_from_end_to_end_of_the_players_platform() {
    let stops = arena().player.stops;
    for stop in stops {
        let mut arena = quiet(&[Kind::Charger], stop);
        let [left, right] = arena.stage.platform_ends(stop).expect("it stands");
        until(&mut arena, Kind::Charger, Sight::Begins(Act::Charge), 20.0);
        let from = arena.enemies[0].position();
        let far_end = if from.distance(left) < 1.0 {
            right
        } else {
            left
        };
        let near_end = if far_end == left { right } else { left };
        assert!(
            from.distance(near_end) < 2.0,
            "{from} is neither {left} nor {right}"
        );
        until(&mut arena, Kind::Charger, Sight::Ends(Act::Charge), 20.0);
        let to = arena.enemies[0].position();
        assert!(to.distance(far_end) < 2.0, "{to}, not {far_end}");
        assert!(arena.player.hurts > 0, "it ran the player down");
    }
}

// It does not charge away from a player that is behind it or has left its platform.
#[test]
fn a_charger_charges_only_at_a_player_ahead() {
    let mut charges = 0;
    for seed in 0..8 {
        let mut arena = quiet(&[Kind::Charger], BRIDGE);
        arena.player.script = Script::Run(seed);
        for _ in 0..120 * 60 {
            let seen = arena.effects.log.len();
            arena.step();
            let mut new = arena.effects.log[seen..].iter();
            if !new.any(|entry| entry.sight == Sight::Begins(Act::Charge)) {
                continue;
            }
            charges += 1;
            let (at, player) = (arena.enemies[0].position(), arena.player.position());
            let goal = arena.enemies.state(0).destination.expect("it has one");
            let [mine, players] = [at, player].map(|at| arena.stage.platform_ends(at));
            assert_eq!(mine, players, "{player} is on another platform than {at}");
            let ahead = (player.x - at.x) * (goal.x - at.x).signum();
            assert!(
                ahead > -8.0,
                "{player} is behind {at}, on the way to {goal}"
            );
        }
    }
    assert!(charges > 50, "{charges} charges");
}

// It always warns in sight of the player, a second before, where the rock then
// comes out, in sight or not; the cooldown holds; it fights in melee meanwhile; the
// rock hurts enemies too.
#[test]
fn a_spiker_warns_a_second_before_its_rock() {
    let mut arena = arena();
    let mut marks: Vec<Vec2> = Vec::new();
    while arena.effects.time < 300.0 {
        arena.step();
        marks.extend(arena.effects.warnings.iter().map(|warning| warning.at));
        for rock in &arena.effects.rocks {
            assert!(marks.contains(&rock.at), "no warning at {}", rock.at);
        }
    }
    let mut warnings = arena.effects.log.iter();
    assert!(warnings.all(|e| e.sight != Sight::Begins(Act::Warn) || e.in_reach));
    let warned = times(&arena, Kind::Spiker, Sight::Begins(Act::Warn));
    let rocks = times(&arena, Kind::Spiker, Sight::Begins(Act::Rock));
    let thrown = times(&arena, Kind::Spiker, Sight::Ends(Act::Rock));
    assert!(rocks.len() >= 5, "{rocks:?}");
    for rock in &rocks {
        let warning = warned.iter().rev().find(|w| *w < rock);
        let grace = rock - warning.expect("there was a warning");
        assert!((0.999..1.05).contains(&grace), "{grace} s");
    }
    let bites = times(&arena, Kind::Spiker, Sight::Begins(Act::Bite));
    assert!(!bites.is_empty(), "it bites meanwhile");
    for next in &rocks[1..] {
        // A throw may have been interrupted.
        let Some(done) = thrown.iter().rev().find(|done| *done < next) else {
            continue;
        };
        // Unless it died meanwhile: one that returns has no cooldown.
        let died = times(&arena, Kind::Spiker, Sight::Died);
        if !died.iter().any(|t| (*done..*next).contains(t)) {
            assert!(next - done >= 6.9, "6 s of cooldown, then 1 s of warning");
        }
    }
    let hurt = arena.effects.log.iter();
    let friends = hurt.filter(|e| e.sight == Sight::HurtBy(Act::Rock)).count();
    assert!(friends > 0, "it never hit a friend");
}

// The rock comes out of the floor or wall nearest the player.
#[test]
fn a_rock_comes_out_of_the_nearest_surface() {
    let stage = arena().stage;
    for (player, surface) in [
        (Vec2::new(300.0, 272.0), Vec2::new(300.0, 272.0)),
        (Vec2::new(300.0, 250.0), Vec2::new(300.0, 272.0)),
        // In mid-air at the west wall, which ends at x = 16.
        (Vec2::new(24.0, 250.0), Vec2::new(16.0, 240.0)),
    ] {
        let found = stage.nearest_surface(player);
        assert!(found.distance(surface) <= 4.0, "{found}, not {surface}");
    }
}

// It loses health while it walks, leaves a trail of fires that burn for five
// seconds each, and bursts at the player. It dies when it has no health left, without an
// attack that reaches no one.
#[test]
fn an_immolator_leaves_a_trail_of_fire_and_bursts_in_reach() {
    // It reaches a player that is near, and does not reach one that is far.
    for (player, is_near) in [
        (Vec2::new(330.0, 352.0), true),
        (Vec2::new(640.0, 128.0), false),
    ] {
        let mut arena = quiet(&[Kind::Immolator], player);
        until(&mut arena, Kind::Immolator, Sight::Begins(Act::Ignite), 1.0);
        arena.run(1.5);
        assert!(arena.enemies[0].health < 90.0, "it drains itself");
        let fires = arena.effects.fires.len();
        assert!(fires >= 4, "{fires} fires burn while it walks");
        let apart = arena.effects.fires.windows(2).all(|f| f[0].at != f[1].at);
        assert!(apart, "they are a trail");
        let first = arena.effects.fires[0].at;
        assert!((first.x - arena.enemies[0].home.x).abs() < 2.0);
        until(&mut arena, Kind::Immolator, Sight::Died, 20.0);
        let bursts = times(&arena, Kind::Immolator, Sight::Begins(Act::Burst));
        assert_eq!(bursts.len(), usize::from(is_near));
        let at = arena.enemies[0].position();
        assert_eq!(at.distance(player) < 33.0, is_near);
        assert!(!arena.enemies[0].is_alive());
        let last = arena
            .effects
            .fires
            .last()
            .expect("it burned to the end")
            .left;
        arena.despawn(0);
        arena.run(last - 0.1);
        assert!(!arena.effects.fires.is_empty(), "it still burns");
        assert!(last > FIRE - 0.6, "{last}");
        arena.run(0.2);
        assert!(arena.effects.fires.is_empty(), "it is out");
    }
}

// It does not burn where it stands while there is no path to the player.
#[test]
fn an_immolator_without_a_path_does_not_set_itself_on_fire() {
    let mut arena = quiet(&[Kind::Immolator], BRIDGE);
    let mut no_jumps = Filter::default();
    no_jumps.edges = EdgeSet::FLOOR;
    arena.enemies[0].actor.agent.set_filter(no_jumps);
    arena.run(10.0);
    assert!(times(&arena, Kind::Immolator, Sight::Begins(Act::Ignite)).is_empty());
    assert!(arena.effects.fires.is_empty());
    assert_eq!(arena.enemies[0].health, 100.0);
    arena.enemies[0].actor.agent.set_filter(Filter::default());
    // Meanwhile it walks about.
    until(&mut arena, Kind::Immolator, Sight::Begins(Act::Ignite), 4.0);
    assert!(arena.enemies[0].actor.agent.is_under_way());
}

// Shields those that are near for 10 s, or until it dies, and runs away
// meanwhile; 15 s from one cast to the next.
#[test]
fn a_defender_shields_for_ten_seconds_and_runs_away() {
    let mut arena = quiet(&[Kind::Defender, Kind::Healer], Vec2::new(440.0, 192.0));
    let cast = until(&mut arena, Kind::Defender, Sight::Begins(Act::Shield), 5.0);
    let (defender, healer) = (cast.enemy, 1 - cast.enemy);
    let health = arena.enemies[healer].health;
    let (mut moves, mut frames) = (0, 0);
    while arena.enemies[healer].shield > 0.0 {
        arena.enemies[healer].hurt(10.0);
        arena.step();
        frames += 1;
        moves += i32::from(
            arena.enemies[defender]
                .actor
                .agent
                .pose()
                .activity
                .is_moving(),
        );
    }
    assert_eq!(arena.enemies[healer].health, health, "it is immune");
    assert!((598..=602).contains(&frames), "{frames} frames");
    assert!(moves * 10 > frames * 8, "it moves in {moves} of {frames}");
    // The healer keeps away too, so it is moved back in time.
    let again = loop {
        let at = arena.enemies[defender].position();
        arena.enemies[healer].actor.agent.teleport(at);
        arena.step();
        let casts = times(&arena, Kind::Defender, Sight::Begins(Act::Shield));
        if casts.len() == 2 {
            break casts[1];
        }
        assert!(arena.effects.time < 60.0, "no second shield");
    };
    assert!((again - cast.time - 15.0).abs() < 0.1, "after {again}");
    assert!(arena.enemies[healer].shield > 0.0);
    arena.enemies[defender].health = 0.0;
    arena.run(0.1);
    assert!(
        arena.enemies[healer].shield <= 0.0,
        "its shields end when it dies"
    );
}

// Far from the player they rest instead of going to and fro.
#[test]
fn defenders_and_healers_rest_until_the_player_comes_nearer() {
    for kind in [Kind::Defender, Kind::Healer] {
        let mut arena = quiet(&[kind], FAR_WEST);
        arena.run(20.0);
        let moves = |arena: &mut Arena| {
            let moves = (0..1200).filter(|_| {
                arena.step();
                arena.enemies[0].actor.agent.pose().activity.is_moving()
            });
            moves.count()
        };
        let far = moves(&mut arena);
        arena.player.agent.teleport(BRIDGE);
        let near = moves(&mut arena);
        assert!(far < 60 && near > 1000, "{kind:?}: {far}, {near} of 1200");
    }
}

// Two defenders have shielded the same enemy.
#[test]
fn a_shield_lasts_until_the_last_of_its_defenders_dies() {
    let mut arena = quiet(&[Kind::Defender, Kind::Healer], Vec2::new(440.0, 192.0));
    let healer = usize::from(arena.enemies[0].kind == Kind::Defender);
    let home = arena.enemies[healer].position();
    let other = arena.spawn(Kind::Defender, home).unwrap();
    let defenders = [1 - healer, other];
    while defenders.iter().any(|at| arena.enemies[*at].casting <= 0.0) {
        let at = arena.enemies[healer].position();
        for defender in &defenders {
            arena.enemies[*defender].actor.agent.teleport(at);
        }
        arena.step();
        assert!(arena.effects.time < 10.0, "both cast at once");
    }
    for (dead, is_shielded) in [(defenders[1], true), (defenders[0], false)] {
        arena.enemies[dead].health = 0.0;
        arena.run(0.1);
        assert_eq!(arena.enemies[healer].shield > 0.0, is_shielded);
    }
}

// Heals an enemy that is near and badly hurt, else keeps away.
#[test]
fn a_healer_heals_the_badly_hurt_and_else_keeps_away() {
    let player = Vec2::new(440.0, 192.0);
    let mut arena = quiet(&[Kind::Healer, Kind::Crawler], player);
    let crawler = arena.enemies.iter().position(|b| b.kind == Kind::Crawler);
    let crawler = crawler.expect("it is there");
    let healer = 1 - crawler;
    arena.run(8.0);
    for _ in 0..30 {
        arena.run(1.0);
        let distance = arena.enemies[healer].position().distance(player);
        assert!(distance > 300.0, "{distance}");
    }
    assert!(times(&arena, Kind::Healer, Sight::Begins(Act::Heal)).is_empty());
    // Hurt but not badly; badly hurt but far; badly hurt and near.
    let beside = arena.enemies[crawler].position() - Vec2::new(0.0, 80.0);
    arena.enemies[crawler].health = 60.0;
    arena.run(3.0);
    assert_eq!(arena.enemies[crawler].health, 60.0);
    arena.enemies[crawler].health = 20.0;
    arena.run(1.5);
    assert_eq!(arena.enemies[crawler].health, 20.0);
    arena.enemies[healer].actor.agent.teleport(beside);
    until(&mut arena, Kind::Crawler, Sight::Healed, 3.0);
    assert_eq!(arena.enemies[crawler].health, 80.0);
    assert!(arena.enemies[healer].acting.is_none());
}

// It dives from a waypoint in the air from which it sees the player. It shares the token with
// nine others, so that it may wait for half a minute.
#[test]
fn a_flyer_dives_from_an_air_waypoint_with_sight() {
    let mut arena = arena();
    arena.player.fights = false;
    let air = arena.stage.pools.waypoints["air"].clone();
    for _ in 0..12 {
        let dive = until(&mut arena, Kind::Flyer, Sight::Begins(Act::Dive), 60.0);
        let (from, player) = (
            arena.enemies[dive.enemy].position(),
            arena.player.position(),
        );
        let claim = arena
            .enemies
            .state(dive.enemy)
            .waypoint()
            .expect("it has one");
        assert!(air.waypoints().contains(claim));
        assert!(from.distance(claim.position) < 6.0);
        assert!(arena.stage.sees(from, player));
        let peck = until(&mut arena, Kind::Flyer, Sight::Begins(Act::Peck), 10.0);
        assert!(peck.time > dive.time);
    }
    assert!(arena.player.hurts > 0);
}

// No place of any level is out of sight of all waypoints in the air.
#[test]
fn a_flyer_dives_at_a_player_that_stands_anywhere() {
    for level in [stage::ARENA, stage::ROOMS] {
        let mut arena = Arena::without_enemies(level, Aggression::Low).expect("valid");
        arena.player.script = Script::Stand;
        arena.player.fights = false;
        arena
            .populate(|kind| kind == Kind::Flyer)
            .expect("the pools are there");
        let platforms = arena.stage.floor_layer().platforms();
        let ends: Vec<_> = platforms.map(|p| (p.left(), p.right())).collect();
        for (left, right) in ends {
            let places = (left.distance(right) / 24.0).ceil() as u32;
            for place in 0..=places {
                let at = left.lerp(right, place as f32 / places as f32);
                arena.player.agent.teleport(at);
                until(&mut arena, Kind::Flyer, Sight::Begins(Act::Peck), 30.0);
            }
        }
    }
}

// With every waypoint taken, as where none sees the player, it flies at the player.
#[test]
fn a_flyer_without_a_waypoint_attacks_from_where_it_is() {
    let mut arena = quiet(&[Kind::Flyer], BRIDGE);
    let air = arena.stage.pools.waypoints["air"].clone();
    let taken: Vec<_> = std::iter::from_fn(|| air.claim(None, |_| 1.0)).collect();
    for _ in 0..3 {
        let peck = until(&mut arena, Kind::Flyer, Sight::Begins(Act::Peck), 15.0);
        assert!(peck.in_reach);
    }
    drop(taken);
    until(&mut arena, Kind::Flyer, Sight::Begins(Act::Dive), 15.0);
}

// It does not alternate between single steps and aiming: when it walks, it
// walks for a while. (That it fires once it aims is asserted on the sums of many
// games.)
#[test]
fn a_gunner_does_not_alternate_between_steps_and_aiming() {
    let mut arena = arena();
    arena.player.fights = false;
    let gunner = arena.enemies.iter().position(|b| b.kind == Kind::Gunner);
    let gunner = gunner.expect("it is there");
    let (mut walked, mut walks, mut aims) = (0, Vec::new(), 0);
    for _ in 0..180 * 60 {
        arena.step();
        let body = &arena.enemies[gunner];
        if body.actor.agent.pose().activity.is_moving() {
            assert!(!body.is_acting(Act::Aim), "it aims while it walks");
            walked += 1;
        } else if body.is_acting(Act::Aim) {
            aims += 1;
            if walked > 0 {
                walks.push(walked);
            }
            walked = 0;
        }
    }
    assert!(aims > 100 && walks.len() > 5, "{aims} {walks:?}");
    let shortest = walks.iter().min().copied().unwrap_or_default();
    assert!(
        shortest >= 15,
        "it walked for {shortest} frames between two aims"
    );
}

// It does not shoot through other enemies, and without a target it points
// its gun straight ahead.
#[test]
fn a_gunner_spares_its_allies_and_lowers_its_gun() {
    let player = Vec2::new(560.0, 352.0);
    let mut arena = quiet(&[Kind::Gunner, Kind::Healer], player);
    let gunner = usize::from(arena.enemies[0].kind != Kind::Gunner);
    let fired = |arena: &Arena| times(arena, Kind::Gunner, Sight::Begins(Act::Fire)).len();
    // The ally always stands between the two, so it aims and does not fire.
    for _ in 0..20 * 60 {
        let at = arena.enemies[gunner].position();
        let between = at.midpoint(player);
        arena.enemies[1 - gunner].actor.agent.teleport(between);
        arena.step();
        if at.distance(player) < 190.0 && arena.stage.sees(at, player) {
            assert_eq!(fired(&arena), 0);
        }
    }
    let before = fired(&arena);
    arena.despawn(1 - gunner);
    // It changes places after each shot.
    arena.run(15.0);
    assert!(fired(&arena) > before + 2);
    arena.player.is_hidden = true;
    arena.run(5.0);
    let body = &arena.enemies[gunner];
    assert!(
        body.aim.distance(Vec2::X * body.facing()) < 0.01,
        "{}",
        body.aim
    );
}

// It goes elsewhere when an ally stays in its line of fire.
#[test]
fn a_gunner_goes_round_an_ally_that_stays_in_its_way() {
    let player = Vec2::new(560.0, 352.0);
    let mut arena = quiet(&[Kind::Gunner, Kind::Healer], player);
    let gunner = usize::from(arena.enemies[0].kind != Kind::Gunner);
    until(&mut arena, Kind::Gunner, Sight::Ends(Act::Fire), 20.0);
    let at = arena.enemies[gunner].position();
    let ahead = Vec2::X * 14.0 * (player.x - at.x).signum();
    let ally = &mut arena.enemies[1 - gunner].actor.agent;
    ally.teleport(at + ahead);
    ally.disable();
    until(&mut arena, Kind::Gunner, Sight::Begins(Act::Fire), 20.0);
    let now = arena.enemies[gunner].position();
    // In the line of fire from there, there is no ally.
    let is_behind = (at + ahead - now).dot(ahead) > 0.0 && now.y == at.y;
    assert!(!is_behind, "{at} {now}");
}

// A rock waits for the player to come near, for a shot, or for its age. It hurts enemies too.
#[test]
fn a_rock_stays_until_it_explodes() {
    let far = Vec2::new(300.0, 272.0);
    let rock = || {
        let mut arena = quiet(&[Kind::Crawler], FAR_WEST);
        let (at, left, by) = (far, ROCK, 0);
        arena.enemies[0]
            .actor
            .agent
            .teleport(Vec2::new(400.0, 272.0));
        arena.effects.rocks.push(Rock { at, left, by });
        arena
    };
    let mut arena = rock();
    arena.enemies[0].actor.agent.disable();
    arena.run(ROCK - 0.2);
    assert_eq!(arena.effects.rocks.len(), 1);
    arena.run(0.4);
    assert!(arena.effects.rocks.is_empty());
    assert_eq!(times(&arena, Kind::Crawler, Sight::Exploded).len(), 1);
    // An enemy walks over it.
    let mut arena = rock();
    arena.enemies[0].actor.agent.teleport(far + Vec2::X * 30.0);
    let mut nearest = f32::INFINITY;
    for _ in 0..4 * 60 {
        arena.step();
        nearest = nearest.min(arena.enemies[0].position().distance(far));
    }
    assert!(nearest < 8.0, "{nearest}");
    assert_eq!(arena.effects.rocks.len(), 1);
    // The player sets it off.
    arena.enemies[0].actor.agent.teleport(far + Vec2::X * 10.0);
    arena.player.agent.teleport(far);
    arena.run(0.1);
    assert_eq!((arena.player.hurts, arena.effects.rocks.len()), (1, 0));
    assert_eq!(arena.enemies[0].health, 70.0);
    // A shot hits it.
    let mut arena = rock();
    arena.effects.shots.push(Shot {
        at: far - Vec2::new(50.0, 8.0),
        velocity: Vec2::X * 200.0,
        left: 3.0,
        by: 0,
        act: Act::Fire,
    });
    arena.run(0.5);
    assert!(arena.effects.rocks.is_empty());
}

/// The same level with y up.
fn mirrored(asset: &[u8]) -> Vec<u8> {
    let flip = |at: Vec2| Vec2::new(at.x, -at.y);
    let mesh = asset::decode(asset).expect("valid");
    let layer = |layer: &Layer| {
        let mut parts = layer.parts().clone();
        let surfaces = layer.platforms().map(|p| {
            let points = p.surface.iter().copied().map(flip);
            (p.kind, points.collect::<Vec<_>>())
        });
        parts.platforms = Platforms::of_kinds(surfaces).expect("valid");
        for link in &mut parts.links {
            (link.from, link.to) = (flip(link.from), flip(link.to));
        }
        parts
    };
    let mut markers = mesh.markers().to_vec();
    for marker in &mut markers {
        marker.position = flip(marker.position);
    }
    let y_axis = YAxis::Up;
    asset::encode(
        &NavMesh::new(NavMeshParts {
            provenance: mesh.provenance().clone(),
            units: Units {
                y_axis,
                ..mesh.units()
            },
            grid: Grid {
                origin: flip(mesh.grid().origin),
                y_axis,
                ..*mesh.grid()
            },
            layers: mesh.layers().iter().map(layer).collect(),
            markers,
        })
        .expect("valid"),
    )
}

#[test]
fn y_up_is_the_mirror_image_of_y_down() {
    let play = |level: &[u8]| {
        let mut arena = Arena::without_enemies(level, Aggression::High).expect("valid");
        arena.populate(|_| true).expect("the pools are there");
        arena.player.script = Script::Run(1);
        arena.run(120.0);
        arena.effects.log
    };
    let up = play(&mirrored(stage::ARENA));
    assert_eq!(play(stage::ARENA), up);
}
