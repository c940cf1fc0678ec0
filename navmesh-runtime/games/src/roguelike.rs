//! The room, its enemies and knives, and the order of turns.

use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use glam::IVec2;
use navmesh_behavior::{Context, Outcome, Pools, Registry, Tick, Tree, TreeDef, TreeState};
use navmesh_bots::turns::TurnOrder;
use navmesh_runtime::asset;
use navmesh_runtime::mesh::{Cell, Layer, NavMesh, Terrain};
use navmesh_runtime::search::{PathFinder, PathOutcome, Query};
use serde::Deserialize;

/// `fixtures/dungeon.tmx`, baked; `just arena-asset` bakes it again.
const ROOM: &[u8] = include_bytes!("../levels/dungeon.navmesh");

const PLAYER_SPEED: NonZeroU32 = NonZeroU32::new(10).expect("10 is not 0");
const PLAYER_HEALTH: u32 = 5;

/// What a kind of enemy has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Zombie,
    Jester,
    /// A knife: flies a tile in each of its turns.
    Knife,
}

impl Kind {
    const fn speed(self) -> u32 {
        match self {
            Self::Zombie => 5,
            Self::Jester => 12,
            Self::Knife => 20,
        }
    }

    const fn letter(self) -> char {
        match self {
            Self::Zombie => 'z',
            Self::Jester => 'j',
            Self::Knife => '*',
        }
    }
}

/// An enemy or a knife.
pub struct Body {
    pub id: u32,
    pub kind: Kind,
    pub tile: IVec2,
    /// Where it wants to go: the direction of one tile.
    pub heading: IVec2,
    state: Option<TreeState<Enemy>>,
}

/// The room and all that is in it.
pub struct Room {
    mesh: NavMesh,
    finder: PathFinder,
    pub player: IVec2,
    pub health: u32,
    pub bodies: Vec<Body>,
    /// What happened since the player's last turn.
    pub news: Vec<&'static str>,
}

/// What a tree works on: one enemy in the room.
pub struct Mover<'a> {
    room: &'a mut Room,
    me: usize,
}

/// The context of the trees.
pub enum Enemy {}

impl Context for Enemy {
    type View<'a> = Mover<'a>;
}

