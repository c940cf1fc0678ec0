//! Ready-made tasks that last: they move the agent until something else takes over.

use glam::Vec2;
use navmesh_runtime::motion::Activity;

use crate::blackboard::NamedKey;
use crate::context::{Context, Navigation, TaskContext};
use crate::status::Outcome;
use crate::tasks::{
    ERRAND_WORDS, GOAL, NO_TARGET, ON_THE_WAY, REFRESH, REFRESHED, Reason, SINCE, known_target,
};
use crate::tick::Tick;

/// Words of memory beside those of `pursue`: how many legs are done, or the stage of a search;
/// where it searches; when the pause began, and whether the agent has turned in it.
const LEG: u16 = 0;
const PLACE: u16 = 1;
const PAUSE: u16 = ERRAND_WORDS - 2;
const TURNED: u16 = ERRAND_WORDS - 1;

/// Seconds for which an agent without a path pauses at least: a search in every tick would be
/// a waste.
const LEAST_PAUSE: f32 = 0.5;

/// Seconds without a path to its leader after which a follower teleports.
const STUCK: f32 = 2.0;

impl<C> Tick<'_, '_, C>
where
    C: Context,
    for<'a> C::View<'a>: TaskContext,
{
    /// Sends the agent to a position; it rests where it is if no path leads there.
    pub(crate) fn set_out(&mut self, to: Vec2) -> bool {
        let goes = self.depart(to);
        self.remember(ON_THE_WAY, goes);
        self.remember(GOAL, to);
        goes
    }

    /// Whether the agent is still on the way to where [`set_out`](Self::set_out) sent it.
    fn is_travelling(&mut self) -> bool {
        let moves = self.recall(ON_THE_WAY)
            && matches!(self.navigation(), Navigation::Planning | Navigation::Moving);
        if !moves {
            self.remember(ON_THE_WAY, false);
        }
        moves
    }

    /// Begins to count the seconds after which the agent may plan again.
    pub(crate) fn refresh(&mut self) {
        self.remember(REFRESHED, 0_u64);
        self.reached(REFRESHED, REFRESH);
    }

    /// Whether the agent may plan again.
    fn is_due(&mut self) -> bool {
        self.recall::<u64>(REFRESHED) == 0 || self.reached(REFRESHED, REFRESH)
    }

    /// Whether the agent is still on its way, or pauses after it: for some seconds, in which
    /// it may turn round once. It begins without a pause.
    fn travels_or_pauses(&mut self, seconds: f32, look: bool) -> bool {
        if self.is_travelling() {
            return true;
        }
        if self.recall::<u32>(LEG) > 0 && !self.reached(PAUSE, seconds) {
            if look && self.reached(PAUSE, seconds / 2.0) && !self.recall::<bool>(TURNED) {
                let behind = self.context.position() - Vec2::X * self.context.facing();
                self.context.face(behind);
                self.remember(TURNED, true);
            }
            return true;
        }
        self.remember(PAUSE, 0_u64);
        self.remember(TURNED, false);
        false
    }

    pub(crate) fn patrol(
        &mut self,
        points: &[Vec2],
        pause: f32,
        look: bool,
    ) -> Result<Outcome, Reason> {
        if self.travels_or_pauses(pause.max(LEAST_PAUSE), look) {
            return Ok(Outcome::RUNNING);
        }
        let leg = self.recall::<u32>(LEG);
        let here = self.context.position();
        let goal = if points.is_empty() {
            let ends = self
                .context
                .platform_ends(here)
                .ok_or("not on a platform")?;
            ends[leg as usize % 2]
        } else {
            points[leg as usize % points.len()]
        };
        self.remember(LEG, leg.wrapping_add(1).max(1));
        self.set_out(goal);
        Ok(Outcome::RUNNING)
    }

    pub(crate) fn return_to_post(
        &mut self,
        key: &NamedKey<Vec2>,
        leash: f32,
    ) -> Result<Outcome, Reason> {
        let here = self.context.position();
        let Ok(post) = self.board.get(key) else {
            self.board.set(key, here)?;
            return Ok(Outcome::from(leash == 0.0));
        };
        if !self.recall::<bool>(ON_THE_WAY) {
            if leash > 0.0 && here.distance(post) <= leash {
                return Ok(Outcome::FAILURE);
            }
            if !self.set_out(post) {
                return Err("no path to its post".into());
            }
        }
        self.arrives()
    }

    /// Running on the way, then success at the destination, else failure.
    pub(crate) fn arrives(&mut self) -> Result<Outcome, Reason> {
        match self.navigation() {
            Navigation::Planning | Navigation::Moving => Ok(Outcome::RUNNING),
            Navigation::AtDestination => Ok(Outcome::SUCCESS),
            Navigation::Stopped => Err("stopped short of the destination".into()),
        }
    }

    pub(crate) fn flee_to(&mut self, key: &NamedKey<Vec2>, safe: f32) -> Result<Outcome, Reason> {
        let refuge = self.board.get(key)?;
        let here = self.context.position();
        let danger = known_target(self.context);
        if danger.map_or(f32::INFINITY, |at| at.distance(here)) >= safe {
            self.stop_on_the_way();
            return Ok(Outcome::SUCCESS);
        }
        if !self.recall::<bool>(ON_THE_WAY) && !self.set_out(refuge) {
            return Err("no path to the refuge".into());
        }
        self.arrives()
    }

    pub(crate) fn keep_distance(&mut self, near: f32, far: f32) -> Result<Outcome, Reason> {
        let target = known_target(self.context).ok_or(NO_TARGET)?;
        let here = self.context.position();
        let distance = here.distance(target);
        let is_right = (near..=far).contains(&distance);
        let is_due = self.is_due();
        if (is_right || !is_due) && self.is_travelling() {
            return Ok(Outcome::RUNNING);
        }
        if is_right || !is_due {
            self.context.face(target);
            return Ok(Outcome::RUNNING);
        }
        self.refresh();
        let side = if here.x < target.x { -1.0 } else { 1.0 };
        let middle = Vec2::X * near.midpoint(far.min(near * 3.0));
        let mut goal = target + middle * side;
        if let Some([left, right]) = self.context.platform_ends(here) {
            // Cornered, it runs past the target if there is more room on the other side.
            let room = |side: f32| (if side < 0.0 { left } else { right }).distance(target);
            if room(side) < near && room(-side) > room(side) {
                goal = target - middle * side;
            }
            goal.x = goal.x.clamp(left.x, right.x);
            goal.y = here.y;
            goal = self.context.floor_beneath(goal).unwrap_or(goal);
        }
        if !self.set_out(goal) {
            self.context.face(target);
        }
        Ok(Outcome::RUNNING)
    }

    pub(crate) fn follow(
        &mut self,
        key: &NamedKey<Vec2>,
        distance: f32,
        side: f32,
        teleport: f32,
    ) -> Result<Outcome, Reason> {
        let leader = self.board.get(key)?;
        let here = self.context.position();
        let floor = self.context.floor_beneath(leader).unwrap_or(leader);
        let ends = self.context.platform_ends(floor);
        self.jump_along(leader, floor);
        let side = if side == 0.0 { here.x - leader.x } else { side };
        let mut goal = floor + Vec2::X * distance.copysign(side);
        if let Some([left, right]) = ends {
            goal.x = goal.x.clamp(left.x, right.x);
            goal = self.context.floor_beneath(goal).unwrap_or(floor);
        }
        let away = here.distance(goal);
        // Half of the distance: it does not start again for each step of its leader.
        let is_near = away <= distance / 2.0;
        let is_lost = !is_near && (away > teleport || self.recall(PLACE));
        let teleports = is_lost && self.reached(SINCE, STUCK) && !self.context.on_screen();
        if is_near || teleports {
            self.remember(PLACE, false);
            self.remember(SINCE, 0_u64);
        }
        if teleports {
            if let Some((actor, _)) = self.context.actor_mut() {
                actor.agent.teleport(goal);
            }
            return Ok(Outcome::RUNNING);
        }
        let is_due = self.is_due();
        let has_moved = self.recall::<Vec2>(GOAL).distance(goal) > distance / 2.0;
        let travels = self.is_travelling();
        if is_due && !is_near && (!travels || has_moved) {
            self.refresh();
            let goes = self.set_out(goal);
            // Whether no path leads to the leader.
            self.remember(PLACE, !goes);
        }
        Ok(Outcome::RUNNING)
    }

    /// Jumps when the leader does, from the same platform, once for each of its jumps.
    fn jump_along(&mut self, leader: Vec2, floor: Vec2) {
        let here = self.context.position();
        let ends = self.context.platform_ends(floor);
        let is_together = ends.is_some() && self.context.platform_ends(here) == ends;
        let Some((actor, nav)) = self.context.actor_mut() else {
            return;
        };
        let down = nav.mesh().down();
        let (pose, profile) = (actor.agent.pose(), actor.agent.profile());
        // A quarter of its own height: more than a step or a slope.
        let is_up = (floor.y - leader.y) * down > profile.body[1] / 4.0;
        let speed = profile.jump_speed;
        let stands = !matches!(pose.activity, Activity::Launched | Activity::Stranded(_));
        let may_jump = is_together && stands && speed > 0.0;
        if is_up && may_jump && !self.recall::<bool>(TURNED) {
            if let Some((actor, _)) = self.context.actor_mut() {
                actor
                    .agent
                    .launch(Vec2::new(pose.velocity.x, -speed * down));
            }
            self.remember(TURNED, true);
        } else if !is_up {
            self.remember(TURNED, false);
        }
    }

    pub(crate) fn search(
        &mut self,
        radius: f32,
        seconds: f32,
        pause: f32,
    ) -> Result<Outcome, Reason> {
        let perception = self.context.perception();
        if perception.map_or_else(|| self.context.sees_target(), |it| it.is_aware()) {
            self.stop_on_the_way();
            return Ok(Outcome::SUCCESS);
        }
        if self.reached(SINCE, seconds) {
            self.stop_on_the_way();
            return Err("not found in time".into());
        }
        if self.travels_or_pauses(pause, true) {
            return Ok(Outcome::RUNNING);
        }
        // The first stage goes to the place itself, the others to both ends of each platform.
        let stage = self.recall::<u32>(LEG);
        let here = self.context.position();
        if stage == 0 {
            let place = known_target(self.context).unwrap_or(here);
            self.remember(PLACE, place);
            self.remember(LEG, 1_u32);
            let floor = self.context.floor_beneath(place).unwrap_or(place);
            self.set_out(floor);
            return Ok(Outcome::RUNNING);
        }
        let place = self.recall::<Vec2>(PLACE);
        let is_second = stage == 2;
        let last = self.recall::<u64>(REFRESHED);
        let next = if is_second {
            Some(last)
        } else {
            next_platform(self.context, place, radius, last)
        };
        let next = next.ok_or("not found")?;
        let [left, right] = platform(self.context, place, next).ok_or("not found")?;
        let left_is_nearer = here.distance(left) <= here.distance(right);
        let goal = if left_is_nearer == is_second {
            right
        } else {
            left
        };
        self.remember(REFRESHED, next);
        self.remember(LEG, if is_second { 1_u32 } else { 2 });
        self.set_out(goal);
        Ok(Outcome::RUNNING)
    }
}

