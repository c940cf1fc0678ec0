//! The ways to leave a platform into the air.

use navmesh_runtime::mesh::{AgentProfile, LinkKind};

/// How a platform is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Departure {
    /// Walking off its left end.
    WalkOffLeft,
    /// Walking off its right end.
    WalkOffRight,
    /// Falling through a one-way platform.
    DropThrough,
    /// Letting go of a ladder, wall or ceiling.
    LetGo,
    /// Jumping with this upward speed.
    Jump(f32),
}

/// A jump in the air.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AirJump {
    /// Seconds after the body left the platform.
    pub after: f32,
    /// Upward speed.
    pub speed: f32,
}

/// How a platform is left, and the jumps in the air that follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakeOff {
    pub departure: Departure,
    air_jumps: [AirJump; AgentProfile::MAX_AIR_JUMPS as usize],
    air_jump_count: u8,
}

impl TakeOff {
    /// A take-off without jumps in the air.
    pub fn new(departure: Departure) -> Self {
        Self {
            departure,
            air_jumps: [AirJump::default(); AgentProfile::MAX_AIR_JUMPS as usize],
            air_jump_count: 0,
        }
    }

    pub fn air_jumps(&self) -> &[AirJump] {
        &self.air_jumps[..usize::from(self.air_jump_count)]
    }

    /// Adds a jump in the air; ignored when there is no room for more.
    #[must_use]
    pub fn then(mut self, jump: AirJump) -> Self {
        if let Some(slot) = self.air_jumps.get_mut(usize::from(self.air_jump_count)) {
            *slot = jump;
            self.air_jump_count += 1;
        }
        self
    }

    /// Whether the body jumps, from the platform or in the air.
    pub fn jumps(&self) -> bool {
        self.air_jump_count > 0 || matches!(self.departure, Departure::Jump(_))
    }

    /// Whether the body drops through the one-way platform it starts on.
    pub fn drops_through(&self) -> bool {
        self.departure == Departure::DropThrough
    }

    /// The upward speed at which the body leaves the platform; 0 unless it
    /// jumps from there.
    pub fn speed(&self) -> f32 {
        match self.departure {
            Departure::Jump(speed) => speed,
            _ => 0.0,
        }
    }

    /// The kind of a link that begins with this take-off.
    pub fn kind(&self) -> LinkKind {
        match self.departure {
            _ if self.jumps() => LinkKind::Jump,
            Departure::DropThrough => LinkKind::DropThrough,
            _ => LinkKind::Drop,
        }
    }
}
