//! The trees of all enemies, in code. `trees/*.ron` has the same trees as
//! files, and a test compares them.

use std::sync::Arc;

use glam::Vec2;
use navmesh_behavior::AgentTask::{
    Charge, Cue, FaceTarget, FindEdgesOfPlatform, HeadFor, LocateTarget, PickNearerEdge, Pursue,
    RangedAttack, SeesTarget, Shout, StartNavigation, StopNavigation, TargetInside, TargetWithin,
    WaitForAtDestination, Watch,
};
use navmesh_behavior::{
    AgentTask, BuildError, Builder, Frame, Measure, NodeKind, Priority, Region, Score,
    TaskContext as _, Tree, Wait,
};

use super::body::Kind;
use super::tasks::{AimHolds, AllyHurt, AllyNear, Burn, LineIsFree, OnPlayersPlatform};
use super::view::Enemy;

type B = Builder<Enemy>;

/// The tree of one kind of enemy.
pub fn tree(kind: Kind) -> Result<Arc<Tree<Enemy>>, BuildError> {
    let builder = Tree::builder(kind.name());
    match kind {
        Kind::Crawler => crawler(builder),
        Kind::Spitter => spitter(builder),
        Kind::Charger => charger(builder),
        Kind::Spiker => spiker(builder),
        Kind::Immolator => immolator(builder),
        Kind::Defender => defender(builder),
        Kind::Healer => healer(builder),
        Kind::Flyer => flyer(builder),
        Kind::Gunner => gunner(builder),
        Kind::Guard => guard(builder),
    }
    .build()
}

fn cue(name: &str) -> AgentTask {
    Cue { cue: name.into() }
}

fn locate_target() -> AgentTask {
    LocateTarget {
        key: "target".into(),
    }
}

/// Runs after the player, to this distance and into sight.
fn pursue(range: f32, floor: bool, seconds: f32) -> AgentTask {
    Pursue {
        range,
        sight: true,
        floor,
        seconds,
    }
}

/// Finds the ends of the platform below the position under `key`.
fn find_edges(key: &str) -> AgentTask {
    FindEdgesOfPlatform {
        key: key.into(),
        left: "edge_left".into(),
        right: "edge_right".into(),
    }
}

/// Walks to the destination and waits for the arrival.
fn go(b: B) -> B {
    b.task("set out", StartNavigation {})
        .task("on the way", WaitForAtDestination {})
}

/// Stops, and waits until the body rests: a jump is finished first.
fn halt(b: B) -> B {
    b.task("stop", StopNavigation {})
        .task("come to rest", WaitForAtDestination {})
}

/// Opens a node that runs its child with a token; enemies on screen take the
/// tokens of those off screen.
fn with_token(b: B, name: &str, pool: &str, wait: f32) -> B {
    b.node(
        name,
        NodeKind::WithToken {
            pool: pool.into(),
            wait,
            priority: Priority::default(),
        },
    )
    .priority("on_screen", |view| i32::from(view.on_screen()))
}

/// The melee token covers the whole approach, so that only as many enemies as
/// there are tokens close in. It bites while it still runs, and keeps the token
/// while it recovers, so that the next enemy does not bite at once.
fn melee(b: B) -> B {
    with_token(b, "melee", "melee", 2.0).inside(|b| {
        b.sequence("close in").inside(|b| {
            b.task("run after", pursue(22.0, true, 6.0))
                .task("bite", cue("bite"))
                .task("recover", Wait { seconds: 2.0 })
        })
    })
}

/// Waypoints in sight of the player, preferably at a distance between `near`
/// and `far` and close to the enemy.
fn vantage(near: f32, far: f32) -> Score<Enemy> {
    let fade = 80.0;
    Score::from(Measure::LineOfSight)
        + Measure::DistanceBand { near, far, fade }
        + Score::from(Measure::NearSelf { distance: 100.0 }) * 0.5
        + Score::from(Measure::DifferentElevation { height: 64.0 }) * 0.5
}

/// Waypoints near the player and close to the enemy, in sight of the player or not: in some
/// places only one sees it.
fn about() -> Score<Enemy> {
    let band = Measure::DistanceBand {
        near: 60.0,
        far: 180.0,
        fade: 80.0,
    };
    Score::from(band)
        + Score::from(Measure::NearSelf { distance: 100.0 }) * 0.5
        + Score::from(Measure::DifferentElevation { height: 64.0 }) * 0.5
}

