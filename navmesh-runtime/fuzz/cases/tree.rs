//! A tree file, ticked for a while and then replaced by another.

use navmesh_behavior::{Context, Registry, Status, TreeDef};
use navmesh_behavior::{Pools, TokenPool, WaypointPool};
use navmesh_runtime::glam::Vec2;

/// The context of trees that count their actions.
enum Counter {}

impl Context for Counter {
    type View<'a> = u32;
}

/// Runs one case: one or two tree files in JSON, with a zero byte between them.
/// Returns whether the first became a tree.
pub(crate) fn run(case: &[u8]) -> bool {
    let mut registry = Registry::<Counter>::default();
    registry.action("noop", |_| ());
    registry.action("fail", |_| false);
    registry.action("count", |tick| {
        *tick.context += 1;
        if tick.context.is_multiple_of(3) {
            Status::Success
        } else {
            Status::Running
        }
    });
    registry.utility("near", |_, waypoint| 1.0 - waypoint.position.x);
    let waypoints = WaypointPool::new([Vec2::ZERO, Vec2::X]);
    let pools = Pools {
        tokens: [("attack".into(), TokenPool::new(1_u32))].into(),
        waypoints: [("ground".into(), waypoints)].into(),
    };

    let mut trees = case.splitn(2, |&byte| byte == 0).map(|file| {
        let def: TreeDef = serde_json::from_slice(file).ok()?;
        // Errors are written out, too.
        let tree = registry.build(&def).map_err(|error| error.to_string());
        tree.ok()
    });
    let (Some(old), new) = (trees.next().flatten(), trees.next().flatten()) else {
        return false;
    };
    let Ok(mut state) = old.state(&pools) else {
        return true;
    };
    let mut count = 0;
    for _ in 0..20 {
        state.tick(&mut count, 0.1);
    }
    let Some(new) = new else {
        state.reset(&mut count);
        return true;
    };
    match state.migrate(&new, &pools, &mut count) {
        Ok(_) => {
            for _ in 0..20 {
                state.tick(&mut count, 0.1);
            }
            state.restart(&mut count);
        }
        Err(_) => state.restart(&mut count),
    }
    assert_eq!(state.tokens_held(), 0);
    true
}
