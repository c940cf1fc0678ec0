//! The summary of a mesh: counts, sizes, agents and fingerprints.

use std::collections::BTreeMap;
use std::io::{self, Write};

use navmesh_runtime::mesh::{Layer, MarkerKind, NavMesh, StepKind, Terrain, YAxis, marker_kind};
use schemars::JsonSchema;
use serde::Serialize;

use super::connections::component_sizes;
use super::counts::{EdgeCounts, edge_counts, terrain_count};
use super::format::{count, grouped, label, number, printable, write_json, y_name};
use super::records::{Profile, YAxisName};

/// The size of a part of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SectionSize {
    /// The part.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
}

/// The output of `navbake inspect`.
#[derive(Serialize, JsonSchema)]
pub struct Summary<'a> {
    /// Version of the format.
    #[schemars(regex(pattern = r"^\d+\.\d+$"))]
    format: &'a str,
    /// The level's file name.
    source: &'a str,
    /// 128 bits.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    source_fingerprint: String,
    /// 128 bits.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    settings_fingerprint: String,
    bytes: u64,
    sections: Vec<SectionSize>,
    pixels_per_unit: f64,
    #[schemars(with = "YAxisName")]
    y_axis: YAxis,
    columns: u32,
    rows: u32,
    spacing: f64,
    agents: Vec<AgentSummary<'a>>,
    /// How many there are of each class.
    markers: BTreeMap<&'a str, u64>,
    /// Classes that the runtime does not use.
    unknown_classes: Vec<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct AgentSummary<'a> {
    profile: Profile<'a>,
    vertices: TerrainCounts,
    platforms: usize,
    links: usize,
    edges: EdgeCounts,
    components: usize,
    largest_component: u32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(extend("additionalProperties" = {"type": "integer"}))]
struct TerrainCounts {
    in_air: u64,
    on_floor: u64,
    inside_geometry: u64,
    on_wall: u64,
    on_ceiling: u64,
}

impl<'a> Summary<'a> {
    /// Summarizes a mesh that takes `bytes` in its file.
    pub fn new(mesh: &'a NavMesh, format: &'a str, bytes: u64, sections: Vec<SectionSize>) -> Self {
        let provenance = mesh.provenance();
        let grid = mesh.grid();
        let mut markers = BTreeMap::new();
        for marker in mesh.markers() {
            *markers.entry(marker.class.as_str()).or_default() += 1;
        }
        let is_unknown =
            |class: &&&str| !class.is_empty() && marker_kind(class) == MarkerKind::Other;
        Self {
            format,
            source: &provenance.source,
            source_fingerprint: provenance.source_fingerprint.to_string(),
            settings_fingerprint: provenance.settings_fingerprint.to_string(),
            bytes,
            sections,
            pixels_per_unit: mesh.units().pixels_per_unit.into(),
            y_axis: mesh.units().y_axis,
            columns: grid.columns,
            rows: grid.rows,
            spacing: grid.spacing.into(),
            agents: mesh.layers().iter().map(AgentSummary::new).collect(),
            unknown_classes: markers.keys().filter(is_unknown).copied().collect(),
            markers,
        }
    }

