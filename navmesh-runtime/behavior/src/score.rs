//! Scores of waypoints: which one an agent should claim.

use std::fmt;
use std::ops::{Add, Mul};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::context::{Context, TaskContext};
use crate::coordination::Waypoint;
use crate::error::{require, require_at_least, require_finite};

/// A built-in measure of a waypoint. Each returns 0 to 1, or a negative number
/// for "never". Its numbers are finite, except where the documentation of the
/// number says otherwise, and 0 or more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Measure {
    /// 1 where the waypoint has a line of sight to the target, never elsewhere.
    LineOfSight,
    /// 1 where the distance to the target is between `near` and `far`, falling
    /// to 0 over `fade` on both sides; all in world units. 0 without a target.
    DistanceBand {
        /// The least distance that scores 1.
        near: f32,
        /// The greatest distance that scores 1; may be infinite.
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
    /// Checks its numbers.
    fn check(&self) -> Result<(), String> {
        match *self {
            Self::LineOfSight | Self::AwayFromTarget => Ok(()),
            Self::DistanceBand { near, far, fade } => {
                require_finite("`near`", near)?;
                require_finite("`fade`", fade)?;
                require_at_least(("far", far), ("near", near))
            }
            Self::DifferentElevation { height } => require_finite("`height`", height),
            Self::NearSelf { distance } => require_finite("`distance`", distance),
        }
    }

    fn of(&self, view: &impl TaskContext, waypoint: &Waypoint) -> f32 {
        let at = waypoint.position;
        match *self {
            Self::LineOfSight => match view.target() {
                Some(target) if view.line_of_sight(at, target) => 1.0,
                _ => NEVER,
            },
            Self::DistanceBand { near, far, fade } => view.target().map_or(0.0, |target| {
                let distance = at.distance(target);
                let outside = (near - distance).max(distance - far).max(0.0);
                if outside == 0.0 {
                    1.0
                } else {
                    (1.0 - outside / fade).max(0.0)
                }
            }),
            Self::DifferentElevation { height } => view.target().map_or(0.0, |target| {
                let difference = (at.y - target.y).abs();
                if difference >= height {
                    1.0
                } else {
                    difference / height
                }
            }),
            Self::AwayFromTarget => view.target().map_or(1.0, |target| {
                let here = view.position();
                let away = (here - target).normalize_or_zero();
                let direction = (at - here).normalize_or_zero();
                f32::midpoint(1.0, away.dot(direction))
            }),
            Self::NearSelf { distance } => {
                let away = at.distance(view.position());
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum UtilityDef {
    /// A built-in measure.
    Measure(Measure),
    /// A function of the game, by its name in the registry.
    Named(String),
    /// The same for every waypoint.
    Constant(f32),
    /// 1 for waypoints that have the tag, 0 for others.
    Tagged(String),
    /// The sum of all; 0 for none.
    Sum(Vec<Self>),
    /// The product of all; 1 for none.
    Product(Vec<Self>),
    /// `score`, but never where `needs` is 0 or less.
    OnlyIf { needs: Box<Self>, score: Box<Self> },
    /// `score` times `weight`, which is 0 or more.
    Weighted { weight: f32, score: Box<Self> },
}

impl UtilityDef {
    /// The score and its parts, in the order in which they are evaluated.
    pub fn parts(&self) -> Vec<&Self> {
        let mut parts = vec![self];
        match self {
            Self::Sum(terms) | Self::Product(terms) => {
                parts.extend(terms.iter().flat_map(Self::parts));
            }
            Self::OnlyIf { needs, score } => {
                parts.extend([needs, score].into_iter().flat_map(|part| part.parts()));
            }
            Self::Weighted { score, .. } => parts.extend(score.parts()),
            Self::Measure(_) | Self::Named(_) | Self::Constant(_) | Self::Tagged(_) => {}
        }
        parts
    }

    /// Checks its numbers. A negative constant is valid: it means never.
    pub fn check(&self) -> Result<(), String> {
        self.parts().into_iter().try_for_each(|part| match part {
            Self::Measure(measure) => measure.check(),
            Self::Constant(score) => require(!score.is_nan(), "`constant`", score, "a number"),
            Self::Weighted { weight, .. } => require_finite("`weight`", *weight),
            _ => Ok(()),
        })
    }

    /// Whether every function has a name. A closure has none.
    pub fn is_named(&self) -> bool {
        let mut parts = self.parts().into_iter();
        !parts.any(|part| matches!(part, Self::Named(name) if name.is_empty()))
    }

    /// The score of a waypoint; `None` for never, which no other part outweighs.
    /// `functions` are those of the measures and names that follow.
    fn of<C: Context>(
        &self,
        view: &C::View<'_>,
        waypoint: &Waypoint,
        functions: &mut std::slice::Iter<'_, ScoreFn<C>>,
    ) -> Option<f32> {
        let score = match self {
            Self::Measure(_) | Self::Named(_) => functions.next()?(view, waypoint),
            Self::Constant(score) => *score,
            Self::Tagged(tag) => f32::from(u8::from(waypoint.has_tag(tag))),
            Self::Sum(terms) => terms.iter().try_fold(0.0, |sum, term| {
                Some(sum + term.of::<C>(view, waypoint, functions)?)
            })?,
            Self::Product(terms) => terms.iter().try_fold(1.0, |product, term| {
                Some(product * term.of::<C>(view, waypoint, functions)?)
            })?,
            Self::OnlyIf { needs, score } => {
                if needs.of::<C>(view, waypoint, functions)? <= 0.0 {
                    return None;
                }
                score.of::<C>(view, waypoint, functions)?
            }
            Self::Weighted { weight, score } => score.of::<C>(view, waypoint, functions)? * weight,
        };
        (score >= 0.0).then_some(score)
    }
}

/// A function that scores a waypoint.
pub type ScoreFn<C> = Arc<dyn Fn(&<C as Context>::View<'_>, &Waypoint) -> f32 + Send + Sync>;

/// A score of waypoints.
///
/// It is built from [`Measure`]s, functions of the game and numbers, which are the
/// same for every waypoint, and from their sums and products. Higher is better; a negative score means never, and no
/// other term outweighs it.
///
/// ```
/// use navmesh_behavior::{Context, Measure, Score, TaskContext};
/// use navmesh_behavior::{WaypointClaim, WaypointPool};
///
/// /// A waypoint in sight of the target, preferably at some distance from it
/// /// and close to the agent.
/// fn perch<C: Context>(pool: &WaypointPool, view: &C::View<'_>) -> Option<WaypointClaim>
/// where
///     for<'a> C::View<'a>: TaskContext,
/// {
///     let sight: Score<C> = Score::from(Measure::LineOfSight);
///     let score = sight * Measure::DistanceBand { near: 60.0, far: 120.0, fade: 40.0 }
///         + Score::from(Measure::NearSelf { distance: 80.0 }) * 0.5;
///     pool.claim(None, |waypoint| score.of(view, waypoint))
/// }
/// ```
#[must_use]
pub struct Score<C: Context> {
    /// Closures have an empty name.
    pub(crate) def: UtilityDef,
    /// The functions of its measures and names, in order.
    pub(crate) functions: Vec<ScoreFn<C>>,
}

/// The score of every combination in which one part says never.
const NEVER: f32 = -1.0;

impl<C: Context> Score<C> {
    fn new(def: UtilityDef, functions: Vec<ScoreFn<C>>) -> Self {
        Self { def, functions }
    }

    /// A score by a function of the game.
    pub fn from_fn(
        function: impl Fn(&C::View<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> Self {
        Self::new(UtilityDef::Named(String::new()), vec![Arc::new(function)])
    }

    /// 1 for waypoints that have a [tag](Waypoint::tags), 0 for others. As the
    /// `needs` of [`only_if`](Self::only_if) it is a condition.
    pub fn tagged(tag: &str) -> Self {
        Self::new(UtilityDef::Tagged(tag.to_owned()), Vec::new())
    }

    /// This score, but never where `needs` is 0 or less. Turns a preference
    /// into a condition without adding it to the score.
    pub fn only_if(self, needs: impl Into<Self>) -> Self {
        needs.into().join(self, |needs, score| UtilityDef::OnlyIf {
            needs: Box::new(needs),
            score: Box::new(score),
        })
    }

    fn join(
        mut self,
        other: Self,
        join: impl FnOnce(UtilityDef, UtilityDef) -> UtilityDef,
    ) -> Self {
        self.functions.extend(other.functions);
        Self::new(join(self.def, other.def), self.functions)
    }

    /// The score of one waypoint; negative means never.
    pub fn of(&self, view: &C::View<'_>, waypoint: &Waypoint) -> f32 {
        let score = self.def.of::<C>(view, waypoint, &mut self.functions.iter());
        score.unwrap_or(NEVER)
    }
}

/// The sum of two scores.
impl<C: Context, S: Into<Self>> Add<S> for Score<C> {
    type Output = Self;

    fn add(self, other: S) -> Self {
        self.join(other.into(), |sum, term| {
            let mut terms = match sum {
                UtilityDef::Sum(terms) => terms,
                term => vec![term],
            };
            terms.push(term);
            UtilityDef::Sum(terms)
        })
    }
}

/// The product of two scores.
impl<C: Context, S: Into<Self>> Mul<S> for Score<C> {
    type Output = Self;

    fn mul(self, other: S) -> Self {
        self.join(other.into(), |product, term| {
            if let UtilityDef::Constant(weight) = term
                && weight >= 0.0
            {
                let score = Box::new(product);
                return UtilityDef::Weighted { weight, score };
            }
            let mut terms = match product {
                UtilityDef::Product(terms) => terms,
                term => vec![term],
            };
            terms.push(term);
            UtilityDef::Product(terms)
        })
    }
}

/// The same for every waypoint.
impl<C: Context> From<f32> for Score<C> {
    fn from(score: f32) -> Self {
        Self::new(UtilityDef::Constant(score), Vec::new())
    }
}

impl<C: Context> From<Measure> for Score<C>
where
    for<'a> C::View<'a>: TaskContext,
{
    fn from(measure: Measure) -> Self {
        let function: ScoreFn<C> = Arc::new(move |view, waypoint| measure.of(view, waypoint));
        Self::new(UtilityDef::Measure(measure), vec![function])
    }
}

impl<C: Context> fmt::Debug for Score<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.def.fmt(f)
    }
}