/// Walks to another waypoint.
fn prowl(b: B, score: Score<Enemy>) -> B {
    b.with_waypoint("prowl", "ground", 0.0, score)
        .no_repeat()
        .inside(|b| b.sequence("walk").inside(go))
}

/// Walks to a waypoint away from the player, and then to the next. Where it is far enough
/// away, it rests until the player comes nearer.
fn keep_away(b: B) -> B {
    let until_near = Watch {
        region: Region::Box {
            min: Vec2::splat(-560.0),
            max: Vec2::splat(560.0),
            frame: Frame::Agent,
        },
        sight: false,
    };
    let away = Score::from(Measure::AwayFromTarget)
        * Measure::DistanceBand {
            near: 480.0,
            far: 1000.0,
            fade: 480.0,
        };
    b.with_waypoint("keep away", "ground", 0.5, away)
        .no_repeat()
        .inside(|b| {
            b.sequence("retreat")
                .inside(|b| b.then(go).task("rest", until_near))
        })
}

/// Walks to an end of the platform, or waits if the way there is closed: it would
/// otherwise search for a path in every tick.
fn go_to_end(b: B, [half, walk, end, key]: [&str; 4]) -> B {
    b.selector(half).inside(|b| {
        b.sequence(walk)
            .inside(|b| b.task(end, HeadFor { key: key.into() }).then(go))
            .task("no way", Wait { seconds: 1.0 })
    })
}

/// Patrols the platform it was spawned on, and bites a player in front of it. It
/// watches no farther than it can bite, so a player out of reach does not stop
/// it.
fn crawler(mut b: B) -> B {
    b.key::<Vec2>("home");
    let region = Region::Box {
        min: Vec2::new(0.0, -12.0),
        max: Vec2::new(22.0, 12.0),
        frame: Frame::Facing,
    };
    let sight = true;
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.sequence("guard").inside(|b| {
                b.node("until somebody comes", NodeKind::Race {})
                    .inside(|b| {
                        b.node("patrol", NodeKind::Repeat { count: 0 })
                            .inside(|b| {
                                b.sequence("to and fro").inside(|b| {
                                    b.task("find ends", find_edges("home"))
                                        .then(|b| {
                                            go_to_end(
                                                b,
                                                ["left half", "go left", "left end", "edge_left"],
                                            )
                                        })
                                        .then(|b| go_to_end(b, ["", "", "right end", "edge_right"]))
                                })
                            })
                            .task("watch front", Watch { region, sight })
                    })
                    .task("stop", StopNavigation {})
                    .then(|b| with_token(b, "may bite", "melee", 0.0))
                    .inside(|b| b.task("bite", cue("bite")))
                    .task("recover", Wait { seconds: 0.6 })
            })
        })
}

/// Spits from a waypoint in sight of the player; if there is none, closes in.
/// The ranged token covers the shot alone, so that the others take up position
/// meanwhile.
fn spitter(b: B) -> B {
    let spit = RangedAttack { cue: "spit".into() };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.with_waypoint("perch", "ground", 1.0, vantage(80.0, 200.0))
                .no_repeat()
                .inside(|b| {
                    b.sequence("from a perch")
                        .inside(|b| {
                            b.then(go)
                                .then(|b| with_token(b, "may spit", "ranged", 2.0))
                                .inside(|b| {
                                    b.sequence("shot").inside(|b| {
                                        b.task("still in sight", SeesTarget {}).task("spit", spit)
                                    })
                                })
                                .task("recover", Wait { seconds: 1.0 })
                        })
                        .then(melee)
                })
        })
}

/// Walks to the nearer end of the player's platform, and charges to the other.
fn charger(b: B) -> B {
    let pick_nearer_edge = PickNearerEdge {
        left: "edge_left".into(),
        right: "edge_right".into(),
    };
    let charge = Charge {
        cue: "charge".into(),
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.sequence("hunt").inside(|b| {
                b.task("find player", locate_target())
                    .task("find ends", find_edges("target"))
                    .task("nearer end", pick_nearer_edge)
                    .task("set out", StartNavigation {})
                    .node("look again", NodeKind::Timeout { seconds: 0.5 })
                    .inside(|b| b.task("on the way", WaitForAtDestination {}))
                    .then(|b| with_token(b, "may charge", "melee", 2.0))
                    .inside(|b| {
                        b.sequence("run down").inside(|b| {
                            b.task("look", Wait { seconds: 0.15 })
                                .task("there", OnPlayersPlatform {})
                                .task("brace", cue("brace"))
                                .task("still there", OnPlayersPlatform {})
                                .task("charge", charge)
                                .task("pant", Wait { seconds: 1.5 })
                        })
                    })
            })
        })
}

