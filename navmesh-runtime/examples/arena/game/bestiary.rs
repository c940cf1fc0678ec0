//! The bestiary in code. `trees/*.ron` holds the same trees as data, and a test
//! compares them.

use glam::Vec2;
use navmesh_runtime::behavior::tasks::{
    Charge, Cue, FaceTarget, FindEdgesOfPlatform, Frame, HeadFor, LocateFloorBeneathTarget,
    LocateTarget, PickNearerEdge, RangedAttack, Region, SeesTarget, Shout, StartNavigation,
    StopNavigation, TargetWithin, WaitForAtDestination, Watch,
};
use navmesh_runtime::behavior::{BuildError, Builder, TaskContext as _, Tree, TurnRule, ValueKind};
use navmesh_runtime::coordination::{Measure, Score};

use super::body::Kind;
use super::tasks::{AimHolds, AllyHurt, AllyNear, Drain};
use super::view::Enemy;

type B = Builder<Enemy>;

/// The tree of one kind.
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

/// To the destination, and there.
fn go(b: B) -> B {
    b.task("set out", StartNavigation {})
        .task("on the way", WaitForAtDestination {})
}

/// Stops, and waits until it stands: a jump is finished first.
fn halt(b: B) -> B {
    b.task("stop", StopNavigation {})
        .force_success("at rest", TurnRule::Keep)
        .inside(|b| b.task("come to rest", WaitForAtDestination {}))
}

/// A melee token around the whole approach: only so many close in.
fn melee(b: B) -> B {
    b.with_token("melee", "melee", 2.0)
        .named_priority("on_screen", |view| i32::from(view.on_screen()))
        .inside(|b| {
            b.sequence("close in").inside(|b| {
                b.task("find player", LocateFloorBeneathTarget::default())
                    .then(go)
                    .task("bite", Cue::new("bite"))
                    .wait("recover", 0.8)
            })
        })
}

/// In sight of the player, best at a distance, rather near by.
fn vantage(near: f32, far: f32) -> Score<Enemy> {
    let fade = 80.0;
    Score::sum(vec![
        Measure::LineOfSight.into(),
        Measure::DistanceBand { near, far, fade }.into(),
        Score::from(Measure::NearSelf { distance: 100.0 }).weighted(0.5),
    ])
}

/// Off to somewhere away from the player.
fn keep_away(b: B) -> B {
    let away = Score::product(vec![
        Measure::AwayFromTarget.into(),
        Measure::DistanceBand {
            near: 200.0,
            far: 1000.0,
            fade: 160.0,
        }
        .into(),
    ]);
    b.with_waypoint("keep away", "ground", 0.5, away)
        .inside(|b| {
            b.sequence("retreat")
                .inside(|b| b.then(go).wait("look round", 0.5))
        })
}

/// E1: patrols the platform it was spawned on, and bites who comes in front.
fn crawler(mut b: B) -> B {
    b.declare("home", ValueKind::Vec2);
    let home = FindEdgesOfPlatform {
        key: "home".into(),
        ..FindEdgesOfPlatform::default()
    };
    let region = Region {
        min: Vec2::new(0.0, -24.0),
        max: Vec2::new(40.0, 24.0),
        frame: Frame::Facing,
    };
    b.repeat("for ever").inside(|b| {
        b.sequence("guard").inside(|b| {
            b.race("until somebody comes")
                .inside(|b| {
                    b.repeat("patrol")
                        .inside(|b| {
                            b.sequence("to and fro").inside(|b| {
                                b.task("find ends", home)
                                    .task("left end", HeadFor::new("edge_left"))
                                    .then(go)
                                    .task("right end", HeadFor::new("edge_right"))
                                    .then(go)
                            })
                        })
                        .task(
                            "watch front",
                            Watch {
                                region,
                                sight: true,
                            },
                        )
                })
                .task("stop", StopNavigation {})
                .task("bite", Cue::new("bite"))
                .wait("recover", 0.6)
        })
    })
}

/// E2: spits from a waypoint with sight, else closes in. Its ranged token wraps
/// the shot alone: the others take up position meanwhile.
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

/// E3: to the nearer end of the player's platform, and charges to the other.
fn charger(b: B) -> B {
    b.repeat("for ever").inside(|b| {
        b.sequence("run down").inside(|b| {
            b.task("find player", LocateTarget::default())
                .task("find ends", FindEdgesOfPlatform::default())
                .task("nearer end", PickNearerEdge::default())
                .then(go)
                .task("charge", Charge::default())
                .wait("pant", 0.8)
        })
    })
}

