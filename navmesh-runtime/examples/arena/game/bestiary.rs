//! The trees of all enemies, in code. `trees/*.ron` has the same trees as
//! files, and a test compares them.

use glam::Vec2;
use navmesh_runtime::behavior::AgentTask::{
    Charge, Cue, FaceTarget, FindEdgesOfPlatform, HeadFor, LocateFloorBeneathTarget, LocateTarget,
    PickNearerEdge, RangedAttack, SeesTarget, Shout, StartNavigation, StopNavigation, TargetWithin,
    WaitForAtDestination, Watch,
};
use navmesh_runtime::behavior::{
    AgentTask, BuildError, Builder, Frame, Measure, Region, Score, TaskContext as _, Tree,
    TurnRule, ValueKind,
};

use super::body::Kind;
use super::tasks::{AimHolds, AllyHurt, AllyNear, Drain};
use super::view::Enemy;

type B = Builder<Enemy>;

/// The tree of one kind of enemy.
pub fn tree(kind: Kind) -> Result<Tree<Enemy>, BuildError> {
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

fn locate_floor_beneath_target() -> AgentTask {
    LocateFloorBeneathTarget {
        key: "target".into(),
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
        .force_success("at rest", TurnRule::Keep)
        .inside(|b| b.task("come to rest", WaitForAtDestination {}))
}

/// The melee token covers the whole approach, so that only as many enemies as
/// there are tokens close in.
fn melee(b: B) -> B {
    b.with_token("melee", "melee", 2.0)
        .priority("on_screen", |view| i32::from(view.on_screen()))
        .inside(|b| {
            b.sequence("close in").inside(|b| {
                b.task("find player", locate_floor_beneath_target())
                    .then(go)
                    .task("bite", cue("bite"))
                    .wait("recover", 0.8)
            })
        })
}

/// Waypoints in sight of the player, preferably at a distance between `near`
/// and `far` and close to the enemy.
fn vantage(near: f32, far: f32) -> Score<Enemy> {
    let fade = 80.0;
    Score::from(Measure::LineOfSight)
        .plus(Measure::DistanceBand { near, far, fade })
        .plus(Score::from(Measure::NearSelf { distance: 100.0 }).weighted(0.5))
}

/// Walks to a waypoint away from the player.
fn keep_away(b: B) -> B {
    let away = Score::from(Measure::AwayFromTarget).times(Measure::DistanceBand {
        near: 200.0,
        far: 1000.0,
        fade: 160.0,
    });
    b.with_waypoint("keep away", "ground", 0.5, away)
        .inside(|b| {
            b.sequence("retreat")
                .inside(|b| b.then(go).wait("look round", 0.5))
        })
}

/// Patrols the platform it was spawned on, and bites a player in front of it.
fn crawler(mut b: B) -> B {
    b.declare("home", ValueKind::Vec2);
    let head_for = |key: &str| HeadFor { key: key.into() };
    let region = Region {
        min: Vec2::new(0.0, -24.0),
        max: Vec2::new(40.0, 24.0),
        frame: Frame::Facing,
    };
    let sight = true;
    b.repeat("for ever").inside(|b| {
        b.sequence("guard").inside(|b| {
            b.race("until somebody comes")
                .inside(|b| {
                    b.repeat("patrol")
                        .inside(|b| {
                            b.sequence("to and fro").inside(|b| {
                                b.task("find ends", find_edges("home"))
                                    .task("left end", head_for("edge_left"))
                                    .then(go)
                                    .task("right end", head_for("edge_right"))
                                    .then(go)
                            })
                        })
                        .task("watch front", Watch { region, sight })
                })
                .task("stop", StopNavigation {})
                .task("bite", cue("bite"))
                .wait("recover", 0.6)
        })
    })
}

/// Spits from a waypoint in sight of the player; if there is none, closes in.
/// The ranged token covers the shot alone, so that the others take up position
/// meanwhile.
fn spitter(b: B) -> B {
    let spit = RangedAttack { cue: "spit".into() };
    b.repeat("for ever").inside(|b| {
        b.with_waypoint("perch", "ground", 1.0, vantage(80.0, 200.0))
            .no_repeat()
            .inside(|b| {
                b.sequence("from a perch")
                    .inside(|b| {
                        b.then(go)
                            .with_token("may spit", "ranged", 2.0)
                            .inside(|b| b.task("spit", spit))
                            .wait("recover", 1.0)
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
    b.repeat("for ever").inside(|b| {
        b.sequence("run down").inside(|b| {
            b.task("find player", locate_target())
                .task("find ends", find_edges("target"))
                .task("nearer end", pick_nearer_edge)
                .then(go)
                .task("charge", charge)
                .wait("pant", 0.8)
        })
    })
}

/// From a waypoint in sight of the player: a warning, and a second later a
/// rock out of the floor or wall nearest to the player. During the cooldown it
/// fights in melee.
fn spiker(b: B) -> B {
    let warn = Shout { cue: "warn".into() };
    b.repeat("for ever").inside(|b| {
        b.selector("rock or teeth").inside(|b| {
            b.cooldown("now and then", 6.0)
                .inside(|b| {
                    b.with_waypoint("vantage", "ground", 0.0, vantage(100.0, 260.0))
                        .inside(|b| {
                            b.sequence("throw").inside(|b| {
                                b.then(go)
                                    .task("still in sight", SeesTarget {})
                                    .task("warn", warn)
                                    .wait("grace", 1.0)
                                    .task("rock", cue("rock"))
                            })
                        })
                })
                .then(melee)
        })
    })
}

/// Loses health while it walks at the player; when it arrives or has none
/// left, it bursts.
fn immolator(b: B) -> B {
    b.repeat("for ever").inside(|b| {
        b.sequence("burn").inside(|b| {
            b.race("until spent or there")
                .inside(|b| {
                    b.task("drain", Drain { per_second: 12.0 })
                        .sequence("walk at player")
                        .inside(|b| {
                            b.task("find player", locate_floor_beneath_target())
                                .then(go)
                                .task("there", TargetWithin { distance: 32.0 })
                        })
                })
                .then(halt)
                .task("burst", cue("burst"))
        })
    })
}

/// Shields the enemies near it, then keeps away until it can shield again.
fn defender(b: B) -> B {
    b.repeat("for ever").inside(|b| {
        b.reactive_selector("shield or keep away").inside(|b| {
            b.cooldown("every 15 s", 15.0)
                .inside(|b| {
                    b.sequence("protect").inside(|b| {
                        b.task("somebody near", AllyNear { within: 100.0 })
                            .task("stop", StopNavigation {})
                            .task("shield", cue("shield"))
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
    b.repeat("for ever").inside(|b| {
        b.reactive_selector("heal or keep away").inside(|b| {
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
/// the player.
fn flyer(b: B) -> B {
    let above = vantage(100.0, 240.0).only_if(Measure::DifferentElevation { height: 48.0 });
    let cry = Shout { cue: "dive".into() };
    b.repeat("for ever").inside(|b| {
        b.with_waypoint("hover", "air", f32::INFINITY, above)
            .no_repeat()
            .inside(|b| {
                b.sequence("swoop").inside(|b| {
                    b.then(go)
                        .task("in sight", SeesTarget {})
                        .task("cry", cry)
                        .task("find player", locate_target())
                        .then(go)
                        .task("peck", cue("peck"))
                })
            })
    })
}

/// Comes near enough, stops, and only then points its gun; once it points, it
/// fires. It comes nearer than its range, so that one step of the player does
/// not make it walk again at once.
fn gunner(b: B) -> B {
    let region = Region {
        min: Vec2::new(-120.0, -80.0),
        max: Vec2::new(120.0, 80.0),
        frame: Frame::Agent,
    };
    let sight = true;
    b.repeat("for ever").inside(|b| {
        b.selector("shoot or walk").inside(|b| {
            b.sequence("attack")
                .inside(|b| {
                    b.task("in range", TargetWithin { distance: 190.0 })
                        .task("in sight", SeesTarget {})
                        .task("face", FaceTarget {})
                        .task("aim", cue("aim"))
                        .task("aim holds", AimHolds { degrees: 12.0 })
                        .task("fire", cue("fire"))
                        .wait("reload", 0.5)
                })
                .sequence("move")
                .inside(|b| {
                    b.task("find player", locate_floor_beneath_target())
                        .task("set out", StartNavigation {})
                        .race("until near")
                        .inside(|b| {
                            b.task("on the way", WaitForAtDestination {})
                                .task("near", Watch { region, sight })
                        })
                        .then(halt)
                })
                .wait("think", 0.3)
        })
    })
}
