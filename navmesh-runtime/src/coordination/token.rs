//! Permits, of which there are only so many.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// How hard a game presses the player: the usual sizes of an attack pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggression {
    /// One attacker at a time.
    Low,
    /// Two.
    #[default]
    Medium,
    /// Three.
    High,
}

impl Aggression {
    /// How many tokens that is.
    pub const fn tokens(self) -> u32 {
        match self {
            Self::Low => 1,
            Self::Medium => 2,
            Self::High => 3,
        }
    }
}

impl From<Aggression> for u32 {
    fn from(aggression: Aggression) -> Self {
        aggression.tokens()
    }
}

/// A number of permits shared by many agents.
///
/// A pool is a handle; clones share the permits. The order of requests
/// decides who gets one, so agents ticked in a fixed order on one thread get
/// the same tokens every time. Ticked from several threads, no more tokens
/// than the limit are ever out, but which agent gets the last one depends on
/// the threads; a game that replays ticks the agents of one pool in a fixed
/// order, or gives each batch of agents a pool of its own.
///
/// ```
/// use navmesh_runtime::coordination::{Aggression, TokenPool};
///
/// let melee = TokenPool::new(Aggression::Low);
/// let first = melee.request(0).expect("nobody holds it yet");
/// assert!(melee.request(0).is_none(), "refused: equals never steal");
///
/// let second = melee.request(1).expect("a higher priority takes it");
/// assert!(!first.is_held());
/// drop(first); // gives nothing back: it has lost its token already
/// assert_eq!(melee.held(), 1);
///
/// drop(second);
/// assert_eq!(melee.free(), 1);
/// ```
#[derive(Clone)]
pub struct TokenPool(Arc<Mutex<Ledger>>);

struct Ledger {
    limit: u32,
    next_ticket: u64,
    /// Oldest first.
    held: Vec<Held>,
}

#[derive(Clone, Copy)]
struct Held {
    ticket: u64,
    priority: i32,
}

impl TokenPool {
    /// A pool of that many tokens (a number, or an [`Aggression`]).
    pub fn new(limit: impl Into<u32>) -> Self {
        let limit = limit.into();
        Self(Arc::new(Mutex::new(Ledger {
            limit,
            next_ticket: 0,
            held: Vec::with_capacity(limit.min(1024) as usize),
        })))
    }

    /// Asks for a token. `None` is a refusal.
    ///
    /// When none is free, the holder with the lowest priority below
    /// `priority` loses its token to the requester; among several, the one
    /// that has held it longest. Equals never take from each other.
    #[must_use = "a token that is dropped is given back at once"]
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
        let ticket = ledger.next_ticket;
        ledger.next_ticket += 1;
        ledger.held.push(Held { ticket, priority });
        drop(ledger);
        Some(Token {
            pool: self.clone(),
            ticket,
        })
    }

    /// How many tokens may be out at once.
    pub fn limit(&self) -> u32 {
        self.ledger().limit
    }

    /// Changes how many tokens may be out at once. Nobody loses one: when
    /// more are out than the new limit, none is granted until enough are back
    /// (a higher priority can still take one over).
    pub fn set_limit(&self, limit: impl Into<u32>) {
        let mut ledger = self.ledger();
        ledger.limit = limit.into();
        // Reserved here, so that no request has to.
        let room = (ledger.limit.min(1024) as usize).saturating_sub(ledger.held.len());
        ledger.held.reserve(room);
    }

    /// How many tokens are out.
    pub fn held(&self) -> u32 {
        self.ledger().held.len() as u32
    }

    /// How many more can be granted.
    pub fn free(&self) -> u32 {
        let ledger = self.ledger();
        ledger.limit.saturating_sub(ledger.held.len() as u32)
    }

    /// Whether two handles belong to one pool.
    pub fn same_pool(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // No code of the game runs under the lock, so a poisoned ledger is
        // still a consistent one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TokenPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ledger = self.ledger();
        f.debug_struct("TokenPool")
            .field("limit", &ledger.limit)
            .field("held", &ledger.held.len())
            .finish()
    }
}

/// A permit, given back when dropped.
///
/// It can neither be cloned nor released twice; one that was taken by a higher
/// priority gives nothing back.
#[must_use = "a token that is dropped is given back at once"]
pub struct Token {
    pool: TokenPool,
    ticket: u64,
}

impl Token {
    /// Whether it is still good: nobody took it.
    pub fn is_held(&self) -> bool {
        self.pool
            .ledger()
            .held
            .iter()
            .any(|held| held.ticket == self.ticket)
    }

    /// Changes the priority it is held with. `false` when somebody took it.
    #[must_use = "`false` means that somebody took the token"]
    pub fn renew(&self, priority: i32) -> bool {
        let mut ledger = self.pool.ledger();
        let held = ledger.held.iter_mut().find(|h| h.ticket == self.ticket);
        held.is_some_and(|held| {
            held.priority = priority;
            true
        })
    }

    /// The pool it came from.
    pub fn pool(&self) -> &TokenPool {
        &self.pool
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let mut ledger = self.pool.ledger();
        let ticket = self.ticket;
        ledger.held.retain(|held| held.ticket != ticket);
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token")
            .field("ticket", &self.ticket)
            .field("held", &self.is_held())
            .finish_non_exhaustive()
    }
}
