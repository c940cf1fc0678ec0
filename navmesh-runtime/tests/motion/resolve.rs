//! Links made by agents slower or weaker than the one they were baked for.
//! Features: A1, A5.

use crate::motion_worlds;
use crate::soak;

use motion_worlds::{Dice, Level, walking};
use navmesh_runtime::mesh::{AgentProfile, LinkKind};
use navmesh_runtime::motion::{Activity, Airborne, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::{Filter, PathFinder, PathOutcome, Query};
use proptest::prelude::*;

proptest! {
    #![proptest_config(soak::cases(48))]

    /// Whatever the limits: an arc keeps to them, ends where the link does,
    /// touches nothing, and a drop stays one.
    #[test]
    fn a5_another_arc_keeps_to_limits_and_geometry(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 12, walking(), dice);
        let layer = level.layer();
        let baked = layer.profile().clone();
        for link in layer.links() {
            let profile = AgentProfile {
                run_speed: baked.run_speed * dice.between(0.3, 1.0),
                jump_speed: baked.jump_speed * dice.between(0.6, 1.0),
                gravity: baked.gravity * dice.between(0.5, 2.0),
                ..baked.clone()
            };
            let Some(mut arc) = Airborne::along(link, layer, &profile) else {
                continue;
            };
            let dt = arc.duration() / 300.0;
            prop_assert_eq!(arc.position(), link.from);
            let mut highest = f32::NEG_INFINITY;
            loop {
                let (at, v) = (arc.position(), arc.velocity());
                prop_assert!(!level.is_blocked(at), "{:?} {:?}", link, profile);
                prop_assert!(v.x.abs() <= profile.run_speed * 1.001);
                prop_assert!(-v.y <= profile.jump_speed * 1.001);
                highest = highest.max(-v.y);
                if arc.advance(dt).is_some() {
                    break;
                }
            }
            prop_assert_eq!(arc.position(), link.to);
            prop_assert!(link.kind != LinkKind::Drop || highest <= 0.0);
        }
    }

    /// What an agent is sent along, it can make; and what its path says that
    /// takes, it takes.
    #[test]
    fn a5_the_search_knows_what_a_slow_agent_can_make(seed in any::<u64>()) {
        let dice = &mut Dice(seed);
        let level = Level::random(24, 12, walking(), dice);
        let layer = level.layer();
        let mut finder = PathFinder::new();
        let mut slow = layer.profile().clone();
        slow.run_speed *= dice.between(0.4, 1.0);
        slow.jump_speed *= dice.between(0.7, 1.0);
        if dice.chance(0.5) {
            slow.gravity *= dice.between(0.4, 2.5);
        }
        let mut query = Query::new(level.somewhere(dice), level.somewhere(dice));
        query.profile = Some(slow.clone());
        query.filter.resolve = true;
        if let Ok(PathOutcome::Found(path)) = finder.find(layer, &query) {
            let mut sum = 0.0;
            for step in path.steps() {
                sum += f64::from(step.duration);
                let duration = f64::from(step.duration);
                if let Some(link) = step.link.and_then(|id| layer.link(id)) {
                    let arc = Airborne::along(link, layer, &slow).unwrap();
                    prop_assert!((arc.duration() - duration).abs() < 1e-4);
                } else {
                    let walk = f64::from((step.to.x - step.from.x).abs() / slow.run_speed);
                    prop_assert!((walk - duration).abs() < 1e-4);
                }
            }
            prop_assert!((sum - path.cost()).abs() < 1e-3, "{} {}", sum, path.cost());
        }
        let world = Environment::new(layer);
        let mut agent = NavAgent::new(layer, query.from);
        agent.set_profile(slow.clone()).unwrap();
        for _ in 0..40 {
            agent.step(world, &mut finder, 0.1);
        }
        if matches!(agent.activity(), Activity::Stranded(_)) {
            return Ok(());
        }
        query.from = agent.position();
        let is_found = matches!(finder.find(layer, &query), Ok(PathOutcome::Found(_)));
        agent.set_destination(query.to);
        for _ in 0..1000 {
            let pose = agent.step(world, &mut finder, 0.05);
            prop_assert!(!level.is_blocked(pose.position), "{:?}", pose);
            if !pose.activity.is_moving() {
                break;
            }
        }
        let arrived = agent.activity() == Activity::Idle(IdleReason::Arrived);
        prop_assert_eq!(arrived, is_found, "{:?}", agent);
    }
}

/// How many links agents can make with and without another arc, over many
/// levels: it is worth it.
#[test]
fn a5_most_links_are_in_reach_of_a_slower_agent() {
    let dice = &mut Dice(3);
    let (mut all, mut baked_ones, mut resolved) = (0, 0, 0);
    for _ in 0..12 {
        let level = Level::random(24, 12, walking(), dice);
        let layer = level.layer();
        let slow = AgentProfile {
            run_speed: 60.0,
            ..layer.profile().clone()
        };
        for link in layer.links() {
            let arc = link.params.between(link.from, link.to, 800.0, 1.0).unwrap();
            all += 1;
            if arc.top_speed() <= 60.0 {
                baked_ones += 1;
            } else {
                resolved += usize::from(Airborne::along(link, layer, &slow).is_some());
            }
        }
    }
    println!("{all} links: {baked_ones} as baked, {resolved} another way");
    assert!(resolved * 5 > all - baked_ones, "{resolved} of {all}");
}

#[test]
fn a1_without_asking_nothing_is_made_another_way() {
    assert!(!Filter::default().resolve);
}
