//! The level.

use std::error::Error;

use glam::Vec2;
use navmesh_bots::interest::{FieldSettings, Handicap, InterestField};
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Layer, NavMesh, RegionMarker, StepKind};
use navmesh_runtime::search::{PathFinder, Query, Rect};

/// `fixtures/contest.tmx`, baked; `just arena-asset` bakes it again.
const LEVEL: &[u8] = include_bytes!("../../levels/contest.navmesh");

pub const COIN: u8 = 0;
pub const POWERUP: u8 = 1;
pub const GOAT: u8 = 2;
const KINDS: usize = 3;

/// How much slower the carrier of the goat is.
pub const CARRIER_SPEED: f32 = 0.8;

/// The level, loaded once for all matches.
pub struct Stage {
    pub mesh: NavMesh,
    pub field: InterestField<u32>,
    /// Knows how long every link takes each kind of bot: finding that out takes longer
    /// than a match.
    pub finder: PathFinder,
    pub geysers: Vec<Rect>,
    pub blocks: Vec<Rect>,
    pub portals: Vec<Vec2>,
    pub starts: Vec<Vec2>,
    pub goat: Vec2,
}

impl Stage {
    pub fn load() -> Result<Self, Box<dyn Error>> {
        let mesh = asset::decode(LEVEL)?;
        let layer = mesh.layer_named("bot").ok_or("no layer `bot`")?;
        // For each difficulty, with the goat and without.
        let mut finder = PathFinder::new();
        for (difficulty, speed) in [0.0, 0.5, 1.0]
            .into_iter()
            .flat_map(|d| [(d, 1.0), (d, CARRIER_SPEED)])
        {
            let mut profile = Handicap::new(difficulty, 0).applied_to(layer.profile());
            profile.run_speed *= speed;
            let mut query = Query::new(Vec2::ZERO, Vec2::ZERO);
            query.filter.replace_jumps = true;
            query.profile = Some(profile);
            finder.index_routes(layer, &query)?;
        }
        layer.index_routes();
        let mut field = InterestField::new(layer, FieldSettings::new(layer, KINDS))?;
        field.prepare(layer, &mut finder);
        let rect = |region: RegionMarker<'_>| Rect::new(region.min, region.max);
        let goat = mesh.markers().iter().find(|marker| marker.name == "goat");
        Ok(Self {
            geysers: mesh
                .areas()
                .filter(|area| area.marker.name == "geyser")
                .map(rect)
                .collect(),
            blocks: mesh.doors().map(rect).collect(),
            portals: layer
                .links()
                .iter()
                .filter(|link| link.kind == StepKind::Portal)
                .map(|link| link.from)
                .collect(),
            starts: mesh.spawns().map(|spawn| spawn.position).collect(),
            goat: goat
                .map(|marker| marker.position)
                .ok_or("no waypoint `goat`")?,
            field,
            finder,
            mesh,
        })
    }

    pub fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }
}
