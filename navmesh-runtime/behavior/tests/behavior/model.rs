//! A slow and simple interpreter of trees, to compare the engine with.

use navmesh_behavior::{Context, Outcome, Pace, Status, TurnRule};
use serde_json::{Value, json};

/// What a node does.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// A scripted leaf, by its number.
    Leaf(usize),
    Sequence(Option<Pace>),
    Selector(Option<Pace>),
    ReactiveSequence,
    ReactiveSelector,
    Race,
    Parallel {
        success: u16,
        failure: u16,
    },
    Repeat {
        count: u32,
    },
    Timeout {
        seconds: f32,
    },
    Cooldown {
        seconds: f32,
    },
    Invert,
    ForceSuccess(TurnRule),
    ForceFailure(TurnRule),
    AlwaysSucceed(TurnRule),
    AlwaysFail(TurnRule),
    WithToken {
        wait: f32,
        priority: i32,
    },
    WithWaypoint {
        wait: f32,
        no_repeat: bool,
    },
}

/// A node and its children.
#[derive(Debug, Clone)]
pub(crate) struct NodeDef {
    pub(crate) kind: Kind,
    pub(crate) children: Vec<NodeDef>,
}

impl NodeDef {
    /// The node as it stands in a tree file.
    pub(crate) fn form(&self) -> Value {
        let (kind, mut form) = match self.kind {
            Kind::Leaf(number) => {
                return json!({"task": {"task": "scripted", "params": {"number": number}}});
            }
            Kind::Sequence(None) => ("sequence", json!({})),
            Kind::Sequence(pace) => ("sequence", json!({"pace": pace})),
            Kind::Selector(None) => ("selector", json!({})),
            Kind::Selector(pace) => ("selector", json!({"pace": pace})),
            Kind::ReactiveSequence => ("reactive_sequence", json!({})),
            Kind::ReactiveSelector => ("reactive_selector", json!({})),
            Kind::Race => ("race", json!({})),
            Kind::Parallel { success, failure } => {
                ("parallel", json!({"success": success, "failure": failure}))
            }
            Kind::Repeat { count } => ("repeat", json!({"count": count})),
            Kind::Timeout { seconds } => ("timeout", json!({"seconds": seconds})),
            Kind::Cooldown { seconds } => ("cooldown", json!({"seconds": seconds})),
            Kind::Invert => ("invert", json!({})),
            Kind::ForceSuccess(turn) => ("force_success", json!({"turn": turn})),
            Kind::ForceFailure(turn) => ("force_failure", json!({"turn": turn})),
            Kind::AlwaysSucceed(turn) => ("always_succeed", json!({"turn": turn})),
            Kind::AlwaysFail(turn) => ("always_fail", json!({"turn": turn})),
            Kind::WithToken { wait, priority } => (
                "with_token",
                json!({"pool": "tokens", "wait": wait, "priority": priority}),
            ),
            Kind::WithWaypoint { wait, no_repeat } => {
                let utility = json!({"named": "score"});
                let mut form =
                    json!({"pool": "places", "utility": utility, "no_repeat": no_repeat});
                // JSON has no infinity; it is the default.
                if wait < f32::INFINITY {
                    form["wait"] = json!(wait);
                }
                ("with_waypoint", form)
            }
        };
        let mut children: Vec<Value> = self.children.iter().map(Self::form).collect();
        match kind {
            "always_succeed" | "always_fail" => {}
            "with_waypoint" => {
                if children.len() > 1 {
                    form["fallback"] = children.remove(1);
                }
                form["child"] = children.remove(0);
            }
            "repeat" | "timeout" | "cooldown" | "invert" | "force_success" | "force_failure"
            | "with_token" => form["child"] = children.remove(0),
            _ => form["children"] = children.into(),
        }
        json!({kind: form})
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LeafEvent {
    Ticked { leaf: usize, run: u64, lasting: u64 },
    Aborted { leaf: usize, run: u64 },
}

/// A holder of a token or waypoint: 0 is a rival, others are nodes of the model.
type Holder = usize;
const RIVAL: Holder = 0;

/// The leaves' scripts and the log. For the model, also the pools.
pub(crate) struct Game {
    scripts: Vec<Vec<Outcome>>,
    ticks: Vec<usize>,
    pub(crate) log: Vec<LeafEvent>,
    pub(crate) scores: [f32; 3],
    /// The tokens that are held, oldest first: holder, number of the request,
    /// priority.
    pub(crate) tokens: Vec<(Holder, u64, i32)>,
    /// The nodes that wait for a token.
    claims: Vec<(Holder, u64, i32)>,
    requests: u64,
    rivals: Vec<u64>,
    pub(crate) places: [Option<Holder>; 3],
    /// The waypoint that was claimed last.
    pub(crate) destination: Option<usize>,
}

impl Context for Game {
    type View<'a> = Self;
}

impl Game {
    pub(crate) fn new(scripts: &[Vec<Outcome>]) -> Self {
        Self {
            scripts: scripts.to_vec(),
            ticks: vec![0; 4096],
            log: Vec::new(),
            scores: [0.0; 3],
            tokens: Vec::new(),
            claims: Vec::new(),
            requests: 0,
            rivals: Vec::new(),
            places: [None; 3],
            destination: None,
        }
    }

    pub(crate) fn answer(&mut self, leaf: usize, run: u64, lasting: u64) -> Outcome {
        self.log.push(LeafEvent::Ticked { leaf, run, lasting });
        let script = &self.scripts[leaf % self.scripts.len()];
        let answer = script[self.ticks[leaf] % script.len()];
        self.ticks[leaf] += 1;
        answer
    }

    fn request(&mut self, holder: Holder, priority: i32) -> bool {
        if self.tokens.len() == 2 {
            let weakest = (0..2).min_by_key(|i| self.tokens[*i].2).expect("two");
            if self.tokens[weakest].2 >= priority {
                return false;
            }
            self.tokens.remove(weakest);
        }
        self.requests += 1;
        self.tokens.push((holder, self.requests, priority));
        self.victims();
        true
    }

    /// Grants tokens to claims while there are any, and returns the holders
    /// that must stop for the rest, and the nodes that then get their tokens.
    fn victims(&mut self) -> (Vec<u64>, Vec<Holder>) {
        self.claims
            .sort_by_key(|(_, request, priority)| (-priority, *request));
        while self.tokens.len() < 2 && !self.claims.is_empty() {
            let granted = self.claims.remove(0);
            self.tokens.push(granted);
        }
        let (mut victims, mut promised) = (Vec::new(), Vec::new());
        for claim in &self.claims {
            let rest = self.tokens.iter().filter(|t| !victims.contains(&t.1));
            let weakest = rest.min_by_key(|t| t.2).filter(|t| t.2 < claim.2);
            if let Some((_, request, _)) = weakest {
                victims.push(*request);
                promised.push(claim.0);
            }
        }
        (victims, promised)
    }

    /// Whether a node has asked for a token and not lost it; whether a weaker holder
    /// makes way for it; and whether it has the token, and need not stop.
    fn state(&mut self, node: Holder) -> [bool; 3] {
        let (victims, promised) = self.victims();
        let mine = self.tokens.iter().find(|(holder, ..)| *holder == node);
        let claims = self.claims.iter().any(|(holder, ..)| *holder == node);
        let holds = mine.is_some_and(|(_, request, _)| !victims.contains(request));
        [mine.is_some() || claims, promised.contains(&node), holds]
    }

    fn give_back(&mut self, node: Holder) {
        self.tokens.retain(|(holder, ..)| *holder != node);
        self.claims.retain(|(holder, ..)| *holder != node);
        self.victims();
    }

    pub(crate) fn rival_asks(&mut self, priority: i32) -> bool {
        let granted = self.request(RIVAL, priority);
        if granted {
            self.rivals.push(self.requests);
        }
        granted
    }

    pub(crate) fn rival_leaves(&mut self) {
        if !self.rivals.is_empty() {
            let oldest = self.rivals.remove(0);
            self.tokens.retain(|(_, request, _)| *request != oldest);
            self.victims();
        }
    }

    pub(crate) fn rival_at(&mut self, place: usize) {
        self.places[place] = match self.places[place] {
            None => Some(RIVAL),
            Some(RIVAL) => None,
            other => other,
        };
    }
}

pub(crate) struct Model {
    root: Node,
    now: f64,
    pace: Pace,
}

struct Node {
    kind: Kind,
    /// Its number as a holder; from 1.
    id: Holder,
    children: Vec<Node>,
    run: Run,
    // Survives reset.
    lasting_ticks: u64,
    ready_at: Option<f64>,
    last_place: Option<usize>,
    /// The places at which the child failed at once, since it last used one.
    failed_places: Vec<usize>,
    failed_at: f64,
}

/// Whether a `with_token` runs its child.
#[derive(Default, Clone, Copy, PartialEq)]
enum Held {
    #[default]
    No,
    Yes,
    /// Its token was taken, and its child is aborted.
    Taken,
}

/// Cleared by a reset.
#[derive(Default, Clone, PartialEq)]
struct Run {
    running: bool,
    ticks: u64,
    current: Option<usize>,
    since: Option<f64>,
    results: Vec<Option<Status>>,
    completions: u32,
    token: Held,
    place: Option<usize>,
    fallback: bool,
}

impl Model {
    pub(crate) fn new(root: &NodeDef, pace: Pace) -> Self {
        Self {
            root: Node::new(root, &mut 0),
            now: 0.0,
            pace,
        }
    }

    pub(crate) fn tick(&mut self, game: &mut Game, dt: f32) -> Outcome {
        self.now += f64::from(dt);
        self.root.all_give_way(game);
        let outcome = self.root.tick(game, self.now, self.pace);
        if outcome.status.is_done() {
            self.root.reset(game);
        }
        outcome
    }

    pub(crate) fn reset(&mut self, game: &mut Game) {
        self.root.abort(game);
    }

    pub(crate) fn restart(&mut self, game: &mut Game) {
        self.reset(game);
        self.root.forget_lasting();
    }
}

impl Node {
    fn new(def: &NodeDef, next: &mut Holder) -> Self {
        *next += 1;
        let id = *next;
        let children = def.children.iter();
        Self {
            kind: def.kind.clone(),
            id,
            children: children.map(|child| Self::new(child, next)).collect(),
            run: Run::default(),
            lasting_ticks: 0,
            ready_at: None,
            last_place: None,
            failed_places: Vec::new(),
            failed_at: 0.0,
        }
    }

    /// Restores a node and its children to their first state. Nothing may be
    /// running any more.
    fn reset(&mut self, game: &mut Game) {
        for child in &mut self.children {
            assert!(!child.run.running, "completed above a running child");
            child.reset(game);
        }
        self.release(game);
        self.run = Run::default();
    }

    /// Children before parents, the last started first; each that is running
    /// exactly once.
    fn abort(&mut self, game: &mut Game) {
        for child in self.children.iter_mut().rev() {
            child.abort(game);
        }
        if let (true, Kind::Leaf(_)) = (self.run.running, &self.kind) {
            let (leaf, run) = (self.leaf(), self.run.ticks);
            game.log.push(LeafEvent::Aborted { leaf, run });
        }
        self.run.running = false;
        self.release(game);
        self.run = Run::default();
    }

    fn release(&mut self, game: &mut Game) {
        if matches!(self.kind, Kind::WithToken { .. }) {
            game.give_back(self.id);
        }
        if let Some(place) = self.run.place {
            game.places[place] = None;
        }
    }

    fn forget_lasting(&mut self) {
        self.lasting_ticks = 0;
        self.ready_at = None;
        self.last_place = None;
        self.failed_places.clear();
        self.children.iter_mut().for_each(Node::forget_lasting);
    }

    /// Ticks a child and resets it when it completes either way.
    fn child(&mut self, i: usize, game: &mut Game, now: f64, pace: Pace) -> Outcome {
        let outcome = self.children[i].tick(game, now, pace);
        if outcome.status.is_done() {
            self.children[i].reset(game);
        }
        outcome
    }

    fn tick(&mut self, game: &mut Game, now: f64, pace: Pace) -> Outcome {
        let outcome = self.work(game, now, pace);
        self.run.running = outcome.status == Status::Running;
        outcome
    }

    /// The number of a leaf.
    fn leaf(&self) -> usize {
        match self.kind {
            Kind::Leaf(number) => number,
            ref other => panic!("{other:?}"),
        }
    }

    fn work(&mut self, game: &mut Game, now: f64, pace: Pace) -> Outcome {
        match self.kind.clone() {
            Kind::Leaf(_) => {
                let leaf = self.leaf();
                let answer = game.answer(leaf, self.run.ticks, self.lasting_ticks);
                self.run.ticks += 1;
                self.lasting_ticks += 1;
                answer
            }
            Kind::AlwaysSucceed(turn) => force(true, turn, false),
            Kind::AlwaysFail(turn) => force(false, turn, false),
            Kind::Sequence(p) => self.walk(false, p.unwrap_or(pace), game, now, pace),
            Kind::Selector(p) => self.walk(true, p.unwrap_or(pace), game, now, pace),
            Kind::ReactiveSequence => self.react(false, game, now, pace),
            Kind::ReactiveSelector => self.react(true, game, now, pace),
            Kind::Race => {
                let all = self.children.len();
                let first = self.run.current.take().unwrap_or(0);
                let mut winner: Option<(usize, Status)> = None;
                let mut ends_turn = false;
                for i in (first..all).chain(0..first) {
                    let result = self.child(i, game, now, pace);
                    if result.status.is_done() && winner.is_none_or(|(w, _)| i < w) {
                        winner = Some((i, result.status));
                    }
                    if result.ends_turn {
                        ends_turn = true;
                        self.run.current = Some((i + 1) % all);
                        break;
                    }
                }
                let Some((_, status)) = winner else {
                    return outcome(Status::Running, ends_turn);
                };
                self.abort_children(game);
                outcome(status, ends_turn)
            }
            Kind::Parallel { success, failure } => {
                self.parallel(usize::from(success), usize::from(failure), game, now, pace)
            }
            Kind::Repeat { count } => {
                let Outcome { status, ends_turn } = self.child(0, game, now, pace);
                if status.is_done() {
                    self.run.completions += 1;
                }
                if count > 0 && self.run.completions == count {
                    return outcome(Status::Success, ends_turn);
                }
                outcome(Status::Running, ends_turn)
            }
            Kind::Timeout { seconds } => {
                let since = *self.run.since.get_or_insert(now);
                let Outcome { status, ends_turn } = self.child(0, game, now, pace);
                if status == Status::Running && now - since >= f64::from(seconds) {
                    self.abort_children(game);
                    return outcome(Status::Failure, ends_turn);
                }
                outcome(status, ends_turn)
            }
            Kind::Cooldown { seconds } => {
                if self.ready_at.is_some_and(|ready| now < ready) {
                    return Outcome::FAILURE;
                }
                let outcome = self.child(0, game, now, pace);
                if outcome.status == Status::Success {
                    self.ready_at = Some(now + f64::from(seconds));
                }
                outcome
            }
            Kind::Invert => {
                let Outcome { status, ends_turn } = self.child(0, game, now, pace);
                let status = match status {
                    Status::Success => Status::Failure,
                    Status::Failure => Status::Success,
                    Status::Running => Status::Running,
                };
                outcome(status, ends_turn)
            }
            Kind::ForceSuccess(turn) | Kind::ForceFailure(turn) => {
                let result = self.child(0, game, now, pace);
                if result.status == Status::Running {
                    return result;
                }
                let success = matches!(self.kind, Kind::ForceSuccess(_));
                force(success, turn, result.ends_turn)
            }
            Kind::WithToken { wait, priority } => self.token(wait, priority, game, now, pace),
            Kind::WithWaypoint { wait, no_repeat } => {
                self.waypoint(wait, no_repeat, game, now, pace)
            }
        }
    }

    fn walk(
        &mut self,
        selector: bool,
        own: Pace,
        game: &mut Game,
        now: f64,
        pace: Pace,
    ) -> Outcome {
        let (onward, stop) = ends(selector);
        let first = self.run.current.take().unwrap_or(0);
        let mut ends_turn = false;
        for i in first..self.children.len() {
            let result = self.child(i, game, now, pace);
            ends_turn = result.ends_turn;
            if result.status == Status::Running {
                self.run.current = Some(i);
                return result;
            }
            if result.status == stop {
                return result;
            }
            let more = i + 1 < self.children.len();
            if more && (own == Pace::OneChildPerTick || ends_turn) {
                self.run.current = Some(i + 1);
                return outcome(Status::Running, ends_turn);
            }
        }
        outcome(onward, ends_turn)
    }

    fn react(&mut self, selector: bool, game: &mut Game, now: f64, pace: Pace) -> Outcome {
        let (onward, _) = ends(selector);
        let all = self.children.len();
        for i in self.run.current.take().unwrap_or(0)..all {
            let result = self.child(i, game, now, pace);
            let onward = result.status == onward;
            if onward && i + 1 < all && !result.ends_turn {
                continue;
            }
            // The turn is over, and goes on with the next child.
            let next = (onward && i + 1 < all).then_some(i + 1);
            self.run.current = next;
            // Other running children are not reached any more.
            for j in (0..all).filter(|j| *j != i && Some(*j) != next) {
                self.children[j].abort(game);
            }
            return match next {
                Some(_) => outcome(Status::Running, true),
                None => result,
            };
        }
        outcome(onward, false)
    }

    fn parallel(
        &mut self,
        success: usize,
        failure: usize,
        game: &mut Game,
        now: f64,
        pace: Pace,
    ) -> Outcome {
        let all = self.children.len();
        self.run.results.resize(all, None);
        let mut ends_turn = false;
        let first = self.run.current.take().unwrap_or(0);
        for i in (first..all).chain(0..first) {
            if self.run.results[i].is_none() {
                let result = self.child(i, game, now, pace);
                if result.status.is_done() {
                    self.run.results[i] = Some(result.status);
                }
                if result.ends_turn {
                    ends_turn = true;
                    self.run.current = Some((i + 1) % all);
                    break;
                }
            }
        }
        let threshold = |given: usize| if given == 0 { all } else { given };
        let count = |status| {
            let results = self.run.results.iter();
            results.filter(|r| **r == Some(status)).count()
        };
        let (good, bad) = (count(Status::Success), count(Status::Failure));
        let status = if good >= threshold(success) {
            Status::Success
        } else if bad >= threshold(failure) || good + bad == all {
            Status::Failure
        } else {
            return outcome(Status::Running, ends_turn);
        };
        self.abort_children(game);
        outcome(status, ends_turn)
    }

    /// Before anything else of a tick, whatever has lost its token stops.
    fn all_give_way(&mut self, game: &mut Game) {
        self.gives_way(game);
        for child in &mut self.children {
            child.all_give_way(game);
        }
    }

    fn gives_way(&mut self, game: &mut Game) {
        if self.run.token == Held::Yes && !game.state(self.id)[2] {
            self.abort_children(game);
            game.give_back(self.id);
            self.run.token = Held::Taken;
        }
    }

    fn token(
        &mut self,
        wait: f32,
        priority: i32,
        game: &mut Game,
        now: f64,
        pace: Pace,
    ) -> Outcome {
        if self.run.token == Held::Taken {
            return Outcome::FAILURE;
        }
        if self.run.token == Held::No {
            let since = *self.run.since.get_or_insert(now);
            let is_new = !game.state(self.id)[0];
            if is_new {
                game.requests += 1;
                game.claims.push((self.id, game.requests, priority));
            }
            let [_, is_promised, holds] = game.state(self.id);
            if !holds {
                let late = now - since >= f64::from(wait);
                return if late && !(is_new && is_promised) {
                    game.give_back(self.id);
                    Outcome::FAILURE
                } else {
                    Outcome::RUNNING
                };
            }
            self.run.token = Held::Yes;
        }
        self.child(0, game, now, pace)
    }

    fn waypoint(
        &mut self,
        wait: f32,
        no_repeat: bool,
        game: &mut Game,
        now: f64,
        pace: Pace,
    ) -> Outcome {
        if self.run.place.is_none() && !self.run.fallback {
            let waits = self.run.since.is_some() && wait < f32::INFINITY;
            let since = *self.run.since.get_or_insert(now);
            let last = self.last_place.filter(|_| no_repeat);
            let mut suitable: Vec<usize> = (0..3)
                .filter(|place| game.places[*place].is_none() && game.scores[*place] >= 0.0)
                .collect();
            suitable.sort_by(|a, b| game.scores[*b].total_cmp(&game.scores[*a]));
            let best = |failed: &[usize]| {
                let mut places = suitable.iter().filter(|place| !failed.contains(place));
                let other = places.clone().find(|place| Some(**place) != last);
                other.or(places.next().filter(|_| wait == f32::INFINITY))
            };
            let mut next = best(&self.failed_places);
            if next.is_none() && !waits && now - self.failed_at >= 2.0 {
                self.failed_places.clear();
                next = best(&[]);
            }
            if let Some(place) = next.copied() {
                game.places[place] = Some(self.id);
                game.destination = Some(place);
                self.run.place = Some(place);
                let outcome = self.child(0, game, now, pace);
                if outcome.status == Status::Failure {
                    self.failed_places.push(place);
                    self.failed_at = now;
                } else {
                    self.failed_places.clear();
                }
                return self.used(outcome);
            }
            if now - since < f64::from(wait) {
                return Outcome::RUNNING;
            }
            self.run.fallback = true;
        }
        if self.run.fallback {
            if self.children.len() < 2 {
                return Outcome::FAILURE;
            }
            return self.child(1, game, now, pace);
        }
        let outcome = self.child(0, game, now, pace);
        self.used(outcome)
    }

    fn used(&mut self, outcome: Outcome) -> Outcome {
        if outcome.status == Status::Success {
            self.last_place = self.run.place;
        }
        outcome
    }

    fn abort_children(&mut self, game: &mut Game) {
        for child in self.children.iter_mut().rev() {
            child.abort(game);
        }
    }
}

fn outcome(status: Status, ends_turn: bool) -> Outcome {
    Outcome { status, ends_turn }
}

/// The status that continues a walk, and the status that ends it.
fn ends(selector: bool) -> (Status, Status) {
    if selector {
        (Status::Failure, Status::Success)
    } else {
        (Status::Success, Status::Failure)
    }
}

fn force(success: bool, turn: TurnRule, ends_turn: bool) -> Outcome {
    let ends_turn = match turn {
        TurnRule::Keep => ends_turn,
        TurnRule::Ends => true,
        TurnRule::Continues => false,
    };
    let status = if success {
        Status::Success
    } else {
        Status::Failure
    };
    outcome(status, ends_turn)
}