/// E4: from a waypoint with sight, a rock out of the floor or wall nearest the
/// player, a second after a warning; while that cools down, melee.
fn spiker(b: B) -> B {
    b.repeat("for ever").inside(|b| {
        b.selector("rock or teeth").inside(|b| {
            b.cooldown("now and then", 6.0)
                .inside(|b| {
                    b.with_waypoint("vantage", "ground", 0.0, vantage(100.0, 260.0))
                        .inside(|b| {
                            b.sequence("throw").inside(|b| {
                                b.then(go)
                                    .task("still in sight", SeesTarget {})
                                    .task("warn", Shout { cue: "warn".into() })
                                    .wait("grace", 1.0)
                                    .task("rock", Cue::new("rock"))
                            })
                        })
                })
                .then(melee)
        })
    })
}

/// E5: burns away as it walks at the player; there, or at its end, it bursts.
fn immolator(b: B) -> B {
    b.repeat("for ever").inside(|b| {
        b.sequence("burn").inside(|b| {
            b.race("until spent or there")
                .inside(|b| {
                    b.task("drain", Drain { per_second: 12.0 })
                        .sequence("walk at player")
                        .inside(|b| {
                            b.task("find player", LocateFloorBeneathTarget::default())
                                .then(go)
                                .task("there", TargetWithin { distance: 32.0 })
                        })
                })
                .then(halt)
                .task("burst", Cue::new("burst"))
        })
    })
}

/// E6: shields those near, then keeps away until it can again.
fn defender(b: B) -> B {
    b.repeat("for ever").inside(|b| {
        b.reactive_selector("shield or keep away").inside(|b| {
            b.cooldown("every 15 s", 15.0)
                .inside(|b| {
                    b.sequence("protect").inside(|b| {
                        b.task("somebody near", AllyNear { within: 100.0 })
                            .task("stop", StopNavigation {})
                            .task("shield", Cue::new("shield"))
                    })
                })
                .then(keep_away)
        })
    })
}

/// E7: heals who is near and badly hurt, else keeps away.
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
                        .task("heal", Cue::new("heal"))
                })
                .then(keep_away)
        })
    })
}

/// E8: to a waypoint in the air from which it sees the player, then down on it.
fn flyer(b: B) -> B {
    let above = vantage(100.0, 240.0).only_if(Measure::DifferentElevation { height: 48.0 });
    b.repeat("for ever").inside(|b| {
        b.with_waypoint("hover", "air", f32::INFINITY, above)
            .no_repeat()
            .inside(|b| {
                b.sequence("swoop").inside(|b| {
                    b.then(go)
                        .task("in sight", SeesTarget {})
                        .task("cry", Shout { cue: "dive".into() })
                        .task("find player", LocateTarget::default())
                        .then(go)
                        .task("peck", Cue::new("peck"))
                })
            })
    })
}

/// E11: comes near enough, stops, and only then points its gun; once it points,
/// it fires. Coming near means nearer than the range, so that a step of the
/// player's does not make it walk again at once.
fn gunner(b: B) -> B {
    let region = Region {
        min: Vec2::new(-120.0, -80.0),
        max: Vec2::new(120.0, 80.0),
        frame: Frame::Agent,
    };
    b.repeat("for ever").inside(|b| {
        b.selector("shoot or walk").inside(|b| {
            b.sequence("attack")
                .inside(|b| {
                    b.task("in range", TargetWithin { distance: 190.0 })
                        .task("in sight", SeesTarget {})
                        .task("face", FaceTarget {})
                        .task("aim", Cue::new("aim"))
                        .task("aim holds", AimHolds { degrees: 12.0 })
                        .task("fire", Cue::new("fire"))
                        .wait("reload", 0.5)
                })
                .sequence("move")
                .inside(|b| {
                    b.task("find player", LocateFloorBeneathTarget::default())
                        .task("set out", StartNavigation {})
                        .race("until near")
                        .inside(|b| {
                            b.task("on the way", WaitForAtDestination {}).task(
                                "near",
                                Watch {
                                    region,
                                    sight: true,
                                },
                            )
                        })
                        .then(halt)
                })
                .wait("think", 0.3)
        })
    })
}
