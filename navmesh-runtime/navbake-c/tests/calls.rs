//! Calls of the interface from Rust, with pointers as C passes them. Miri runs these
//! too; README.md has the command.

#![allow(clippy::wildcard_imports)] // nearly all functions of the interface

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use navbake_c::*;

/// The baked level of the runtime's roguelike, which is small.
const LEVEL: &[u8] = include_bytes!("../../games/levels/dungeon.navmesh");

fn ok(result: NbResult) {
    // SAFETY: a text of the library.
    let message = unsafe { CStr::from_ptr(nb_error_message()) };
    assert_eq!(result, NbResult::Ok, "{message:?}");
}

/// The object that a function makes.
#[allow(clippy::unnecessary_box_returns)] // a handle is a box
fn made<T>(make: impl FnOnce(Option<&mut MaybeUninit<Option<Box<T>>>>) -> NbResult) -> Box<T> {
    let mut handle = MaybeUninit::uninit();
    ok(make(Some(&mut handle)));
    // SAFETY: the function has written it.
    unsafe { handle.assume_init() }.expect("a handle")
}

/// A level whose agents jump.
const ARENA: &[u8] = include_bytes!("../../games/levels/arena.navmesh");

#[allow(clippy::unnecessary_box_returns)] // a handle is a box
fn load() -> Box<NbMesh> {
    load_from(LEVEL)
}

#[allow(clippy::unnecessary_box_returns)] // a handle is a box
fn load_from(level: &[u8]) -> Box<NbMesh> {
    // SAFETY: the bytes of a level, and a place for a handle.
    made(|mesh| unsafe { nb_mesh_load(level.as_ptr(), level.len(), mesh) })
}

/// The feet of the first marker, on the floor of a layer.
fn start(mesh: &NbMesh, layer: u32) -> NbVec2 {
    let mut marker: NbMarker = empty();
    // SAFETY: a struct of its size.
    ok(unsafe { nb_mesh_marker(Some(mesh), 0, &raw mut marker) });
    let mut at = MaybeUninit::uninit();
    ok(nb_layer_place(
        Some(mesh),
        layer,
        marker.feet,
        Some(&mut at),
    ));
    // SAFETY: written above.
    unsafe { at.assume_init() }
}

/// A struct of zeros with its size.
fn empty<T>() -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the structs of the interface begin with their size; all zeros are a value
    // of each.
    unsafe {
        value
            .as_mut_ptr()
            .cast::<u32>()
            .write(size_of::<T>() as u32);
        value.assume_init()
    }
}

#[test]
fn an_agent_goes_to_the_end_of_its_floor() {
    let mesh = load();
    let layer = 0;
    let from = start(&mesh, layer);
    let (mut left, mut right) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    ok(nb_layer_floor_ends(
        Some(&mesh),
        layer,
        from,
        Some(&mut left),
        Some(&mut right),
    ));
    // SAFETY: written above.
    let [left, right] = unsafe { [left.assume_init(), right.assume_init()] };
    let to = if from.x - left.x > right.x - from.x {
        left
    } else {
        right
    };
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    let agent = made(|agent| nb_agent_new(Some(&mesh), layer, from, agent));
    ok(nb_agent_set_destination(Some(&agent), to));
    let mut pose: NbPose = empty();
    let mut arrived = false;
    for _ in 0..600 {
        // SAFETY: a struct of its size.
        ok(unsafe { nb_agent_step(Some(&agent), Some(&nav), 0.1, &raw mut pose) });
        let mut events = [NbEvent {
            kind: 0,
            reason: 0,
            from,
            to,
            marker: -1,
        }; 4];
        let mut count = MaybeUninit::uninit();
        // SAFETY: a buffer of four events.
        ok(unsafe {
            let at = events.as_mut_ptr();
            nb_agent_events(Some(&agent), at, 4, size_of::<NbEvent>(), Some(&mut count))
        });
        // SAFETY: written above.
        let count = unsafe { count.assume_init() };
        arrived |= events[..count]
            .iter()
            .any(|e| e.kind == NbEventKind::Arrived as u32);
        if arrived {
            break;
        }
    }
    assert!(arrived && (pose.position.x - to.x).abs() < 1.0, "{pose:?}");
    let mut name = [0 as c_char; 64];
    // SAFETY: a buffer of 64 bytes; the name is a text.
    unsafe {
        ok(nb_layer_name(
            Some(&mesh),
            layer,
            name.as_mut_ptr(),
            64,
            None,
        ));
        let mut found = MaybeUninit::uninit();
        ok(nb_mesh_layer(Some(&mesh), name.as_ptr(), Some(&mut found)));
        assert_eq!(found.assume_init(), layer);
    }
    nb_agent_free(Some(agent));
    nb_nav_free(Some(nav));
    nb_mesh_free(Some(mesh));
}

