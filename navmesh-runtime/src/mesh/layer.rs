//! What was baked for one agent.

use super::{
    AgentProfile, BitGrid, Cell, Grid, Link, LinkId, MeshError, Platform, PlatformId, Platforms,
    Terrain,
};

/// The parts of a layer, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerParts {
    /// The agent it was baked for.
    pub profile: AgentProfile,
    /// Vertices at which the body is blocked.
    pub blocked: BitGrid,
    /// The floor, in a fixed order.
    pub platforms: Platforms,
    /// The links, sorted by the platform they leave.
    pub links: Vec<Link>,
}

/// What was baked for one agent: terrain, platforms, links, components.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    profile: AgentProfile,
    blocked: BitGrid,
    floor: BitGrid,
    platforms: Platforms,
    links: Vec<Link>,
    /// Where the links of each platform end.
    link_ends: Vec<u32>,
}

impl Layer {
    /// Checks the parts against each other and derives what follows from
    /// them.
    pub(super) fn new(parts: LayerParts, grid: &Grid) -> Result<Self, MeshError> {
        let LayerParts {
            profile,
            blocked,
            mut platforms,
            links,
        } = parts;
        profile.validate()?;
        if (blocked.columns(), blocked.rows()) != (grid.columns, grid.rows) {
            return Err(MeshError::Terrain {
                columns: blocked.columns(),
                rows: blocked.rows(),
            });
        }
        let (floor, counts) = floor_vertices(&platforms, grid)?;
        for (i, count) in counts.into_iter().enumerate() {
            platforms.set_vertices(PlatformId(i as u32), count);
        }
        let link_ends = check_links(&links, &platforms, &profile, grid)?;
        let components = super::components::strong(&links, &link_ends);
        platforms.set_components(components);
        Ok(Self {
            profile,
            blocked,
            floor,
            platforms,
            links,
            link_ends,
        })
    }

    /// The agent it was baked for, with every limit the bake kept to.
    pub fn profile(&self) -> &AgentProfile {
        &self.profile
    }

    /// Vertices at which the body is blocked. An `OnFloor` vertex may be
    /// among them: on a slope the feet can rest higher in the cell than its
    /// vertex.
    pub fn blocked(&self) -> &BitGrid {
        &self.blocked
    }

    /// `OnFloor` vertices.
    pub fn floor(&self) -> &BitGrid {
        &self.floor
    }

    /// The type of a vertex.
    pub fn terrain(&self, cell: Cell) -> Terrain {
        if self.floor.get(cell.column, cell.row) {
            Terrain::OnFloor
        } else if self.blocked.get(cell.column, cell.row) {
            Terrain::InsideGeometry
        } else {
            Terrain::InAir
        }
    }

    /// The platforms, in order of their ids.
    pub fn platforms(&self) -> &Platforms {
        &self.platforms
    }

    /// The platform of that number.
    pub fn platform(&self, id: PlatformId) -> Option<Platform<'_>> {
        self.platforms.get(id)
    }

    /// All links, sorted by the platform they leave.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The link of that number.
    pub fn link(&self, id: LinkId) -> Option<&Link> {
        self.links.get(id.index())
    }

    /// The links that leave a platform, with the number of the first.
    pub fn links_from(&self, platform: PlatformId) -> (u32, &[Link]) {
        let end = |i: usize| self.link_ends.get(i).copied().unwrap_or(0);
        let start = platform.index().checked_sub(1).map_or(0, end);
        let end = end(platform.index()).max(start);
        (start, &self.links[start as usize..end as usize])
    }
}

/// Marks the vertex of every column a platform spans. Also counts them.
fn floor_vertices(platforms: &Platforms, grid: &Grid) -> Result<(BitGrid, Vec<u32>), MeshError> {
    let mut floor = BitGrid::new(grid.columns, grid.rows);
    let mut counts = Vec::with_capacity(platforms.len());
    for platform in platforms.iter() {
        let mut count = 0;
        let mut at = 0;
        let surface = platform.surface();
        for column in platform.columns(grid) {
            let x = grid.column_x(column);
            while at + 1 < surface.len() && surface[at + 1].x <= x {
                at += 1;
            }
            let y = platform
                .height_at(x)
                .unwrap_or_else(|| unreachable!("columns lie between the lips"));
            let Some(cell) = grid.cell_at(glam::Vec2::new(x, y)) else {
                continue; // the baked area is narrower than the platform
            };
            if floor.get(cell.column, cell.row) {
                return Err(MeshError::Platform {
                    platform: platform.id().0,
                    what: "shares a vertex with another platform",
                });
            }
            floor.set(cell.column, cell.row, true);
            count += 1;
        }
        counts.push(count);
    }
    Ok((floor, counts))
}

/// Checks every link and finds where those of each platform end.
fn check_links(
    links: &[Link],
    platforms: &Platforms,
    profile: &AgentProfile,
    grid: &Grid,
) -> Result<Vec<u32>, MeshError> {
    let mut ends = vec![0u32; platforms.len()];
    let mut last = PlatformId(0);
    // Ends lie on the surface up to the rounding of its interpolation.
    let slack = grid.spacing * 1e-2;
    for (i, link) in links.iter().enumerate() {
        let number = i as u32;
        let bad = |what| MeshError::Link { link: number, what };
        let (Some(from), Some(to)) = (
            platforms.get(link.from_platform),
            platforms.get(link.to_platform),
        ) else {
            return Err(bad("joins a platform that does not exist"));
        };
        if link.from_platform < last {
            return Err(bad("is out of order"));
        }
        last = link.from_platform;
        let on = |platform: &Platform<'_>, p: glam::Vec2| {
            p.is_finite()
                && platform.spans(p.x)
                && (platform.clamp(p.x).y - p.y).abs() <= slack + profile.step_height
        };
        if !on(&from, link.from) || !on(&to, link.to) {
            return Err(bad("does not end on its platforms"));
        }
        let arc = link
            .program
            .between(
                link.from,
                link.to,
                f64::from(profile.gravity),
                grid.y_axis.down(),
            )
            .map_err(|source| MeshError::Arc {
                link: number,
                source,
            })?;
        if (arc.duration() - f64::from(link.duration)).abs() > 1e-3 || !link.duration.is_finite() {
            return Err(bad("takes another time than its arc"));
        }
        if !(link.tolerance.is_finite() && link.tolerance >= 0.0) {
            return Err(bad("has a tolerance that is not a number, 0 or more"));
        }
        ends[link.from_platform.index()] = number + 1;
    }
    // A platform without links ends where the one before it does.
    let mut end = 0;
    for e in &mut ends {
        end = end.max(*e);
        *e = end;
    }
    Ok(ends)
}
