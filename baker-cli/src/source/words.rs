//! The words by which levels say what is collision: one table for Tiled, its
//! JSON and LDtk, for names of layers, objects and values, for classes and for
//! properties.

use navmesh_bake::{Material, PassDirection};

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Solid, in a word that is used for collision only.
    Collision,
    /// Solid, in a word that layers of pictures have too. A tile layer made for
    /// collision replaces the layers of such a name.
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
    pub const fn material(self) -> Option<Material> {
        match self {
            Self::Collision | Self::Ground => Some(Material::Solid),
            Self::Platform => Some(Material::OneWay(PassDirection::Up)),
            Self::OneWay(way) => Some(Material::OneWay(way)),
            Self::Hazard => Some(Material::Hazard),
            Self::Ladder => Some(Material::Ladder),
            Self::Nothing => None,
        }
    }

    /// The list of rules that says the same.
    const fn list(self) -> &'static str {
        match self {
            Self::Collision | Self::Ground => "solid",
            Self::Platform | Self::OneWay(_) => "one_way",
            Self::Hazard => "hazard",
            Self::Ladder => "ladder",
            Self::Nothing => "empty",
        }
    }
}

/// Words in lower case and singular, separated by spaces. Each is written together:
/// `Jump-Through` and `jump through` are both `jumpthrough`.
const WORDS: [(Word, &str); 7] = [
    (
        Word::Collision,
        "collision collider collide collidable collideable solid hitbox blocked impassable",
    ),
    (
        Word::Ground,
        "ground terrain wall floor block obstacle blocker slope",
    ),
    (Word::Platform, "platform"),
    (
        Word::OneWay(PassDirection::Up),
        "oneway jumpthrough jumpthru semisolid unisolid passthrough passplatform passplat dropplatform dropthrough",
    ),
    (
        Word::Hazard,
        "hazard spike lava acid fire danger dangerzone death deathzone playerdeathzone deadly lethal kill \
         killzone killingzone killingfloor donttouch trap",
    ),
    (Word::Ladder, "ladder climbable"),
    (
        Word::Nothing,
        "nocollide nocollision noncollision noncollide noncollidable noncollideable noncolidable notsolid \
         nonsolid unsolid passable",
    ),
];

/// Names of layers or objects for collision or ground that are short, or in other
/// languages. They may mean something else, so they are not in the table: `sol` is French
/// for ground and Spanish for sun.
pub const LIKELY: &str = "\
    col coll colision colisione colisao colisão colisiune kollision collisione kolizja kolizje \
    suelo piso terreno pared parede muro plataforma solido sólido chao chão sol mur plateforme boden \
    wand plattform pavimento piattaforma vloer podloga podłoga zemin земля пол стена платформа 地面 \
    地形 碰撞 床 바닥";

/// Properties whose value is a class: `type`, `TileType`. So are those of a word of
/// collision with a text that is no boolean.
pub const KINDS: &str = "type kind class name tiletype autobuildclass";

/// Words of names that say nothing: Tiled's default names consist of them.
const NOISE: &str = "layer tile tilemap map object is has intgrid";

/// Words that make one of [`STARTS`] something else: `enemy spawn`, `start text`.
const NOT_STARTS: &str = "\
    enemy enemie monster item coin boss npc text trigger camera sound bullet";

/// In a name of several words, these make it a name of collision, unless one
/// of [`NEGATIONS`] or [`MARKS`] is there too: `enemy collision` is for enemies only,
/// and a body that touches `finish_collision` has arrived. Negations keep the value
/// `stopFire` from being a hazard, too.
const INFIXES: &str = "collision collider solid";
const NEGATIONS: &str = "enemy enemie no not non without stop anti";

/// Words of layers with pick-ups, creatures or pictures before and behind the
/// level. Solid tiles in such a layer are mostly leftovers of their tileset.
/// From `hintergrund` on: backgrounds in other languages.
pub const DECORATION: &str = "\
    coin item enemy enemie light deco decor decoration background back backdrop bg above below \
    collectible collectable gem pickup player shell shadow parallax paralax water dekor deko décor декор \
    hintergrund achtergrond bakgrund bakgrunn baggrund tausta arkaplan arriereplan fond fondo \
    fundo sfondo tlo tło pozadí pozadi фон 背景";

/// Words of layers whose objects move: they are paths, not what moves.
pub const MOVEMENT: &str = "moving mover mobile path route patrol";

