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
    held: Vec<Held>,
    /// Requests of trees that are not granted yet: the highest priority first, and the oldest
    /// of equals.
    waiting: Vec<Waiting>,
    /// How many of these get the tokens of holders that must give way.
    promised: usize,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    ticket: u64,
    priority: i32,
    /// Of two holders, the one with the lower number was granted its token first.
    since: u64,
    /// Whether the holder must give its token to a request that waits.
    gives_way: bool,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    ticket: u64,
    priority: i32,
}

impl Waiting {
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

/// A token between saving and loading.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct SavedToken {
    ticket: u64,
    priority: i32,
    /// `None` while it waits.
    since: Option<u64>,
    /// Whether its holder must give way; while it waits, whether one must give way to it.
    changes_hands: bool,
}

impl Ledger {
    fn take_ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket - 1
    }

    fn grant(&mut self, ticket: u64, priority: i32) {
        let since = self.take_ticket();
        self.held.push(Held {
            ticket,
            priority,
            since,
            gives_way: false,
        });
    }

    /// The place in line of a request, or where it belongs.
    fn place(&self, ticket: u64, priority: i32) -> Result<usize, usize> {
        let key = Waiting { ticket, priority }.key();
        self.waiting.binary_search_by_key(&key, Waiting::key)
    }

    fn wait(&mut self, ticket: u64, priority: i32) {
        if let Err(place) = self.place(ticket, priority) {
            self.waiting.insert(place, Waiting { ticket, priority });
        }
    }

    fn remove(&mut self, ticket: u64, priority: i32) {
        if let Ok(place) = self.place(ticket, priority) {
            self.waiting.remove(place);
        } else {
            self.held.retain(|held| held.ticket != ticket);
        }
        self.settle();
    }

    /// Grants free tokens in the order of the line, and decides again which holders must
    /// give way to the rest.
    fn settle(&mut self) {
        if self.waiting.is_empty() && self.promised == 0 {
            return; // the usual case
        }
        let free = (self.limit as usize).saturating_sub(self.held.len());
        for i in 0..free.min(self.waiting.len()) {
            let Waiting { ticket, priority } = self.waiting[i];
            self.grant(ticket, priority);
        }
        self.waiting.drain(..free.min(self.waiting.len()));
        for held in &mut self.held {
            held.gives_way = false;
        }
        // The line is sorted, so no request behind one without a weaker holder has one.
        self.promised = 0;
        for waiting in &self.waiting {
            let stay = self.held.iter_mut().filter(|held| !held.gives_way);
            match stay.min_by_key(|held| held.priority) {
                Some(held) if held.priority < waiting.priority => held.gives_way = true,
                _ => break,
            }
            self.promised += 1;
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
            promised: 0,
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
        let ticket = ledger.take_ticket();
        ledger.grant(ticket, priority);
        ledger.settle();
        drop(ledger);
        Some(self.token(ticket, priority))
    }

    /// Gets in line for a token, for holders that check in each tick what has become of it:
    /// first come, first served, but higher priorities before lower ones. A token that
    /// a lower priority holds is [promised](TokenState::Promised), and granted once that
    /// holder has dropped it.
    pub(crate) fn claim(&self, priority: i32) -> Token {
        let mut ledger = self.ledger();
        let ticket = ledger.take_ticket();
        ledger.wait(ticket, priority);
        ledger.settle();
        drop(ledger);
        self.token(ticket, priority)
    }

    /// Puts a saved token back. Its pool may be a new one: the saved tokens are in the
    /// same order as before. `None` if another agent has the same, or no game counts so far.
    pub(crate) fn restore(&self, saved: SavedToken) -> Option<Token> {
        let SavedToken {
            ticket,
            priority,
            since,
            changes_hands,
        } = saved;
        let mut ledger = self.ledger();
        let next = ticket.max(since.unwrap_or(0)).checked_add(1);
        let next = next.filter(|next| *next < u64::MAX / 2)?;
        let held = ledger.held.iter().map(|held| held.ticket);
        let mut known = held.chain(ledger.waiting.iter().map(|waiting| waiting.ticket));
        if known.any(|known| known == ticket) {
            return None;
        }
        ledger.next_ticket = ledger.next_ticket.max(next);
        if let Some(since) = since {
            let place = ledger.held.partition_point(|held| held.since <= since);
            let held = Held {
                ticket,
                priority,
                since,
                gives_way: changes_hands,
            };
            ledger.held.insert(place, held);
        } else {
            ledger.wait(ticket, priority);
            ledger.promised += usize::from(changes_hands);
        }
        drop(ledger);
        Some(self.token(ticket, priority))
    }

    /// Reserves memory for the requests of all states that are bound to the pool, so that
    /// [`claim`](Self::claim) does not allocate.
    pub(crate) fn reserve(&self) {
        let handles = Arc::strong_count(&self.0);
        let mut ledger = self.ledger();
        let room = handles.saturating_sub(ledger.waiting.len());
        ledger.waiting.reserve(room);
    }

    fn token(&self, ticket: u64, priority: i32) -> Token {
        Token {
            pool: self.clone(),
            ticket,
            priority,
        }
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
    priority: i32,
}

impl Token {
    /// Whether the token is still held: no higher priority took it.
    pub fn is_held(&self) -> bool {
        let ledger = self.pool.ledger();
        ledger.held.iter().any(|held| held.ticket == self.ticket)
    }

    /// Changes the priority, and returns the state of the token then.
    pub(crate) fn state(&mut self, priority: i32) -> TokenState {
        let mut ledger = self.pool.ledger();
        if self.priority != priority {
            let mut held = ledger.held.iter_mut();
            if let Some(held) = held.find(|held| held.ticket == self.ticket) {
                held.priority = priority;
            } else if let Ok(place) = ledger.place(self.ticket, self.priority) {
                ledger.waiting.remove(place);
                ledger.wait(self.ticket, priority);
            }
            self.priority = priority;
            ledger.settle();
        }
        let mut held = ledger.held.iter();
        match held.find(|held| held.ticket == self.ticket) {
            Some(held) if held.gives_way => TokenState::GivesWay,
            Some(_) => TokenState::Held,
            None => match ledger.place(self.ticket, self.priority) {
                Ok(place) if place < ledger.promised => TokenState::Promised,
                Ok(_) => TokenState::Waiting,
                Err(_) => TokenState::Lost,
            },
        }
    }

    /// Its form in a saved game; `None` when it was taken.
    pub(crate) fn save(&self) -> Option<SavedToken> {
        let ledger = self.pool.ledger();
        let held = ledger.held.iter().find(|held| held.ticket == self.ticket);
        let place = ledger.place(self.ticket, self.priority).ok();
        let is_promised = place.map(|place| place < ledger.promised);
        Some(SavedToken {
            ticket: self.ticket,
            priority: self.priority,
            since: held.map(|held| held.since),
            changes_hands: held.map(|held| held.gives_way).or(is_promised)?,
        })
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        self.pool.ledger().remove(self.ticket, self.priority);
    }
}
