//! What each stage of a bake makes of two levels: counts and the first rows.
//! When a bake changes, the first snapshot line that differs names the stage.

use std::fmt::{Debug, Write as _};

use glam::DVec2;
use navmesh_runtime::mesh::{AgentProfile, EdgeSet};

use crate::connection::{Connection, Endpoint};
use crate::flight::moves::{Move, MoveFinder, SearchBuffers};
use crate::layout::Layout;
use crate::level::Level;
use crate::links::spanner::find_links;
use crate::pipeline::agent_space;
use crate::progress::NoProgress;
use crate::rows;
use crate::settings::Settings;
use crate::space::terrain::blocked_vertices;
use crate::surfaces::platform_line::PlatformLine;
use crate::surfaces::stretches::Stretch;
use crate::surfaces::{Surfaces, barriers, one_way_tops, platforms, stretches};

/// Rows shown of each stage.
const ROWS: usize = 4;

fn point(p: DVec2) -> String {
    format!("{},{}", p.x, p.y)
}

fn stretch(s: &Stretch) -> String {
    let end = |blocked| if blocked { "|" } else { ">" };
    let (left, right) = (end(s.blocked_left), end(s.blocked_right));
    format!("{left} {} to {} {right}", point(s.left), point(s.right))
}

fn platform(p: &PlatformLine) -> String {
    let points: Vec<String> = p.points.iter().map(|p| point(*p)).collect();
    let edges = [p.edge_left, p.edge_right];
    format!("{:?} {} edges {edges:?}", p.kind, points.join(" "))
}

fn ends(from: &Endpoint, to: &Endpoint) -> String {
    let end = |e: &Endpoint| format!("{} on {}", point(e.point()), e.platform);
    format!("{} to {}", end(from), end(to))
}

fn connection(c: &Connection) -> String {
    let ends = ends(&c.from, &c.to);
    format!(
        "{:?} {ends} in {:.4} s, tolerance {}",
        c.kind, c.duration, c.tolerance
    )
}

/// Adds a stage: how many things it made, and the first of them.
fn stage<T>(out: &mut String, name: &str, all: &[T], row: impl Fn(&T) -> String) {
    let _ = writeln!(out, "{name}: {}", all.len());
    for item in all.iter().take(ROWS) {
        let _ = writeln!(out, "  {}", row(item));
    }
}

fn debug<T: Debug>(value: &T) -> String {
    format!("{value:?}")
}

fn stages(level: &Level, settings: &Settings, agent: &AgentProfile) -> String {
    let mut out = String::new();
    let layout = Layout::new(level, settings).unwrap();
    let limits = layout.limits(agent);
    let space = agent_space(level, None, &[], &layout, agent);
    let space = space.as_ref();
    let _ = writeln!(
        out,
        "layout: {} x {} cells of {}, lattice {}, skin {}",
        layout.columns,
        layout.rows,
        layout.spacing,
        layout.quantum,
        layout.skin()
    );
    let blocked = blocked_vertices(space, &layout, &NoProgress);
    let rows: Vec<usize> = (0..layout.rows)
        .map(|row| blocked.runs(row).map(|run| run.len()).sum())
        .collect();
    let _ = writeln!(out, "blocked vertices by row: {rows:?}");

    let found = stretches::find_stretches(space, &layout, &limits);
    stage(&mut out, "stretches", &found, stretch);
    let (split, crossings) = one_way_tops::split_at_tops(found, space, &layout);
    stage(&mut out, "stretches split at one-way tops", &split, stretch);
    stage(&mut out, "crossings of one-way tops", &crossings, debug);
    let joined = platforms::join_stretches(&split, space, &layout, &limits);
    stage(&mut out, "platforms", &joined, platform);
    let (floors, steps) = barriers::split_at_barriers(space, joined, &layout, &limits);
    stage(
        &mut out,
        "platforms split at one-way walls",
        &floors,
        platform,
    );
    stage(&mut out, "steps through one-way walls", &steps, connection);

    let surfaces = Surfaces::find(space, &layout, &limits);
    let climbed = surfaces.platforms.get(floors.len()..).unwrap_or_default();
    stage(&mut out, "platforms that are climbed", climbed, platform);
    stage(&mut out, "all steps", &surfaces.steps, connection);
    let Some(slabs) = &surfaces.slabs else {
        return out;
    };
    stage(&mut out, "cuts between slabs", &slabs.cuts, debug);
    let intervals: usize = (0..=slabs.cuts.len())
        .map(|i| slabs.blocked.get(i).len())
        .sum();
    let _ = writeln!(out, "blocked intervals in slabs: {intervals}");

    let finder = MoveFinder::new(&limits, &layout, slabs, &surfaces.platforms);
    let endpoints = &finder.endpoints.items;
    stage(&mut out, "endpoints", endpoints, |e| {
        format!("{} on {}", point(e.point()), e.platform)
    });
    let mut buffers = SearchBuffers::default();
    let moves: Vec<Move> = (0..surfaces.platforms.len())
        .flat_map(|platform| finder.moves_from(&mut buffers, platform))
        .collect();
    stage(&mut out, "moves", &moves, |m| {
        let ends = ends(&m.from, &m.to);
        format!("{:?} {ends} in {:.4} s", m.take_off.departure, m.duration)
    });
    let links = find_links(&surfaces, space, &layout, &limits, 1.0, &NoProgress);
    stage(&mut out, "links without thinning", &links, connection);
    let stretch = f64::from(settings.link_stretch);
    let links = find_links(&surfaces, space, &layout, &limits, stretch, &NoProgress);
    stage(&mut out, "links", &links, connection);
    out
}

