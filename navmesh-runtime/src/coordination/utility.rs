//! How good a waypoint is.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Context, Scene, Waypoint};

/// A measure of a waypoint, from what an agent sees. Each gives 0 to 1, or a
/// negative number for "never".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Measure {
    /// 1 where the target can be seen from, never elsewhere.
    LineOfSight,
    /// 1 where the distance to the target lies between `near` and `far`,
    /// falling to 0 over `fade` on either side; all in world units. 0 without
    /// a target.
    DistanceBand {
        /// The least distance that is as good as any.
        near: f32,
        /// The greatest distance that is as good as any.
        far: f32,
        /// How much further or nearer it is worth nothing.
        fade: f32,
    },
    /// The difference in height to the target as a share of `height` world
    /// units, at most 1. 0 without a target.
    DifferentElevation {
        /// The difference that is enough.
        height: f32,
    },
    /// 1 straight away from the target as the agent stands now, 0.5
    /// sideways, 0 towards it. 1 without a target.
    AwayFromTarget,
    /// 1 where the agent stands, one half at `distance` world units, less
    /// further off.
    NearSelf {
        /// Where it is worth one half.
        distance: f32,
    },
}

impl Measure {
    /// The measure of one waypoint.
    pub fn of<S: Scene + ?Sized>(&self, scene: &S, waypoint: &Waypoint) -> f32 {
        let place = waypoint.position;
        match *self {
            Self::LineOfSight => match scene.target() {
                Some(target) if scene.line_of_sight(place, target) => 1.0,
                _ => -1.0,
            },
            Self::DistanceBand { near, far, fade } => scene.target().map_or(0.0, |target| {
                let distance = place.distance(target);
                let outside = (near - distance).max(distance - far).max(0.0);
                if outside == 0.0 {
                    1.0
                } else {
                    (1.0 - outside / fade).max(0.0)
                }
            }),
            Self::DifferentElevation { height } => scene.target().map_or(0.0, |target| {
                let difference = (place.y - target.y).abs();
                if difference >= height {
                    1.0
                } else {
                    difference / height
                }
            }),
            Self::AwayFromTarget => scene.target().map_or(1.0, |target| {
                let here = scene.position();
                let away = (here - target).normalize_or_zero();
                let there = (place - here).normalize_or_zero();
                f32::midpoint(1.0, away.dot(there))
            }),
            Self::NearSelf { distance } => {
                let away = place.distance(scene.position());
                if away == 0.0 {
                    1.0
                } else {
                    distance / (distance + away)
                }
            }
        }
    }
}

