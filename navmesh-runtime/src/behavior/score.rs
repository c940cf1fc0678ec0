//! Scores of waypoints: which one an agent should claim.

use std::fmt;
use std::sync::Arc;

use super::context::{Context, Scene};
use crate::coordination::Waypoint;

/// A built-in measure of a waypoint. Each returns 0 to 1, or a negative number
/// for "never". Its numbers are finite, except where the documentation of the
/// number says otherwise, and 0 or more.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
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
    /// What is wrong with its numbers.
    fn mistake(&self) -> Option<String> {
        match *self {
            Self::LineOfSight | Self::AwayFromTarget => None,
            Self::DistanceBand { near, far, fade } => {
                let is_band = near <= far; // not with NaN
                let what =
                    || format!("`far` is {far}, but must be a number, {near} (`near`) or more");
                not_finite_from_0("near", near)
                    .or_else(|| not_finite_from_0("fade", fade))
                    .or_else(|| (!is_band).then(what))
            }
            Self::DifferentElevation { height } => not_finite_from_0("height", height),
            Self::NearSelf { distance } => not_finite_from_0("distance", distance),
        }
    }

    fn of(&self, scene: &impl Scene, waypoint: &Waypoint) -> f32 {
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
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub(super) enum UtilityDef {
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
    /// What is wrong with its numbers. A negative constant is valid: it means
    /// never.
    pub(super) fn mistake(&self) -> Option<String> {
        match self {
            Self::Measure(measure) => measure.mistake(),
            Self::Constant(score) => score
                .is_nan()
                .then(|| "`constant` is NaN, but must be a number".to_owned()),
            Self::Sum(terms) | Self::Product(terms) => terms.iter().find_map(Self::mistake),
            Self::OnlyIf { needs, score } => needs.mistake().or_else(|| score.mistake()),
            Self::Weighted { weight, score } => {
                not_finite_from_0("weight", *weight).or_else(|| score.mistake())
            }
            Self::Named(_) | Self::Tagged(_) => None,
        }
    }

    /// Whether every function has a name. A closure has none.
    #[cfg(feature = "serde")]
    pub(super) fn is_named(&self) -> bool {
        match self {
            Self::Named(name) => !name.is_empty(),
            Self::Sum(terms) | Self::Product(terms) => terms.iter().all(Self::is_named),
            Self::OnlyIf { needs, score } => needs.is_named() && score.is_named(),
            Self::Weighted { score, .. } => score.is_named(),
            Self::Measure(_) | Self::Constant(_) | Self::Tagged(_) => true,
        }
    }
}

/// An infinite number is a mistake too: the quotient or product with it may be NaN.
fn not_finite_from_0(what: &str, value: f32) -> Option<String> {
    let is_bad = !value.is_finite() || value < 0.0;
    is_bad.then(|| format!("`{what}` is {value}, but must be a finite number, 0 or more"))
}

/// A function that scores a waypoint.
pub(super) type ScoreFn<C> = Arc<dyn Fn(&<C as Context>::View<'_>, &Waypoint) -> f32 + Send + Sync>;

/// A score of waypoints, built from [`Measure`]s, functions of the game and
/// numbers, which are the same for every waypoint. Higher is better; a negative score means never, and no other term outweighs
/// it.
///
/// ```
/// use navmesh_runtime::behavior::{Context, Measure, Scene, Score};
/// use navmesh_runtime::coordination::{WaypointClaim, WaypointPool};
///
/// /// A waypoint in sight of the target, preferably at some distance from it
/// /// and close to the agent.
/// fn perch<C: Context>(pool: &WaypointPool, view: &C::View<'_>) -> Option<WaypointClaim>
/// where
///     for<'a> C::View<'a>: Scene,
/// {
///     let score: Score<C> = Score::from(Measure::LineOfSight)
///         .times(Measure::DistanceBand { near: 60.0, far: 120.0, fade: 40.0 })
///         .plus(Score::from(Measure::NearSelf { distance: 80.0 }).times(0.5));
///     pool.claim_best(None, |waypoint| score.of(view, waypoint))
/// }
/// ```
pub struct Score<C: Context> {
    /// The score as data. Closures have an empty name.
    pub(super) def: UtilityDef,
    evaluate: ScoreFn<C>,
}

/// The score of every combination in which one part says never.
const NEVER: f32 = -1.0;

impl<C: Context> Score<C> {
    fn new(
        def: UtilityDef,
        evaluate: impl Fn(&C::View<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> Self {
        let evaluate = Arc::new(evaluate);
        Self { def, evaluate }
    }

    /// A score by a function of the game.
    pub fn from_fn(
        function: impl Fn(&C::View<'_>, &Waypoint) -> f32 + Send + Sync + 'static,
    ) -> Self {
        Self::new(UtilityDef::Named(String::new()), function)
    }

    /// A score by a function of the registry.
    #[cfg(feature = "serde")]
    pub(super) fn named(name: &str, evaluate: ScoreFn<C>) -> Self {
        let def = UtilityDef::Named(name.to_owned());
        Self { def, evaluate }
    }

    /// 1 for waypoints that have a [tag](Waypoint::tags), 0 for others. As the
    /// `needs` of [`only_if`](Self::only_if) it is a condition.
    pub fn tagged(tag: &str) -> Self {
        let def = UtilityDef::Tagged(tag.to_owned());
        let tag = tag.to_owned();
        Self::new(def, move |_, waypoint| {
            f32::from(u8::from(waypoint.has_tag(&tag)))
        })
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        let terms = match self.def {
            UtilityDef::Sum(terms) => terms,
            term => vec![term],
        };
        let terms = terms.into_iter().chain([other.def]).collect();
        let def = UtilityDef::Sum(terms);
        Self::new(def, both(self.evaluate, other.evaluate, |a, b| a + b))
    }

    /// The product of both.
    #[must_use]
    pub fn times(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if let UtilityDef::Constant(weight) = other.def
            && weight >= 0.0
        {
            return self.weighted(weight);
        }
        let terms = match self.def {
            UtilityDef::Product(terms) => terms,
            term => vec![term],
        };
        let terms = terms.into_iter().chain([other.def]).collect();
        let def = UtilityDef::Product(terms);
        Self::new(def, both(self.evaluate, other.evaluate, |a, b| a * b))
    }

    /// This score, but never where `needs` is 0 or less. Turns a preference
    /// into a condition without adding it to the score.
    #[must_use]
    pub fn only_if(self, needs: impl Into<Self>) -> Self {
        let (needs, score) = (needs.into(), self);
        let def = UtilityDef::OnlyIf {
            needs: Box::new(needs.def),
            score: Box::new(score.def),
        };
        let (needs, score) = (needs.evaluate, score.evaluate);
        Self::new(def, move |view, waypoint| {
            if needs(view, waypoint) > 0.0 {
                score(view, waypoint)
            } else {
                NEVER
            }
        })
    }

    /// This score times a number of 0 or more.
    pub(super) fn weighted(self, weight: f32) -> Self {
        let def = UtilityDef::Weighted {
            weight,
            score: Box::new(self.def),
        };
        let score = self.evaluate;
        Self::new(def, move |view, waypoint| {
            let score = score(view, waypoint);
            // A weight of 0 must not turn "never" into 0.
            if score >= 0.0 { score * weight } else { NEVER }
        })
    }

    /// The score of one waypoint; negative means never.
    pub fn of(&self, view: &C::View<'_>, waypoint: &Waypoint) -> f32 {
        (self.evaluate)(view, waypoint)
    }
}

/// Two scores combined; never where one of them says so.
fn both<C: Context>(
    a: ScoreFn<C>,
    b: ScoreFn<C>,
    combine: fn(f32, f32) -> f32,
) -> impl Fn(&C::View<'_>, &Waypoint) -> f32 + Send + Sync + 'static {
    move |view, waypoint| {
        let a = a(view, waypoint);
        if a >= 0.0 {
            let b = b(view, waypoint);
            if b >= 0.0 {
                return combine(a, b);
            }
        }
        NEVER
    }
}

/// The same for every waypoint.
impl<C: Context> From<f32> for Score<C> {
    fn from(score: f32) -> Self {
        Self::new(UtilityDef::Constant(score), move |_, _| score)
    }
}

impl<C: Context> From<Measure> for Score<C>
where
    for<'a> C::View<'a>: Scene,
{
    fn from(measure: Measure) -> Self {
        Self::new(UtilityDef::Measure(measure), move |view, waypoint| {
            measure.of(view, waypoint)
        })
    }
}

impl<C: Context> fmt::Debug for Score<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.def.fmt(f)
    }
}