/// A call with a wrong argument has done nothing: what it did would be lost with the
/// error.
#[test]
fn calls_with_a_wrong_argument_change_nothing() {
    let mesh = load();
    let (mesh, layer) = (Some(&*mesh), 0);
    let from = start(mesh.unwrap(), layer);
    let (mut left, mut right) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    ok(nb_layer_floor_ends(
        mesh,
        layer,
        from,
        Some(&mut left),
        Some(&mut right),
    ));
    // SAFETY: written above.
    let ends = unsafe { [left.assume_init(), right.assume_init()] };
    let far = |end: &NbVec2| (end.x - from.x).abs();
    let [a, b] = ends;
    let to = if far(&a) > far(&b) { a } else { b };
    let other = NbVec2 { x: 7.0, y: 7.0 };
    let mut kept = MaybeUninit::new(other);
    let result = nb_layer_floor_ends(mesh, layer, from, Some(&mut kept), None);
    assert_eq!(result, NbResult::ErrorArgument);
    // SAFETY: written above.
    assert_eq!(unsafe { kept.assume_init() }, other);

    let nav = made(|nav| nb_nav_new(mesh, nav));
    let agent = made(|agent| nb_agent_new(mesh, layer, from, agent));
    let agent = Some(&*agent);
    ok(nb_agent_set_destination(agent, to));
    let step = |seconds: f32, pose: *mut NbPose| {
        // SAFETY: null, or a struct that begins with its size.
        unsafe { nb_agent_step(agent, Some(&nav), seconds, pose) }
    };
    let position = || {
        let mut pose: NbPose = empty();
        // SAFETY: a struct of its size.
        ok(unsafe { nb_agent_pose(agent, &raw mut pose) });
        pose.position
    };
    ok(step(0.1, ptr::null_mut()));
    let before = position();
    let mut small: NbPose = empty();
    small.size = 0;
    assert_eq!(step(0.1, &raw mut small), NbResult::ErrorSize);
    for seconds in [-1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(step(seconds, ptr::null_mut()), NbResult::ErrorArgument);
    }
    let body: NbBody = empty();
    // SAFETY: a struct of its size; a command that is null is refused.
    let driven = unsafe {
        let (body, command) = (&raw const body, ptr::null_mut());
        nb_agent_drive(agent, Some(&nav), body, 0.1, command)
    };
    assert_eq!(driven, NbResult::ErrorArgument);
    assert_eq!(position(), before);
    ok(step(0.1, ptr::null_mut()));
    assert_ne!(position(), before, "it goes on");

    // The level was not baked for an agent of another one.
    let arena = load_from(ARENA);
    let flyer = 3;
    let stranger = made(|agent| nb_agent_new(Some(&arena), flyer, from, agent));
    // SAFETY: no pose is written.
    let result = unsafe { nb_agent_step(Some(&stranger), Some(&nav), 0.1, ptr::null_mut()) };
    assert_eq!(result, NbResult::ErrorUnknown);

    let query = NbQuery {
        from,
        to,
        ..empty()
    };
    let mut path: NbPath = empty();
    // SAFETY: structs of their size, and no buffer.
    let found = unsafe {
        let (query, path) = (&raw const query, &raw mut path);
        nb_nav_find(Some(&nav), layer, query, path, ptr::null_mut(), 0, 0, None)
    };
    assert_eq!((found, path.found), (NbResult::ErrorSize, 0));

    for wrong in [-1.0, f32::NAN] {
        assert_eq!(
            nb_agent_set_tolerance(agent, wrong),
            NbResult::ErrorArgument
        );
        let result = nb_agent_set_air_acceleration(agent, wrong);
        assert_eq!(result, NbResult::ErrorArgument);
    }
    ok(nb_agent_set_air_acceleration(agent, f32::INFINITY));
    let nowhere = NbVec2 {
        x: f32::NAN,
        y: 0.0,
    };
    let mut seen = MaybeUninit::new(9);
    let result = nb_nav_line_of_sight(Some(&nav), layer, from, nowhere, Some(&mut seen));
    assert_eq!(result, NbResult::ErrorArgument);
}

