//! Agents do not waver and touch no wall: in a corridor, around a pillar, in a crowd
//! of 50; compared with an implementation that takes the best slot.

use glam::Vec2;
use navmesh_bots::steering::{Danger, Obstacle, Steering, SteeringLimits, Surroundings};
use navmesh_runtime::motion::Environment;

use crate::random::Dice;
use crate::world::{DT, Reversals, Room, TILE, chase};

const LIMITS: SteeringLimits = SteeringLimits {
    max_speed: 90.0,
    max_acceleration: 600.0,
    turn_rate: 8.0,
};
const LOOK_AHEAD: f32 = 40.0;
const ALLIES_AHEAD: f32 = 24.0;
/// The bodies are 12 wide.
const RADIUS: f32 = 14.0;
const BODY: f32 = 12.0;

enum Brain {
    Ours(Box<Steering>),
    /// The best of eight slots by interest, without those that lead to something near.
    Plain,
}

struct Walker {
    brain: Brain,
    position: Vec2,
    velocity: Vec2,
    /// It goes to one after the other, again and again.
    goals: Vec<Vec2>,
    goal: usize,
    reversals: Reversals,
    reached: u32,
    touches: u32,
}

fn steering() -> Steering {
    let mut steering = Steering::new(16, LIMITS);
    steering.favours.push(chase(1.0, 0.0));
    steering.dangers.extend([
        Danger::Walls {
            look_ahead: LOOK_AHEAD,
        },
        Danger::Allies {
            look_ahead: ALLIES_AHEAD,
        },
    ]);
    steering
}

impl Walker {
    fn new(ours: bool, goals: Vec<Vec2>) -> Self {
        Self {
            brain: if ours {
                Brain::Ours(Box::new(steering()))
            } else {
                Brain::Plain
            },
            position: goals[0],
            velocity: Vec2::ZERO,
            goals,
            goal: 1,
            reversals: Reversals::default(),
            reached: 0,
            touches: 0,
        }
    }

    fn plan(&mut self, room: &Room, all: &[Obstacle]) {
        let goal = self.goals[self.goal % self.goals.len()];
        let (position, velocity) = (self.position, self.velocity);
        self.velocity = match &mut self.brain {
            Brain::Ours(steering) => {
                let mut around = Surroundings::new(Environment::new(room.layer()), position);
                around.velocity = velocity;
                around.target = Some(goal);
                around.allies = all;
                steering.update(&around, DT)
            }
            Brain::Plain => {
                let wanted = (goal - position).normalize_or_zero();
                let is_free = |slot: Vec2| {
                    let hits_wall = (1..=8)
                        .any(|step| room.touches(position + slot * LOOK_AHEAD * step as f32 / 8.0));
                    let hits_ally = all.iter().any(|ally| {
                        let to = ally.position - position;
                        ally.position != position
                            && to.length() < LOOK_AHEAD
                            && to.normalize_or_zero().dot(slot) > 0.9
                    });
                    !hits_wall && !hits_ally
                };
                let slots =
                    (0..8).map(|k| Vec2::from_angle(k as f32 * std::f32::consts::FRAC_PI_4));
                let best = slots
                    .filter(|slot| is_free(*slot))
                    .max_by(|a, b| a.dot(wanted).total_cmp(&b.dot(wanted)));
                let desired = best.unwrap_or(Vec2::ZERO) * LIMITS.max_speed;
                let change = (desired - velocity) * LIMITS.turn_rate;
                velocity + change.clamp_length_max(LIMITS.max_acceleration) * DT
            }
        };
    }

    fn go(&mut self, room: &Room, time: f32) {
        let next = self.position + self.velocity * DT;
        if room.touches(next) {
            self.touches += 1;
            self.velocity = Vec2::ZERO;
        } else {
            self.position = next;
        }
        // The first second is the start from rest.
        if time > 1.0 {
            self.reversals.add(self.velocity);
        }
        if self
            .position
            .distance(self.goals[self.goal % self.goals.len()])
            < 12.0
        {
            self.goal += 1;
            self.reached += 1;
            // To turn around at a goal is no reversal.
            self.reversals.forget();
        }
    }
}

#[derive(Debug)]
struct Figures {
    /// Per agent and second.
    reversals: f32,
    touches: u32,
    /// The share of time in which an agent's box overlaps another's.
    overlaps: f32,
    /// Goals reached, per agent and minute.
    goals: f32,
    /// Goals reached by the agent that reached the fewest.
    fewest: u32,
}

