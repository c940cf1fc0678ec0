//! The context map: interest and danger per heading.

use std::f64::consts::TAU;

use glam::Vec2;

/// The least interest of headings near to what is wanted, as a share of the
/// greatest; less for those that lead away.
const DETOUR: f32 = 0.2;

/// Interest and danger of some headings around an agent, and the best of them.
///
/// Everything that an agent wants adds *interest* to the headings towards it, and
/// everything that it should avoid gives *danger* to the headings that lead there.
/// Danger masks: no sum of interests makes up for it.
#[derive(Debug, Clone)]
pub struct ContextMap {
    /// Vectors of length 1.
    headings: Box<[Vec2]>,
    interest: Box<[f32]>,
    /// From 0 to 1, without what bleeds from neighbours.
    danger: Box<[f32]>,
    /// Interest that danger has left, per heading; set by `choose`. Before that,
    /// `add_greatest` uses it.
    scores: Box<[f32]>,
    /// Danger with what it bled from neighbours; set by `choose`.
    bled: Box<[f32]>,
    /// The slot of the last choice.
    held: Option<usize>,
    /// The danger, above 0 and up to 1, that masks a heading outright. Less danger
    /// takes a part of the interest: half of this takes half.
    pub mask: f32,
    /// The share of a heading's danger, from 0 to less than 1, that its two
    /// neighbours have at least.
    pub bleed: f32,
    /// How much better, as a share, another way around must be to be taken instead
    /// of the one that was chosen last. At 0 the agent may waver between equal ways.
    pub hysteresis: f32,
}

impl ContextMap {
    /// A map of that many headings, from 4 to 64 (other numbers are clamped), evenly
    /// spaced; the first is +x. The cost grows with their number; 16 distinguish
    /// gaps that 8 do not.
    pub fn new(headings: usize) -> Self {
        let count = headings.clamp(4, 64);
        let zeros = || vec![0.0; count].into_boxed_slice();
        Self {
            headings: around(count),
            interest: zeros(),
            danger: zeros(),
            scores: zeros(),
            bled: zeros(),
            held: None,
            mask: 0.75,
            bleed: 0.5,
            hysteresis: 0.3,
        }
    }

    /// Adds interest in a direction: `weight` straight towards it, less beside it,
    /// none from 90° on. Directions need no length; one of length 0 and numbers that
    /// are not finite or not above 0 add nothing.
    pub fn add_interest(&mut self, direction: Vec2, weight: f32) {
        add_greatest(self, std::iter::once((direction, weight)));
    }

    /// Raises the danger of each heading to what a function returns for it, from 0
    /// to 1. Of several dangers the greatest counts.
    pub fn add_danger(&mut self, mut of: impl FnMut(Vec2) -> f32) {
        for (danger, heading) in self.danger.iter_mut().zip(&self.headings) {
            *danger = danger.max(of(*heading).min(1.0));
        }
    }

    /// Chooses the heading with the most interest that danger leaves. Returns a vector
    /// of length 1, mostly between two headings of the map, and the share of its speed at
    /// which the agent should go: the greatest interest of any heading, at most 1, less
    /// what the danger of this heading takes. `None` when there is no interest, or every
    /// heading is masked. All interest and danger is then 0 again, for the next update of
    /// the same agent.
    ///
    /// Headings that lead away from what is wanted have a little interest too, so that the
    /// agent goes around what is in the way. While the straight way is masked it stays on
    /// the side that it chose first, as long as a heading there is open; otherwise
    /// see [`hysteresis`](Self::hysteresis).
    pub fn choose(&mut self) -> Option<(Vec2, f32)> {
        let most = self.interest.iter().fold(0.0_f32, |a, b| a.max(*b));
        self.spread_danger();
        self.score(most);
        self.held = if most > 0.0 { self.peak() } else { None };
        self.interest.fill(0.0);
        let danger = self.held.map(|best| self.danger[best]);
        self.danger.fill(0.0);
        let (best, danger) = self.held.zip(danger)?;
        // Not the interest of this heading: a detour is no reason to go slowly.
        let strength = most.min(1.0) * self.left_by(danger);
        Some((self.between(best), strength))
    }

    fn score(&mut self, most: f32) {
        let interests = self.headings.iter().zip(&self.interest);
        let sum: Vec2 = interests.map(|(heading, weight)| *heading * *weight).sum();
        let wanted = sum.normalize_or_zero();
        for i in 0..self.headings.len() {
            let near = 0.5 + 0.5 * self.headings[i].dot(wanted);
            let detour = DETOUR * most * (0.05 + 0.95 * near);
            self.scores[i] = self.interest[i].max(detour) * self.left_by(self.bled[i]);
        }
        // An agent that goes around a wide obstacle would turn back as soon as the
        // other side is a little shorter, for ever.
        let Some(held) = self.held else {
            return;
        };
        if self.left_by(self.bled[self.nearest(wanted)]) > 0.0 {
            return;
        }
        let side = wanted.perp_dot(self.headings[held]);
        let sides = self
            .headings
            .iter()
            .map(|slot| wanted.perp_dot(*slot) * side);
        let scores = self.scores.iter_mut();
        if (sides.clone().zip(scores)).any(|(side, score)| side > 0.0 && *score > 0.0) {
            for (side, score) in sides.zip(&mut self.scores) {
                if side < 0.0 {
                    *score = 0.0;
                }
            }
        }
    }

