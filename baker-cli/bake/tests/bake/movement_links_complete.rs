//! Every link that can be made is baked, for each kind of movement: compared
//! with the exhaustive search on random levels full of what the movement needs.

use crate::common;
use crate::random_cases;

use common::completeness::Completeness;
use common::reachable::Detail;
use common::{Noise, Tiles, draw, tiles};
use navmesh_runtime::mesh::{AgentProfile, EdgeSet};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// A kind of tile to place in a level: its character, and the greatest size of
/// a piece in tiles.
type Strewn = (char, usize, usize);

/// Random levels with pieces of some kinds in them.
fn strewn(
    columns: std::ops::Range<usize>,
    rows: std::ops::Range<usize>,
    pieces: &'static [Strewn],
) -> impl Strategy<Value = Tiles> {
    (tiles(columns, rows, 16), any::<u64>()).prop_map(|(mut world, seed)| {
        let mut noise = Noise::new(seed);
        let mut below = |count| noise.below(count);
        let (width, height) = (world.columns(), world.rows.len());
        let count = if pieces.is_empty() { 0 } else { width / 2 };
        for _ in 0..count {
            let (tile, across, down) = pieces[below(pieces.len())];
            let (column, row) = (below(width), below(height));
            let (across, down) = (1 + below(across), 1 + below(down));
            world.fill((column, row), (across, down), tile);
        }
        // Ladders side by side are one wider ladder, and another ladder begins
        // where the width changes. This test does not cover that.
        for row in &mut world.rows {
            for c in 1..row.len() {
                if row[c - 1] == 'H' && row[c] == 'H' {
                    row[c] = '.';
                }
            }
        }
        world
    })
}

/// An agent that walks, jumps and drops, and uses these edges too. Its
/// distances are not limited, so that the search may start everywhere at once.
fn agent(air_control: bool, edges: EdgeSet) -> AgentProfile {
    let mut agent = AgentProfile::ground("ground", 16.0);
    agent.air_acceleration = None;
    agent.edges = EdgeSet::FLOOR | EdgeSet::JUMP | EdgeSet::DROP | edges;
    agent.air_control = air_control;
    agent.max_jump[0] = 1000.0;
    agent.max_drop[0] = 1000.0;
    agent
}

/// The same for an agent that climbs.
fn climber(air_control: bool, edges: EdgeSet) -> AgentProfile {
    let mut agent = agent(air_control, edges);
    agent.climb_speed = 40.0;
    agent
}

/// One kind of movement on random levels.
struct Trial {
    name: &'static str,
    agent: AgentProfile,
    pieces: &'static [Strewn],
    levels: u32,
    /// Columns of the levels.
    columns: std::ops::Range<usize>,
    detail: Detail,
    /// Whether the generous search covers everything the baker may try.
    bounded: bool,
}

impl Trial {
    fn new(name: &'static str, agent: AgentProfile, pieces: &'static [Strewn]) -> Self {
        let air_control = agent.air_control;
        Self {
            name,
            agent,
            pieces,
            levels: 10,
            columns: 8..18,
            detail: Detail {
                take_offs: if air_control { 0.0 } else { 4.0 },
                launches: 16,
                dt: 1.0 / 60.0,
            },
            bounded: true,
        }
    }

    fn run(&self) -> Completeness {
        let mut runner = TestRunner::deterministic();
        let mut total = Completeness::default();
        for _ in 0..random_cases::times(self.levels) {
            let world = draw(
                &mut runner,
                &strewn(self.columns.clone(), 6..11, self.pieces),
            );
            let meshes = [1.0, 1.1].map(|stretch| world.baked(self.agent.clone(), stretch));
            let layers = meshes.each_ref().map(|mesh| &mesh.layers()[0]);
            total.compare(&world, layers, self.detail, self.bounded);
        }
        total.tell(self.name, self.agent.air_control);
        total
    }
}

