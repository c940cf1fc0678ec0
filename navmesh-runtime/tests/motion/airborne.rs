//! Jumps and drops follow their closed form.

use crate::levels;

use glam::Vec2;
use levels::{gap, sent};
use navmesh_runtime::motion::{Activity, Airborne, Environment};
use navmesh_runtime::search::PathFinder;

#[test]
fn airborne_motion_follows_its_closed_form() {
    let (level, mut finder) = (gap(), PathFinder::new());
    let layer = level.layer();
    let mut agent = sent(layer, [40.0, 144.0], [290.0, 144.0]);
    let mut checked = 0;
    for tick in 0..600 {
        // A jump follows its trajectory at any dt.
        agent.step(
            Environment::new(layer),
            &mut finder,
            0.003 + 0.001 * (tick % 23) as f32,
        );
        let link = layer.links().iter().find(|link| {
            agent.pose().activity == Activity::Jumping
                && agent
                    .remaining_path()
                    .first()
                    .is_none_or(|s| s.from == link.to)
                && (link.from.x.min(link.to.x)..=link.from.x.max(link.to.x))
                    .contains(&agent.pose().position.x)
                && (agent.pose().velocity.x
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
        let t = f64::from(agent.pose().position.x - link.from.x) / vx;
        let y = f64::from(link.from.y) - arc.offset(t).y;
        // x is rounded, and so is the time taken from it.
        let rounding = 2e-5 / vx.abs() * 283.0;
        assert!((y - f64::from(agent.pose().position.y)).abs() < 1e-4 + rounding);
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
