//! A trail that a chaser can follow.

use std::collections::VecDeque;

use glam::Vec2;

/// The trail of a moving target: points that it drops and that expire. A chaser that
/// has lost sight of the target follows the freshest point that it can see, and so
/// takes the way that the target took, without a path search.
///
/// ```
/// use glam::Vec2;
/// use navmesh_bots::steering::Breadcrumbs;
///
/// let mut trail = Breadcrumbs::new(16.0, 5.0);
/// for step in 0..10 {
///     trail.update(Vec2::new(8.0 * step as f32, 0.0), 0.1); // the player runs to the right
/// }
/// // The chaser sees no farther than x = 40:
/// assert_eq!(trail.freshest(|crumb| crumb.x < 40.0), Some(Vec2::new(32.0, 0.0)));
/// ```
#[derive(Debug, Clone)]
pub struct Breadcrumbs {
    spacing: f32,
    lifetime: f32,
    now: f64,
    /// The oldest first, with the time when it was dropped.
    crumbs: VecDeque<(Vec2, f64)>,
}

impl Breadcrumbs {
    /// An empty trail. The target drops a crumb whenever it is `spacing` world units
    /// from the last one, and each lasts `lifetime` seconds. It holds as many crumbs
    /// as the target drops in that time; their memory is reused.
    pub fn new(spacing: f32, lifetime: f32) -> Self {
        Self {
            spacing,
            lifetime,
            now: 0.0,
            crumbs: VecDeque::new(),
        }
    }

    /// Moves the target. Call it in each frame, `dt` seconds after the last call. A
    /// position or time that is not finite changes nothing.
    pub fn update(&mut self, target: Vec2, dt: f32) {
        if !(target.is_finite() && dt.is_finite()) {
            return;
        }
        self.now += f64::from(dt.max(0.0));
        let oldest = self.now - f64::from(self.lifetime);
        while self.crumbs.front().is_some_and(|(_, time)| *time < oldest) {
            self.crumbs.pop_front();
        }
        let last = self.crumbs.back();
        if last.is_none_or(|(crumb, _)| crumb.distance(target) >= self.spacing) {
            self.crumbs.push_back((target, self.now));
        }
    }

    /// The freshest crumb that the chaser can see, where `sees` returns whether it
    /// sees a position: mostly
    /// [`Surroundings::can_fly_to`](super::Surroundings::can_fly_to). `None` when it
    /// sees none. The freshest are tried first, so the cost grows with the number of
    /// crumbs that it does not see.
    pub fn freshest(&self, mut sees: impl FnMut(Vec2) -> bool) -> Option<Vec2> {
        let mut crumbs = self.crumbs.iter().rev().map(|(crumb, _)| *crumb);
        crumbs.find(|crumb| sees(*crumb))
    }
}
