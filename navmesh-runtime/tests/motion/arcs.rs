//! Jumps and drops follow their closed form. Features: A5.

use crate::motion_worlds;

use glam::Vec2;
use motion_worlds::{gap, settle};
use navmesh_runtime::mesh::{AgentProfile, LinkKind};
use navmesh_runtime::motion::{Activity, AgentEvent, Airborne, Environment, IdleReason, NavAgent};
use navmesh_runtime::search::PathFinder;

#[test]
fn a5_motion_in_the_air_is_the_closed_form() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let layer = level.layer();
    let mut agent = NavAgent::new(layer, Vec2::new(40.0, 144.0));
    agent.set_destination(Vec2::new(290.0, 144.0));
    let mut checked = 0;
    for tick in 0..600 {
        // Whatever dt is, a jump is where its arc is.
        agent.step(
            Environment::new(layer),
            &mut finder,
            0.003 + 0.001 * (tick % 23) as f32,
        );
        let link = layer.links().iter().find(|link| {
            agent.activity() == Activity::Jumping
                && agent
                    .remaining_path()
                    .first()
                    .is_none_or(|s| s.from == link.to)
                && (link.from.x.min(link.to.x)..=link.from.x.max(link.to.x))
                    .contains(&agent.position().x)
                && (agent.velocity().x
                    - link
                        .params
                        .between(link.from, link.to, 800.0, 1.0)
                        .unwrap()
                        .legs()
                        .last()
                        .unwrap()
                        .speed as f32)
                    .abs()
                    < 1e-3
                && link.params.legs().len() == 0
        });
        let Some(link) = link else { continue };
        let arc = link.params.between(link.from, link.to, 800.0, 1.0).unwrap();
        let vx = arc.legs()[0].speed;
        let t = f64::from(agent.position().x - link.from.x) / vx;
        let y = f64::from(link.from.y) - arc.offset(t).y;
        // x is rounded, and so is the time taken from it.
        let rounding = 2e-5 / vx.abs() * 283.0;
        assert!((y - f64::from(agent.position().y)).abs() < 1e-4 + rounding);
        checked += 1;
    }
    assert!(checked > 5, "{checked}");

    for link in layer.links() {
        let mut arc = Airborne::along(link, layer, layer.profile()).unwrap();
        let exact = link.params.between(link.from, link.to, 800.0, 1.0).unwrap();
        let mut t = 0.0;
        for i in 0.. {
            let dt = 0.001 + 0.013 * f64::from(i % 7);
            t += dt;
            let landed = arc.advance(dt).is_some();
            let offset = exact.offset(t).as_vec2();
            let at = link.from + Vec2::new(offset.x, -offset.y);
            assert!(arc.position().distance(at) < 1e-4);
            if landed {
                assert_eq!(arc.position(), link.to);
                break;
            }
        }
    }
}

#[test]
fn a5_another_gravity_keeps_the_curve_and_tighter_limits_bind() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let layer = level.layer();
    let baked = layer.profile().clone();
    let link = layer
        .links()
        .iter()
        .find(|l| l.kind == LinkKind::Jump)
        .unwrap();
    let light = AgentProfile {
        gravity: 200.0,
        ..baked.clone()
    };
    let (mut slow, mut fast) = (
        Airborne::along(link, layer, &light).unwrap(),
        Airborne::along(link, layer, &baked).unwrap(),
    );
    assert!((slow.duration() - 2.0 * fast.duration()).abs() < 1e-6);
    for _ in 0..10 {
        slow.advance(0.02);
        fast.advance(0.01);
        assert!(slow.position().distance(fast.position()) < 1e-4);
        assert!((slow.velocity() * 2.0).distance(fast.velocity()) < 1e-2);
    }
    let weak = AgentProfile {
        jump_speed: 1.0,
        ..baked.clone()
    };
    assert!(Airborne::along(link, layer, &weak).is_none());
    // The search knows, too: what it cannot jump, it does not plan.
    let mut agent = NavAgent::new(layer, Vec2::new(40.0, 144.0));
    agent.set_profile(weak.clone()).unwrap();
    agent.set_destination(Vec2::new(290.0, 144.0));
    let events = settle(&mut agent, &level, &mut finder);
    assert!(
        matches!(events[..], [AgentEvent::CannotReach(_)]),
        "{events:?}"
    );
    agent.set_profile(light.clone()).unwrap();
    settle(&mut agent, &level, &mut finder);
    assert_eq!(agent.activity(), Activity::Idle(IdleReason::Arrived));
    let broken = AgentProfile {
        gravity: -1.0,
        ..baked.clone()
    };
    assert_eq!(agent.set_profile(broken).unwrap_err().parameter, "gravity");
}
