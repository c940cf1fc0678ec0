//! Trees, states and pools shared between threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use glam::Vec2;
use navmesh_behavior::{Context, Status, Tree, TreeState};
use navmesh_behavior::{Pools, TokenPool, WaypointPool};

const THREADS: usize = 4;
const LIMIT: u32 = 3;

fn assert_shared<T: Send + Sync>() {}

#[test]
fn trees_states_and_pools_may_cross_threads() {
    assert_shared::<Tree<Visitor>>();
    assert_shared::<TreeState<Visitor>>();
    assert_shared::<Pools>();
}

/// Counts the agents inside.
#[derive(Default)]
struct Room {
    now: AtomicU32,
    most: AtomicU32,
    visits: AtomicU32,
}

impl Room {
    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.visits.fetch_add(1, Ordering::SeqCst);
    }
    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

type Rooms = Arc<(Room, [Room; 2])>;

/// The view is the rooms, and the index of the claimed waypoint.
enum Visitor {}

impl Context for Visitor {
    type View<'a> = (Rooms, usize);
}

#[test]
fn never_more_agents_inside_than_the_limit() {
    let tree = Arc::new(
        Tree::<Visitor>::builder("")
            .sequence("")
            .inside(|b| {
                b.with_token("", "melee", f32::INFINITY)
                    .inside(|b| {
                        b.action("attack", |tick| {
                            tick.context.0.0.enter();
                            thread::yield_now();
                            tick.context.0.0.leave();
                        })
                    })
                    .with_waypoint_by("", "ground", f32::INFINITY, 1.0, |(_, place), waypoint| {
                        *place = waypoint.index as usize;
                    })
                    .inside(|b| {
                        b.action("stand", |tick| {
                            let room = &tick.context.0.1[tick.context.1];
                            room.enter();
                            thread::yield_now();
                            room.leave();
                        })
                    })
            })
            .build()
            .expect("a valid tree"),
    );
    let (melee, ground) = (
        TokenPool::new(LIMIT),
        WaypointPool::new([Vec2::ZERO, Vec2::X]),
    );
    let pools = Pools::new()
        .with_tokens("melee", melee.clone())
        .with_waypoints("ground", ground.clone());
    let rooms = Rooms::default();
    let start = Arc::new(Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (tree, rooms, start) = (tree.clone(), rooms.clone(), start.clone());
            let mut states: Vec<_> = (0..8)
                .map(|_| tree.state_in(&pools).expect("the pools are there"))
                .collect();
            thread::spawn(move || {
                let mut context = (rooms, 0);
                start.wait();
                let mut done = 0;
                while done < 400 {
                    for state in &mut states {
                        let outcome = state.tick(&mut context, 0.1);
                        done += u32::from(outcome.status == Status::Success);
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no thread panics");
    }
    let (room, places) = (&rooms.0, &rooms.1);
    assert!(room.visits.load(Ordering::SeqCst) >= 1600);
    assert!((1..=LIMIT).contains(&room.most.load(Ordering::SeqCst)));
    for place in places {
        assert!(place.most.load(Ordering::SeqCst) <= 1, "one at a waypoint");
    }
    assert_eq!((melee.held(), ground.free()), (0, 2));
}