#[test]
fn ground_can_be_removed_and_restored() {
    let mesh = load();
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    let query = across(&mesh);
    let NbVec2 { x, y } = query.to;
    let [from, to] = [-40.0, 40.0].map(|by| NbVec2 {
        x: x + by,
        y: y + by,
    });
    let nowhere = NbVec2 {
        x: f32::NAN,
        y: 0.0,
    };
    for change in [nb_nav_remove, nb_nav_restore] {
        let result = change(Some(&nav), from, nowhere);
        assert_eq!(result, NbResult::ErrorArgument);
    }
    let reason = || find_in(&nav, 0, &query).unwrap().0.reason;
    assert_eq!(reason(), NbReason::None as u32);
    for _ in 0..2 {
        ok(nb_nav_remove(Some(&nav), from, to));
    }
    for _ in 0..2 {
        ok(nb_nav_restore(Some(&nav), to, from));
    }
    assert_eq!(reason(), NbReason::None as u32);
    ok(nb_nav_restore(Some(&nav), from, to));
}

#[test]
fn a_region_closed_twice_is_opened_twice() {
    let mesh = load();
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    let query = across(&mesh);
    let NbVec2 { x, y } = query.to;
    let [from, to] = [-40.0, 40.0].map(|by| NbVec2 {
        x: x + by,
        y: y + by,
    });
    let nowhere = NbVec2 {
        x: f32::NAN,
        y: 0.0,
    };
    let result = nb_nav_close_region(Some(&nav), from, nowhere);
    assert_eq!(result, NbResult::ErrorArgument);
    let reason = || find_in(&nav, 0, &query).unwrap().0.reason;
    assert_eq!(reason(), NbReason::None as u32);
    for _ in 0..2 {
        ok(nb_nav_close_region(Some(&nav), from, to));
    }
    for _ in 0..2 {
        assert_eq!(
            reason(),
            NbReason::StartClosed as u32,
            "both ends are inside"
        );
        ok(nb_nav_open_region(Some(&nav), to, from));
    }
    assert_eq!(reason(), NbReason::None as u32);
    ok(nb_nav_open_region(Some(&nav), from, to));
}

/// A path, and its steps.
fn find(mesh: &NbMesh, layer: u32, query: &NbQuery) -> Result<(NbPath, Vec<NbStep>), NbResult> {
    find_in(&made(|nav| nb_nav_new(Some(mesh), nav)), layer, query)
}

fn find_in(nav: &NbNav, layer: u32, query: &NbQuery) -> Result<(NbPath, Vec<NbStep>), NbResult> {
    let mut path: NbPath = empty();
    let mut steps = [empty::<NbStep>(); 64];
    let mut count = MaybeUninit::new(0);
    // SAFETY: structs of their size, and a buffer of 64 steps.
    let result = unsafe {
        let (path, at, size) = (&raw mut path, steps.as_mut_ptr(), size_of::<NbStep>());
        let count = Some(&mut count);
        nb_nav_find(Some(nav), layer, query, path, at, 64, size, count)
    };
    // SAFETY: written above.
    let count = unsafe { count.assume_init() };
    match result {
        NbResult::Ok => Ok((path, steps[..count].to_vec())),
        error => Err(error),
    }
}

/// A query along the floor, which has a path.
fn across(mesh: &NbMesh) -> NbQuery {
    let from = start(mesh, 0);
    let (mut left, mut right) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let (l, r) = (Some(&mut left), Some(&mut right));
    ok(nb_layer_floor_ends(Some(mesh), 0, from, l, r));
    // SAFETY: written above.
    let [from, to] = unsafe { [left.assume_init(), right.assume_init()] };
    NbQuery {
        from,
        to,
        ..empty()
    }
}