fn run(room: &Room, ours: bool, routes: &[Vec<Vec2>], seconds: f32) -> Figures {
    let mut walkers: Vec<_> = (routes.iter())
        .map(|goals| Walker::new(ours, goals.clone()))
        .collect();
    let ticks = (seconds / DT) as u32;
    let mut overlaps = 0;
    for tick in 0..ticks {
        let all: Vec<_> = (walkers.iter())
            .map(|walker| Obstacle {
                position: walker.position,
                velocity: walker.velocity,
                radius: RADIUS,
            })
            .collect();
        overlaps += all
            .iter()
            .filter(|a| {
                let near = |b: &&Obstacle| {
                    a.position != b.position && (a.position - b.position).abs().max_element() < BODY
                };
                all.iter().any(|b| near(&b))
            })
            .count();
        for walker in &mut walkers {
            walker.plan(room, &all);
            walker.go(room, tick as f32 * DT);
        }
    }
    let count = walkers.len() as f32;
    let sum = |of: fn(&Walker) -> u32| walkers.iter().map(of).sum::<u32>();
    Figures {
        reversals: sum(|walker| walker.reversals.count) as f32 / count / seconds,
        touches: sum(|walker| walker.touches),
        overlaps: overlaps as f32 / count / ticks as f32,
        goals: sum(|walker| walker.reached) as f32 / count * 60.0 / seconds,
        fewest: walkers.iter().map(|w| w.reached).min().unwrap_or(0),
    }
}

/// Both implementations, in the same world for as long.
fn both(name: &str, room: &Room, routes: &[Vec<Vec2>], seconds: f32) -> [Figures; 2] {
    let figures = [true, false].map(|ours| run(room, ours, routes, seconds));
    println!(
        "{name}: steering {:?}\n{name}: best slot {:?}",
        figures[0], figures[1]
    );
    figures
}

fn tile(column: f32, row: f32) -> Vec2 {
    Vec2::new(column + 0.5, row + 0.875) * TILE
}

#[test]
fn in_a_corridor() {
    let mut rows = vec!["#".repeat(40)];
    rows.extend(vec![format!("#{}#", ".".repeat(38)); 3]);
    rows.push("#".repeat(40));
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    let room = Room::new(&rows);
    // Two from each end, to the other end and back.
    let routes: Vec<_> = [(3.0, 36.0), (6.0, 33.0), (36.0, 3.0), (33.0, 6.0)]
        .iter()
        .map(|(a, b)| vec![tile(*a, 2.0), tile(*b, 2.0)])
        .collect();
    let [ours, plain] = both("corridor", &room, &routes, 60.0);
    assert_eq!(ours.touches, 0);
    // Two for each of the meetings: aside and back.
    assert!(ours.reversals < 1.0, "{ours:?}");
    assert!(plain.reversals > 5.0 * ours.reversals, "{plain:?}");
    assert!(ours.overlaps < 0.01, "{ours:?}");
    assert!(ours.goals > 6.0 && ours.fewest >= 5, "they pass: {ours:?}");
}

#[test]
fn around_a_pillar() {
    let room = Room::new(&[
        "########################",
        "#......................#",
        "#......................#",
        "#......................#",
        "#.........####.........#",
        "#.........####.........#",
        "#.........####.........#",
        "#......................#",
        "#......................#",
        "#......................#",
        "########################",
    ]);
    let [ours, plain] = both(
        "pillar",
        &room,
        &[vec![tile(4.0, 5.0), tile(19.0, 5.0)]],
        60.0,
    );
    assert_eq!(ours.touches, 0);
    assert!(ours.reversals < 0.5, "{ours:?}");
    assert!(plain.reversals > 5.0 * ours.reversals, "{plain:?}");
    assert!(ours.goals > 15.0, "{ours:?}");
}

#[test]
fn in_a_crowd_of_50() {
    let mut rows = vec!["#".repeat(56)];
    for row in 0..30 {
        let pillars = if row % 8 == 4 || row % 8 == 5 {
            ".......##.......##.......##......##.......##.........."
        } else {
            "......................................................"
        };
        rows.push(format!("#{pillars}#"));
    }
    rows.push("#".repeat(56));
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    let room = Room::new(&rows);
    let mut dice = Dice::case(5);
    let mut somewhere = || loop {
        let size = room.size();
        let at = Vec2::new(dice.between(0.0, size.x), dice.between(0.0, size.y));
        if !room.touches(at) && !room.touches(at + 20.0) && !room.touches(at - 20.0) {
            return at;
        }
    };
    let routes: Vec<_> = (0..50)
        .map(|_| (0..10).map(|_| somewhere()).collect())
        .collect();
    let [ours, plain] = both("crowd", &room, &routes, 30.0);
    assert_eq!(ours.touches, 0);
    assert!(ours.reversals < 1.0, "{ours:?}");
    assert!(
        plain.reversals > 1.5 * ours.reversals && plain.touches > 0,
        "{plain:?}"
    );
    assert!(ours.overlaps < 0.01 && ours.fewest >= 1, "{ours:?}");
}