/// Words of layers and objects that say where something begins, ends or happens.
pub const MARKS: &str = "\
    checkpoint flag door portal key spawn spawnpoint spawner respawn start startpoint end \
    endpoint finish goal entrance entry exit trigger constraint sensor event teleport teleporter \
    warp waypoint camera win";

/// More words of objects that are no ground, whatever layer they are in.
const THINGS: &str = "\
    hero npc boss monster spring lever switch button chest health life sign text bullet powerup \
    star";

/// Words of objects that say where the player begins.
const STARTS: &str = "player hero spawn spawnpoint playerspawn start startpoint playerstart";

/// Words of ground, besides those of the table.
const GROUNDS: &str = "\
    border boundary bound edge limit roof ceiling stair step ramp pipe pillar column ledge \
    island house building tower bridge tree cliff hill top bottom";

/// Words that mostly mean a hazard, but not always, so they are not in the table: a
/// layer of such a name gets a warning.
const HARMS: &str = "damage damaging hurt harm harmful dead thorn poison saw";

/// Names of layers of blocks rather than of ground.
pub const BLOCKS: &str = "block obstacle blocker";

/// Things that bodies stand on in some games, and push or break in others. From `bloque` on:
/// in other languages.
const OBSTACLES: &str = "\
    crate barrel box block boulder bridge brick platform breakable destructible \
    bloque bloco bloc blocco blok klotz ladrillo tijolo brique mattone ziegel cegła caja caixa caisse \
    cassa kiste puente ponte pont brücke";

/// More of them, as names of objects. Layers of such a name are often pictures.
const ROCKS: &str = "rock stone log";

/// Materials that `IntGrid` values are named after. They confirm a layer that
/// is solid by its name, and say nothing in others.
pub const MATERIALS: &str = "\
    dirt stone rock brick metal grass ice sand wood snow earth tile mud concrete";

/// Words one letter from one of the table that games use for something else.
const OTHERS: &str = "\
    locked locker depth round black clock flock flood scope spine ranger collided";

/// The most words of a name that are looked up together: `one way left`.
const MAX_RUN: usize = 3;

/// The words of a name in lower case and singular, split at case changes,
/// digits and punctuation, without [`NOISE`].
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
    words.retain(|word| !word.is_empty() && !is_in(word, NOISE));
    words
}

