//! How a place is left for the air.

use navmesh_runtime::mesh::{LinkKind, MAX_AIR_JUMPS};

/// How a place is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Leave {
    /// Walking off to the left.
    OffLeft,
    /// Walking off to the right.
    OffRight,
    /// Falling through the one-way platform stood on.
    Through,
    /// Letting go of what was climbed.
    LetGo,
    /// Upwards, with this speed.
    Up(f32),
}

/// A way of leaving a place, and the launches in the air that follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Launch {
    /// How the place is left.
    pub leave: Leave,
    /// Launches in the air: seconds after it was left, and upward speed.
    air: [[f32; 2]; MAX_AIR_JUMPS as usize],
    air_count: u8,
}

impl Launch {
    /// A launch with none in the air.
    pub const fn new(leave: Leave) -> Self {
        Self {
            leave,
            air: [[0.0; 2]; MAX_AIR_JUMPS as usize],
            air_count: 0,
        }
    }

    /// The launches in the air.
    pub fn air(&self) -> &[[f32; 2]] {
        &self.air[..usize::from(self.air_count)]
    }

    /// Adds a launch in the air, at a time after it was left and with a speed;
    /// ignored when there is no room for more.
    #[must_use]
    pub fn then(mut self, at: f32, speed: f32) -> Self {
        if let Some(row) = self.air.get_mut(usize::from(self.air_count)) {
            *row = [at, speed];
            self.air_count += 1;
        }
        self
    }

    /// Whether it launches itself upwards, at once or in the air.
    pub fn jumps(&self) -> bool {
        self.air_count > 0 || matches!(self.leave, Leave::Up(_))
    }

    /// Its upward speed; 0 when it has none at first.
    pub fn speed(&self) -> f32 {
        match self.leave {
            Leave::Up(speed) => speed,
            _ => 0.0,
        }
    }

    /// The kind of link it makes.
    pub fn kind(&self) -> LinkKind {
        match self.leave {
            _ if self.jumps() => LinkKind::Jump,
            Leave::Through => LinkKind::DropThrough,
            _ => LinkKind::Drop,
        }
    }
}
