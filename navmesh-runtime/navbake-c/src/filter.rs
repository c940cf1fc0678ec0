//! Filters of paths.

use navmesh_runtime::mesh::EdgeSet;
use navmesh_runtime::search::{CostArea, Filter, Rect};

use crate::border::{Error, NbVec2, Outcome, Versioned, amount, place, read_list, read_struct};
use crate::report::NbStepKind;

/// A rectangle in which time costs more, for instance a swamp or the range of a turret.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbCostArea {
    /// A corner, finite.
    pub corner: NbVec2,
    /// The opposite corner, finite.
    pub opposite: NbVec2,
    /// What a second with the feet inside counts as: finite, 1 or more. Where areas
    /// overlap, their additions to 1 are summed.
    pub factor: f32,
}

// SAFETY: repr(C), numbers of four bytes only.
unsafe impl Versioned for NbCostArea {
    const NAME: &'static str = "NbCostArea";
    const FIRST: usize = 20;
}

/// What paths may not use, and what costs more than its time. Set all bytes to 0 first:
/// fields that are 0 exclude nothing.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NbFilter {
    /// `sizeof(NbFilter)`, set by the caller.
    pub size: u32,
    /// The kinds of motion that are not used: the sum of `1 << kind`, each one of
    /// `NbStepKind`.
    pub forbidden: u32,
    /// For agents that fly: 1 if they stay at the floor, -1 if they keep off it. Jumps
    /// and drops pass through the rest.
    pub floor: i32,
    /// Extra cost, in seconds, of jumps that fail when the agent takes off late; less for
    /// jumps with some tolerance, nothing from a quarter of a second on. Finite, not
    /// negative.
    pub caution: f32,
    /// Rectangles in which time costs more. Null if there are none. They are copied.
    pub costs: *const NbCostArea,
    /// The number of `costs`.
    pub cost_count: usize,
    /// `sizeof(NbCostArea)`, if there are costs.
    pub cost_size: usize,
}

// SAFETY: repr(C); four numbers of four bytes, then a pointer and two numbers of its
// size, so there is no padding; any bytes are a value.
unsafe impl Versioned for NbFilter {
    const NAME: &'static str = "NbFilter";
    const FIRST: usize = size_of::<Self>();
}

/// The edges of each kind of motion.
const EDGES: [(NbStepKind, EdgeSet); 9] = [
    (NbStepKind::Floor, EdgeSet::FLOOR),
    (NbStepKind::Fly, EdgeSet::FLY),
    (NbStepKind::Jump, EdgeSet::JUMP),
    (NbStepKind::Drop, EdgeSet::DROP),
    (NbStepKind::DropThrough, EdgeSet::DROP_THROUGH),
    (NbStepKind::Ladder, EdgeSet::LADDER),
    (NbStepKind::WallClimb, EdgeSet::WALL_CLIMB),
    (NbStepKind::CeilingClimb, EdgeSet::CEILING_CLIMB),
    (NbStepKind::Portal, EdgeSet::PORTAL),
];

/// Reads a filter; null is one that excludes nothing.
///
/// # Safety
/// `at` is null or a struct of its size, whose costs are as its fields say.
pub(crate) unsafe fn read_filter(at: *const NbFilter) -> Outcome<Filter> {
    let mut filter = Filter::default();
    if at.is_null() {
        return Ok(filter);
    }
    // SAFETY: required of the caller.
    let own = unsafe { read_struct(at) }?;
    for (kind, edge) in EDGES {
        if own.forbidden & (1 << kind as u32) != 0 {
            filter.edges = filter.edges - edge;
        }
    }
    filter.keep_to_floor = own.floor > 0;
    filter.keep_off_floor = own.floor < 0;
    filter.caution = amount(own.caution, "caution")?;
    // SAFETY: required of the caller.
    let costs = unsafe { read_list(own.costs, own.cost_count, own.cost_size) }?;
    for NbCostArea {
        corner,
        opposite,
        factor,
    } in costs
    {
        if !(factor.is_finite() && factor >= 1.0) {
            let problem = format_args!("a cost factor is {factor}; it must be finite, 1 or more");
            return Err(Error::argument(problem));
        }
        let (corner, opposite) = (place(corner, "corner")?, place(opposite, "corner")?);
        let area = Rect::new(corner, opposite);
        filter.costs.push(CostArea { area, factor });
    }
    Ok(filter)
}
