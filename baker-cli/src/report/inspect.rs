//! The summary of a mesh: counts, sizes, agents and fingerprints.

use std::collections::BTreeMap;
use std::io::{self, Write};

use navmesh_runtime::mesh::{
    EdgeSet, Layer, LinkKind, MarkerKind, NavMesh, Terrain, YAxis, marker_kind,
};
use serde::Serialize;

use super::counts::{EdgeCounts, edge_counts, terrain_count};
use super::format::{count, grouped, label, number, printable, y_name};
use super::records::ProfileRecord;

/// The size of a part of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionSize {
    /// The part.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
}

/// The output of `navbake inspect`.
#[derive(Serialize)]
pub struct Summary<'a> {
    format: &'a str,
    source: &'a str,
    source_fingerprint: String,
    settings_fingerprint: String,
    bytes: u64,
    sections: Vec<SectionSize>,
    pixels_per_unit: f64,
    y_axis: YAxis,
    columns: u32,
    rows: u32,
    spacing: f64,
    agents: Vec<AgentSummary<'a>>,
    markers: BTreeMap<&'a str, u64>,
    unknown_classes: Vec<&'a str>,
}

#[derive(Serialize)]
struct AgentSummary<'a> {
    profile: ProfileRecord<'a>,
    vertices: TerrainCounts,
    platforms: usize,
    links: usize,
    edges: EdgeCounts,
    components: usize,
    largest_component: usize,
}

#[derive(Serialize)]
struct TerrainCounts {
    in_air: u64,
    on_floor: u64,
    inside_geometry: u64,
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
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes text.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let y = y_name(self.y_axis);
        let vertices = u64::from(self.columns) * u64::from(self.rows);
        writeln!(out, "{} (navmesh {})", printable(self.source), self.format)?;
        writeln!(out, "  source      {}", self.source_fingerprint)?;
        writeln!(out, "  settings    {}", self.settings_fingerprint)?;
        writeln!(
            out,
            "  grid        {} x {} = {} vertices, spacing {}",
            self.columns,
            self.rows,
            grouped(vertices),
            number(self.spacing)
        )?;
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
            let name = if class.is_empty() {
                "(no class)"
            } else {
                &printable(class)
            };
            let note = if self.unknown_classes.contains(class) {
                "  (not a class of the runtime; free for the game to use)"
            } else {
                ""
            };
            writeln!(out, "  {name:<16} {count:>6}{note}")?;
        }
        Ok(())
    }
}

impl<'a> AgentSummary<'a> {
    fn new(layer: &'a Layer) -> Self {
        // Components of air alone hold no platforms and do not count.
        let mut sizes = vec![0; layer.link_graph().components()];
        for platform in layer.platforms() {
            sizes[platform.component as usize] += 1;
        }
        Self {
            profile: ProfileRecord::from(layer.profile()),
            vertices: TerrainCounts {
                in_air: terrain_count(layer, Terrain::InAir),
                on_floor: terrain_count(layer, Terrain::OnFloor),
                inside_geometry: terrain_count(layer, Terrain::InsideGeometry),
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
        writeln!(
            out,
            "  body        {} x {}",
            number(p.body[0]),
            number(p.body[1])
        )?;
        writeln!(out, "  edges       {}", p.edges.join(", "))?;
        writeln!(
            out,
            "  speed       {} (accelerates {}, brakes {})",
            number(p.run_speed),
            number(p.acceleration),
            number(p.deceleration)
        )?;
        let uses = |edge: EdgeSet| edge.names().all(|name| p.edges.contains(&name));
        if uses(EdgeSet::JUMP) {
            writeln!(
                out,
                "  jump        {} high in {:.3} s, at most {} across and {} up",
                number(p.jump_height),
                p.jump_time,
                number(p.max_jump[0]),
                number(p.max_jump[1])
            )?;
        }
        if uses(EdgeSet::JUMP) || uses(EdgeSet::DROP) {
            writeln!(
                out,
                "  drop        at most {} across and {} down; gravity {}",
                number(p.max_drop[0]),
                number(p.max_drop[1]),
                number(p.gravity)
            )?;
        }
        let v = &self.vertices;
        writeln!(
            out,
            "  vertices    {} in air, {} on floor, {} inside geometry",
            grouped(v.in_air),
            grouped(v.on_floor),
            grouped(v.inside_geometry)
        )?;
        writeln!(
            out,
            "  platforms   {}, in {}, the largest of {}",
            self.platforms,
            count(self.components as u64, "component", "components"),
            self.largest_component
        )?;
        let e = &self.edges;
        write!(
            out,
            "  edges       {} floor, {} fly, {} jump, {} drop",
            grouped(e.floor),
            grouped(e.fly),
            grouped(e.of(LinkKind::Jump)),
            grouped(e.of(LinkKind::Drop)),
        )?;
        for (name, number) in e.rare() {
            if number > 0 {
                write!(out, ", {} {}", grouped(number), label(name))?;
            }
        }
        Ok(())
    }
}