    /// The slot of the heading nearest to a direction.
    fn nearest(&self, direction: Vec2) -> usize {
        let along = |slot: &usize| self.headings[*slot].dot(direction);
        let slots = 0..self.headings.len();
        slots
            .max_by(|a, b| along(a).total_cmp(&along(b)))
            .unwrap_or_default()
    }

    /// The share of interest that a danger leaves.
    fn left_by(&self, danger: f32) -> f32 {
        (1.0 - danger / self.mask.clamp(f32::EPSILON, 1.0)).max(0.0)
    }

    /// Lets danger bleed to neighbours, in both directions around the circle.
    fn spread_danger(&mut self) {
        let (bleed, count) = (self.bleed.clamp(0.0, 0.99), self.danger.len());
        self.bled.copy_from_slice(&self.danger);
        // Twice around, so that it also bleeds across the first heading.
        let forwards = (1..2 * count).map(|step| (step - 1, step));
        let backwards = (1..2 * count).rev().map(|step| (step, step - 1));
        for (from, to) in forwards.chain(backwards) {
            let (from, to) = (from % count, to % count);
            self.bled[to] = self.bled[to].max(bleed * self.bled[from]);
        }
    }

    /// The slot of the best score, or of the last choice's own peak as long as the
    /// best is not clearly better.
    fn peak(&self) -> Option<usize> {
        let best = (0..self.scores.len()).reduce(|a, b| self.better(a, b))?;
        if self.scores[best] <= 0.0 {
            return None;
        }
        let Some(mut held) = self.held else {
            return Some(best);
        };
        // Uphill from the last choice: the same way around an obstacle may have
        // turned a little.
        loop {
            let [left, right] = self.beside(held);
            let next = self.better(self.better(held, left), right);
            if next == held {
                break;
            }
            held = next;
        }
        let limit = self.scores[held] * (1.0 + self.hysteresis.max(0.0));
        Some(if self.scores[best] > limit {
            best
        } else {
            held
        })
    }

    fn better(&self, a: usize, b: usize) -> usize {
        if self.scores[b] > self.scores[a] {
            b
        } else {
            a
        }
    }

    fn beside(&self, slot: usize) -> [usize; 2] {
        let count = self.headings.len();
        [(slot + count - 1) % count, (slot + 1) % count]
    }

    /// The direction at the top of the parabola through a slot's score and those
    /// beside it.
    fn between(&self, slot: usize) -> Vec2 {
        let [left, right] = self.beside(slot);
        let [a, b, c] = [left, slot, right].map(|slot| self.scores[slot]);
        let curve = 2.0 * b - a - c;
        let offset = if curve > 0.0 {
            (0.5 * (c - a) / curve).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        let toward = self.headings[if offset < 0.0 { left } else { right }];
        (self.headings[slot].lerp(toward, offset.abs())).normalize_or(self.headings[slot])
    }
}

/// Adds the greatest of several interests to each heading. Their sum would be greatest
/// between them, where nothing is.
pub fn add_greatest(map: &mut ContextMap, interests: impl Iterator<Item = (Vec2, f32)>) {
    map.scores.fill(0.0);
    for (direction, weight) in interests {
        let direction = direction.normalize_or_zero();
        if direction == Vec2::ZERO || !weight.is_finite() || weight <= 0.0 {
            continue;
        }
        for (greatest, heading) in map.scores.iter_mut().zip(&map.headings) {
            *greatest = greatest.max(weight * heading.dot(direction));
        }
    }
    for (interest, greatest) in map.interest.iter_mut().zip(&map.scores) {
        *interest += *greatest;
    }
}

/// Whether the heading nearest to a direction is not masked.
pub fn is_open(map: &ContextMap, direction: Vec2) -> bool {
    map.left_by(map.danger[map.nearest(direction)]) > 0.0
}

/// Evenly spaced headings. By arithmetic that is the same on all platforms, unlike
/// the system's sine.
fn around(count: usize) -> Box<[Vec2]> {
    let step = TAU / count as f64;
    // The Taylor series; its step is at most a quarter of a circle.
    let (mut cos, mut sin, mut term) = (0.0, 0.0, 1.0);
    for k in 0..24 {
        match k % 4 {
            0 => cos += term,
            1 => sin += term,
            2 => cos -= term,
            _ => sin -= term,
        }
        term *= step / f64::from(k + 1);
    }
    let (mut x, mut y) = (1.0_f64, 0.0_f64);
    (0..count)
        .map(|_| {
            // So that headings along an axis are exactly along it.
            let exact = |v: f64| if v.abs() < 1e-9 { 0.0 } else { v as f32 };
            let heading = Vec2::new(exact(x), exact(y));
            (x, y) = (x * cos - y * sin, x * sin + y * cos);
            heading
        })
        .collect()
}
