//! Ground that is removed from a level: the mesh that is left agrees with the tiles, and
//! agents fall from what has gone and find other ways.

use crate::levels;
use crate::physics_body;
use crate::soak;

use glam::Vec2;
use levels::{Dice, Level, TILE, gap, walking, wide_floors};
use navmesh_runtime::Navigator;
use navmesh_runtime::mesh::{EdgeSet, Layer};
use navmesh_runtime::motion::{Activity, AgentEvent, IdleReason, NavAgent, PathLostReason};
use navmesh_runtime::search::{Rect, SnapTo};
use physics_body::{Body, Character, Drive, Limits, Tiles};
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// A rectangle of tiles.
fn tiles(left: u32, top: u32, width: u32, height: u32) -> Rect {
    let [min, size] = [
        Vec2::new(left as f32, top as f32),
        Vec2::new(width as f32, height as f32),
    ];
    Rect::new(min * TILE, (min + size) * TILE)
}

fn random_tiles(level: &Level, dice: &mut Dice) -> Rect {
    let (columns, rows) = (level.rows[0].len() as u32, level.rows.len() as u32);
    let (left, top) = (dice.below(columns), 1 + dice.below(rows - 1));
    tiles(left, top, 1 + dice.below(6), 1 + dice.below(rows - top))
}

/// The level without the tiles that were removed.
fn left_of(level: &Level, removed: &[Rect]) -> Level {
    let mut rows = level.rows.clone();
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, tile) in row.iter_mut().enumerate() {
            let middle = (Vec2::new(x as f32, y as f32) + 0.5) * TILE;
            let is_gone =
                |rect: &Rect| rect.min.cmplt(middle).all() && middle.cmplt(rect.max).all();
            *tile &= !removed.iter().any(is_gone);
        }
    }
    Level::new(rows, level.layer().profile().edges)
}

/// Whether the tiles hold a body up.
fn stands(level: &Level, feet: Vec2) -> bool {
    let row = level.rows.get(((feet.y + 0.2) / TILE) as usize);
    // Bodies are 12 wide. At the end of a floor they overlap it by a thousandth.
    let [first, last] = [-5.9995, 5.9995].map(|aside| ((feet.x + aside).max(0.0) / TILE) as usize);
    row.is_some_and(|row| (first..=last).any(|x| row.get(x).copied().unwrap_or(false)))
}

/// Compares what is left of a mesh with the tiles. Returns how many places were compared.
fn compare(whole: &Layer, left: &Layer, level: &Level, seed: u64) -> u32 {
    let mut count = 0;
    for platform in left.platforms() {
        let (low, high) = platform.extent();
        for i in 0..=40 {
            let at = platform.at(low + (high - low) * i as f32 / 40.0);
            assert!(
                !level.is_blocked(at) && stands(level, at),
                "{seed}: no floor at {at}"
            );
            count += 1;
        }
    }
    for platform in whole.platforms() {
        let (low, high) = platform.extent();
        for i in 0..=80 {
            let at = platform.at(low + (high - low) * i as f32 / 80.0);
            // Not within a fifth of a unit of an edge.
            let holds = [-0.2, 0.2].iter().all(|x| stands(level, at + Vec2::X * *x));
            let known = left.snap(at, SnapTo::NearestFloor(0.1));
            assert!(
                !holds || known.is_some(),
                "{seed}: a floor has gone at {at}"
            );
            count += 1;
        }
    }
    let grid = *left.grid();
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            let cell = navmesh_runtime::mesh::Cell { column, row };
            let is_free = !left.blocked().get(column, row);
            assert!(
                !is_free || !level.is_blocked(grid.position(cell)),
                "{seed}: {cell:?}"
            );
            assert!(
                is_free || whole.blocked().get(column, row),
                "{seed}: {cell:?}"
            );
        }
    }
    for link in left.links() {
        assert!(
            stands(level, link.from) && stands(level, link.to),
            "{seed}: {link:?}"
        );
    }
    for link in whole.links() {
        let is_kept = left
            .links()
            .iter()
            .any(|other| (other.from, other.to, other.kind) == (link.from, link.to, link.kind));
        let holds = [link.from, link.to].iter().all(|at| {
            [-0.2, 0.2]
                .iter()
                .all(|x| stands(level, *at + Vec2::X * *x))
        });
        assert!(is_kept || !holds, "{seed}: a link has gone: {link:?}");
        count += u32::from(is_kept);
    }
    count
}

