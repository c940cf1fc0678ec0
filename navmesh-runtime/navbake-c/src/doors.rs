//! Doors: regions that are closed and opened while the game runs.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::mem::MaybeUninit;

use navmesh_runtime::search::{Doors, Rect};

use crate::border::{
    Error, NbResult, NbVec2, Outcome, Shared, free, guard, handle, place, put, put_new, text,
};
use crate::mesh::NbMesh;

/// The doors of a level: one object for all agents in it.
#[derive(Debug)]
pub struct NbDoors(Shared<Regions>);

#[derive(Debug)]
struct Regions {
    doors: Doors,
    /// The closed regions of C, by their numbers.
    closed: BTreeMap<u32, Rect>,
    /// The number of the next region.
    next: u32,
}

/// Calls a function with the doors; without any, all are open.
pub(crate) fn with_doors<T>(doors: Option<&NbDoors>, f: impl FnOnce(&Doors) -> T) -> Outcome<T> {
    Ok(match doors {
        Some(doors) => f(&doors.0.lock("doors")?.doors),
        None => f(&Doors::new()),
    })
}

/// Makes the doors of a level as they are when it begins: open, except those with
/// the property `closed`.
#[unsafe(no_mangle)]
pub extern "C" fn nb_doors_new(
    mesh: Option<&NbMesh>,
    doors: Option<&mut MaybeUninit<Option<Box<NbDoors>>>>,
) -> NbResult {
    guard(|| {
        put_new(doors, || {
            let doors = Doors::from_mesh(&handle(mesh, "mesh")?.mesh);
            let regions = Regions {
                doors,
                closed: BTreeMap::new(),
                next: 0,
            };
            Ok(NbDoors(Shared::new(regions)))
        })
    })
}

/// Frees doors.
#[unsafe(no_mangle)]
pub extern "C" fn nb_doors_free(doors: Option<Box<NbDoors>>) {
    free(doors);
}

/// Closes (1) or opens (0) every door of a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_doors_set(
    doors: Option<&NbDoors>,
    name: *const c_char,
    closed: i32,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(name, "name of the door") }?;
        let doors = &mut handle(doors, "doors")?.0.lock("doors")?.doors;
        let set = if closed == 0 {
            Doors::open
        } else {
            Doors::close
        };
        set(doors, name).map(|_| ()).map_err(Error::unknown)
    })
}

/// Whether a door of that name is closed: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nb_doors_is_closed(
    doors: Option<&NbDoors>,
    name: *const c_char,
    is_closed: Option<&mut MaybeUninit<i32>>,
) -> NbResult {
    guard(|| {
        // SAFETY: a text: the contract of the header.
        let name = unsafe { text(name, "name of the door") }?;
        let unknown = || Error::unknown(format_args!("no door is named {name:?}"));
        let regions = handle(doors, "doors")?.0.lock("doors")?;
        let closed = regions.doors.is_closed(name).ok_or_else(unknown)?;
        put(is_closed, i32::from(closed))
    })
}

/// Closes any rectangle with finite corners, for instance where a boulder lies.
/// `region` gets the number with which it is opened again.
#[unsafe(no_mangle)]
pub extern "C" fn nb_doors_close_region(
    doors: Option<&NbDoors>,
    corner: NbVec2,
    opposite: NbVec2,
    region: Option<&mut MaybeUninit<u32>>,
) -> NbResult {
    guard(|| {
        let mut regions = handle(doors, "doors")?.0.lock("doors")?;
        let rect = Rect::new(place(corner, "corner")?, place(opposite, "corner")?);
        let number = regions.next;
        put(region, number)?;
        let region = regions.doors.close_region(rect);
        regions.closed.insert(number, region);
        regions.next += 1;
        Ok(())
    })
}

/// Opens a region again. Nothing changes if it is open.
#[unsafe(no_mangle)]
pub extern "C" fn nb_doors_open_region(doors: Option<&NbDoors>, region: u32) -> NbResult {
    guard(|| {
        let mut regions = handle(doors, "doors")?.0.lock("doors")?;
        if region >= regions.next {
            let problem = format_args!("there is no region {region}");
            return Err(Error::unknown(problem));
        }
        if let Some(region) = regions.closed.remove(&region) {
            regions.doors.open_region(region);
        }
        Ok(())
    })
}