/// The stages for an agent of default size that moves in these ways.
fn stages_of(name: &str, rows: &[&str], change: fn(&mut AgentProfile)) -> String {
    let mut agent = AgentProfile::ground("agent", 16.0);
    change(&mut agent);
    let settings = Settings::for_agents(vec![agent.clone()]);
    stages(&rows::level(name, 16, rows), &settings, &agent)
}

/// Floors, gaps, a ledge that is jumped onto, and a pit.
const LEDGES: [&str; 12] = [
    "........................................",
    "........................................",
    "...................................####.",
    "..........................#####.........",
    "..........................#####.........",
    "..................###...................",
    "..............................#####.....",
    ".........####...........................",
    ".........####...............####........",
    "######......................####....####",
    "######...#########..###.....####....####",
    "######...#########..###.............####",
];

/// Slopes, one-way tops and walls, ladders, hazards, walls and a ceiling.
const MOVEMENT: [&str; 12] = [
    "########################################",
    "#......................................#",
    "#......................................#",
    "#...H-----......................-----..#",
    "#...H...................>..............#",
    "#...H...............####>...--.........#",
    "#...H...../##\\......#...>..............#",
    "#...H..../####\\.....#...>.......H.......#",
    "#######.########.#####.######...H......#",
    "#.....................^....##...H......#",
    "#.....................^....##...H......#",
    "########################################",
];

#[test]
fn stages_of_ledges() {
    insta::assert_snapshot!(stages_of("ledges", &LEDGES, |_| ()));
}

/// Slopes, one-way tops and walls, and everything that can be climbed.
#[test]
fn stages_of_movement_for_a_climber() {
    let stages = stages_of("movement", &MOVEMENT, |agent| {
        agent.edges = agent.edges | EdgeSet::CLIMB;
        agent.climb_speed = 50.0;
    });
    insta::assert_snapshot!(stages);
}

/// The same level for an agent that jumps in the air and drops through tops.
#[test]
fn stages_of_movement_for_a_double_jumper() {
    let stages = stages_of("movement", &MOVEMENT, |agent| {
        agent.edges = agent.edges | EdgeSet::DROP_THROUGH;
        agent.air_jumps = 1;
    });
    insta::assert_snapshot!(stages);
}

/// In a gap exactly as high as the body, nothing takes off and nothing lands.
#[test]
fn moves_do_not_pass_the_ceiling_of_a_low_gap() {
    let rows = ["........", "........", "####....", "........", "########"];
    let level = rows::level("gap", 16, &rows);
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.body = [12.0, 16.0];
    let settings = Settings::for_agents(vec![agent.clone()]);
    let layout = Layout::new(&level, &settings).unwrap();
    for air_control in [true, false] {
        agent.air_control = air_control;
        let limits = layout.limits(&agent);
        let space = agent_space(&level, None, &[], &layout, &agent);
        let surfaces = Surfaces::find(space.as_ref(), &layout, &limits);
        let slabs = surfaces.slabs.as_ref().unwrap();
        let finder = MoveFinder::new(&limits, &layout, slabs, &surfaces.platforms);
        let moves: Vec<Move> = (0..surfaces.platforms.len())
            .flat_map(|platform| finder.moves_from(&mut SearchBuffers::default(), platform))
            .collect();
        let ends = |m: &Move| [m.from, m.to];
        let is_below = |e: &Endpoint| e.y == 64.0 && e.x < 70.0;
        let below = finder.endpoints.items.iter().filter(|e| is_below(e));
        assert!(below.count() > 4 && moves.len() > 20, "{}", moves.len());
        for found in &moves {
            assert!(!ends(found).iter().any(is_below), "{found:?}");
        }
    }
}