proptest! {
    #![proptest_config(soak::cases(25))]

    #[test]
    fn what_is_left_agrees_with_the_tiles(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let edges = [walking(), EdgeSet::ALL - EdgeSet::CLIMB][dice.below(2) as usize];
        let level = Level::random(16 + dice.below(14), 10, edges, dice);
        let mut nav = Navigator::new(level.mesh.clone());
        let mut removed = Vec::new();
        for _ in 0..5 {
            if dice.chance(0.7) || removed.is_empty() {
                removed.push(random_tiles(&level, dice));
                nav.remove(removed[removed.len() - 1]);
            } else {
                let at = dice.below(removed.len() as u32) as usize;
                prop_assert!(nav.restore(removed.swap_remove(at)));
            }
            let left = left_of(&level, &removed);
            compare(level.layer(), &nav.mesh().layers()[0], &left, seed);
        }
        for region in removed {
            prop_assert!(nav.restore(region));
        }
        prop_assert!(!nav.restore(tiles(0, 0, 1, 1)) && nav.removed().is_empty());
        prop_assert!(**nav.mesh() == level.mesh);
    }

    /// Agents under way never enter what is left, never stand on air, and never stay without
    /// a path while there is one.
    #[test]
    fn agents_fall_from_what_has_gone_and_go_on(seed in any::<u64>()) {
        agents_go_on(seed)?;
    }
}

/// A floor goes over a hole that the mesh knows farther off only, and one that is narrower
/// than the distance between vertices.
#[test]
fn agents_fall_into_holes_that_no_vertex_shows() {
    for seed in [18_046_566_314_834_660_546, 7_692_352_478_215_910_270] {
        agents_go_on(seed).unwrap();
    }
}

fn agents_go_on(seed: u64) -> Result<(), TestCaseError> {
    let dice = &mut Dice(seed);
    let level = Level::random(16 + dice.below(14), 10, walking(), dice);
    let mut nav = Navigator::new(level.mesh.clone());
    nav.set_budget(dice.chance(0.3).then_some(50));
    let mut agents: Vec<NavAgent> = (0..6)
        .map(|_| nav.agent("agent", level.somewhere(dice)).unwrap())
        .collect();
    let mut left = left_of(&level, &[]);
    for tick in 0..600 {
        nav.work();
        for agent in &mut agents {
            if dice.chance(0.01) {
                agent.go_to(level.somewhere(dice));
            }
        }
        if tick % 60 == 59 && nav.removed().len() < 8 {
            // To the lower edge: a mesh does not know the ground that a hole uncovers.
            let mut region = random_tiles(&level, dice);
            region.max.y = level.size().y;
            nav.remove(region);
            left = left_of(&level, nav.removed());
        }
        for agent in &mut agents {
            let before = agent.destination();
            let pose = agent.update(&mut nav, DT);
            let at = pose.position;
            prop_assert!(!left.is_blocked(at), "{tick}: in geometry: {pose:?}");
            let is_grounded = matches!(pose.activity, Activity::Idle(_) | Activity::Running);
            prop_assert!(
                !is_grounded || stands(&left, at),
                "{tick}: on air: {pose:?}"
            );
            prop_assert!(before.is_none() || agent.destination() == before);
            prop_assert!(
                !matches!(pose.activity, Activity::Idle(IdleReason::NoDestination))
                    || before.is_none()
            );
            if let Activity::Stranded(_) = pose.activity {
                prop_assert!(at.y > level.size().y, "{tick}: {pose:?}");
                let floors: Vec<_> = nav.mesh().layers()[0]
                    .platforms()
                    .map(|p| p.left())
                    .collect();
                if floors.is_empty() {
                    return Ok(());
                }
                agent.teleport(floors[dice.below(floors.len() as u32) as usize]);
            }
        }
    }
    Ok(())
}

#[test]
fn an_enemy_on_a_vanishing_floor_falls_at_once_and_finds_another_way() {
    // A bridge over a lower floor, from which steps lead up.
    let level = Level::under_air(
        4,
        &[
            "..####################..",
            "........................",
            "#......................#",
            "##....................##",
            "########################",
        ],
        walking(),
    );
    let bridge = tiles(8, 4, 6, 1);
    let to = Vec2::new(330.0, 64.0);
    for frames in 0..60 {
        let mut nav = Navigator::new(level.mesh.clone());
        let mut enemy = nav
            .agent("agent", Vec2::new(125.0 + 2.0 * frames as f32, 64.0))
            .unwrap();
        enemy.go_to(to);
        for _ in 0..=frames % 7 {
            enemy.update(&mut nav, DT);
        }
        nav.remove(bridge);
        let before = enemy.pose().position;
        let pose = enemy.update(&mut nav, DT);
        let is_over = (134.5..217.5).contains(&before.x);
        assert_eq!(
            pose.position.y > 64.0,
            is_over,
            "{frames}: {before} {pose:?}"
        );
        let lost = AgentEvent::PathLost(PathLostReason::Level);
        assert_eq!(enemy.events().contains(&lost), before.x < 217.5);
        assert_eq!(enemy.destination(), Some(to));
        for _ in 0..900 {
            enemy.update(&mut nav, DT);
        }
        assert_eq!(enemy.pose().position, to, "{frames}: {:?}", enemy.pose());
    }
}