/// Whether a list, separated by spaces, has a word.
fn is_in(word: &str, list: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether one of the words of a name is in a list.
pub fn has_word(name: &str, list: &str) -> bool {
    split(name).iter().any(|word| is_in(word, list))
}

/// Whether a name as a whole is a word of a list.
pub fn is_word(name: &str, list: &str) -> bool {
    is_in(&split(name).concat(), list)
}

fn look_up(word: &str) -> Option<Word> {
    if let Some((meaning, _)) = WORDS.iter().find(|(_, list)| is_in(word, list)) {
        return Some(*meaning);
    }
    let mut platforms = ["platform", "plat"].into_iter();
    if platforms.any(|platform| word.strip_suffix(platform).is_some_and(is_one_way)) {
        return Some(Word::OneWay(PassDirection::Up));
    }
    PassDirection::of(word.strip_prefix("oneway")?).map(Word::OneWay)
}

/// The meaning of a class, property or object name: all of it must be a word of
/// the table.
pub fn exact(name: &str) -> Option<Word> {
    look_up(&split(name).concat())
}

/// The meaning of a layer's name: like [`exact`], but words of collision may
/// have others beside them.
pub fn of_layer(name: &str) -> Option<Word> {
    let words = split(name);
    if let Some(word) = look_up(&words.concat()) {
        return Some(word);
    }
    if !is_about_collision(&words) || has_word(name, MARKS) {
        return None;
    }
    // Of collision with a word of a special kind, it is the collision: `OneWayCollision`.
    let runs = (1..=MAX_RUN.min(words.len())).rev();
    let mut runs = runs.flat_map(|length| words.windows(length).map(<[String]>::concat));
    let special = runs.find_map(|run| {
        look_up(&run).filter(|word| matches!(word, Word::OneWay(_) | Word::Hazard | Word::Ladder))
    });
    Some(special.unwrap_or(Word::Collision))
}

/// Whether a word of collision, but none that negates it, is among the words.
fn is_about_collision(words: &[String]) -> bool {
    // Long ones also as a part of a word: `collisionblocks`.
    let is_part = |word: &str, part: &str| word == part || part.len() > 5 && word.contains(part);
    let has = |list: &str| {
        let has_part = |word: &String| list.split(' ').any(|part| is_part(word, part));
        words.iter().any(has_part)
    };
    has(INFIXES) && !has(NEGATIONS)
}

/// The meaning of the name of an `IntGrid` value: like [`exact`], but its last
/// word may say it too (`dark_wall`), and hazards and ladders any word.
pub fn of_value(name: &str) -> Option<Word> {
    if let Some(word) = exact(name) {
        return Some(match word {
            Word::Platform => Word::OneWay(PassDirection::Up),
            word => word,
        });
    }
    if is_empty(name) || has_word(name, DECORATION) {
        return Some(Word::Nothing);
    }
    let words = split(name);
    let mut single = words.iter().filter_map(|word| look_up(word));
    if let Some(word) = single.find(|word| matches!(word, Word::Hazard | Word::Ladder)) {
        return (!has_word(name, NEGATIONS)).then_some(word);
    }
    match words.last().and_then(|word| look_up(word))? {
        word @ (Word::Collision | Word::Ground) => Some(word),
        Word::Platform => Some(Word::OneWay(PassDirection::Up)),
        _ => None,
    }
}

/// Whether a value is not collision by one of its words, but solid by the last: a
/// `light_wall` may be light on a wall, or a wall of a light colour.
pub fn is_doubtful(name: &str) -> bool {
    let last = split(name).pop().and_then(|word| look_up(&word));
    matches!(last, Some(Word::Collision | Word::Ground))
        && of_value(name) == Some(Word::Nothing)
        && !is_empty(name)
        && !is_nothing(name)
}

/// Whether the name of a value says that there is nothing but a picture: `air`,
/// `cave_background`.
pub fn is_empty(name: &str) -> bool {
    has_word(name, "empty none air sky background back bg backdrop")
}

/// The list of rules for what one of several words in a name says: `one_way` for
/// `stationary platforms` and `OneWayTile`. Words for ground are in names of
/// pictures too often.
pub fn hint(name: &str) -> Option<&'static str> {
    let words = split(name);
    let pairs = words.windows(2).map(<[String]>::concat);
    let mut words = words.iter().cloned().chain(pairs);
    words.find_map(|word| match look_up(&word) {
        Some(word @ (Word::Platform | Word::OneWay(_) | Word::Hazard | Word::Ladder)) => {
            Some(word.list())
        }
        None if is_in(&word, HARMS) => Some("hazard"),
        _ => None,
    })
}

/// Like [`hint`], but a word of collision says `solid`, also beside others:
/// `finish collision`.
pub fn hint_or_solid(name: &str) -> Option<&'static str> {
    let is_solid = exact(name) == Some(Word::Collision) || is_about_collision(&split(name));
    hint(name).or_else(|| is_solid.then_some("solid"))
}

/// Whether a name is that of platforms, which are one-way in some games and blocks in
/// others.
pub fn is_platform(name: &str) -> bool {
    exact(name) == Some(Word::Platform)
}

/// Whether a name is that of what is one-way, and of nothing else.
pub fn is_one_way(name: &str) -> bool {
    matches!(exact(name), Some(Word::OneWay(_)))
}

/// Whether a tileset's name says that its tiles are made for collision, so that
/// different tiles are different shapes.
pub fn is_of_shapes(name: &str) -> bool {
    of_layer(name) == Some(Word::Collision) || is_slope(name)
}

/// Whether one word of a name says that tiles are slopes.
pub fn is_slope(name: &str) -> bool {
    has_word(name, "slope")
}

/// Whether a name says nothing, as `Tile Layer 1` does.
pub fn is_default(name: &str) -> bool {
    split(name).is_empty()
}

/// Whether an object of this name or class is a creature, a pick-up, or a place
/// where something happens, and no ground.
pub fn is_thing(name: &str) -> bool {
    let is_other = has_word(name, MARKS) || has_word(name, DECORATION) || has_word(name, THINGS);
    is_other && !has_ground(&split(name))
}

/// Whether an object of this name or class says where the player begins.
pub fn is_start(name: &str) -> bool {
    has_word(name, STARTS) && !has_word(name, NOT_STARTS)
}

/// Whether one of the words is solid.
fn has_ground(words: &[String]) -> bool {
    let mut words = words.iter().map(|word| look_up(word));
    words.any(|word| matches!(word, Some(Word::Collision | Word::Ground | Word::Platform)))
}

/// Whether an object of this name or class, in a layer that is solid by its
/// name, is probably ground too.
pub fn is_ground(name: &str) -> bool {
    let words = split(name);
    let mut lists = [GROUNDS, MATERIALS, OBSTACLES].into_iter();
    words.is_empty() || has_ground(&words) || lists.any(|list| has_word(name, list))
}

