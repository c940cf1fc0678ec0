//! Scores of waypoints: which one an agent should claim.

use std::fmt;
use std::sync::Arc;

use super::context::{Context, Scene};
use crate::coordination::Waypoint;

/// A built-in measure of a waypoint. Each returns 0 to 1, or a negative number
/// for "never".
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Measure {
    /// 1 where the waypoint has a line of sight to the target, never elsewhere.
    LineOfSight,
    /// 1 where the distance to the target is between `near` and `far`, falling
    /// to 0 over `fade` on both sides; all in world units. 0 without a target.
    DistanceBand {
        /// The least distance that scores 1.
        near: f32,
        /// The greatest distance that scores 1.
        far: f32,
        /// How far outside the band the score reaches 0.
        fade: f32,
    },
    /// The difference in height to the target divided by `height`, at most 1.
    /// 0 without a target.
    DifferentElevation {
        /// The difference that scores 1, in world units.
        height: f32,
    },
    /// 1 straight away from the target as seen from the agent, 0.5 sideways, 0
    /// towards it. 1 without a target.
    AwayFromTarget,
    /// 1 at the agent's own position, one half at `distance` world units, and
    /// less farther away.
    NearSelf {
        /// The distance that scores one half.
        distance: f32,
    },
}

impl Measure {
    fn of<S: Scene>(&self, scene: &S, waypoint: &Waypoint) -> f32 {
        let at = waypoint.position;
        match *self {
            Self::LineOfSight => match scene.target() {
                Some(target) if scene.line_of_sight(at, target) => 1.0,
                _ => NEVER,
            },
            Self::DistanceBand { near, far, fade } => scene.target().map_or(0.0, |target| {
                let distance = at.distance(target);
                let outside = (near - distance).max(distance - far).max(0.0);
                if outside == 0.0 {
                    1.0
                } else {
                    (1.0 - outside / fade).max(0.0)
                }
            }),
            Self::DifferentElevation { height } => scene.target().map_or(0.0, |target| {
                let difference = (at.y - target.y).abs();
                if difference >= height {
                    1.0
                } else {
                    difference / height
                }
            }),
            Self::AwayFromTarget => scene.target().map_or(1.0, |target| {
                let here = scene.position();
                let away = (here - target).normalize_or_zero();
                let direction = (at - here).normalize_or_zero();
                f32::midpoint(1.0, away.dot(direction))
            }),
            Self::NearSelf { distance } => {
                let away = at.distance(scene.position());
                if away == 0.0 {
                    1.0
                } else {
                    distance / (distance + away)
                }
            }
        }
    }
}

/// A score as data: measures, names of the registry's functions, and
/// combinations of them.
pub type UtilityDef = Utility<Measure, String>;

/// The form of a score. `M` and `F` stand for measures and the game's
/// functions: by name in a tree file, callable in a [`Score`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Utility<M, F> {
    /// A built-in measure.
    Measure(M),
    /// A function of the game, by its name in the registry.
    Named(F),
    /// The same for every waypoint.
    Constant(f32),
    /// 1 for waypoints that have the tag, 0 for others.
    Tagged(String),
    /// The sum of all; 0 for none.
    Sum(Vec<Self>),
    /// The product of all; 1 for none.
    Product(Vec<Self>),
    /// `score`, but never where `needs` is 0 or less.
    OnlyIf {
        /// The condition.
        needs: Box<Self>,
        /// The score where it holds.
        score: Box<Self>,
    },
    /// `score` times `weight`.
    Weighted {
        /// 0 or more.
        weight: f32,
        /// The score.
        score: Box<Self>,
    },
}

impl<M, F> Utility<M, F> {
    /// The same form with other measures and functions.
    pub(super) fn try_map<M2, F2, E>(
        &self,
        measure: &impl Fn(&M) -> Result<M2, E>,
        function: &impl Fn(&F) -> Result<F2, E>,
    ) -> Result<Utility<M2, F2>, E> {
        let one = |term: &Self| term.try_map(measure, function);
        let boxed = |term: &Self| one(term).map(Box::new);
        Ok(match self {
            Self::Measure(m) => Utility::Measure(measure(m)?),
            Self::Named(f) => Utility::Named(function(f)?),
            Self::Constant(score) => Utility::Constant(*score),
            Self::Tagged(tag) => Utility::Tagged(tag.clone()),
            Self::Sum(terms) => Utility::Sum(terms.iter().map(one).collect::<Result<_, E>>()?),
            Self::Product(terms) => {
                Utility::Product(terms.iter().map(one).collect::<Result<_, E>>()?)
            }
            Self::OnlyIf { needs, score } => Utility::OnlyIf {
                needs: boxed(needs)?,
                score: boxed(score)?,
            },
            Self::Weighted { weight, score } => Utility::Weighted {
                weight: *weight,
                score: boxed(score)?,
            },
        })
    }
}

