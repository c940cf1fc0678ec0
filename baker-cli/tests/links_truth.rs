//! Every baked link can be made, and every link that can be made is baked:
//! two referees that share no code with the baker. N4, N5, S6.

mod common;

use baker_cli::bake::{NoProgress, Settings, bake, default_ground};
use common::referee::{View, baked, can_do, closure, replay};
use common::tiles;
use navmesh_runtime::mesh::AgentProfile;
use proptest::prelude::*;

fn agent(air_control: bool, width: f32) -> AgentProfile {
    let mut agent = default_ground("ground", 16.0);
    agent.body[0] = width;
    agent.air_control = air_control;
    agent
}

fn settings(air_control: bool, width: f32, stretch: f32) -> Settings {
    let mut settings = Settings::for_agents(vec![agent(air_control, width)]);
    settings.link_stretch = stretch;
    settings
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn links_can_be_made(world in tiles(6..24, 5..14, 16), air in any::<bool>(), w in 8u32..16, stretch in 0..2) {
        let stretch = if stretch == 0 { 1.0 } else { 1.1 };
        for level in [world.level(), world.bitmap()] {
            let mesh = bake(&level, &settings(air, w as f32, stretch), &NoProgress).unwrap();
            let wrong = replay(&world, &mesh, &mesh.layers()[0]);
            prop_assert!(wrong.is_empty(), "{:#?}", wrong);
        }
    }
}

#[test]
fn stats() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    for air in [true, false] {
        let (mut can, mut both, mut cl_can, mut cl_both, mut extra) = (0, 0, 0, 0, 0);
        for i in 0..25 {
            let world = tiles(8..20, 6..12, 16)
                .new_tree(&mut runner)
                .unwrap()
                .current();
            let all = bake(&world.level(), &settings(air, 12.0, 1.0), &NoProgress).unwrap();
            let thin = bake(&world.level(), &settings(air, 12.0, 1.1), &NoProgress).unwrap();
            let strict = can_do(&world, &all.layers()[0], 8.0, 24, 1.0 / 120.0, View::Strict);
            let generous = can_do(
                &world,
                &all.layers()[0],
                4.0,
                48,
                1.0 / 240.0,
                View::Generous,
            );
            let pairs = baked(&all.layers()[0]);
            can += strict.len();
            both += strict.intersection(&pairs).count();
            let (c1, c2) = (closure(&strict), closure(&baked(&thin.layers()[0])));
            cl_can += c1.len();
            cl_both += c1.intersection(&c2).count();
            let e = closure(&pairs).difference(&closure(&generous)).count();
            extra += e;
            let missing: Vec<_> = strict.difference(&pairs).collect();
            if !missing.is_empty() || e > 0 || c1.difference(&c2).count() > 0 {
                println!(
                    "{i} air {air}: missing {missing:?} extra {e} {:?} closure missing {:?}",
                    pairs.difference(&generous).collect::<Vec<_>>(),
                    c1.difference(&c2).collect::<Vec<_>>()
                );
                for r in &world.lines() {
                    println!("  {r}");
                }
                for (a, b) in missing.iter().take(3) {
                    let p = |i: u32| {
                        let l = &all.layers()[0];
                        let p = l.platform(navmesh_runtime::mesh::PlatformId(i)).unwrap();
                        (p.left(), p.right())
                    };
                    println!("   {:?} -> {:?}", p(*a), p(*b));
                }
            }
        }
        println!("air {air}: pairs {both}/{can} closure {cl_both}/{cl_can} extra {extra}");
    }
}