/// Whether a name says that nothing in it is collision.
pub fn is_nothing(name: &str) -> bool {
    exact(name) == Some(Word::Nothing)
}

/// Whether a layer or an object of this name may be obstacles.
pub fn is_obstacle(name: &str) -> bool {
    is_called(name, OBSTACLES)
}

/// Whether the last word of a name is in a list, and none makes it something else.
fn is_called(name: &str, list: &str) -> bool {
    let is_last = split(name).last().is_some_and(|word| is_in(word, list));
    let is_else = has_word(name, MARKS) || has_word(name, DECORATION) || has_word(name, MOVEMENT);
    is_last && !is_else && hint(name) != Some("hazard")
}

/// The list of rules for an object of this name or class that may be collision:
/// `solid` for a `crate`, `hazard` for a `floor_spike`.
pub fn obstacle(name: &str) -> Option<&'static str> {
    let is_else = is_thing(name) || has_word(name, MOVEMENT);
    let harm = hint(name).filter(|list| *list == "hazard" && !is_else);
    if is_obstacle(name) || is_called(name, ROCKS) || is_word(name, LIKELY) {
        Some("solid")
    } else {
        harm
    }
}

/// Whether the name of a layer mixes collision with a hazard or another special kind,
/// as `SpikeCollisions`.
pub fn is_mixed(name: &str) -> bool {
    exact(name).is_none() && of_layer(name).is_some_and(|word| word != Word::Collision)
}

/// The word of the table that a name misspells by one letter: `soild` for
/// `solid`, or `one_way_platfrom` for `oneway`. Words of four letters have too many
/// neighbours, such as `ball` and `well`; `walll` and `wal` have the same letters. A
/// letter that stands alone is a suffix: `spike_r`.
pub fn misspelt(name: &str) -> Option<&'static str> {
    let words = split(name);
    let name = words.concat();
    let has_suffix = words.iter().any(|word| word.chars().count() == 1);
    if has_suffix || look_up(&name).is_some() || is_in(&name, OTHERS) {
        return None;
    }
    let has_all = |word: &str, letters: &str| letters.chars().all(|c| word.contains(c));
    let is_meant = |word: &str| match word.len() {
        0..=4 => is_one_edit(&name, word) && has_all(word, &name) && has_all(&name, word),
        _ => name.len() >= 5 && is_one_edit(&name, word),
    };
    let mut words = WORDS.iter().flat_map(|(_, list)| list.split(' '));
    words.find(|word| is_meant(word) || (is_one_way(word) && is_meant(&format!("{word}platform"))))
}

/// The question whether a name is a word with a wrong letter, and the line that makes it
/// so for what a rule matches.
pub fn correction(name: &str, rule: &str) -> Option<String> {
    let meant = misspelt(name)?;
    let list = look_up(meant)?.list();
    Some(format!("is it \"{meant}\"? If so, {list} = [\"{rule}\"]"))
}

