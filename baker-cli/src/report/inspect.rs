//! Counts, sizes, agents, fingerprints, components of a mesh.

use std::collections::BTreeMap;
use std::io::{self, Write};

use navmesh_runtime::mesh::{EdgeSet, Layer, MarkerKind, NavMesh, Terrain, YAxis};
use serde::Serialize;

use super::dump::ProfileJson;
use super::facts::{EdgeCounts, components, edge_counts, terrain_count};

/// How many bytes a part of the file takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionSize {
    /// The part.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
}

/// What `navbake inspect` tells.
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
    profile: ProfileJson<'a>,
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
    /// Counts what is in a mesh of so many bytes.
    pub fn new(mesh: &'a NavMesh, format: &'a str, bytes: u64, sections: Vec<SectionSize>) -> Self {
        let provenance = mesh.provenance();
        let grid = mesh.grid();
        let mut markers = BTreeMap::new();
        for marker in mesh.markers() {
            *markers.entry(marker.class.as_str()).or_default() += 1;
        }
        let unknown =
            |class: &&&str| !class.is_empty() && MarkerKind::of(class) == MarkerKind::Other;
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
            agents: (mesh.layers().iter())
                .map(|layer| AgentSummary::new(layer, mesh))
                .collect(),
            unknown_classes: markers.keys().filter(unknown).copied().collect(),
            markers,
        }
    }

    /// Writes it for programs.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes it for people.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let y = match self.y_axis {
            YAxis::Down => "down",
            YAxis::Up => "up",
        };
        let vertices = u64::from(self.columns) * u64::from(self.rows);
        writeln!(out, "{} (navmesh {})", self.source, self.format)?;
        writeln!(out, "  source      {}", self.source_fingerprint)?;
        writeln!(out, "  settings    {}", self.settings_fingerprint)?;
        writeln!(
            out,
            "  grid        {} x {} = {} vertices, spacing {}",
            self.columns,
            self.rows,
            grouped(vertices),
            self.spacing
        )?;
        writeln!(
            out,
            "  units       {} pixels per unit, y {y}",
            self.pixels_per_unit
        )?;
        writeln!(out, "  size        {} bytes", grouped(self.bytes))?;
        for section in &self.sections {
            writeln!(
                out,
                "    {:<24} {:>10}",
                section.name,
                grouped(section.bytes)
            )?;
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
                class
            };
            let note = if self.unknown_classes.contains(class) {
                "  (a class the runtime has no meaning for; yours to use)"
            } else {
                ""
            };
            writeln!(out, "  {name:<16} {count:>6}{note}")?;
        }
        Ok(())
    }
}

impl<'a> AgentSummary<'a> {
    fn new(layer: &'a Layer, mesh: &NavMesh) -> Self {
        let count = |terrain| terrain_count(layer, mesh.grid(), terrain);
        let (components, largest_component) = components(layer);
        Self {
            profile: ProfileJson::from(layer.profile()),
            vertices: TerrainCounts {
                in_air: count(Terrain::InAir),
                on_floor: count(Terrain::OnFloor),
                inside_geometry: count(Terrain::InsideGeometry),
            },
            platforms: layer.platforms().len(),
            links: layer.links().len(),
            edges: edge_counts(layer),
            components,
            largest_component,
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let p = &self.profile;
        writeln!(out, "\nagent {}", p.name)?;
        writeln!(out, "  body        {} x {}", p.body[0], p.body[1])?;
        writeln!(out, "  edges       {}", p.edges.join(", "))?;
        writeln!(
            out,
            "  speed       {} (accelerates {}, brakes {})",
            p.run_speed, p.acceleration, p.deceleration
        )?;
        let uses = |edge: EdgeSet| edge.names().all(|name| p.edges.contains(&name));
        if uses(EdgeSet::JUMP) {
            writeln!(
                out,
                "  jump        {} high in {:.3} s, at most {} across and {} up",
                p.jump_height, p.jump_time, p.max_jump[0], p.max_jump[1]
            )?;
        }
        if uses(EdgeSet::JUMP) || uses(EdgeSet::DROP) {
            writeln!(
                out,
                "  drop        at most {} across and {} down; gravity {:.3}",
                p.max_drop[0], p.max_drop[1], p.gravity
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
            "  platforms   {}, in {} components, the largest of {}",
            self.platforms, self.components, self.largest_component
        )?;
        let e = &self.edges;
        write!(
            out,
            "  edges       {} floor, {} fly, {} jump, {} drop{}",
            grouped(e.floor),
            grouped(e.fly),
            grouped(e.jump),
            grouped(e.drop),
            rarer(e)
        )
    }
}

/// The kinds of edges that most agents lack, those of them there are.
fn rarer(e: &EdgeCounts) -> String {
    [
        (e.drop_through, "drop through"),
        (e.ladder, "ladder"),
        (e.wall_climb, "wall climb"),
        (e.ceiling_climb, "ceiling climb"),
        (e.portal, "portal"),
        (e.pass, "pass"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .fold(String::new(), |text, (count, name)| {
        text + ", " + &grouped(count) + " " + name
    })
}

/// A count with its thousands apart.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn written(write: impl Fn(&Summary<'_>, &mut dyn Write) -> io::Result<()>) -> String {
        let mesh = sample::mesh();
        let sections = vec![SectionSize {
            name: "layer grunt".into(),
            bytes: 1234,
        }];
        let summary = Summary::new(&mesh, "1.0", 1_234_567, sections);
        let mut out = Vec::new();
        write(&summary, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_summary_of_a_small_mesh() {
        insta::assert_snapshot!(written(|s, out| s.text(out)));
        insta::assert_snapshot!(written(|s, out| s.json(out)));
    }

    #[test]
    fn thousands_stand_apart() {
        let told = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(told, ["0", "999", "1,000", "1,234,567"]);
    }
}