/// From a waypoint in sight of the player: a warning, and a second later a
/// rock out of the floor or wall nearest to the player, where it stays until it
/// explodes. During the cooldown the spiker fights in melee.
fn spiker(b: B) -> B {
    let warn = Shout { cue: "warn".into() };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.selector("rock or teeth").inside(|b| {
                b.node(
                    "now and then",
                    NodeKind::Cooldown {
                        seconds: 6.0,
                        shared: None,
                    },
                )
                .inside(|b| {
                    b.with_waypoint("vantage", "ground", 0.0, vantage(100.0, 260.0))
                        .inside(|b| {
                            b.sequence("throw").inside(|b| {
                                b.then(go)
                                    .then(|b| with_token(b, "may throw", "ranged", 2.0))
                                    .inside(|b| {
                                        b.sequence("raise").inside(|b| {
                                            b.task("still in sight", SeesTarget {})
                                                .task("warn", warn)
                                                .task("grace", Wait { seconds: 1.0 })
                                                .task("rock", cue("rock"))
                                        })
                                    })
                            })
                        })
                })
                .then(melee)
            })
        })
}

/// Sets itself on fire once it has a path to the player, and walks at the player
/// with a trail of fire behind it. At the player it bursts, and otherwise it burns
/// until it dies. The others take its token: it would have it for most of the time. Until it has
/// one, it prowls about the player.
fn immolator(b: B) -> B {
    let find_floor = AgentTask::LocateFloorBeneathTarget {
        key: "target".into(),
    };
    let ignite = Shout {
        cue: "ignite".into(),
    };
    let at_player = Pursue {
        range: 16.0,
        sight: false,
        floor: true,
        seconds: f32::INFINITY,
    };
    let may_burn = NodeKind::WithToken {
        pool: "melee".into(),
        wait: 0.5,
        priority: Priority::Fixed(-1),
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.selector("burn or prowl").inside(|b| {
                b.node("may burn", may_burn)
                    .inside(|b| {
                        b.sequence("burn").inside(|b| {
                            b.task("find player", find_floor)
                                .task("set out", StartNavigation {})
                                .task("ignite", ignite)
                                .node("until there", NodeKind::Race {})
                                .inside(|b| {
                                    b.task("burn", Burn { per_second: 12.0 })
                                        .task("walk at player", at_player)
                                })
                                .task("burst", cue("burst"))
                        })
                    })
                    .then(|b| prowl(b, about()))
                    .task("think", Wait { seconds: 0.5 })
            })
        })
}

/// Shields the enemies near it, and runs away while the shields are up, until it is
/// far enough from the player. The cooldown counts from the cast.
fn defender(b: B) -> B {
    let shield = Shout {
        cue: "shield".into(),
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.node("shield or run away", NodeKind::ReactiveSelector {})
                .inside(|b| {
                    b.node(
                        "every 15 s",
                        NodeKind::Cooldown {
                            seconds: 15.0,
                            shared: None,
                        },
                    )
                    .inside(|b| {
                        b.sequence("protect").inside(|b| {
                            b.task("somebody near", AllyNear { within: 100.0 })
                                .task("shield", shield)
                        })
                    })
                    .then(keep_away)
                })
        })
}

/// Heals an enemy that is near and badly hurt, else keeps away.
fn healer(b: B) -> B {
    let hurt = AllyHurt {
        below: 50.0,
        within: 200.0,
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.node("heal or keep away", NodeKind::ReactiveSelector {})
                .inside(|b| {
                    b.sequence("care")
                        .inside(|b| {
                            b.task("badly hurt", hurt)
                                .task("stop", StopNavigation {})
                                .task("heal", cue("heal"))
                        })
                        .then(keep_away)
                })
        })
}