/// Whether two words differ by one letter that is added, missing, replaced, or
/// exchanged with its neighbour.
pub fn is_one_edit(a: &str, b: &str) -> bool {
    // Most pairs of names differ by more than a character, of at most four bytes.
    a.len().abs_diff(b.len()) <= 4 && strsim::osa_distance(a, b) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Word = Word::OneWay(PassDirection::Up);

    #[test]
    fn names_are_compared_without_case_plural_and_punctuation() {
        for (name, word) in [
            ("Platform_Layer", Word::Platform),
            ("Spikes Layer", Word::Hazard),
            ("Don't-Touch", Word::Hazard),
            ("Player Death Zones", Word::Hazard),
            ("killing_floor", Word::Hazard),
            ("KillingZones", Word::Hazard),
            ("kill_zone", Word::Hazard),
            ("isOneWayPlatform", UP),
            ("has_collision", Word::Collision),
            ("OneWayPlat", UP),
            ("PassPlat", UP),
            ("Hitboxes", Word::Collision),
            ("jumpThrough", UP),
            ("semi-solid platforms", UP),
            ("ONE_WAY_LEFT", Word::OneWay(PassDirection::Left)),
            ("Walls2", Word::Ground),
            ("climbables", Word::Ladder),
        ] {
            assert_eq!(exact(name), Some(word), "{name}");
            assert_eq!(of_layer(name), Some(word), "{name}");
        }
        for art in [
            "WallDecor",
            "wall background",
            "Ground Level",
            "side walls",
            "grounds keeper",
            "water",
            "Tile Layer 1",
            "",
            "oneway_sideways",
        ] {
            assert_eq!(of_layer(art), None, "{art}");
        }
        assert!(is_default("Tile Layer 1") && is_default("") && !is_default("Main"));
    }

    #[test]
    fn words_of_collision_may_have_others_beside_them_in_layers() {
        for name in [
            "solid-objects",
            "My Collision Layer",
            "Colliders (new)",
            "collisionblocks",
        ] {
            assert_eq!(of_layer(name), Some(Word::Collision), "{name}");
        }
        assert_eq!(exact("my collision"), None);
        assert_eq!(of_layer("EnemySolid"), None);
        assert_eq!(of_layer("finish_collision"), None);
        assert_eq!(hint_or_solid("finish_collision"), Some("solid"));
        assert_eq!(hint_or_solid("enemy_collision"), None);
        assert_eq!(of_layer("consolidated"), None);
        assert_eq!(hint("stationary_platforms"), Some("one_way"));
        assert_eq!(hint("side walls"), None);
        assert_eq!(hint("OneWayLeft"), Some("one_way"));
        assert_eq!(hint("OneWaySlope"), Some("one_way"));
        assert_eq!(hint("isDeadlyTile"), Some("hazard"));
        assert_eq!(hint("DeadZones"), Some("hazard"));
        assert_eq!(exact("damage"), None);
        assert!(is_of_shapes("arcade-slopes-64") && !is_of_shapes("forest"));
        assert_eq!(of_layer("non-collision things"), None);
        assert_eq!(of_layer("SpikeCollisions"), Some(Word::Hazard));
        assert!(is_mixed("SpikeCollisions") && !is_mixed("Spikes"));
        assert_eq!(of_layer("OneWayCollision"), Some(UP));
        let left = Word::OneWay(PassDirection::Left);
        assert_eq!(of_layer("collision one-way left"), Some(left));
        assert_eq!(of_layer("Ladder Colliders"), Some(Word::Ladder));
        assert_eq!(of_layer("platform collisions"), Some(Word::Collision));
    }

    #[test]
    fn values_may_be_described() {
        assert_eq!(of_value("Dark_wall"), Some(Word::Ground));
        assert_eq!(of_value("green_acid_pool"), Some(Word::Hazard));
        assert_eq!(of_value("wood platform"), Some(UP));
        assert_eq!(of_value("wall_bg"), Some(Word::Nothing));
        assert_eq!(of_value("water"), Some(Word::Nothing));
        assert_eq!(of_value("attachment"), None);
        assert!(is_doubtful("light_wall") && is_doubtful("EnemyBlocks"));
        assert!(!is_doubtful("wall_bg") && !is_doubtful("background wall"));
        assert!(!is_doubtful("light") && !is_doubtful("Dark_wall") && !is_doubtful("no_collision"));
    }

    #[test]
    fn one_wrong_letter_is_found() {
        assert_eq!(misspelt("soild"), Some("solid"));
        assert_eq!(misspelt("Lader"), Some("ladder"));
        assert_eq!(misspelt("spikez"), Some("spike"));
        assert_eq!(misspelt("colision layer"), Some("collision"));
        assert_eq!(misspelt("one_way_platfrom"), Some("oneway"));
        assert_eq!(misspelt("one_way_platform"), None);
        assert_eq!(misspelt("walll"), Some("wall"));
        assert_eq!(misspelt("Wals"), Some("wall"));
        assert_eq!(obstacle("floor_spike"), Some("hazard"));
        assert_eq!(obstacle("wooden crate"), Some("solid"));
        assert_eq!(obstacle("Bloques"), Some("solid"));
        assert_eq!(obstacle("suelo"), Some("solid"));
        assert_eq!(obstacle("fire enemy"), None);
        assert_eq!(obstacle("CrackedStone"), Some("solid"));
        assert_eq!(obstacle("gem stone"), None);
        assert!(is_obstacle("Crumble Blocks") && !is_obstacle("Rocks"));
        for fine in [
            "solid",
            "ball",
            "Wells",
            "all",
            "part",
            "round trip",
            "wail",
            "sold out",
            "isLocked",
            "spike_r",
        ] {
            assert_eq!(misspelt(fine), None, "{fine}");
        }
        assert!(is_one_edit("spwan", "spawn") && !is_one_edit("spawn", "spawn"));
    }
}
