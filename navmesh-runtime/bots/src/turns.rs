//! Turn order for turn-based games with actors of different speeds.
//!
//! The player takes one turn; then each other actor gains as many turns as it is
//! faster than the player: one of half the player's speed has a turn after every
//! second turn of the player, one of twice that speed has two, and one of 12
//! against 10 has one and sometimes two. The part of a turn that is left is
//! carried to the next round.
//!
//! ```
//! use navmesh_bots::turns::TurnOrder;
//! use std::num::NonZeroU32;
//!
//! let mut order = TurnOrder::new(NonZeroU32::new(10).ok_or("a speed of 0")?);
//! order.insert("zombie", 5);
//! order.insert("jester", 20);
//!
//! // What a game shows before the player moves: an outline of each enemy.
//! assert_eq!((order.preview("zombie"), order.preview("jester")), (0, 2));
//!
//! order.end_player_turn();
//! assert_eq!(order.next_turn(), Some("jester"));
//! assert_eq!(order.next_turn(), Some("jester"));
//! assert_eq!(order.next_turn(), None, "it is the player's turn again");
//! assert_eq!((order.preview("zombie"), order.preview("jester")), (1, 2));
//! # Ok::<(), &str>(())
//! ```
//!
//! All arithmetic is done with integers: after any number of rounds every actor
//! has had exactly as many turns as its speed says.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Bound;

/// Whose turn it is. See the [module](self).
///
/// Actors act in the order of their ids `E`, each at most once until all have
/// had the chance: of two actors with two turns, the first acts, the second, the
/// first, the second.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurnOrder<E: Ord> {
    /// The player's speed. A change keeps what the actors have carried and the turns
    /// of this round.
    pub player_speed: NonZeroU32,
    /// Greatest number of turns that an actor has after one turn of the player. Whole
    /// turns above it are lost; the part of a turn is still carried.
    pub most_turns: u32,
    actors: BTreeMap<E, Actor>,
    /// The actor whose turn was the last in this round.
    last: Option<E>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Actor {
    speed: u32,
    carried: Fraction,
    /// Turns that it still has in this round.
    left: u32,
}

/// A part of a turn from 0 to less than 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(u64, u64)", into = "(u64, u64)"))]
struct Fraction {
    part: u64,
    whole: u64,
}

impl<E: Copy + Ord> TurnOrder<E> {
    /// An order without actors other than the player. Speeds are in any unit, as
    /// long as all are in the same.
    pub fn new(player_speed: NonZeroU32) -> Self {
        Self {
            player_speed,
            most_turns: u32::MAX,
            actors: BTreeMap::new(),
            last: None,
        }
    }

    /// Adds an actor, or changes its speed and keeps what it has carried; one of
    /// speed 0 has no turns. A new actor has its first turn after the player's
    /// next one at the earliest.
    pub fn insert(&mut self, actor: E, speed: u32) {
        let new = Actor {
            speed,
            carried: Fraction::ZERO,
            left: 0,
        };
        self.actors.entry(actor).or_insert(new).speed = speed;
    }

    /// Removes an actor and its turns. Returns whether there was one.
    pub fn remove(&mut self, actor: E) -> bool {
        self.actors.remove(&actor).is_some()
    }

    /// How many turns an actor will have after the player's next turn, if no
    /// speed changes before; 0 for an unknown actor. Unused turns of the round
    /// under way are not counted.
    pub fn preview(&self, actor: E) -> u32 {
        let actor = self.actors.get(&actor);
        let turns = actor.map_or(0, |actor| {
            actor.carried.add(actor.speed, self.player_speed).0
        });
        turns.min(self.most_turns)
    }

    /// Ends the player's turn: every actor gains its turns. Turns of the last
    /// round that were not taken are lost.
    pub fn end_player_turn(&mut self) {
        for actor in self.actors.values_mut() {
            let (turns, carried) = actor.carried.add(actor.speed, self.player_speed);
            (actor.left, actor.carried) = (turns.min(self.most_turns), carried);
        }
        self.last = None;
    }

    /// The actor whose turn it is, which uses up this turn; `None` when it is the
    /// player's.
    pub fn next_turn(&mut self) -> Option<E> {
        let after = self.last.map_or(Bound::Unbounded, Bound::Excluded);
        // The actors after the last one, and then all of them.
        for from in [after, Bound::Unbounded] {
            let mut actors = self.actors.range_mut((from, Bound::Unbounded));
            if let Some((id, actor)) = actors.find(|(_, actor)| actor.left > 0) {
                actor.left -= 1;
                self.last = Some(*id);
                return self.last;
            }
        }
        None
    }
}

impl Fraction {
    const ZERO: Self = Self { part: 0, whole: 1 };

    /// The whole turns and the rest of `self + speed / player`.
    ///
    /// Exact as long as the player's speeds since the rest was last 0 have a
    /// common multiple below 2⁶⁴: always, if that speed does not change, and
    /// whenever it is one of 1 to 46. Otherwise the rest is first rounded down, by
    /// less than 2⁻³² turns.
    fn add(self, speed: u32, player: NonZeroU32) -> (u32, Self) {
        let player = u128::from(player.get());
        let (mut part, mut whole) = (u128::from(self.part), u128::from(self.whole));
        if whole / gcd(whole, player) * player > u128::from(u64::MAX) {
            (part, whole) = ((part << 32) / whole, 1 << 32);
        }
        let common = whole / gcd(whole, player) * player;
        let sum = part * (common / whole) + u128::from(speed) * (common / player);
        let divisor = gcd(sum % common, common);
        let carried = Self {
            part: (sum % common / divisor) as u64,
            whole: (common / divisor) as u64,
        };
        ((sum / common) as u32, carried)
    }
}

impl TryFrom<(u64, u64)> for Fraction {
    type Error = &'static str;

    fn try_from((part, whole): (u64, u64)) -> Result<Self, Self::Error> {
        if part < whole {
            Ok(Self { part, whole })
        } else {
            Err("what an actor has carried must be less than a turn")
        }
    }
}

impl From<Fraction> for (u64, u64) {
    fn from(fraction: Fraction) -> Self {
        (fraction.part, fraction.whole)
    }
}

/// The greatest common divisor of two numbers that are not both 0.
fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