#[test]
fn filters_and_limits_change_the_cost_of_paths() {
    let mesh = load();
    let mut query = across(&mesh);
    let (plain, steps) = find(&mesh, 0, &query).unwrap();
    assert!(plain.cost > 0.0 && !steps.is_empty());
    let everywhere = NbCostArea {
        corner: NbVec2 { x: 1e6, y: -1e6 },
        opposite: NbVec2 { x: -1e6, y: 1e6 },
        factor: 3.0,
    };
    // Elements of a later version, which has one field more.
    let costs = [(everywhere, 7_u32), (everywhere, 7)];
    let mut filter = NbFilter {
        costs: costs.as_ptr().cast(),
        cost_count: 2,
        cost_size: size_of_val(&costs[0]),
        ..empty()
    };
    let at = &raw mut filter;
    query.filter = at;
    let (path, _) = find(&mesh, 0, &query).unwrap();
    // What two areas add is summed: 1 + 2 + 2.
    assert!((path.cost - 5.0 * plain.cost).abs() < 1e-3 * path.cost);

    let mut limits: NbProfile = empty();
    // SAFETY: structs of their size.
    unsafe {
        (*at).cost_count = 0;
        ok(nb_layer_profile(Some(&mesh), 0, &raw mut limits));
    }
    limits.run_speed *= 0.5;
    limits.climb_speed *= 0.5;
    query.profile = &raw const limits;
    let (path, _) = find(&mesh, 0, &query).unwrap();
    assert!(path.cost > 1.5 * plain.cost, "{path:?} {plain:?}");
    query.profile = ptr::null();

    // Every kind of motion of the path.
    for step in steps {
        // SAFETY: a struct of this function.
        unsafe { (*at).forbidden = 1 << step.kind };
        let (_, steps) = find(&mesh, 0, &query).unwrap();
        assert!(steps.iter().all(|other| other.kind != step.kind));
    }
    for (size, caution, error) in [
        (4, 0.0, NbResult::ErrorSize),
        (
            size_of::<NbFilter>() as u32,
            f32::NAN,
            NbResult::ErrorArgument,
        ),
        (size_of::<NbFilter>() as u32, -1.0, NbResult::ErrorArgument),
    ] {
        // SAFETY: a struct of this function.
        unsafe {
            (*at).size = size;
            (*at).caution = caution;
        }
        assert_eq!(find(&mesh, 0, &query).unwrap_err(), error);
    }
}

/// What a call writes into a buffer: it gets its address, capacity, size of an element, and
/// where the count goes.
fn listed<T: Clone>(
    call: impl FnOnce(*mut T, usize, usize, Option<&mut MaybeUninit<usize>>) -> NbResult,
) -> Vec<T> {
    let (mut list, mut count) = (vec![empty::<T>(); 4096], MaybeUninit::new(0));
    ok(call(
        list.as_mut_ptr(),
        4096,
        size_of::<T>(),
        Some(&mut count),
    ));
    // SAFETY: written above.
    list.truncate(unsafe { count.assume_init() });
    list
}

fn links(mesh: Option<&NbMesh>, layer: u32) -> Vec<NbLink> {
    // SAFETY: a buffer of that capacity.
    listed(|at, room, size, count| unsafe { nb_layer_links(mesh, layer, at, room, size, count) })
}

