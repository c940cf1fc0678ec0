//! Permits that agents share, such as permission to attack.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The usual sizes of a pool of attack tokens.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize,
)]
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
    /// Oldest first.
    held: Vec<Held>,
    /// Tickets that get the tokens of the holders that must give way. Oldest
    /// first. Each has one such holder, with a lower priority.
    claims: Vec<Held>,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    ticket: u64,
    priority: i32,
    /// Whether the holder must give its token to a claim.
    gives_way: bool,
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
    /// A higher priority took it.
    Lost,
}

impl Ledger {
    fn take_ticket(&mut self, priority: i32) -> Held {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        Held {
            ticket,
            priority,
            gives_way: false,
        }
    }

    fn remove(&mut self, ticket: u64) {
        self.held.retain(|held| held.ticket != ticket);
        self.claims.retain(|claim| claim.ticket != ticket);
        self.settle();
    }

    /// Grants free tokens to the claims, and decides again which holders must
    /// give way to the rest. A claim for which there is no weaker holder any
    /// more is lost.
    fn settle(&mut self) {
        if self.claims.is_empty() && !self.held.iter().any(|held| held.gives_way) {
            return; // the usual case
        }
        // The highest priority first, and the oldest of equals. A stable sort
        // would allocate.
        self.claims
            .sort_unstable_by_key(|claim| (-i64::from(claim.priority), claim.ticket));
        let free = (self.limit as usize).saturating_sub(self.held.len());
        let granted = free.min(self.claims.len());
        self.held.extend(self.claims.drain(..granted));
        for held in &mut self.held {
            held.gives_way = false;
        }
        let holders = &mut self.held;
        self.claims.retain(|claim| {
            let weaker = holders
                .iter_mut()
                .filter(|held| !held.gives_way && held.priority < claim.priority)
                .min_by_key(|held| held.priority);
            weaker.map(|held| held.gives_way = true).is_some()
        });
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
            claims: Vec::with_capacity(limit.min(RESERVED) as usize),
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
        let held = ledger.take_ticket(priority);
        ledger.held.push(held);
        ledger.settle();
        drop(ledger);
        Some(self.token(held.ticket))
    }

    /// Like [`request`](Self::request), for holders that check in each tick
    /// whether they must [give way](TokenState::GivesWay): a token that
    /// another holder has is [promised](TokenState::Promised), and granted
    /// once that holder has dropped it.
    pub(crate) fn claim(&self, priority: i32) -> Option<Token> {
        let mut ledger = self.ledger();
        let held = ledger.take_ticket(priority);
        ledger.claims.push(held);
        ledger.settle();
        let mut all = ledger.held.iter().chain(&ledger.claims);
        let is_granted = all.any(|other| other.ticket == held.ticket);
        drop(ledger);
        is_granted.then(|| self.token(held.ticket))
    }

    fn token(&self, ticket: u64) -> Token {
        Token {
            pool: self.clone(),
            ticket,
        }
    }

    /// How many tokens may be held at once.
    pub fn limit(&self) -> u32 {
        self.ledger().limit
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
    ticket: u64,
}

impl Token {
    /// Whether the token is still held: no higher priority took it.
    pub fn is_held(&self) -> bool {
        let ledger = self.pool.ledger();
        ledger.held.iter().any(|held| held.ticket == self.ticket)
    }

    /// Changes the priority, and returns the state of the token then.
    pub(crate) fn state(&self, priority: i32) -> TokenState {
        let mut ledger = self.pool.ledger();
        let Ledger { held, claims, .. } = &mut *ledger;
        let mut all = held.iter_mut().chain(claims);
        if let Some(mine) = all.find(|mine| mine.ticket == self.ticket)
            && mine.priority != priority
        {
            mine.priority = priority;
            ledger.settle();
        }
        let mut held = ledger.held.iter();
        let mut claims = ledger.claims.iter();
        match held.find(|held| held.ticket == self.ticket) {
            Some(held) if held.gives_way => TokenState::GivesWay,
            Some(_) => TokenState::Held,
            None if claims.any(|claim| claim.ticket == self.ticket) => TokenState::Promised,
            None => TokenState::Lost,
        }
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        self.pool.ledger().remove(self.ticket);
    }
}
