//! The example `boss`: its phases swap its favours (S3, S5).

use navmesh_runtime::behavior::Status;
use navmesh_runtime::motion::Environment;
use navmesh_runtime::steering::Surroundings;

use crate::game::Fight;

#[test]
fn the_phases_of_the_boss_change_what_it_does() {
    let mut fight = Fight::new().expect("the example is valid");
    let mut phases: Vec<(String, Vec<f32>)> = Vec::new();
    for _ in 0..60 * 120 {
        assert_eq!(fight.step(), Status::Running);
        let phase = fight.phase();
        if phases.last().is_none_or(|(last, _)| last != phase) {
            phases.push((phase.to_owned(), Vec::new()));
        }
        let distance = fight.boss.position.distance(fight.player);
        if let Some((_, distances)) = phases.last_mut() {
            distances.push(distance);
        }
        // Where the boss is, its body is free.
        let layer = fight.layer().expect("a layer");
        let around = Surroundings::new(Environment::new(layer), fight.boss.position);
        assert!(
            around.can_fly_to(fight.boss.position),
            "{} after {} s",
            fight.boss.position,
            fight.seconds()
        );
    }
    let order: Vec<_> = phases.iter().map(|(name, _)| name.as_str()).collect();
    assert!(order.len() >= 4, "{order:?}");
    for (k, name) in order.iter().enumerate() {
        assert_eq!(*name, ["circle", "dart", "retreat"][k % 3], "{order:?}");
    }
    let distances = |name: &str| {
        let phase = phases.iter().find(|(phase, _)| phase == name);
        &phase.expect("a phase").1
    };
    let least = |name: &str| distances(name).iter().copied().fold(f32::MAX, f32::min);
    let most = |name: &str| distances(name).iter().copied().fold(0.0, f32::max);
    let circle = distances("circle");
    let late = &circle[circle.len() / 2..];
    let mean = late.iter().sum::<f32>() / late.len() as f32;
    // Wider than its radius: the player stands below platforms.
    assert!((60.0..200.0).contains(&mean), "it circles: {mean}");
    let (near, far) = (least("dart"), most("dart"));
    assert!(near < 150.0 && far > 90.0, "in and out: {near} to {far}");
    let away = most("retreat");
    assert!(away > 200.0, "to the items: {away}");
}
