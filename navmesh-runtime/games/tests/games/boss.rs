//! The example `boss`: its phases swap its favours.

use glam::Vec2;
use navmesh_behavior::Status;
use navmesh_bots::steering::Surroundings;
use navmesh_runtime::motion::Environment;

use navmesh_games::boss::{FRAME, Fight, TREE};

/// Where the boss was in one phase, relative to the player, frame by frame.
struct Phase {
    name: String,
    path: Vec<Vec2>,
}

impl Phase {
    /// The distances to the player, in order of size.
    fn distances(&self) -> Vec<f32> {
        let mut distances: Vec<f32> = self.path.iter().map(|at| at.length()).collect();
        distances.sort_by(f32::total_cmp);
        distances
    }

    /// How far it turns around the player in a second, radians.
    fn turn(&self) -> f32 {
        let turns = self.path.windows(2).map(|pair| pair[0].angle_to(pair[1]));
        turns.sum::<f32>().abs() / (self.path.len() as f32 * FRAME)
    }
}

fn fight(tree: &str) -> Vec<Phase> {
    let mut fight = Fight::new(tree).expect("the example is valid");
    let mut phases: Vec<Phase> = Vec::new();
    for _ in 0..60 * 120 {
        assert_eq!(fight.step(), Status::Running);
        let name = fight.phase();
        if phases.last().is_none_or(|last| last.name != name) {
            phases.push(Phase {
                name: name.to_owned(),
                path: Vec::new(),
            });
        }
        if let Some(phase) = phases.last_mut() {
            phase.path.push(fight.boss.position - fight.player);
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
    phases
}

/// Whether every phase but the last, which the end of the test cuts off, is what its
/// name says; a description of the first one that is not.
fn check(phases: &[Phase]) -> Result<(), String> {
    let order: Vec<_> = phases.iter().map(|phase| phase.name.as_str()).collect();
    if order.len() < 7 {
        return Err(format!("few phases: {order:?}"));
    }
    for (k, phase) in phases.iter().take(order.len() - 1).enumerate() {
        if phase.name != ["circle", "dart", "retreat"][k % 3] {
            return Err(format!("{order:?}"));
        }
        let distances = phase.distances();
        let (least, most) = (distances[0], distances[distances.len() - 1]);
        let turn = phase.turn();
        let is_right = match phase.name.as_str() {
            // Around the player at 96, farther where platforms are in the way.
            "circle" => least > 75.0 && turn > 0.5,
            // In to 24, and out to 112.
            "dart" => least < 30.0 && (95.0..130.0).contains(&most) && turn < 0.4,
            // To the items, in the upper corners.
            _ => most > 270.0 && turn < 0.5,
        };
        if !is_right {
            let name = &phase.name;
            return Err(format!("{name}: {least} to {most}, turns {turn} a second"));
        }
    }
    Ok(())
}

#[test]
fn the_phases_of_the_boss_change_what_it_does() {
    assert_eq!(check(&fight(TREE)), Ok(()));
    // With the favours of two phases exchanged, the boss does something else.
    let lists = TREE.split("{\"favours\": [").skip(1);
    let lists: Vec<&str> = lists
        .filter_map(|text| Some(text.split_once("]})")?.0))
        .collect();
    assert_eq!(lists.len(), 3);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let tree = TREE.replace(lists[a], "#").replace(lists[b], lists[a]);
        let tree = tree.replace('#', lists[b]);
        let result = check(&fight(&tree));
        assert!(result.is_err(), "{a} and {b} exchanged");
    }
}
