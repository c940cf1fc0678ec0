//! Permits that agents share, such as permission to attack.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// The usual sizes of a pool of attack tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggression {
    /// One attacker at a time.
    Low,
    /// Two attackers at a time.
    #[default]
    Medium,
    /// Three attackers at a time.
    High,
}

impl From<Aggression> for u32 {
    fn from(aggression: Aggression) -> Self {
        match aggression {
            Aggression::Low => 1,
            Aggression::Medium => 2,
            Aggression::High => 3,
        }
    }
}

/// A number of permits shared by many agents.
///
/// A pool is a handle; clones share the permits. The order of requests decides
/// which agent gets one, so agents that are ticked in a fixed order on one
/// thread get the same tokens every time. With several threads, the pool never
/// grants more tokens than its limit, but which agent gets the last one depends
/// on timing. A game that must replay exactly ticks the agents of one pool in a
/// fixed order, or gives each thread's agents a pool of their own.
///
/// ```
/// use navmesh_behavior::{Aggression, TokenPool};
///
/// let melee = TokenPool::new(Aggression::Low);
/// let first = melee.request(0).expect("the pool is full");
/// assert!(melee.request(0).is_none(), "equal priorities do not take tokens");
///
/// let second = melee.request(1).expect("a higher priority takes the token");
/// assert!(!first.is_held());
/// drop(first); // it has lost its token, so it returns none
/// assert_eq!(melee.held(), 1);
///
/// drop(second);
/// assert_eq!(melee.held(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct TokenPool(Arc<Mutex<Ledger>>);

/// For how many holders a pool reserves memory at most, so that a limit of
/// `u32::MAX`, which stands for "unlimited", does not reserve gigabytes. A pool
/// with more holders allocates as they come.
const RESERVED: u32 = 1024;

#[derive(Debug)]
struct Ledger {
    limit: u32,
    next_ticket: u64,
    /// The one that has held its token longest first.
    held: Vec<Request>,
    /// Requests of trees that are not granted yet: the highest priority first, and the oldest
    /// of equals.
    waiting: Vec<Request>,
}

/// A request for a token, also between saving and loading.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Request {
    ticket: u64,
    priority: i32,
    /// `None` while it waits. Of two holders, the one with the lower number was granted its
    /// token first.
    since: Option<u64>,
}

impl Request {
    /// Its place in line.
    fn key(&self) -> (i64, u64) {
        (-i64::from(self.priority), self.ticket)
    }
}

/// What has become of a [`Token`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenState {
    /// It is held, and no agent with a higher priority claims it.
    Held,
    /// Its holder must give way: drop it.
    GivesWay,
    /// It is granted as soon as another holder has given way.
    Promised,
    /// It is granted when its turn has come.
    Waiting,
    /// A higher priority took it.
    Lost,
}

impl Ledger {
    /// A number that is greater than all before.
    fn count(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket - 1
    }

    fn request(&mut self, priority: i32) -> Request {
        Request {
            ticket: self.count(),
            priority,
            since: None,
        }
    }

    fn grant(&mut self, request: Request) {
        let since = Some(self.count());
        self.held.push(Request { since, ..request });
    }

    fn holder(&self, request: &Request) -> Option<usize> {
        let mut held = self.held.iter();
        held.position(|held| held.ticket == request.ticket)
    }

    /// The place in line of a request, or where it belongs.
    fn place(&self, request: &Request) -> Result<usize, usize> {
        self.waiting
            .binary_search_by_key(&request.key(), Request::key)
    }

    fn wait(&mut self, request: Request) {
        if let Err(place) = self.place(&request) {
            self.waiting.insert(place, request);
        }
    }

    fn remove(&mut self, request: &Request) {
        if let Ok(place) = self.place(request) {
            self.waiting.remove(place);
        } else {
            self.held.retain(|held| held.ticket != request.ticket);
        }
        self.settle();
    }

    /// Grants free tokens in the order of the line.
    fn settle(&mut self) {
        while self.held.len() < self.limit as usize && !self.waiting.is_empty() {
            let first = self.waiting.remove(0);
            self.grant(first);
        }
    }

    /// The first in line gets the token of the weakest holder, the second that of the next
    /// weakest, and so on, as long as its priority is higher than that of the holder.
    fn state(&self, request: &Request) -> TokenState {
        if let Some(at) = self.holder(request) {
            let own = (self.held[at].priority, at);
            let others = self.held.iter().zip(0..);
            let weaker = others.filter(|(held, at)| (held.priority, *at) < own);
            let taker = self.waiting.get(weaker.count());
            return match taker.filter(|taker| taker.priority > own.0) {
                Some(_) => TokenState::GivesWay,
                None => TokenState::Held,
            };
        }
        let held = self.held.iter();
        let weaker = held.filter(|held| held.priority < request.priority);
        match self.place(request) {
            Ok(place) if place < weaker.count() => TokenState::Promised,
            Ok(_) => TokenState::Waiting,
            Err(_) => TokenState::Lost,
        }
    }
}