fn assert_complete(trial: &Trial, at_least: usize) {
    let found = trial.run();
    let linked = random_cases::least(found.can, 0.99);
    found.assert_complete(random_cases::share(at_least), linked);
}

#[test]
fn all_drops_through_one_way_tops_are_found() {
    for air_control in [true, false] {
        let mut agent = agent(air_control, EdgeSet::DROP_THROUGH);
        let tops = &[('-', 5, 1)];
        assert_complete(&Trial::new("drop through", agent.clone(), tops), 110);
        agent.edges = EdgeSet::FLOOR | EdgeSet::DROP_THROUGH;
        assert_complete(&Trial::new("only drop through", agent, tops), 25);
    }
}

#[test]
fn all_slow_falls_are_found() {
    for air_control in [true, false] {
        for most in [60.0, 150.0] {
            let mut agent = agent(air_control, EdgeSet::NONE);
            agent.max_fall_speed = Some(most);
            assert_complete(&Trial::new("slow fall", agent, &[]), 55);
        }
    }
}

#[test]
fn agents_that_ignore_hazards_find_links_through_them() {
    for air_control in [true, false] {
        let mut agent = agent(air_control, EdgeSet::NONE);
        agent.ignores_hazards = true;
        assert_complete(&Trial::new("ignored hazards", agent, &[('^', 3, 2)]), 55);
    }
}

#[test]
fn all_links_through_one_way_walls_and_ceilings_are_found() {
    for air_control in [true, false] {
        let agent = agent(air_control, EdgeSet::NONE);
        let walls = &[('<', 1, 3), ('>', 1, 3), ('v', 4, 1)];
        assert_complete(&Trial::new("one-way walls", agent, walls), 80);
    }
}

#[test]
fn all_links_of_ladders_are_found() {
    for air_control in [true, false] {
        let agent = climber(air_control, EdgeSet::LADDER);
        assert_complete(&Trial::new("ladders", agent, &[('H', 1, 5)]), 80);
    }
}

#[test]
fn all_links_of_walls_and_ceilings_are_found() {
    for air_control in [true, false] {
        let agent = climber(air_control, EdgeSet::WALL_CLIMB);
        let mut trial = Trial::new("walls", agent, &[]);
        trial.levels = 5;
        assert_complete(&trial, 90);
        let agent = climber(air_control, EdgeSet::CEILING_CLIMB);
        let mut trial = Trial::new("ceilings", agent, &[]);
        trial.levels = 5;
        assert_complete(&trial, 60);
    }
}

#[test]
fn all_links_between_climbed_platforms_are_found() {
    let edges = EdgeSet::CLIMB | EdgeSet::DROP_THROUGH;
    let pieces = &[('H', 1, 5), ('-', 4, 1), ('v', 3, 1), ('<', 1, 2)];
    let mut trial = Trial::new("climbs everything", climber(true, edges), pieces);
    trial.levels = 5;
    assert_complete(&trial, 500);
}

/// A jump in the air has two times and two speeds to choose. The baker tries a
/// family of them (see `bake/flight/take_off.rs`), so some pairs that
/// need an exact moment are not found. The search also tries only a grid of
/// moments and speeds, so it is no upper bound here; the links are replayed
/// instead.
#[test]
fn nearly_all_jumps_in_the_air_are_found() {
    let mut agent = agent(true, EdgeSet::NONE);
    agent.air_jumps = 1;
    agent.max_jump[1] *= 2.0;
    let mut trial = Trial::new("air jump", agent, &[]);
    (trial.levels, trial.columns, trial.bounded) = (14, 8..14, false);
    (trial.detail.launches, trial.detail.dt) = (6, 1.0 / 30.0);
    let found = trial.run();
    let report = found.report.join("\n\n");
    assert!(
        found.can > random_cases::share(115),
        "the levels are too easy: {}",
        found.can
    );
    let least = random_cases::least(found.can, 0.97);
    assert!(found.baked as f64 >= least, "{report}");
    assert_eq!(found.closure_baked, found.closure_can, "{report}");
}