#[test]
fn agents_elsewhere_and_jumps_over_a_new_hole_go_on_without_a_hitch() {
    let level = gap();
    let to = Vec2::new(290.0, 144.0);
    // Above the destination's end, under no path.
    let elsewhere = tiles(2, 5, 3, 1);
    for frames in 0..200 {
        let mut nav = Navigator::new(level.mesh.clone());
        let mut agents = [0, 1].map(|_| nav.agent("agent", Vec2::new(24.0, 144.0)).unwrap());
        for agent in &mut agents {
            agent.go_to(to);
        }
        for _ in 0..frames {
            for agent in &mut agents {
                agent.update(&mut nav, DT);
            }
        }
        let mut changed = Navigator::new(level.mesh.clone());
        changed.remove(elsewhere);
        for _ in 0..60 {
            let [pose, expected] = [
                agents[0].update(&mut changed, DT),
                agents[1].update(&mut nav, DT),
            ];
            assert_eq!(pose, expected, "{frames}");
            assert_eq!(agents[0].events(), agents[1].events(), "{frames}");
        }
    }
}

#[test]
fn a_jump_whose_landing_has_gone_flies_on_and_an_impossible_target_is_tried_again() {
    let level = wide_floors();
    let mut nav = Navigator::new(level.mesh.clone());
    let mut agent = nav.agent("agent", Vec2::new(100.0, 144.0)).unwrap();
    let to = Vec2::new(300.0, 144.0);
    agent.go_to(to);
    while agent.airborne().is_none() {
        agent.update(&mut nav, DT);
    }
    for _ in 0..5 {
        agent.update(&mut nav, DT);
    }
    let right = tiles(12, 9, 8, 1);
    nav.remove(right);
    let before = agent.pose();
    let pose = agent.update(&mut nav, DT);
    assert_eq!(pose.activity, Activity::Launched);
    assert!((pose.velocity.x - before.velocity.x).abs() < 1e-3);
    assert_eq!(agent.destination(), Some(to));
    while agent.pose().activity == Activity::Launched {
        agent.update(&mut nav, DT);
    }
    agent.teleport(Vec2::new(24.0, 144.0));
    for _ in 0..30 {
        agent.update(&mut nav, DT);
    }
    assert!(matches!(
        agent.pose().activity,
        Activity::Idle(IdleReason::CannotReach(_))
    ));
    assert!(nav.restore(right));
    for _ in 0..300 {
        agent.update(&mut nav, DT);
    }
    assert_eq!(agent.pose().position, to);
}

fn physics_tiles(level: &Level) -> Tiles {
    let tile = |solid: &bool| if *solid { b'#' } else { b'.' };
    let rows = level.rows.iter();
    Tiles {
        rows: rows.map(|row| row.iter().map(tile).collect()).collect(),
        side: f64::from(TILE),
    }
}

#[test]
fn a_driven_body_is_not_disturbed_by_what_is_removed_elsewhere() {
    let level = gap();
    let tiles_of_level = physics_tiles(&level);
    let limits = Limits::new(level.layer(), Drive::Gravity, 20.0);
    let (from, to) = (Vec2::new(24.0, 144.0), Vec2::new(280.0, 144.0));
    let mut nav = Navigator::new(level.mesh.clone());
    let mut other = Navigator::new(level.mesh.clone());
    let mut agents = [0, 1].map(|_| nav.agent("agent", from).unwrap());
    for agent in &mut agents {
        agent.go_to(to);
    }
    let mut body = Character::new(&tiles_of_level, limits, from.as_dvec2());
    for tick in 0..300 {
        if tick % 7 == 6 && !other.restore(tiles(2, 5, 3, 1)) {
            other.remove(tiles(2, 5, 3, 1));
        }
        let command = agents[0].drive(&mut nav, body.state(), DT);
        let same = agents[1].drive(&mut other, body.state(), DT);
        assert_eq!(same, command, "{tick}");
        assert_eq!(agents[0].events(), agents[1].events(), "{tick}");
        body.step(command, f64::from(DT));
    }
    assert!(
        body.state().position.distance(to) < 4.0,
        "{:?}",
        body.state()
    );
}

#[test]
fn a_driven_body_falls_with_its_floor_and_finds_another_way() {
    let level = Level::under_air(
        4,
        &[
            "..####################..",
            "........................",
            "#......................#",
            "##....................##",
            "########################",
        ],
        walking(),
    );
    let bridge = tiles(8, 4, 6, 1);
    let (whole, left) = (
        physics_tiles(&level),
        physics_tiles(&left_of(&level, &[bridge])),
    );
    let limits = Limits::new(level.layer(), Drive::Gravity, 20.0);
    let to = Vec2::new(330.0, 64.0);
    for frames in 0..40 {
        let mut nav = Navigator::new(level.mesh.clone());
        let from = Vec2::new(140.0, 64.0);
        let mut agent = nav.agent("agent", from).unwrap();
        agent.go_to(to);
        let mut body = Character::new(&whole, limits, from.as_dvec2());
        for _ in 0..frames {
            let command = agent.drive(&mut nav, body.state(), DT);
            body.step(command, f64::from(DT));
        }
        nav.remove(bridge);
        let mut fallen = Character::new(&left, limits, body.feet);
        (fallen.feet, fallen.velocity) = (body.feet, body.velocity);
        for _ in 0..1200 {
            let command = agent.drive(&mut nav, fallen.state(), DT);
            fallen.step(command, f64::from(DT));
        }
        let at = fallen.state().position;
        assert!(at.distance(to) < 4.0, "{frames}: {at} {:?}", agent.pose());
    }
}