impl TokenPool {
    /// A pool of that many tokens (a number, or an [`Aggression`]).
    pub fn new(limit: impl Into<u32>) -> Self {
        let limit = limit.into();
        Self(Arc::new(Mutex::new(Ledger {
            limit,
            next_ticket: 0,
            held: Vec::with_capacity(limit.min(RESERVED) as usize),
            waiting: Vec::new(),
        })))
    }

    /// Asks for a token; `None` when it is refused.
    ///
    /// When none is free, the holder with the lowest priority loses its token
    /// to the requester, if that priority is below `priority`; among several
    /// such holders, the one that has held its token longest. The holder finds
    /// out with [`Token::is_held`]. (Behaviour trees wait until the holder has
    /// stopped.)
    pub fn request(&self, priority: i32) -> Option<Token> {
        let mut ledger = self.ledger();
        if ledger.held.len() >= ledger.limit as usize {
            if ledger.limit == 0 {
                return None;
            }
            let (at, weakest) = ledger
                .held
                .iter()
                .enumerate()
                .min_by_key(|(_, held)| held.priority)?;
            if weakest.priority >= priority {
                return None;
            }
            ledger.held.remove(at);
        }
        let request = ledger.request(priority);
        ledger.grant(request);
        Some(self.token(request))
    }

    /// Gets in line for a token, for holders that check in each tick what has become of it:
    /// first come, first served, but higher priorities before lower ones. A token that
    /// a lower priority holds is [promised](TokenState::Promised), and granted once that
    /// holder has dropped it.
    pub(crate) fn claim(&self, priority: i32) -> Token {
        let mut ledger = self.ledger();
        let request = ledger.request(priority);
        ledger.wait(request);
        ledger.settle();
        self.token(request)
    }

    /// Puts a saved token back. Its pool may be a new one: the saved tokens are in the
    /// same order as before. `None` if another agent has the same, or no game counts so far.
    pub(crate) fn restore(&self, saved: Request) -> Option<Token> {
        let mut ledger = self.ledger();
        let next = saved.ticket.max(saved.since.unwrap_or(0)).checked_add(1);
        let next = next.filter(|next| *next < u64::MAX / 2)?;
        let mut known = ledger.held.iter().chain(&ledger.waiting);
        if known.any(|known| known.ticket == saved.ticket) {
            return None;
        }
        ledger.next_ticket = ledger.next_ticket.max(next);
        if saved.since.is_some() {
            let place = ledger
                .held
                .partition_point(|held| held.since <= saved.since);
            ledger.held.insert(place, saved);
        } else {
            ledger.wait(saved);
        }
        Some(self.token(saved))
    }

    /// Reserves memory for the requests of all states that are bound to the pool, so that
    /// [`claim`](Self::claim) does not allocate.
    pub(crate) fn reserve(&self) {
        let handles = Arc::strong_count(&self.0);
        let mut ledger = self.ledger();
        let room = handles.saturating_sub(ledger.waiting.len());
        ledger.waiting.reserve(room);
    }

    fn token(&self, request: Request) -> Token {
        let pool = self.clone();
        Token { pool, request }
    }

    /// Changes how many tokens may be held at once. No holder loses its token:
    /// when more are held than the new limit, none is granted until enough are
    /// returned (a higher priority can still take one).
    pub fn set_limit(&self, limit: impl Into<u32>) {
        let mut ledger = self.ledger();
        ledger.limit = limit.into();
        // Reserved here, so that `request` does not allocate.
        let room = (ledger.limit.min(RESERVED) as usize).saturating_sub(ledger.held.len());
        ledger.held.reserve(room);
        ledger.settle();
    }

    /// How many tokens are held.
    pub fn held(&self) -> u32 {
        self.ledger().held.len() as u32
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // No code of the game runs under the lock, so the ledger is consistent
        // even when the lock is poisoned.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A permit, returned to its pool when dropped.
///
/// A token that was taken by a higher priority returns nothing.
#[must_use = "a token is returned to its pool when it is dropped"]
#[derive(Debug)]
pub struct Token {
    pool: TokenPool,
    request: Request,
}

impl Token {
    /// Whether the token is still held: no higher priority took it.
    pub fn is_held(&self) -> bool {
        self.pool.ledger().holder(&self.request).is_some()
    }

    /// Changes the priority, and returns the state of the token then.
    pub(crate) fn state(&mut self, priority: i32) -> TokenState {
        let mut ledger = self.pool.ledger();
        if self.request.priority != priority {
            let place = ledger.place(&self.request);
            self.request.priority = priority;
            if let Some(at) = ledger.holder(&self.request) {
                ledger.held[at].priority = priority;
            } else if let Ok(place) = place {
                ledger.waiting.remove(place);
                ledger.wait(self.request);
            }
        }
        ledger.state(&self.request)
    }

    /// Its form in a saved game; `None` when it was taken.
    pub(crate) fn save(&self) -> Option<Request> {
        let ledger = self.pool.ledger();
        let held = ledger.holder(&self.request).map(|at| ledger.held[at]);
        held.or_else(|| Some(ledger.waiting[ledger.place(&self.request).ok()?]))
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        self.pool.ledger().remove(&self.request);
    }
}
