//! How a platform is left.

use glam::DVec2;
use navmesh_runtime::mesh::{EdgeSet, PlatformKind};

use super::super::throw::Throw;
use super::fly::Flight;
use super::{Referee, Rest, View};

impl Referee<'_> {
    /// All departures from a platform.
    pub(super) fn leave(&mut self, id: u32, kind: PlatformKind, left: DVec2, right: DVec2) {
        let own = self.rests.iter().filter(|r| r.platform == id);
        for rest in own.copied().collect::<Vec<_>>() {
            for (start, y) in self.starts(&rest) {
                let falls = match kind {
                    PlatformKind::Floor => self.can(EdgeSet::DROP_THROUGH),
                    _ => self.can(EdgeSet::DROP),
                };
                if falls {
                    self.take_off((id, kind), start, y, 0.0);
                }
                let jumps = matches!(kind, PlatformKind::Floor | PlatformKind::Wall);
                if jumps && self.can(EdgeSet::JUMP) {
                    for speed in self.launch_speeds(y) {
                        self.take_off((id, kind), start, y, speed);
                    }
                }
            }
        }
        if kind != PlatformKind::Floor || !self.can(EdgeSet::DROP) {
            return;
        }
        // Off both ends: just past an end nothing carries the body.
        let run = f64::from(self.profile.run_speed);
        let out = 2.0 / 256.0;
        for (lip, past, speeds) in [
            (left, left.x - out, (-run, 0.0)),
            (right, right.x + out, (0.0, run)),
        ] {
            let p = DVec2::new(past, lip.y);
            let blocked = if self.profile.ignores_hazards {
                self.world.solid_at(p, self.body, 1e-9)
            } else {
                self.world.blocked(p, self.body, 1e-9)
            };
            let on_ladder = self
                .ladder_tops
                .iter()
                .any(|(y, (a, b))| (y - p.y).abs() < 1e-3 && *a < p.x && p.x < *b);
            if !blocked && !on_ladder && !self.world.supported(p, self.body, 1e-3) {
                let limit = f64::from(self.profile.max_drop[0]) + out;
                let mut flight = self.flight(id, (past, past), lip.y, 0.0, limit);
                flight.speeds = speeds;
                self.fly(&flight);
            }
        }
    }

    /// Positions and height of take-off along a line.
    fn starts(&self, rest: &Rest) -> Vec<((f64, f64), f64)> {
        let upright = rest.from.x == rest.to.x && rest.from.y != rest.to.y;
        let everywhere = self.view == View::Generous || self.detail.take_offs == 0.0;
        if everywhere && self.profile.air_control && !upright {
            // Everywhere on the line at once.
            return vec![((rest.from.x, rest.to.x), rest.from.y)];
        }
        let mut points = vec![rest.from, rest.to];
        if upright {
            let rows = self.heights.iter();
            let rows = rows.filter(|y| rest.from.y < **y && **y < rest.to.y);
            points.extend(rows.map(|y| DVec2::new(rest.from.x, *y)));
            // On the upper end of a ladder the body stands; just below it
            // climbs.
            points.push(DVec2::new(rest.from.x, (rest.from.y + 0.01).min(rest.to.y)));
        } else {
            let count = ((rest.to.x - rest.from.x) / self.detail.take_offs) as u32;
            points.extend((1..=count).map(|i| {
                let x = rest.from.x + f64::from(i) * self.detail.take_offs;
                DVec2::new(x, rest.from.y)
            }));
        }
        points.into_iter().map(|p| ((p.x, p.x), p.y)).collect()
    }

    fn take_off(
        &mut self,
        (from, kind): (u32, PlatformKind),
        start: (f64, f64),
        y: f64,
        speed: f64,
    ) {
        let limit = if speed > 0.0 {
            self.profile.max_jump[0]
        } else {
            self.profile.max_drop[0]
        };
        let mut flight = self.flight(from, start, y, speed, f64::from(limit));
        flight.lets_go = speed == 0.0 && kind != PlatformKind::Floor;
        self.fly(&flight);
    }

    fn flight(&self, from: u32, start: (f64, f64), y: f64, speed: f64, limit: f64) -> Flight {
        let run = f64::from(self.profile.run_speed);
        Flight {
            from,
            ground: y,
            start: vec![start],
            throw: Throw::new(self.profile, y, speed),
            window: (
                (start.0 - limit).max(0.0),
                (start.1 + limit).min(self.world.width()),
            ),
            speeds: (-run, run),
            lets_go: false,
            launches: self.profile.air_jumps,
        }
    }

    pub(super) fn launch_speeds(&self, y: f64) -> Vec<f64> {
        let (greatest, gravity) = (
            f64::from(self.profile.jump_speed),
            f64::from(self.profile.gravity),
        );
        let even = (1..=self.detail.launches)
            .map(|k| greatest * f64::from(k) / f64::from(self.detail.launches));
        let ceilings = self.rests.iter();
        let ceilings = ceilings.filter(|r| r.kind == PlatformKind::Ceiling);
        let rises = self.world.heights().into_iter();
        let rises = rises.chain(ceilings.map(|r| r.from.y)).map(|h| y - h);
        let touching = rises
            .filter(|r| *r > 1e-6)
            .map(|r| (2.0 * gravity * r).sqrt());
        even.chain(touching.filter(|v| *v <= greatest)).collect()
    }
}
