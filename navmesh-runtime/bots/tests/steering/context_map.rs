//! Interest, danger, and the choice between them.

use glam::Vec2;
use navmesh_bots::steering::ContextMap;
use proptest::prelude::*;

/// The headings of a map, which it passes to the function for a danger.
fn headings(map: &mut ContextMap) -> Vec<Vec2> {
    let mut headings = Vec::new();
    map.add_danger(|heading| {
        headings.push(heading);
        0.0
    });
    headings
}

#[test]
fn headings_are_even_and_exact_along_axes() {
    for count in [4, 8, 12, 16, 33, 64] {
        let headings = headings(&mut ContextMap::new(count));
        assert_eq!(headings.len(), count);
        for (k, heading) in headings.iter().enumerate() {
            let angle = k as f64 * std::f64::consts::TAU / count as f64;
            let exact = Vec2::new(angle.cos() as f32, angle.sin() as f32);
            assert!(heading.distance(exact) < 1e-6, "{k} of {count}: {heading}");
        }
    }
    let eight = headings(&mut ContextMap::new(8));
    assert_eq!(eight[2], Vec2::Y);
    assert_eq!(eight[4], -Vec2::X);
    assert_eq!(headings(&mut ContextMap::new(0)).len(), 4);
    assert_eq!(headings(&mut ContextMap::new(1000)).len(), 64);
}

/// The strength of a choice is the greatest interest of any heading.
#[test]
fn interests_add_up_by_their_angle() {
    for (k, weights) in (0..64).flat_map(|k| [[0.6, 0.3], [0.2, 0.5], [0.4, 0.4]].map(|w| (k, w))) {
        let mut map = ContextMap::new(8);
        let second = Vec2::from_angle(0.1 * k as f32);
        map.add_interest(3.0 * Vec2::X, weights[0]);
        map.add_interest(second, weights[1]);
        let interest = |heading: &Vec2| {
            heading.x.max(0.0) * weights[0] + heading.dot(second).max(0.0) * weights[1]
        };
        let expected = headings(&mut map).iter().map(interest).fold(0.0, f32::max);
        let (_, strength) = map.choose().expect("a way");
        assert!((strength - expected).abs() < 1e-6, "{strength} {expected}");
    }
    for (direction, weight) in [
        (Vec2::ZERO, 1.0),
        (Vec2::X, -1.0),
        (Vec2::X, f32::NAN),
        (Vec2::NAN, 1.0),
        (Vec2::INFINITY, 1.0),
    ] {
        let mut map = ContextMap::new(8);
        map.add_interest(direction, weight);
        assert_eq!(map.choose(), None, "{direction} {weight}");
        map.add_interest(Vec2::Y, 0.5);
        map.add_interest(direction, weight);
        assert_eq!(map.choose(), Some((Vec2::Y, 0.5)), "{direction} {weight}");
    }
}

#[test]
fn without_interest_or_way_it_rests() {
    let mut map = ContextMap::new(8);
    assert_eq!(map.choose(), None);
    map.add_danger(|heading| heading.x);
    assert_eq!(map.choose(), None, "danger alone is no way");
    map.add_danger(|heading| heading.x);
    map.add_interest(Vec2::X, 1.0);
    assert!(map.choose().is_some());
    assert_eq!(map.choose(), None, "a choice clears the map");
    map.add_interest(Vec2::X, 1.0);
    map.add_danger(|_| 1.0);
    assert_eq!(map.choose(), None);
}

#[test]
fn it_stays_on_its_side_until_the_way_is_open() {
    let mut map = ContextMap::new(16);
    let mut choose = |wanted: Vec2, wall: bool| {
        map.add_interest(wanted, 1.0);
        if wall {
            map.add_danger(|heading| f32::from(heading.x > 0.1));
        }
        map.choose().map(|(direction, _)| direction)
    };
    // The target behind the wall is a little to one side, then to the other.
    let first = choose(Vec2::new(1.0, 0.1), true).expect("a way");
    assert!(first.y > 0.5);
    for aside in [-0.1, -0.4, 0.1, -0.8] {
        let next = choose(Vec2::new(1.0, aside), true).expect("a way");
        assert!(next.y > 0.5, "{aside}: {next}");
    }
    let open = choose(Vec2::new(1.0, -0.4), false).expect("a way");
    assert!(open.x > 0.8 && open.y < 0.0, "{open}");
}