#[test]
fn slower_agents_have_an_index_of_their_own() {
    let mesh = load_from(ARENA);
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    let mut limits: NbProfile = empty();
    // SAFETY: a struct of its size.
    ok(unsafe { nb_layer_profile(Some(&mesh), 0, &raw mut limits) });
    limits.run_speed *= 0.8;
    let links = links(Some(&mesh), 0).into_iter().take(40);
    let queries = links.map(|link| NbQuery {
        from: start(&mesh, 0),
        to: link.to,
        profile: &raw const limits,
        ..empty()
    });
    let queries: Vec<NbQuery> = queries.collect();
    let costs = || -> Vec<f32> {
        let found = queries.iter().map(|query| find(&mesh, 0, query));
        found.map(|found| found.unwrap().0.cost).collect()
    };
    let searched = costs();
    assert!(searched.iter().any(|&cost| cost > 0.0));
    let index = |query: *const NbQuery| {
        let mut bytes = MaybeUninit::new(0);
        // SAFETY: null, or a struct of its size.
        let result = unsafe { nb_nav_index_routes(Some(&nav), 0, query, Some(&mut bytes)) };
        // SAFETY: written above.
        (result, unsafe { bytes.assume_init() })
    };
    assert_ne!(index(ptr::null()).0, NbResult::Ok);
    let (result, bytes) = index(&raw const queries[0]);
    ok(result);
    assert!(bytes > 1000, "{bytes}");
    for (searched, looked_up) in searched.into_iter().zip(costs()) {
        assert!(
            (searched - looked_up).abs() < 1e-4,
            "{searched} {looked_up}"
        );
    }
}

#[test]
fn paths_keep_to_the_farthest_jump_of_their_profile() {
    let mesh = load_from(ARENA);
    let jump = NbStepKind::Jump as u32;
    let layers =
        (0..nb_mesh_layer_count(Some(&mesh))).map(|layer| (layer, links(Some(&mesh), layer)));
    let jumps = layers.flat_map(|(layer, links)| links.into_iter().map(move |link| (layer, link)));
    let mut jumps = jumps.filter(|(_, link)| link.kind == jump);
    let (layer, link) = jumps.next().unwrap();
    let mut query = NbQuery {
        from: link.from,
        to: link.to,
        ..empty()
    };
    let plain = find(&mesh, layer, &query).unwrap();
    let jumps = |steps: &[NbStep]| steps.iter().any(|step| step.kind == jump);
    assert!(jumps(&plain.1), "{plain:?}");

    let mut limits: NbProfile = empty();
    let at = &raw mut limits;
    // SAFETY: a struct of its size, which this function changes.
    let mut limit = |max_jump: NbVec2, size: usize| unsafe {
        ok(nb_layer_profile(Some(&mesh), layer, at));
        assert!((*at).max_jump.x >= (link.to.x - link.from.x).abs());
        ((*at).max_jump, (*at).size) = (max_jump, size as u32);
        query.profile = at;
        find(&mesh, layer, &query)
    };
    let short = limit(NbVec2 { x: 0.1, y: 0.1 }, size_of::<NbProfile>());
    assert!(short.is_ok_and(|(_, steps)| !jumps(&steps)));
    // 0, and a caller that does not know the field: as the layer was baked.
    let whole = size_of::<NbProfile>();
    for (max_jump, size) in [(0.0, whole), (0.1, 52)] {
        let same = limit(
            NbVec2 {
                x: max_jump,
                y: max_jump,
            },
            size,
        );
        assert_eq!(same.unwrap(), plain);
    }
}

#[test]
fn points_of_links_begin_and_end_at_their_ends() {
    let mesh = load();
    let mesh = Some(&*mesh);
    for layer in 0..nb_mesh_layer_count(mesh) {
        let links = links(mesh, layer);
        // SAFETY: a buffer of that capacity.
        let platforms: Vec<NbPlatform> = listed(|at, room, size, count| unsafe {
            nb_layer_platforms(mesh, layer, at, room, size, count)
        });
        assert!(!platforms.is_empty());
        for (number, link) in links.iter().enumerate() {
            let mut points = [link.from; 5];
            // SAFETY: a buffer of five points.
            ok(unsafe { nb_link_points(mesh, layer, number as u32, points.as_mut_ptr(), 5) });
            assert_eq!((points[0], points[4]), (link.from, link.to));
            assert!((link.to_platform as usize) < platforms.len());
        }
        if !links.is_empty() {
            // At once, however many are asked for.
            // SAFETY: no buffer.
            let none = unsafe { nb_link_points(mesh, layer, 0, ptr::null_mut(), usize::MAX) };
            assert_eq!(none, NbResult::ErrorBuffer);
        }
        // SAFETY: no buffer.
        let past = unsafe { nb_link_points(mesh, layer, links.len() as u32, ptr::null_mut(), 0) };
        assert_eq!(past, NbResult::ErrorUnknown);
    }
}

