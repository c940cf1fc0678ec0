//! The turn order against rational numbers.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use navmesh_bots::turns::TurnOrder;
use proptest::prelude::*;

fn speed(speed: u32) -> NonZeroU32 {
    NonZeroU32::new(speed).expect("a speed above 0")
}

/// Ends the player's turn; the turns that follow, in order.
fn round(order: &mut TurnOrder<u32>) -> Vec<u32> {
    order.end_player_turn();
    std::iter::from_fn(|| order.next_turn()).collect()
}

#[test]
fn speeds_of_the_description() {
    let mut order = TurnOrder::new(speed(10));
    for (actor, speed) in [(1, 5), (2, 20), (3, 12), (4, 0)] {
        order.insert(actor, speed);
    }
    let rounds: Vec<_> = (0..10).map(|_| round(&mut order)).collect();
    let of = |actor| -> Vec<usize> {
        let count = |round: &Vec<u32>| round.iter().filter(|&&a| a == actor).count();
        rounds.iter().map(count).collect()
    };
    assert_eq!(of(1), [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(of(2), [2; 10]);
    assert_eq!(of(3), [1, 1, 1, 1, 2, 1, 1, 1, 1, 2]);
    assert_eq!(of(4), [0; 10]);
    assert_eq!(rounds[9], [1, 2, 3, 2, 3], "each once before any twice");
}

#[test]
fn a_million_rounds_do_not_drift() {
    for (player, enemy) in [(3, 7), (10, 12), (7, 1), (4_294_967_291, 4_294_967_279)] {
        let mut order = TurnOrder::new(speed(player));
        order.insert(1, enemy);
        let turns: u64 = (0..1_000_000).map(|_| round(&mut order).len() as u64).sum();
        let exact = u64::from(enemy) * 1_000_000 / u64::from(player);
        assert_eq!(turns, exact, "{enemy} against {player}");
    }
}

#[test]
fn a_cap_loses_whole_turns_and_keeps_the_rest() {
    let mut order = TurnOrder::new(speed(2));
    order.most_turns = 1;
    order.insert(1, 5); // 2.5 turns a round: 1 of 2 and ½ carried, then 1 of 3
    order.insert(2, 1);
    let rounds: Vec<_> = (0..4).map(|_| round(&mut order)).collect();
    assert_eq!(rounds, [vec![1], vec![1, 2], vec![1], vec![1, 2]]);
}

#[test]
fn actors_come_and_go_in_the_middle_of_a_round() {
    let mut order = TurnOrder::new(speed(1));
    for actor in 1..=3 {
        order.insert(actor, 2);
    }
    order.end_player_turn();
    assert_eq!(order.next_turn(), Some(1));
    assert!(order.remove(2));
    assert!(!order.remove(2));
    order.insert(4, 2);
    let rest: Vec<_> = std::iter::from_fn(|| order.next_turn()).collect();
    assert_eq!(rest, [3, 1, 3], "2 is gone, and 4 waits for the next round");
    assert_eq!(order.preview(4), 2);
    assert_eq!(order.preview(2), 0);
}

#[test]
fn a_saved_order_goes_on() {
    let mut order = TurnOrder::new(speed(7));
    order.insert(1, 9);
    order.insert(2, 30);
    order.end_player_turn();
    order.next_turn();
    let text = serde_json::to_string(&order).expect("it is written");
    let mut loaded: TurnOrder<u32> = serde_json::from_str(&text).expect("it is read");
    assert_eq!(loaded, order);
    for _ in 0..20 {
        assert_eq!(loaded.next_turn(), order.next_turn());
        assert_eq!(round(&mut loaded), round(&mut order));
    }
    for bad in ["[0,0]", "[7,7]", "[8,7]"] {
        let forged = text.replace("[2,7]", bad);
        assert_ne!(forged, text, "{text}");
        assert!(serde_json::from_str::<TurnOrder<u32>>(&forged).is_err());
    }
}

#[derive(Debug, Clone)]
enum Change {
    Insert(u32, u32),
    Remove(u32),
    Player(u32),
    Round,
}

fn changes(speeds: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Vec<Change>> {
    let player = (*speeds.start()).max(1)..=*speeds.end();
    let change = prop_oneof![
        (0_u32..5, speeds).prop_map(|(actor, speed)| Change::Insert(actor, speed)),
        (0_u32..5).prop_map(Change::Remove),
        player.prop_map(Change::Player),
        Just(Change::Round),
        Just(Change::Round),
    ];
    prop::collection::vec(change, 1..60)
}

/// Turns so far as an exact fraction over this number, a multiple of all speeds
/// from 1 to 46.
const WHOLE: u128 = 9_419_588_158_802_421_600;

proptest! {
    /// After each round every actor has had as many turns as the sum of
    /// `speed / player's speed` has whole ones, and the preview said so.
    #[test]
    fn turns_are_those_of_rational_numbers(changes in changes(0..=46)) {
        let mut order = TurnOrder::new(speed(10));
        let mut player = 10_u128;
        let mut model = BTreeMap::<u32, (u32, u128)>::new(); // speed, fraction carried
        for change in changes {
            match change {
                Change::Insert(actor, speed) => {
                    order.insert(actor, speed);
                    model.entry(actor).or_insert((speed, 0)).0 = speed;
                }
                Change::Remove(actor) => {
                    prop_assert_eq!(order.remove(actor), model.remove(&actor).is_some());
                }
                Change::Player(new) => {
                    order.player_speed = speed(new);
                    player = u128::from(new);
                }
                Change::Round => {
                    let previews: Vec<_> = (0..5).map(|actor| order.preview(actor)).collect();
                    let turns = round(&mut order);
                    for actor in 0..5 {
                        let had = turns.iter().filter(|&&a| a == actor).count();
                        let due = model.get_mut(&actor).map_or(0, |(speed, carried)| {
                            let sum = *carried + u128::from(*speed) * (WHOLE / player);
                            *carried = sum % WHOLE;
                            sum / WHOLE
                        });
                        prop_assert_eq!(had as u128, due);
                        prop_assert_eq!(u128::from(previews[actor as usize]), due);
                    }
                }
            }
        }
    }

    /// With any speeds, and changes of the player's in between, the sum is right
    /// to less than one turn.
    #[test]
    fn wild_speeds_keep_the_sum(rounds in prop::collection::vec((1..=u32::MAX, 1..=u32::MAX), 1..40)) {
        let mut order = TurnOrder::new(speed(1));
        let (mut due, mut had) = (0.0, 0.0);
        for (player, enemy) in rounds {
            // At most ten turns a round, so that the test ends.
            let enemy = (u64::from(enemy)).min(u64::from(player) * 10) as u32;
            order.player_speed = speed(player);
            order.insert(1, enemy);
            due += f64::from(enemy) / f64::from(player);
            had += f64::from(order.preview(1));
            prop_assert_eq!(order.preview(1), round(&mut order).len() as u32);
            prop_assert!(due - had < 1.0 + 1e-6 && due - had > -1e-6, "{due} due, {had} had");
        }
    }
}