/// Flies to a waypoint in the air from which it sees the player, then dives at
/// the player. The time is enough to come from the farthest waypoint in sight. Where
/// no waypoint sees the player, it flies at the player from where it is.
fn flyer(b: B) -> B {
    let above = vantage(100.0, 240.0).only_if(Measure::DifferentElevation { height: 48.0 });
    let cry = Shout { cue: "dive".into() };
    let attack = |b: B| {
        b.task("fly at", pursue(22.0, false, 6.0))
            .task("peck", cue("peck"))
            .task("recover", Wait { seconds: 1.5 })
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.with_waypoint("hover", "air", 2.0, above)
                .no_repeat()
                .inside(|b| {
                    b.sequence("swoop")
                        .inside(|b| {
                            b.then(go)
                                .then(|b| with_token(b, "may dive", "melee", 2.0))
                                .inside(|b| {
                                    b.sequence("dive").inside(|b| {
                                        b.task("in sight", SeesTarget {})
                                            .task("cry", cry)
                                            .then(attack)
                                    })
                                })
                        })
                        .then(|b| with_token(b, "may attack", "melee", 2.0))
                        .inside(|b| b.sequence("close in").inside(attack))
                })
        })
}

/// Comes near enough, stops, and only then points its gun; once it points and no
/// ally is in the line of fire, it fires. It comes nearer than its range, so that
/// one step of the player does not make it walk again at once. It goes elsewhere while it
/// reloads, and when others fire or an ally is in the line. It keeps the token while
/// it reloads, so that the next enemy does not shoot at once. Without a target it points
/// its gun straight ahead.
fn gunner(b: B) -> B {
    let until_reloaded = NodeKind::Parallel {
        success: 1,
        failure: 0,
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.selector("shoot or walk").inside(|b| {
                b.sequence("attack")
                    .inside(|b| {
                        b.task("in range", TargetWithin { distance: 190.0 })
                            .task("in sight", SeesTarget {})
                            .task("line is free", LineIsFree {})
                            .then(halt)
                            .task("face", FaceTarget {})
                            .then(|b| with_token(b, "may fire", "ranged", 2.0))
                            .inside(|b| {
                                b.sequence("shot").inside(|b| {
                                    b.task("still in sight", SeesTarget {})
                                        .node("take aim", NodeKind::Timeout { seconds: 3.0 })
                                        .inside(|b| b.task("aim", cue("aim")))
                                        .task("aim holds", AimHolds { degrees: 12.0 })
                                        .task("still free", LineIsFree {})
                                        .task("fire", cue("fire"))
                                        .node("change places", until_reloaded)
                                        .inside(|b| {
                                            b.task("reload", Wait { seconds: 3.8 })
                                                .sequence("go round and stay")
                                                .inside(|b| {
                                                    b.then(|b| prowl(b, vantage(60.0, 180.0)))
                                                        .task("stay", Wait { seconds: 9.0 })
                                                })
                                        })
                                })
                            })
                    })
                    .sequence("go round")
                    .inside(|b| {
                        b.task("near enough", TargetWithin { distance: 120.0 })
                            .task("could fire", SeesTarget {})
                            .then(|b| prowl(b, about()))
                    })
                    .sequence("move")
                    .inside(|b| {
                        b.task("run after", pursue(120.0, true, 6.0))
                            .then(halt)
                            .task("look", Wait { seconds: 0.3 })
                    })
                    .sequence("wait")
                    .inside(|b| {
                        b.task("lower", cue("lower"))
                            .task("think", Wait { seconds: 0.3 })
                    })
            })
        })
}

/// Stands at its home until the player comes into its room, and drives the
/// player out. It gives up the chase as soon as the player has left. Where no path leads
/// to the player, it tries again after a while.
fn guard(mut b: B) -> B {
    b.key::<Vec2>("home");
    let room = || Region::Area("leash".into());
    let watch = Watch {
        region: room(),
        sight: true,
    };
    b.node("for ever", NodeKind::Repeat { count: 0 })
        .inside(|b| {
            b.sequence("guard the room").inside(|b| {
                b.node("until somebody comes", NodeKind::Race {})
                    .inside(|b| {
                        b.node("stand at home", NodeKind::Repeat { count: 0 })
                            .inside(|b| {
                                b.sequence("go home").inside(|b| {
                                    b.task("home", HeadFor { key: "home".into() })
                                        .then(go)
                                        .task("stand", Wait { seconds: 1.0 })
                                })
                            })
                            .task("watch room", watch)
                    })
                    .selector("")
                    .inside(|b| {
                        b.node("drive out", NodeKind::ReactiveSequence {})
                            .inside(|b| {
                                b.task("still inside", TargetInside { region: room() })
                                    .then(melee)
                            })
                            .task("think", Wait { seconds: 0.5 })
                    })
            })
        })
}