struct Calls {
    state: *const NbTreeState,
    tick: *const NbTick,
    made: Vec<u32>,
    was_busy: bool,
}

unsafe extern "C" fn task(user: *mut c_void, call: *const NbTaskCall) -> u32 {
    // SAFETY: what the test passes, and a call of the library.
    unsafe {
        let calls = &mut *(*call).user.cast::<Calls>();
        assert_eq!(*user.cast::<u32>(), 5);
        calls.made.push((*call).call);
        *(*call).memory += 1;
        ok(nb_agent_stop((*call).agent.as_ref()));
        assert!(ptr::eq((*call).state, calls.state));
        let (state, key) = (calls.state.as_ref(), c"calls".as_ptr());
        let mut number = MaybeUninit::new(0.0);
        ok(nb_state_number(state, key, Some(&mut number)));
        let number = number.assume_init();
        assert_eq!(
            nb_state_set_number(state, key, 1e300),
            NbResult::ErrorArgument
        );
        ok(nb_state_set_number(state, key, number + 1.0));
        let result = nb_state_tick(calls.state.as_ref(), calls.tick, None);
        calls.was_busy |= result == NbResult::ErrorBusy;
        assert_eq!(CStr::from_ptr((*call).params), c"{\"n\":1}");
    }
    NbStatus::Running as u32
}

#[test]
fn a_level_without_platforms_that_move_has_a_clock() {
    let mesh = load();
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    for seconds in [0.0, 2.5, f64::NAN, 1e300] {
        ok(nb_nav_set_clock(Some(&nav), seconds));
        let mut count = MaybeUninit::new(1);
        let (none, size) = (ptr::null_mut(), size_of::<NbMovingPlatform>());
        // SAFETY: a buffer of that capacity.
        ok(unsafe {
            nb_mesh_moving_platforms(Some(&mesh), seconds, none, 0, size, Some(&mut count))
        });
        // SAFETY: every call writes the count.
        assert_eq!(unsafe { count.assume_init() }, 0);
    }
}

#[test]
fn a_task_may_use_the_agent_and_the_blackboard_but_not_tick_its_own_tree() {
    let mesh = load();
    let from = start(&mesh, 0);
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    ok(nb_nav_set_budget(Some(&nav), 2000));
    let agent = made(|agent| nb_agent_new(Some(&mesh), 0, from, agent));
    let tasks = made(|tasks| nb_tasks_new(tasks));
    let mut number = 5_u32;
    let name = CString::new("task").expect("a text");
    // SAFETY: a text, a function and a pointer that live as long as the tree.
    ok(unsafe {
        let user = (&raw mut number).cast();
        nb_tasks_add(Some(&tasks), name.as_ptr(), Some(task), user)
    });
    let file = r#"(keys: {"calls": int}, root: task(task: "task", params: {"n": 1}))"#;
    // SAFETY: the bytes of a text.
    let tree = made(|tree| unsafe { nb_tree_load(Some(&tasks), file.as_ptr(), file.len(), tree) });
    let state = made(|state| nb_state_new(Some(&tree), None, state));
    nb_tree_free(Some(tree));
    nb_tasks_free(Some(tasks));
    let mut calls = Calls {
        state: &raw const *state,
        tick: ptr::null(),
        made: Vec::new(),
        was_busy: false,
    };
    let calls = &raw mut calls;
    let mut tick: NbTick = empty();
    tick.agent = (&raw const *agent).cast_mut();
    tick.nav = (&raw const *nav).cast_mut();
    tick.user = calls.cast();
    let tick = &raw const tick;
    // SAFETY: handles and pointers that live until the end of the test.
    unsafe {
        (*calls).tick = tick;
        let mut number = MaybeUninit::new(0.0);
        let unset = nb_state_number(Some(&state), c"calls".as_ptr(), Some(&mut number));
        assert_eq!(unset, NbResult::ErrorUnknown);
        ok(nb_state_set_number(Some(&state), c"calls".as_ptr(), 7.0));
        ok(nb_state_tick(Some(&state), tick, None));
        ok(nb_state_tick(Some(&state), tick, None));
        ok(nb_state_reset(Some(&state), tick));
        let expected = [NbCall::Begin, NbCall::Continue, NbCall::Abort].map(|call| call as u32);
        assert_eq!((*calls).made, expected);
        ok(nb_state_number(
            Some(&state),
            c"calls".as_ptr(),
            Some(&mut number),
        ));
        let number = number.assume_init();
        assert!((number - 10.0).abs() < 1e-9, "each call adds 1: {number}");
        let mut wrong = *tick;
        for seconds in [-1.0, f32::NAN, f32::INFINITY] {
            wrong.seconds = seconds;
            let result = nb_state_tick(Some(&state), &raw const wrong, None);
            assert_eq!(result, NbResult::ErrorArgument);
        }
        assert_eq!((*calls).made, expected, "a wrong tick has called nothing");
        assert!((*calls).was_busy);
    }
    nb_state_free(Some(state));
    nb_agent_free(Some(agent));
    nb_nav_free(Some(nav));
    nb_mesh_free(Some(mesh));
}