/// A function of the game that scores a waypoint.
pub(super) type ScoreFn<C> = Arc<dyn Fn(&<C as Context>::View<'_>, &Waypoint) -> f32 + Send + Sync>;

/// A measure and the function that evaluates it, so that only making one needs
/// a view that is a [`Scene`].
pub(super) struct BoundMeasure<C: Context> {
    measure: Measure,
    evaluate: fn(&Measure, &C::View<'_>, &Waypoint) -> f32,
}

pub(super) struct NamedFn<C: Context> {
    /// Empty for a closure, which has no form in a tree file.
    pub(super) name: String,
    pub(super) function: ScoreFn<C>,
}

/// A score of waypoints, built from [`Measure`]s and functions of the game.
/// Higher is better; a negative score means never, and no other term outweighs
/// it.
///
/// ```
/// # use glam::Vec2;
/// # use navmesh_runtime::behavior::{Context, Scene};
/// # use navmesh_runtime::coordination::WaypointPool;
/// use navmesh_runtime::behavior::{Measure, Score};
///
/// # struct Spitter;
/// # impl Context for Spitter {
/// #     type View<'a> = Self;
/// # }
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
pub struct Score<C: Context>(pub(super) Form<C>);

pub(super) type Form<C> = Utility<BoundMeasure<C>, NamedFn<C>>;

/// The score of every combination in which one part says never.
const NEVER: f32 = -1.0;

impl<C: Context> Score<C> {
    /// A score by a function of the game.
    pub fn from_fn(
        function: impl Fn(&C::View<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> Self {
        Self(Utility::Named(NamedFn {
            name: String::new(),
            function: Arc::new(function),
        }))
    }

    /// 1 for waypoints that have a [tag](Waypoint::tags), 0 for others. As the
    /// `needs` of [`only_if`](Self::only_if) it is a condition.
    pub fn tagged(tag: &str) -> Self {
        Self(Utility::Tagged(tag.to_owned()))
    }

    /// The same for every waypoint.
    pub fn constant(score: f32) -> Self {
        Self(Utility::Constant(score))
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: impl Into<Self>) -> Self {
        let other = other.into().0;
        Self(match self.0 {
            Utility::Sum(mut terms) => {
                terms.push(other);
                Utility::Sum(terms)
            }
            term => Utility::Sum(vec![term, other]),
        })
    }

    /// The product of both.
    #[must_use]
    pub fn times(self, other: impl Into<Self>) -> Self {
        let other = other.into().0;
        Self(match self.0 {
            Utility::Product(mut terms) => {
                terms.push(other);
                Utility::Product(terms)
            }
            term => Utility::Product(vec![term, other]),
        })
    }

    /// This score, but never where `needs` is 0 or less. Turns a preference
    /// into a condition without adding it to the score.
    #[must_use]
    pub fn only_if(self, needs: impl Into<Self>) -> Self {
        Self(Utility::OnlyIf {
            needs: Box::new(needs.into().0),
            score: Box::new(self.0),
        })
    }

    /// This score times a number of 0 or more.
    #[must_use]
    pub fn weighted(self, weight: f32) -> Self {
        Self(Utility::Weighted {
            weight,
            score: Box::new(self.0),
        })
    }

    /// The score of one waypoint; negative means never.
    pub fn of(&self, view: &C::View<'_>, waypoint: &Waypoint) -> f32 {
        evaluate(&self.0, view, waypoint)
    }

    /// The score as data. Closures have an empty name.
    pub(super) fn to_def(&self) -> UtilityDef {
        let measure = |m: &BoundMeasure<C>| Ok(m.measure);
        let function = |f: &NamedFn<C>| Ok(f.name.clone());
        let Ok::<_, std::convert::Infallible>(def) = self.0.try_map(&measure, &function);
        def
    }
}

fn evaluate<C: Context>(form: &Form<C>, view: &C::View<'_>, waypoint: &Waypoint) -> f32 {
    let fold = |terms: &[Form<C>], start: f32, combine: fn(f32, f32) -> f32| {
        let mut total = start;
        for term in terms {
            let score = evaluate(term, view, waypoint);
            if score < 0.0 || score.is_nan() {
                return NEVER;
            }
            total = combine(total, score);
        }
        total
    };
    match form {
        Utility::Measure(bound) => (bound.evaluate)(&bound.measure, view, waypoint),
        Utility::Named(named) => (named.function)(view, waypoint),
        Utility::Constant(score) => *score,
        Utility::Tagged(tag) => f32::from(u8::from(waypoint.has_tag(tag))),
        Utility::Sum(terms) => fold(terms, 0.0, |a, b| a + b),
        Utility::Product(terms) => fold(terms, 1.0, |a, b| a * b),
        Utility::OnlyIf { needs, score } => {
            if evaluate(needs, view, waypoint) > 0.0 {
                evaluate(score, view, waypoint)
            } else {
                NEVER
            }
        }
        Utility::Weighted { weight, score } => {
            let score = evaluate(score, view, waypoint);
            // A weight of 0 must not turn "never" into 0.
            if score >= 0.0 { score * weight } else { NEVER }
        }
    }
}

impl<C> From<Measure> for BoundMeasure<C>
where
    C: Context,
    for<'a> C::View<'a>: Scene,
{
    fn from(measure: Measure) -> Self {
        let evaluate =
            |measure: &Measure, view: &C::View<'_>, waypoint: &Waypoint| measure.of(view, waypoint);
        Self { measure, evaluate }
    }
}

impl<C> From<Measure> for Score<C>
where
    C: Context,
    for<'a> C::View<'a>: Scene,
{
    fn from(measure: Measure) -> Self {
        Self(Utility::Measure(measure.into()))
    }
}

impl<C: Context> fmt::Debug for Score<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_def().fmt(f)
    }
}