type Function<C> = dyn Fn(&<C as Context>::In<'_>, &Waypoint) -> f32 + Send + Sync;

/// A judgement of waypoints, put together from measures and functions of the
/// game's context `C`. Higher is better, negative means never; "never" is
/// never outweighed by other terms.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::coordination::{Scene, WaypointPool};
/// use navmesh_runtime::coordination::{Measure, Score};
///
/// # struct Spitter;
/// # impl Scene for Spitter {
/// #     fn position(&self) -> Vec2 { Vec2::ZERO }
/// #     fn target(&self) -> Option<Vec2> { Some(Vec2::new(10.0, 0.0)) }
/// #     fn line_of_sight(&self, from: Vec2, _: Vec2) -> bool { from.x < 100.0 }
/// # }
/// let score: Score<Spitter> = Score::from(Measure::LineOfSight)
///     .times(Measure::DistanceBand { near: 60.0, far: 120.0, fade: 40.0 })
///     .plus(Score::from(Measure::NearSelf { distance: 80.0 }).weighted(0.5));
///
/// let pool = WaypointPool::new([Vec2::new(90.0, 0.0), Vec2::new(110.0, 0.0)]);
/// let best = pool.claim_best(None, |waypoint| score.of(&Spitter, waypoint));
/// assert_eq!(best.expect("one is in sight").waypoint().index, 0);
/// ```
pub struct Score<C: ?Sized + Context>(pub(crate) Term<C>);

pub(crate) enum Term<C: ?Sized + Context> {
    Measure {
        measure: Measure,
        // Kept as a function, so that only making one needs `C: Scene`.
        evaluate: fn(&Measure, &C::In<'_>, &Waypoint) -> f32,
    },
    Function {
        /// The name it has in tree files, if any.
        name: Option<Box<str>>,
        function: Arc<Function<C>>,
    },
    Constant(f32),
    Tagged(Box<str>),
    Sum(Vec<Score<C>>),
    Product(Vec<Score<C>>),
    Veto {
        needs: Box<Score<C>>,
        score: Box<Score<C>>,
    },
    Weighted {
        weight: f32,
        score: Box<Score<C>>,
    },
}

/// What every combination answers when a part says never.
const NEVER: f32 = -1.0;

impl<C: ?Sized + Context> Score<C> {
    /// A judgement by the game's own function.
    pub fn from_fn(
        function: impl Fn(&C::In<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> Self {
        Self(Term::Function {
            name: None,
            function: Arc::new(function),
        })
    }

    /// A judgement by a function that has a name in tree files.
    pub(crate) fn named(name: &str, function: Arc<Function<C>>) -> Self {
        Self(Term::Function {
            name: Some(name.into()),
            function,
        })
    }

    /// 1 for waypoints with a [tag](Waypoint::tags), 0 for others; as the
    /// `needs` of [`only_if`](Self::only_if), a condition.
    pub fn tagged(tag: &str) -> Self {
        Self(Term::Tagged(tag.into()))
    }

    /// All added; 0 for none.
    pub fn sum(terms: Vec<Self>) -> Self {
        Self(Term::Sum(terms))
    }

    /// All multiplied; 1 for none.
    pub fn product(terms: Vec<Self>) -> Self {
        Self(Term::Product(terms))
    }

    /// The same for every waypoint.
    pub fn constant(score: f32) -> Self {
        Self(Term::Constant(score))
    }

    /// Both added.
    #[must_use]
    pub fn plus(self, other: impl Into<Self>) -> Self {
        match self.0 {
            Term::Sum(mut terms) => {
                terms.push(other.into());
                Self(Term::Sum(terms))
            }
            term => Self(Term::Sum(vec![Self(term), other.into()])),
        }
    }

    /// Both multiplied.
    #[must_use]
    pub fn times(self, other: impl Into<Self>) -> Self {
        match self.0 {
            Term::Product(mut terms) => {
                terms.push(other.into());
                Self(Term::Product(terms))
            }
            term => Self(Term::Product(vec![Self(term), other.into()])),
        }
    }

    /// This, but never where `needs` is 0 or less: turns a preference into a
    /// condition without adding it to the score.
    #[must_use]
    pub fn only_if(self, needs: impl Into<Self>) -> Self {
        Self(Term::Veto {
            needs: Box::new(needs.into()),
            score: Box::new(self),
        })
    }

    /// This times a number of 0 or more.
    #[must_use]
    pub fn weighted(self, weight: f32) -> Self {
        Self(Term::Weighted {
            weight,
            score: Box::new(self),
        })
    }

    /// The score of one waypoint; negative means never.
    pub fn of(&self, context: &C::In<'_>, waypoint: &Waypoint) -> f32 {
        match &self.0 {
            Term::Measure { measure, evaluate } => evaluate(measure, context, waypoint),
            Term::Function { function, .. } => function(context, waypoint),
            Term::Constant(score) => *score,
            Term::Tagged(tag) => f32::from(u8::from(waypoint.has_tag(tag))),
            Term::Sum(terms) => fold(terms, context, waypoint, 0.0, |a, b| a + b),
            Term::Product(terms) => fold(terms, context, waypoint, 1.0, |a, b| a * b),
            Term::Veto { needs, score } => {
                if needs.of(context, waypoint) > 0.0 {
                    score.of(context, waypoint)
                } else {
                    NEVER
                }
            }
            Term::Weighted { weight, score } => {
                let score = score.of(context, waypoint);
                // Weight 0 must not lift a veto.
                if score >= 0.0 { score * weight } else { NEVER }
            }
        }
    }
}

fn fold<C: ?Sized + Context>(
    terms: &[Score<C>],
    context: &C::In<'_>,
    waypoint: &Waypoint,
    start: f32,
    combine: fn(f32, f32) -> f32,
) -> f32 {
    let mut total = start;
    for term in terms {
        let score = term.of(context, waypoint);
        if score < 0.0 || score.is_nan() {
            return NEVER;
        }
        total = combine(total, score);
    }
    total
}

fn evaluate<C>(measure: &Measure, context: &C::In<'_>, waypoint: &Waypoint) -> f32
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: Scene,
{
    measure.of(context, waypoint)
}

impl<C> From<Measure> for Score<C>
where
    C: ?Sized + Context,
    for<'a> C::In<'a>: Scene,
{
    fn from(measure: Measure) -> Self {
        Self(Term::Measure {
            measure,
            evaluate: evaluate::<C>,
        })
    }
}

impl<C: ?Sized + Context> fmt::Debug for Score<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Term::Measure { measure, .. } => write!(f, "{measure:?}"),
            Term::Function { name, .. } => write!(f, "Function({name:?})"),
            Term::Constant(score) => write!(f, "{score}"),
            Term::Tagged(tag) => write!(f, "Tagged({tag:?})"),
            Term::Sum(terms) => f.debug_tuple("Sum").field(terms).finish(),
            Term::Product(terms) => f.debug_tuple("Product").field(terms).finish(),
            Term::Veto { needs, score } => write!(f, "{score:?} only if {needs:?}"),
            Term::Weighted { weight, score } => write!(f, "{weight} × {score:?}"),
        }
    }
}