#[test]
fn another_way_must_be_clearly_better() {
    let mut map = ContextMap::new(16);
    let mut choose = |right: f32, left: f32| {
        map.add_interest(Vec2::X, right);
        map.add_interest(-Vec2::X, left);
        map.choose().map_or(0.0, |(direction, _)| direction.x)
    };
    assert!(choose(1.0, 0.9) > 0.9);
    assert!(choose(1.0, 1.2) > 0.9, "not clearly better");
    assert!(choose(1.0, 1.5) < -0.9);
    assert!(choose(1.2, 1.0) < -0.9);
}

fn angle() -> impl Strategy<Value = Vec2> {
    (0.0_f32..std::f32::consts::TAU).prop_map(Vec2::from_angle)
}

proptest! {
    /// The best heading lies between slots: nearer to what is wanted than the
    /// nearest of them may be.
    #[test]
    fn one_interest_is_followed_closely(wanted in angle(), weight in 0.01_f32..50.0) {
        for count in [8, 16, 32] {
            let mut map = ContextMap::new(count);
            map.add_interest(wanted, weight);
            let (direction, strength) = map.choose().expect("a way");
            let slot = 180.0 / count as f32;
            let off = direction.angle_to(wanted).to_degrees().abs();
            prop_assert!(off < 0.25 * slot, "{} of {} degrees", off, slot);
            prop_assert!((direction.length() - 1.0).abs() < 1e-5);
            prop_assert!((strength - weight.min(1.0)).abs() < 0.08 * weight);
        }
    }

    /// No sum of interests makes up for danger.
    #[test]
    fn danger_masks_any_interest(
        wanted in prop::collection::vec((angle(), 0.0_f32..1e6), 1..20),
        bad in prop::collection::vec(angle(), 1..4),
        count in 8_usize..33,
    ) {
        let mut map = ContextMap::new(count);
        for (direction, weight) in &wanted {
            map.add_interest(*direction, *weight);
        }
        let is_bad = |heading: Vec2| bad.iter().any(|direction| heading.dot(*direction) > 0.9);
        map.add_danger(|heading| f32::from(is_bad(heading)));
        let headings = headings(&mut map);
        if let Some((direction, _)) = map.choose() {
            // The nearest slot is open.
            let nearest = headings
                .into_iter()
                .max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
            prop_assert!(nearest.is_some_and(|heading| !is_bad(heading)));
        }
    }

    /// Bled danger, by the definition: the greatest danger, each times the bleeding
    /// to the power of its distance around the circle.
    #[test]
    fn danger_bleeds_around_the_circle(
        dangers in prop::collection::vec(0.0_f32..=1.0, 4..20),
        wanted in angle(),
        bleed in 0.0_f32..0.95,
    ) {
        let count = dangers.len();
        let mut map = ContextMap::new(count);
        map.bleed = bleed;
        map.add_interest(wanted, 1.0);
        let mut next = dangers.iter();
        map.add_danger(|_| next.next().copied().unwrap_or(0.0));
        let open = (0..count).any(|i| {
            (0..count).all(|j| {
                let apart = i.abs_diff(j).min(count - i.abs_diff(j));
                dangers[j] * bleed.powi(apart as i32) < map.mask - 1e-5
            })
        });
        let closed = (0..count).all(|i| {
            (0..count).any(|j| {
                let apart = i.abs_diff(j).min(count - i.abs_diff(j));
                dangers[j] * bleed.powi(apart as i32) > map.mask + 1e-5
            })
        });
        let chosen = map.choose().is_some();
        prop_assert!(!open || chosen, "a heading is open");
        prop_assert!(!closed || !chosen, "every heading is masked");
    }
}
