//! The colours of pictures, films and the page.
//!
//! Every kind of link has a colour that differs from all others, from the floor
//! and from the background.

use navmesh_runtime::mesh::StepKind;

use super::list::Colour;

pub const BACKGROUND: Colour = Colour(0x10_1318);
pub const SOLID: Colour = Colour(0x2a_1a1e);
pub const IN_AIR: Colour = Colour(0xff_ffff);
pub const ON_FLOOR: Colour = Colour(0x3d_dc68);
pub const INSIDE: Colour = Colour(0xc2_3b3b);
pub const FLY: Colour = Colour(0xff_ffff);
pub const FLOOR: Colour = Colour(0x2f_b457);
pub const JUMP: Colour = Colour(0x4c_9dff);
pub const DROP: Colour = Colour(0xff_5a4f);
pub const LADDER: Colour = Colour(0xbc_8040);
pub const WALL: Colour = Colour(0x1f_d6c1);
pub const CEILING: Colour = Colour(0x99_70ff);
pub const PORTAL: Colour = Colour(0xff_45e0);
pub const ONE_WAY: Colour = Colour(0xf2_f5c8);
pub const MARKER: Colour = Colour(0xd8_dde6);
pub const MOVING: Colour = Colour(0x30_b0a0);
pub const DOOR: Colour = Colour(0xff_d0a0);
pub const ROUTE: Colour = Colour(0xff_d63d);
pub const TEXT: Colour = Colour(0xd8_dde6);

/// What a comparison leaves as it is.
pub const SAME: Colour = Colour(0x78_8292);
pub const SAME_SOLID: Colour = Colour(0x2c_323c);
// Blue and orange can be distinguished without seeing red and green.
pub const ADDED: Colour = Colour(0x35_c9ff);
pub const REMOVED: Colour = Colour(0xff_8a3d);
pub const CHANGED: Colour = Colour(0xb5_8cff);
pub const LOST: Colour = Colour(0xff_2f6d);
pub const TRAP: Colour = Colour(0xff_e14d);

pub const fn of_link(kind: StepKind) -> Colour {
    match kind {
        StepKind::Jump | StepKind::Spring => JUMP,
        StepKind::Drop => DROP,
        StepKind::DropThrough => Colour(0xff_b3d9),
        StepKind::Ladder => LADDER,
        StepKind::WallClimb => WALL,
        StepKind::CeilingClimb => CEILING,
        StepKind::Portal => PORTAL,
        StepKind::OneWayStep => ONE_WAY,
        // A later version of the format may have other kinds.
        _ => Colour(0xc9_ced8),
    }
}
