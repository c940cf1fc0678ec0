//! Trees, states and pools shared between threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;

use crate::mock::free;
use glam::Vec2;
use navmesh_behavior::{Context, NodeKind, Priority, Status, Tree, TreeState};
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

/// The view is the rooms. The x of a waypoint is its index.
enum Visitor {}

impl Context for Visitor {
    type View<'a> = Rooms;
}

#[test]
fn never_more_agents_inside_than_the_limit() {
    let tree = Arc::new(
        Tree::<Visitor>::builder("")
            .sequence("")
            .inside(|b| {
                b.node(
                    "",
                    NodeKind::WithToken {
                        pool: "melee".into(),
                        wait: f32::INFINITY,
                        priority: Priority::default(),
                    },
                )
                .inside(|b| {
                    b.action("attack", |tick| {
                        tick.context.0.enter();
                        thread::yield_now();
                        tick.context.0.leave();
                    })
                })
                .with_waypoint("", "ground", f32::INFINITY, 1.0)
                .inside(|b| {
                    b.action("stand", |tick| {
                        let place = tick.destination.map_or(0, |to| to.x as usize);
                        let room = &tick.context.1[place];
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
    let pools = Pools {
        tokens: [("melee".into(), melee.clone())].into(),
        waypoints: [("ground".into(), ground.clone())].into(),
    };
    let rooms = Rooms::default();
    let start = Arc::new(Barrier::new(THREADS));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (tree, rooms, start) = (tree.clone(), rooms.clone(), start.clone());
            let mut states: Vec<_> = (0..8)
                .map(|_| tree.state(&pools).expect("the pools are there"))
                .collect();
            thread::spawn(move || {
                let mut context = rooms;
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
    assert_eq!((melee.held(), free(&ground)), (0, 2));
}