/// A game in progress.
pub struct Game {
    pub room: Room,
    pub order: TurnOrder<u32>,
    zombie: Arc<Tree<Enemy>>,
    jester: Arc<Tree<Enemy>>,
    next_id: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Way {
    ToPlayer,
    Heading,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MaxDistance {
    tiles: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveOneTile {
    way: Way,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThrowKnife {
    direction: IVec2,
}

/// Success that ends the turn, or a failure that leaves it.
fn turn(done: bool) -> Outcome {
    if done {
        Outcome::TURN_TAKEN
    } else {
        Outcome::FAILURE
    }
}

fn registry() -> Registry<Enemy> {
    let mut registry = Registry::default();
    registry
        .action("get_player", |tick: &mut Tick<'_, '_, Enemy>| {
            tick.context.room.health > 0
        })
        .action_with("max_distance", |tick, near: &MaxDistance| {
            tick.context.distance() <= near.tiles
        })
        .action("attack", |tick: &mut Tick<'_, '_, Enemy>| {
            tick.context.room.hurt("the zombie hits you");
            turn(true)
        })
        .action("direction_away", |tick: &mut Tick<'_, '_, Enemy>| {
            tick.context.head_away()
        })
        .action_with("move_one_tile", |tick, go: &MoveOneTile| {
            turn(tick.context.move_one_tile(go.way))
        })
        .action_with("throw_knife", |tick, knife: &ThrowKnife| {
            turn(tick.context.throw(knife.direction))
        });
    registry
}

/// Distances are in tiles; a diagonal step counts as one.
fn distance(a: IVec2, b: IVec2) -> i32 {
    (a - b).abs().max_element()
}

impl Mover<'_> {
    fn body(&mut self) -> &mut Body {
        &mut self.room.bodies[self.me]
    }

    fn distance(&mut self) -> i32 {
        distance(self.body().tile, self.room.player)
    }

    /// Chooses the neighbouring tile that is farthest from the player.
    fn head_away(&mut self) -> bool {
        let (tile, player) = (self.body().tile, self.room.player);
        let here = tile.distance_squared(player);
        let best = (0..9)
            .map(|k| IVec2::new(k % 3 - 1, k / 3 - 1))
            .filter(|&direction| self.room.can_step(tile, direction))
            .max_by_key(|&direction| (tile + direction).distance_squared(player))
            .filter(|&direction| (tile + direction).distance_squared(player) > here);
        self.body().heading = best.unwrap_or(IVec2::ZERO);
        best.is_some()
    }

    fn move_one_tile(&mut self, way: Way) -> bool {
        let tile = self.body().tile;
        if matches!(way, Way::ToPlayer) {
            let heading = self.room.first_step(tile, self.room.player);
            self.body().heading = heading.unwrap_or(IVec2::ZERO);
        }
        let heading = self.body().heading;
        let is_free = heading != IVec2::ZERO && self.room.can_step(tile, heading);
        if is_free {
            self.body().tile += heading;
        }
        is_free
    }

    /// Puts a knife beside the enemy, or hits a player that stands there. The knife
    /// joins the turn order after this turn.
    fn throw(&mut self, direction: IVec2) -> bool {
        let tile = self.body().tile + direction;
        if tile == self.room.player {
            self.room.hurt("a knife hits you");
            return true;
        }
        let is_free = self.room.is_free(tile);
        if is_free {
            self.room.bodies.push(Body {
                id: 0,
                kind: Kind::Knife,
                tile,
                heading: direction,
                state: None,
            });
        }
        is_free
    }
}

impl Room {
    fn layer(&self) -> &Layer {
        &self.mesh.layers()[0]
    }

    fn is_floor(&self, tile: IVec2) -> bool {
        let grid = self.layer().grid();
        let inside =
            tile.min_element() >= 0 && tile.x < grid.columns as i32 && tile.y < grid.rows as i32;
        let [column, row] = tile.to_array().map(|c| c as u32);
        inside && self.layer().terrain(Cell { column, row }) != Terrain::InsideGeometry
    }

    fn body_at(&self, tile: IVec2) -> Option<usize> {
        self.bodies.iter().position(|body| body.tile == tile)
    }

    fn is_free(&self, tile: IVec2) -> bool {
        self.is_floor(tile) && tile != self.player && self.body_at(tile).is_none()
    }

    /// Whether a step ends on a free tile and cuts no corner of a wall.
    fn can_step(&self, from: IVec2, direction: IVec2) -> bool {
        self.is_free(from + direction)
            && self.is_floor(from + IVec2::new(direction.x, 0))
            && self.is_floor(from + IVec2::new(0, direction.y))
    }

    /// The direction of the first step of the shortest way between two tiles.
    fn first_step(&mut self, from: IVec2, to: IVec2) -> Option<IVec2> {
        let layer = &self.mesh.layers()[0];
        let at = |tile| layer.grid().position(cell(tile));
        let query = Query::new(at(from), at(to));
        let PathOutcome::Found(path) = self.finder.find(layer, &query).ok()? else {
            return None;
        };
        let step = path.steps.first()?;
        // A step of a path may be long, and of any slope.
        let way = step.to - step.from;
        Some((way / way.abs().max_element()).round().as_ivec2())
    }

    fn hurt(&mut self, news: &'static str) {
        self.health = self.health.saturating_sub(1);
        self.news.push(news);
    }
}

fn cell(tile: IVec2) -> Cell {
    Cell {
        column: tile.x as u32,
        row: tile.y as u32,
    }
}

impl Game {
    /// The room with the enemies of its level.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let mesh = asset::decode(ROOM)?;
        let tree = |text| -> Result<Arc<Tree<Enemy>>, Box<dyn Error>> {
            let def: TreeDef = ron::from_str(text)?;
            Ok(registry().build(&def)?)
        };
        let mut game = Self {
            room: Room {
                mesh,
                finder: PathFinder::new(),
                player: IVec2::ZERO,
                health: PLAYER_HEALTH,
                bodies: Vec::new(),
                news: Vec::new(),
            },
            order: TurnOrder::new(PLAYER_SPEED),
            zombie: tree(include_str!("../trees/roguelike/zombie.ron"))?,
            jester: tree(include_str!("../trees/roguelike/jester.ron"))?,
            next_id: 0,
        };
        let grid = game.room.layer().grid();
        let spawns: Vec<_> = (game.room.mesh.spawns())
            .map(|spawn| (spawn.marker.name.clone(), grid.nearest_cell(spawn.position)))
            .collect();
        for (name, cell) in spawns {
            let tile = IVec2::new(cell.column as i32, cell.row as i32);
            match name.as_str() {
                "player" => game.room.player = tile,
                "zombie" => game.add(
                    Kind::Zombie,
                    tile,
                    game.zombie.state(&Pools::default()).expect("no pools"),
                ),
                "jester" => game.add(
                    Kind::Jester,
                    tile,
                    game.jester.state(&Pools::default()).expect("no pools"),
                ),
                _ => return Err(format!("there is no enemy called `{name}`").into()),
            }
        }
        Ok(game)
    }

    fn add(&mut self, kind: Kind, tile: IVec2, state: TreeState<Enemy>) {
        self.room.bodies.push(Body {
            id: 0,
            kind,
            tile,
            heading: IVec2::ZERO,
            state: Some(state),
        });
        self.enlist();
    }

    /// Adds new enemies and knives to the turn order.
    fn enlist(&mut self) {
        for body in self.room.bodies.iter_mut().filter(|body| body.id == 0) {
            self.next_id += 1;
            body.id = self.next_id;
            self.order.insert(body.id, body.kind.speed());
        }
    }

    /// Whether the player has lost, or has no enemies left.
    pub fn is_over(&self) -> bool {
        let mut bodies = self.room.bodies.iter();
        self.room.health == 0 || bodies.all(|body| body.kind == Kind::Knife)
    }

    /// Does a move of the player, and then the turns of all others; `false`, and
    /// nothing happens, if the player cannot do it.
    pub fn play(&mut self, letter: char) -> bool {
        let direction = match letter {
            'h' => IVec2::new(-1, 0),
            'j' => IVec2::new(0, 1),
            'k' => IVec2::new(0, -1),
            'l' => IVec2::new(1, 0),
            'y' => IVec2::new(-1, -1),
            'u' => IVec2::new(1, -1),
            'b' => IVec2::new(-1, 1),
            'n' => IVec2::new(1, 1),
            '.' => IVec2::ZERO,
            _ => return false,
        };
        let to = self.room.player + direction;
        if let Some(hit) = self.room.body_at(to) {
            self.remove(hit);
        } else if direction != IVec2::ZERO {
            if !self.room.can_step(self.room.player, direction) {
                return false;
            }
            self.room.player = to;
        }
        self.room.news.clear();
        self.order.end_player_turn();
        while let Some(id) = self.order.next_turn() {
            if let Some(me) = self.room.bodies.iter().position(|body| body.id == id) {
                self.take_turn(me);
            }
        }
        true
    }

    fn remove(&mut self, body: usize) {
        let body = self.room.bodies.remove(body);
        self.order.remove(body.id);
    }

    fn take_turn(&mut self, me: usize) {
        let body = &mut self.room.bodies[me];
        let Some(mut state) = body.state.take() else {
            return self.fly(me);
        };
        let mut view = Mover {
            room: &mut self.room,
            me,
        };
        // Neither tree has as many nodes.
        state.take_turn(&mut view, 32);
        self.room.bodies[me].state = Some(state);
        self.enlist();
    }

    /// A knife's turn: it flies on, hits the player, or is gone.
    fn fly(&mut self, me: usize) {
        let Body { tile, heading, .. } = self.room.bodies[me];
        if tile + heading == self.room.player {
            self.room.hurt("a knife hits you");
            self.remove(me);
        } else if self.room.is_free(tile + heading) {
            self.room.bodies[me].tile += heading;
        } else {
            self.remove(me);
        }
    }
}

/// The room, with an outline around enemies and knives that will have turns.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = self.room.layer().grid();
        for row in 0..grid.rows as i32 {
            for column in 0..grid.columns as i32 {
                let tile = IVec2::new(column, row);
                if tile == self.room.player {
                    f.write_str(" @ ")?;
                } else if let Some(body) = self.room.body_at(tile) {
                    let body = &self.room.bodies[body];
                    let (left, right) = match self.order.preview(body.id) {
                        0 => (' ', ' '),
                        1 => ('(', ')'),
                        _ => ('[', ']'),
                    };
                    write!(f, "{left}{}{right}", body.kind.letter())?;
                } else {
                    f.write_str(if self.room.is_floor(tile) {
                        " . "
                    } else {
                        "###"
                    })?;
                }
            }
            writeln!(f)?;
        }
        for news in &self.room.news {
            writeln!(f, "{news}")?;
        }
        if self.is_over() {
            let end = if self.room.health == 0 {
                "you are dead"
            } else {
                "the room is yours"
            };
            writeln!(f, "{end}")?;
        } else {
            writeln!(f, "health {}", self.room.health)?;
        }
        Ok(())
    }
}
