//! The colours of pictures and films.

use super::canvas::Colour;

pub(super) const BACKGROUND: Colour = Colour::hex(0x10_1318);
pub(super) const SOLID: Colour = Colour::hex(0x2a_1619);
pub(super) const IN_AIR: Colour = Colour::hex(0xff_ffff);
pub(super) const ON_FLOOR: Colour = Colour::hex(0x3d_dc68);
pub(super) const INSIDE: Colour = Colour::hex(0xc2_3b3b);
pub(super) const FLY: Colour = Colour::hex(0xff_ffff);
pub(super) const FLOOR: Colour = Colour::hex(0x2f_b457);
pub(super) const CLIMB: Colour = Colour::hex(0x27_c4c4);
pub(super) const JUMP: Colour = Colour::hex(0x4c_9dff);
pub(super) const DROP: Colour = Colour::hex(0xff_5a4f);
pub(super) const BARRIER: Colour = Colour::hex(0xff_a53d);
pub(super) const PORTAL: Colour = Colour::hex(0xb4_7cff);
pub(super) const MARKER: Colour = Colour::hex(0xd8_dde6);
pub(super) const DOOR: Colour = Colour::hex(0xff_d0a0);
pub(super) const ROUTE: Colour = Colour::hex(0xff_d63d);
pub(super) const TEXT: Colour = Colour::hex(0xd8_dde6);
