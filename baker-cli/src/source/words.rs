//! The words by which levels say what is collision, and the weights of what speaks for it:
//! `words.toml`, one table for names of layers, objects and values, for classes and for
//! properties.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::rule::Meaning;
use navmesh_bake::PassDirection;

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Solid, in a word that is used for collision only.
    Collision,
    /// Solid, in a word that layers of pictures have too.
    Ground,
    /// A block on a tile layer that stands alone, else one-way.
    Platform,
    OneWay(PassDirection),
    Hazard,
    Ladder,
    /// Not collision.
    Nothing,
}

impl Word {
    /// The collision that it says.
    pub const fn meaning(self) -> Meaning {
        match self {
            Self::Collision | Self::Ground => Meaning::Solid,
            Self::Platform => Meaning::OneWay(PassDirection::Up),
            Self::OneWay(way) => Meaning::OneWay(way),
            Self::Hazard => Meaning::Hazard,
            Self::Ladder => Meaning::Ladder,
            Self::Nothing => Meaning::Empty,
        }
    }
}

/// Words, written with spaces between.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "String")]
pub struct List(Vec<String>);

impl From<String> for List {
    fn from(text: String) -> Self {
        Self(text.split_whitespace().map(str::to_owned).collect())
    }
}

impl List {
    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|known| known == word)
    }
}

/// Defines a struct of entries by name, which is read from a table with exactly these names. A
/// derived `Deserialize` of so many fields is the largest function of the baker.
macro_rules! table {
    ($(#[$doc:meta])* $type:ident: $entry:ident; $($name:ident)*) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub struct $type { $(pub $name: $entry,)* }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let mut table = BTreeMap::<String, $entry>::deserialize(from)?;
                let mut take = |name| table.remove(name).ok_or_else(|| D::Error::missing_field(name));
                let entries = Self { $($name: take(stringify!($name))?,)* };
                match table.pop_first() {
                    Some((name, _)) => Err(D::Error::custom(name)),
                    None => Ok(entries),
                }
            }
        }
    };
}

table! {
    /// The lists of words; `words.toml` says what each is for.
    Words: List;
    collision ground platform one_way hazard ladder nothing likely harm kind noise infix
    negation decoration scenery movement motion mark thing land creature material block obstacle
    air mask other
}

/// Something that speaks for a meaning: its weight, and the text for messages, in which
/// `{}` is a name.
#[derive(Debug, Default, Deserialize)]
pub struct Cue(pub f64, pub String);

table! {
    /// What speaks for a meaning; `words.toml` says what each is.
    Cues: Cue;
    prior has_floor other_one_way other_hazard own of_layer shapes strong_name special_name
    ground_name platform_name platform_else hidden moves decoration happens shown is_thing
    is_other picture drawn marked whole_shape heap more unknown_value last_word elsewhere
    covered fills_map buried hint hint_sharp misspelt likely ground_word about_collision scenery
    pickups places open_thing value material outline line like_floor size low carries lone land
    thin rests rests_sharp slope color no_color black_sky black_air white_wall marks most
    cut_out lower_edge upper_edge lies_low few rest_clear on_black black_solid
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    words: Words,
    cues: Cues,
}

const TEXT: &str = include_str!("words.toml");

/// A test checks that the text can be parsed.
static TABLE: LazyLock<Table> = LazyLock::new(|| toml::from_str(TEXT).unwrap_or_default());

pub fn lists() -> &'static Words {
    &TABLE.words
}

pub fn cues() -> &'static Cues {
    &TABLE.cues
}

