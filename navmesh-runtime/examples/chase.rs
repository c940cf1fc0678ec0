//! A grunt chases a player: what a game does in every frame.
//!
//! `cargo run -p navmesh-runtime --example chase -- LEVEL.navmesh`

use std::error::Error;

use glam::Vec2;
use navmesh_runtime::mesh::Layer;
use navmesh_runtime::motion::Activity;
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::{NavAgent, Navigator};

const FRAME: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: chase LEVEL.navmesh")?;
    let Chase {
        caught,
        visited,
        platforms,
    } = chase(&mut Navigator::load(file)?)?;
    println!(
        "the player visited {visited} of {platforms} platforms, and was caught {caught} times"
    );
    Ok(())
}

/// How a chase went.
pub(crate) struct Chase {
    /// How often the player was caught.
    pub(crate) caught: u32,
    /// The number of platforms that the player has been to.
    pub(crate) visited: usize,
    /// The number of platforms of the level.
    pub(crate) platforms: usize,
}

/// Runs a minute of a chase.
pub(crate) fn chase(nav: &mut Navigator) -> Result<Chase, Box<dyn Error>> {
    let mesh = std::sync::Arc::clone(nav.mesh());
    let mut layers = mesh.layers().iter();
    let layer = layers
        .find(|layer| layer.profile().edges.walks() && layer.platforms().len() > 0)
        .ok_or("no agent of this level has a floor to walk on")?;
    let name = &layer.profile().name;
    let mut player = Player::new(nav, layer)?;
    let mut grunt = nav.agent(name, player.farthest_from(player.position()))?;
    // It goes as near as it can when it cannot reach the player.
    grunt.set_allow_partial_path(true);
    let reach = layer.profile().body[0];
    let mut caught = 0;
    for frame in 0..60 * 60_u16 {
        // It sees the player four times a second.
        if frame % 15 == 0 {
            let at = player.position();
            // In a jump, it is met where it lands.
            let place = nav.place_of_target(&grunt, at, Some(layer.profile().body));
            grunt.go_to(place.unwrap_or(at));
        }
        player.update(nav);
        let pose = grunt.update(nav, FRAME);
        // A game draws the bodies here, and plays sounds and effects of
        // `grunt.events()`.
        if pose.position.distance(player.position()) <= reach {
            caught += 1;
            let seconds = f32::from(frame) * FRAME;
            println!("{seconds:>5.1} s  caught at {:.0}", pose.position);
            player.respawn(pose.position);
        }
    }
    let visited = player.visited.iter().filter(|&&visited| visited).count();
    Ok(Chase {
        caught,
        visited,
        platforms: player.visited.len(),
    })
}

/// A player that runs through the whole level: always to the nearest of the
/// platforms that it has chosen least often.
struct Player<'a> {
    layer: &'a Layer,
    agent: NavAgent,
    /// How often it has chosen each platform.
    choices: Vec<u32>,
    /// Whether it has stood on each platform.
    visited: Vec<bool>,
}

impl<'a> Player<'a> {
    fn new(nav: &Navigator, layer: &'a Layer) -> Result<Self, Box<dyn Error>> {
        let home = layer.platforms().next();
        let home = home.map_or(Vec2::ZERO, |platform| platform.left());
        Ok(Self {
            layer,
            agent: nav.agent(&layer.profile().name, home)?,
            choices: vec![0; layer.platforms().len()],
            visited: vec![false; layer.platforms().len()],
        })
    }

    fn position(&self) -> Vec2 {
        self.agent.pose().position
    }

    fn update(&mut self, nav: &mut Navigator) {
        let here = self.position();
        let spot = self.layer.snap(here, SnapTo::FloorBelow(0.0));
        let visited = spot.and_then(|spot| self.visited.get_mut(spot.platform?.0 as usize));
        if let Some(visited) = visited {
            *visited = true;
        }
        // Arrived, or cannot get there: on to the next platform.
        if let Activity::Idle(_) = self.agent.pose().activity {
            let least = self.choices.iter().min().copied().unwrap_or_default();
            let platforms = self.layer.platforms();
            let middles = platforms.map(|p| p.at(f32::midpoint(p.extent().0, p.extent().1)));
            let nearest = middles
                .zip(&mut self.choices)
                .filter(|(_, choices)| **choices == least)
                .min_by(|a, b| here.distance(a.0).total_cmp(&here.distance(b.0)));
            if let Some((place, choices)) = nearest {
                *choices += 1;
                self.agent.go_to(place);
            }
        }
        self.agent.update(nav, FRAME);
    }

    /// Appears far from where it was caught.
    fn respawn(&mut self, caught: Vec2) {
        let place = self.farthest_from(caught);
        self.agent.teleport(place);
    }

    fn farthest_from(&self, place: Vec2) -> Vec2 {
        let places = self.layer.platforms().map(|platform| platform.right());
        places
            .max_by(|a, b| place.distance(*a).total_cmp(&place.distance(*b)))
            .unwrap_or(place)
    }
}