    /// Writes JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(self, 4, out)
    }

    /// Writes text.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (y, spacing) = (y_name(self.y_axis), number(self.spacing));
        let (columns, rows) = (self.columns, self.rows);
        let vertices = grouped(u64::from(columns) * u64::from(rows));
        writeln!(out, "{} (navmesh {})", printable(self.source), self.format)?;
        writeln!(out, "  source      {}", self.source_fingerprint)?;
        writeln!(out, "  settings    {}", self.settings_fingerprint)?;
        let size = format!("{columns} x {rows} = {vertices} vertices");
        writeln!(out, "  grid        {size}, spacing {spacing}")?;
        let pixels = number(self.pixels_per_unit);
        let noun = if pixels == "1" { "pixel" } else { "pixels" };
        writeln!(out, "  units       {pixels} {noun} per unit, y {y}")?;
        writeln!(out, "  size        {} bytes", grouped(self.bytes))?;
        for section in &self.sections {
            let bytes = grouped(section.bytes);
            writeln!(out, "    {:<24} {bytes:>10}", printable(&section.name))?;
        }
        for agent in &self.agents {
            agent.text(out)?;
        }
        if !self.markers.is_empty() {
            writeln!(out, "\nmarkers")?;
        }
        for (class, count) in &self.markers {
            let name = match *class {
                "" => "(no class)".to_owned(),
                class => printable(class),
            };
            write!(out, "  {name:<16} {count:>6}")?;
            if self.unknown_classes.contains(class) {
                let note = "not a class of the runtime; free for the game to use";
                write!(out, "  ({note})")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl<'a> AgentSummary<'a> {
    fn new(layer: &'a Layer) -> Self {
        // Components of air alone hold no platforms and do not count.
        let sizes = component_sizes(layer);
        Self {
            profile: layer.profile().into(),
            vertices: TerrainCounts {
                in_air: terrain_count(layer, Terrain::InAir),
                on_floor: terrain_count(layer, Terrain::OnFloor),
                inside_geometry: terrain_count(layer, Terrain::InsideGeometry),
                on_wall: terrain_count(layer, Terrain::OnWall),
                on_ceiling: terrain_count(layer, Terrain::OnCeiling),
            },
            platforms: layer.platforms().len(),
            links: layer.links().len(),
            edges: edge_counts(layer),
            components: sizes.iter().filter(|size| **size > 0).count(),
            largest_component: sizes.into_iter().max().unwrap_or(0),
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let p = &self.profile;
        writeln!(out, "\nagent {}", printable(p.name))?;
        let [body, max_jump, max_drop] =
            [p.body, p.max_jump, p.max_drop].map(|size| size.map(number));
        writeln!(out, "  body        {} x {}", body[0], body[1])?;
        writeln!(out, "  edges       {}", p.edges.join(", "))?;
        let [speed, faster, slower] = [p.run_speed, p.acceleration, p.deceleration].map(number);
        let changes = format!("(accelerates {faster}, brakes {slower})");
        writeln!(out, "  speed       {speed} {changes}")?;
        if p.edges.contains(&"jump") {
            let (height, time, [across, up]) = (number(p.jump_height), p.jump_time, max_jump);
            let limits = format!("at most {across} across and {up} up");
            writeln!(out, "  jump        {height} high in {time:.3} s, {limits}")?;
        }
        if p.edges.contains(&"jump") || p.edges.contains(&"drop") {
            let (gravity, [across, down]) = (number(p.gravity), max_drop);
            let limits = format!("at most {across} across and {down} down");
            writeln!(out, "  drop        {limits}; gravity {gravity}")?;
        }
        let v = &self.vertices;
        let [air, floor, inside] = [v.in_air, v.on_floor, v.inside_geometry].map(grouped);
        let outside = format!("{air} in air, {floor} on floor");
        write!(out, "  vertices    {outside}, {inside} inside geometry")?;
        for (count, place) in [(v.on_wall, "walls"), (v.on_ceiling, "ceilings")] {
            if count > 0 {
                write!(out, ", {} on {place}", grouped(count))?;
            }
        }
        writeln!(out)?;
        let components = count(self.components as u64, "component", "components");
        let (platforms, largest) = (self.platforms, self.largest_component);
        let components = format!("{components}, the largest of {largest}");
        writeln!(out, "  platforms   {platforms}, in {components}")?;
        let e = &self.edges;
        let [jump, drop] = [StepKind::Jump, StepKind::Drop].map(|kind| grouped(e.of(kind)));
        let [floor, fly] = [e.floor, e.fly].map(grouped);
        let common = format!("{floor} floor, {fly} fly, {jump} jump, {drop} drop");
        write!(out, "  edges       {common}")?;
        for kind in StepKind::LINKS {
            let is_common = matches!(kind, StepKind::Jump | StepKind::Drop);
            if !is_common && e.of(kind) > 0 {
                write!(out, ", {} {}", grouped(e.of(kind)), label(kind.name()))?;
            }
        }
        writeln!(out)
    }
}