/// The words of the table, with their meanings.
fn table() -> [(Word, &'static List); 7] {
    let words = lists();
    [
        (Word::Collision, &words.collision),
        (Word::Ground, &words.ground),
        (Word::Platform, &words.platform),
        (Word::OneWay(PassDirection::Up), &words.one_way),
        (Word::Hazard, &words.hazard),
        (Word::Ladder, &words.ladder),
        (Word::Nothing, &words.nothing),
    ]
}

/// The most words of a name that are looked up together: `one way left`.
const MAX_RUN: usize = 3;

/// The words of a name in lower case and singular, split at case changes, digits and
/// punctuation, without those that say nothing.
fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars().filter(|c| !matches!(c, '\'' | '\u{2019}')) {
        let begins = c.is_uppercase() && lower_before;
        if (begins || !c.is_alphabetic()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && c.is_alphabetic()
        {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase();
    }
    for word in &mut words {
        let sibilants = ["xes", "ches", "shes", "sses"];
        if word.len() > 4 && sibilants.iter().any(|end| word.ends_with(end)) {
            word.truncate(word.len() - 2);
        } else if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
            word.pop();
        }
    }
    words.retain(|word| !word.is_empty() && !lists().noise.has(word));
    words
}

/// Whether one of the words of a name is in a list.
pub fn has_word(name: &str, list: &List) -> bool {
    split(name).iter().any(|word| list.has(word))
}

/// Whether a name as a whole is a word of a list.
pub fn is_word(name: &str, list: &List) -> bool {
    list.has(&split(name).concat())
}

fn look_up(word: &str) -> Option<Word> {
    if let Some((meaning, _)) = table().iter().find(|(_, list)| list.has(word)) {
        return Some(*meaning);
    }
    let mut platforms = ["platform", "plat"].into_iter();
    if platforms.any(|platform| word.strip_suffix(platform).is_some_and(is_one_way)) {
        return Some(Word::OneWay(PassDirection::Up));
    }
    PassDirection::of(word.strip_prefix("oneway")?).map(Word::OneWay)
}

fn is_one_way(word: &str) -> bool {
    matches!(look_up(word), Some(Word::OneWay(_)))
}

/// The meaning of a class, property or object name: all of it must be a word of the
/// table.
pub fn exact(name: &str) -> Option<Word> {
    look_up(&split(name).concat())
}

/// The meaning of a layer's name: like [`exact`], but words of collision may have
/// others beside them, such as a special kind: `OneWayCollision`.
pub fn of_layer(name: &str) -> Option<Word> {
    let words = split(name);
    if let Some(word) = look_up(&words.concat()) {
        return Some(word);
    }
    if !is_about_collision(&words) || has_word(name, &lists().mark) {
        return None;
    }
    let runs = (1..=MAX_RUN.min(words.len())).rev();
    let mut runs = runs.flat_map(|length| words.windows(length).map(<[String]>::concat));
    let special = runs.find_map(|run| {
        look_up(&run).filter(|word| matches!(word, Word::OneWay(_) | Word::Hazard | Word::Ladder))
    });
    Some(special.unwrap_or(Word::Collision))
}

/// Whether a word of collision, but none that negates it, is among the words. Long ones
/// count also as a part of a word: `collisionblocks`.
fn is_about_collision(words: &[String]) -> bool {
    let is_part = |word: &str, part: &str| word == part || part.len() > 5 && word.contains(part);
    let has = |list: &List| {
        let has_part = |word: &String| list.0.iter().any(|part| is_part(word, part));
        words.iter().any(has_part)
    };
    has(&lists().infix) && !has(&lists().negation)
}

/// The meaning of the name of an `IntGrid` value: like [`exact`], but its last word may
/// say it too (`dark_wall`), and hazards and ladders any word.
pub fn of_value(name: &str) -> Option<Word> {
    if let Some(word) = exact(name) {
        return Some(word);
    }
    if has_word(name, &lists().air) || has_word(name, &lists().decoration) {
        return Some(Word::Nothing);
    }
    let words = split(name);
    let mut single = words.iter().filter_map(|word| look_up(word));
    if let Some(word) = single.find(|word| matches!(word, Word::Hazard | Word::Ladder)) {
        return (!has_word(name, &lists().negation)).then_some(word);
    }
    let last = words.last().and_then(|word| look_up(word))?;
    matches!(last, Word::Collision | Word::Ground | Word::Platform).then_some(last)
}

/// Whether a value is not collision by one of its words, but solid by the last: a
/// `light_wall` may be light on a wall, or a wall of a light colour.
pub fn is_doubtful(name: &str) -> bool {
    let last = split(name).pop().and_then(|word| look_up(&word));
    matches!(last, Some(Word::Collision | Word::Ground))
        && of_value(name) == Some(Word::Nothing)
        && exact(name) != Some(Word::Nothing)
        && !has_word(name, &lists().air)
}

/// The meaning of one of several words of a name: one-way for `stationary platforms`,
/// solid for `finish collision`. Words for ground are in names of pictures too often.
pub fn hint(name: &str) -> Option<Meaning> {
    let words = split(name);
    let pairs = words.windows(2).map(<[String]>::concat);
    let mut each = words.iter().cloned().chain(pairs);
    let special = each.find_map(|word| match look_up(&word) {
        Some(word @ (Word::Platform | Word::OneWay(_) | Word::Hazard | Word::Ladder)) => {
            Some(word.meaning())
        }
        None if lists().harm.has(&word) => Some(Meaning::Hazard),
        _ => None,
    });
    let is_solid = exact(name) == Some(Word::Collision) || is_about_collision(&words);
    special.or_else(|| is_solid.then_some(Meaning::Solid))
}

/// Whether one word of a name says that tiles are slopes.
pub fn is_slope(name: &str) -> bool {
    split(name).iter().any(|word| word == "slope")
}

/// Whether a name says nothing, as `Tile Layer 1` does.
pub fn is_default(name: &str) -> bool {
    split(name).is_empty()
}

/// Whether an object of this name or class is a creature, a pick-up, or a place where
/// something happens, and no ground.
pub fn is_thing(name: &str) -> bool {
    let words = lists();
    let mut lists = [&words.mark, &words.decoration, &words.thing].into_iter();
    lists.any(|list| has_word(name, list)) && !has_solid_word(name)
}

/// Whether one of the words of a name is ground.
pub fn has_ground_word(name: &str) -> bool {
    let words = split(name);
    let mut words = words.iter().map(|word| look_up(word));
    words.any(|word| word == Some(Word::Ground))
}

fn has_solid_word(name: &str) -> bool {
    let words = split(name);
    let mut words = words.iter().map(|word| look_up(word));
    words.any(|word| matches!(word, Some(Word::Collision | Word::Ground | Word::Platform)))
}

/// Whether an object of this name or class, in a layer that is solid by its name, is
/// probably ground too.
pub fn is_ground(name: &str) -> bool {
    let words = lists();
    let mut lists = [&words.land, &words.material, &words.obstacle].into_iter();
    is_default(name) || has_solid_word(name) || lists.any(|list| has_word(name, list))
}

/// Whether bodies may stand on an object or a layer of this name: a crate, or ground in
/// another language.
pub fn is_likely_solid(name: &str) -> bool {
    let words = split(name);
    let is_last = words.last().is_some_and(|word| lists().obstacle.has(word));
    let is_else = is_thing(name) || has_word(name, &lists().movement);
    (is_last && !is_else && hint(name) != Some(Meaning::Hazard)) || is_word(name, &lists().likely)
}

/// The word of the table that a name misspells by one letter: `soild` for `solid`, or
/// `one_way_platfrom` for `oneway`. Words of four letters have too many neighbours, such
/// as `ball` and `well`; `walll` and `wal` have the same letters. A letter that stands
/// alone is a suffix: `spike_r`.
pub fn misspelt(name: &str) -> Option<(&'static str, Meaning)> {
    let words = split(name);
    let name = words.concat();
    let has_suffix = words.iter().any(|word| word.chars().count() == 1);
    if has_suffix || look_up(&name).is_some() || lists().other.has(&name) {
        return None;
    }
    let has_all = |word: &str, letters: &str| letters.chars().all(|c| word.contains(c));
    let is_meant = |word: &str| match word.len() {
        0..=4 => is_one_edit(&name, word) && has_all(word, &name) && has_all(&name, word),
        _ => name.len() >= 5 && is_one_edit(&name, word),
    };
    let words = table().into_iter();
    let mut words = words.flat_map(|(word, list)| list.0.iter().map(move |text| (word, text)));
    let (word, text) = words.find(|(_, word)| {
        is_meant(word) || (is_one_way(word) && is_meant(&format!("{word}platform")))
    })?;
    Some((text, word.meaning()))
}

/// Whether two words differ by one letter that is added, missing, replaced, or exchanged
/// with its neighbour.
pub fn is_one_edit(a: &str, b: &str) -> bool {
    // Most pairs of names differ by more than a character, of at most four bytes.
    a.len().abs_diff(b.len()) <= 4 && strsim::osa_distance(a, b) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Word = Word::OneWay(PassDirection::Up);

    #[test]
    fn the_table_can_be_parsed_and_has_each_word_once() {
        let table: Table = toml::from_str(TEXT).unwrap();
        assert!(table.cues.own.0 > table.cues.ground_name.0);
        let words: Vec<&String> = super::table()
            .iter()
            .flat_map(|(_, list)| &list.0)
            .collect();
        for word in &words {
            assert_eq!(
                words.iter().filter(|other| *other == word).count(),
                1,
                "{word}"
            );
            // What is looked up is in singular and without noise.
            assert_eq!(split(word).concat(), **word);
        }
    }

    #[test]
    fn names_are_compared_without_case_plural_and_punctuation() {
        for (word, names) in [
            (Word::Platform, "Platform_Layer"),
            (
                Word::Hazard,
                "Spikes Layer|Don't-Touch|Player Death Zones|killing_floor|KillingZones",
            ),
            (Word::Collision, "has_collision|Hitboxes"),
            (
                UP,
                "isOneWayPlatform|OneWayPlat|PassPlat|jumpThrough|semi-solid platforms",
            ),
            (Word::OneWay(PassDirection::Left), "ONE_WAY_LEFT"),
            (Word::Ground, "Walls2"),
            (Word::Ladder, "climbables"),
        ] {
            for name in names.split('|') {
                assert_eq!(exact(name), Some(word), "{name}");
                assert_eq!(of_layer(name), Some(word), "{name}");
            }
        }
        for art in
            "WallDecor|wall background|Ground Level|side walls|water|Tile Layer 1||oneway_sideways"
                .split('|')
        {
            assert_eq!(of_layer(art), None, "{art}");
        }
        assert!(is_default("Tile Layer 1") && is_default("") && !is_default("Main"));
    }

    #[test]
    fn words_of_collision_may_have_others_beside_them_in_layers() {
        for (name, word) in [
            ("My Collision Layer", Some(Word::Collision)),
            ("Colliders (new)", Some(Word::Collision)),
            ("collisionblocks", Some(Word::Collision)),
            ("platform collisions", Some(Word::Collision)),
            ("SpikeCollisions", Some(Word::Hazard)),
            ("OneWayCollision", Some(UP)),
            ("Ladder Colliders", Some(Word::Ladder)),
            ("EnemySolid", None),
            ("finish_collision", None),
            ("consolidated", None),
            ("non-collision things", None),
        ] {
            assert_eq!(of_layer(name), word, "{name}");
        }
    }

    #[test]
    fn one_word_of_a_name_is_a_hint() {
        for (name, meaning) in [
            ("finish_collision", Some(Meaning::Solid)),
            ("enemy_collision", None),
            ("stationary_platforms", Some(UP.meaning())),
            ("side walls", None),
            ("isDeadlyTile", Some(Meaning::Hazard)),
            ("DeadZones", Some(Meaning::Hazard)),
        ] {
            assert_eq!(hint(name), meaning, "{name}");
        }
        for solid in [
            "wooden crate",
            "Bloques",
            "suelo",
            "CrackedStone",
            "estSolide",
        ] {
            assert!(is_likely_solid(solid), "{solid}");
        }
        for other in ["floor_spike", "gem stone", "trigger box", "box office"] {
            assert!(!is_likely_solid(other), "{other}");
        }
    }

    #[test]
    fn values_may_be_described() {
        assert_eq!(of_value("Dark_wall"), Some(Word::Ground));
        assert_eq!(of_value("green_acid_pool"), Some(Word::Hazard));
        assert_eq!(of_value("wood platform"), Some(Word::Platform));
        assert_eq!(of_value("wall_bg"), Some(Word::Nothing));
        assert_eq!(of_value("water"), Some(Word::Nothing));
        assert_eq!(of_value("attachment"), None);
        assert!(is_doubtful("light_wall") && !is_doubtful("wall_bg") && !is_doubtful("light"));
    }

    #[test]
    fn one_wrong_letter_is_found() {
        for (name, word) in [
            ("soild", "solid"),
            ("Lader", "ladder"),
            ("colision layer", "collision"),
            ("one_way_platfrom", "oneway"),
            ("walll", "wall"),
        ] {
            assert_eq!(misspelt(name).map(|(word, _)| word), Some(word), "{name}");
        }
        for fine in
            "solid|ball|Wells|all|part|round trip|wail|sold out|isLocked|spike_r|one_way_platform"
                .split('|')
        {
            assert_eq!(misspelt(fine), None, "{fine}");
        }
        assert!(is_one_edit("spwan", "spawn") && !is_one_edit("spawn", "spawn"));
    }
}