/// As an agent does, a path through the air goes on to a goal beside the vertices.
#[test]
fn a_path_through_the_air_ends_at_its_goal() {
    let mesh = load();
    let (mesh, layer) = (Some(&*mesh), 0);
    let from = start(mesh.unwrap(), layer);
    let nav = made(|nav| nb_nav_new(mesh, nav));
    let mut exact = 0;
    for i in 0..40_u8 {
        let to = NbVec2 {
            x: from.x + 2.7 * f32::from(i % 8),
            y: from.y - 3.1 * f32::from(i / 8),
        };
        let query = NbQuery {
            from,
            to,
            ..empty()
        };
        let mut path: NbPath = empty();
        let mut steps = [empty::<NbStep>(); 64];
        let mut count = MaybeUninit::new(0);
        // SAFETY: structs of their size, and a buffer of 64 steps.
        ok(unsafe {
            let (query, path, at) = (&raw const query, &raw mut path, steps.as_mut_ptr());
            let count = Some(&mut count);
            let size = size_of::<NbStep>();
            nb_nav_find(Some(&nav), layer, query, path, at, 64, size, count)
        });
        // SAFETY: written above.
        let steps = &steps[..unsafe { count.assume_init() }];
        if path.found != NbFound::Goal as u32 || path.end != to {
            continue;
        }
        exact += 1;
        let cost: f32 = steps.iter().map(|step| step.duration).sum();
        assert!((cost - path.cost).abs() < 1e-3, "{path:?}");
        assert_eq!(steps.last().map_or(from, |step| step.to), to);
    }
    // Those beside a wall end at the last vertex.
    assert!(exact >= 10, "{exact}");
}

/// A game saves which doors are closed by the list of the doors.
#[test]
fn the_doors_of_a_level_are_listed_by_their_names() {
    let level = include_bytes!("../../games/levels/contest.navmesh");
    let mesh = load_from(level);
    let nav = made(|nav| nb_nav_new(Some(&mesh), nav));
    let (mut numbers, mut count) = ([0; 16], MaybeUninit::new(0));
    let (kind, at) = (NbMarkerKind::Door as u32, numbers.as_mut_ptr());
    // SAFETY: a buffer of 16 numbers.
    ok(unsafe { nb_mesh_find_markers(Some(&mesh), kind, ptr::null(), at, 16, Some(&mut count)) });
    // SAFETY: written above.
    let numbers = &numbers[..unsafe { count.assume_init() }];
    let mut names = Vec::new();
    for number in numbers {
        let mut name = [0 as c_char; 64];
        let mut closed = MaybeUninit::new(-1);
        // SAFETY: a buffer of 64 bytes, in which a text ends with a zero.
        unsafe {
            ok(nb_marker_name(
                Some(&mesh),
                *number,
                name.as_mut_ptr(),
                64,
                None,
            ));
            ok(nb_nav_set_door(Some(&nav), name.as_ptr(), 1));
            ok(nb_nav_is_door_closed(
                Some(&nav),
                name.as_ptr(),
                Some(&mut closed),
            ));
            assert_eq!(closed.assume_init(), 1);
            names.push(CStr::from_ptr(name.as_ptr()).to_owned());
        }
    }
    println!("{names:?}");
    assert!(!names.is_empty());
}