/// The platform that a search visits after the platform `last`, with its distance from the place
/// in the upper half, so that near ones come first; 0 for none. Where there is no actor, only
/// the platform of the place.
fn next_platform(view: &impl TaskContext, place: Vec2, radius: f32, last: u64) -> Option<u64> {
    let Some((actor, nav)) = view.actor() else {
        return (last == 0).then_some(1);
    };
    let platforms = nav.layer_of(&actor.agent)?.platforms().zip(1_u64..);
    let keys = platforms.filter_map(|(platform, number)| {
        let (left, right) = (platform.left(), platform.right());
        let along = (place.x - left.x) / (right.x - left.x).max(f32::MIN_POSITIVE);
        let distance = left.lerp(right, along.clamp(0.0, 1.0)).distance(place);
        (distance <= radius).then_some(u64::from(distance.to_bits()) << 32 | number)
    });
    keys.filter(|key| *key > last).min()
}

/// The ends of a platform of [`next_platform`].
fn platform(view: &impl TaskContext, place: Vec2, key: u64) -> Option<[Vec2; 2]> {
    let Some((actor, nav)) = view.actor() else {
        return view.platform_ends(place);
    };
    let number = (key & u64::from(u32::MAX)).checked_sub(1)?;
    let mut platforms = nav.layer_of(&actor.agent)?.platforms();
    let platform = platforms.nth(number as usize)?;
    Some([platform.left(), platform.right()])
}
