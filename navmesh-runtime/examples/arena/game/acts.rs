//! What the cues of the trees do in this game.

use glam::Vec2;
use navmesh_runtime::behavior::{Scene as _, Status};

use super::effects::{FIRE, Sight, Spot};
use super::view::View;

/// A cue of this game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// Hurts the player at close range.
    Bite,
    /// Like a bite, by a flyer.
    Peck,
    /// A slow shot.
    Spit,
    /// Hurts the player while the enemy runs along the platform.
    Charge,
    /// Marks the position where the rock will come out.
    Warn,
    Rock,
    /// Kills the immolator, and leaves a fire.
    Burst,
    Shield,
    Heal,
    /// The cry of a flyer before it dives.
    Dive,
    /// Turns the gun towards the player.
    Aim,
    Fire,
}

impl Act {
    const ALL: [(&'static str, Self); 12] = [
        ("bite", Self::Bite),
        ("peck", Self::Peck),
        ("spit", Self::Spit),
        ("charge", Self::Charge),
        ("warn", Self::Warn),
        ("rock", Self::Rock),
        ("burst", Self::Burst),
        ("shield", Self::Shield),
        ("heal", Self::Heal),
        ("dive", Self::Dive),
        ("aim", Self::Aim),
        ("fire", Self::Fire),
    ];

    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        Some(all.find(|(other, _)| *other == name)?.1)
    }

    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, act)| *act == self)
            .map_or("", |(name, _)| name)
    }

    /// Its duration in seconds; `None` when something else ends it.
    const fn seconds(self) -> Option<f32> {
        Some(match self {
            Self::Bite | Self::Peck => 0.35,
            Self::Spit => 0.3,
            Self::Rock => 0.4,
            Self::Burst => 0.2,
            Self::Shield => 10.0,
            Self::Heal => 1.0,
            Self::Fire => 0.15,
            Self::Warn | Self::Dive => 0.0,
            Self::Charge | Self::Aim => return None,
        })
    }

    /// One tick of it, `elapsed` seconds after it began.
    pub fn go(self, view: &mut View<'_>, elapsed: f32) -> Status {
        match self {
            Self::Warn if elapsed == 0.0 => {
                let player = view.player.position();
                let at = view.stage.nearest_surface(player);
                view.body_mut().mark = Some(at);
                view.effects.warnings.push(Spot { at, left: 1.0 });
            }
            Self::Rock if elapsed == 0.0 => {
                if let Some(at) = view.body_mut().mark.take() {
                    let View {
                        me,
                        effects,
                        bodies,
                        player,
                        ..
                    } = view;
                    effects.erupt(at, *me, bodies, player);
                }
            }
            Self::Shield => view.shield_others(),
            Self::Charge if view.player.position().distance(view.position()) < 20.0 => {
                view.player.hurt();
            }
            Self::Aim => return view.turn_gun(),
            _ => {}
        }
        // Slightly less, because frame times are rounded.
        let Some(seconds) = self.seconds().filter(|s| elapsed >= s - 1e-4) else {
            return Status::Running;
        };
        if seconds > 0.0 {
            self.strike(view);
        }
        Status::Success
    }

    /// Its effect at its end.
    fn strike(self, view: &mut View<'_>) {
        let chest = view.position() - Vec2::new(0.0, 10.0);
        let to_player = (view.player.position() - view.position()).normalize_or(Vec2::X);
        match self {
            Self::Bite | Self::Peck if view.player.position().distance(view.position()) < 28.0 => {
                view.player.hurt();
            }
            Self::Spit => view.effects.shoot(chest, to_player, 150.0),
            Self::Fire => {
                let aim = view.body().aim;
                view.effects.shoot(chest, aim, 280.0);
            }
            Self::Burst => {
                let at = view.position();
                view.effects.fires.push(Spot { at, left: FIRE });
                view.body_mut().health = 0.0;
            }
            Self::Heal => {
                if let Some(patient) = view.body_mut().patient.take()
                    && let Some(body) = view.bodies.get_mut(patient)
                    && body.is_alive()
                {
                    body.health = (body.health + 60.0).min(100.0);
                    let kind = body.kind;
                    view.effects.note(patient, kind, Sight::Healed);
                }
            }
            _ => {}
        }
    }
}
