//! The plugin in an app without a window: levels are loaded, loaded again and
//! replaced while agents are on their way.

mod support;

use std::path::Path;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_navbake::navmesh_runtime::glam;
use bevy_navbake::navmesh_runtime::search::{PathFinder, Query as PathQuery};
use bevy_navbake::prelude::*;

use support::log::Log;
use support::{Game, at, place};

/// Levels of the repository, with the same agents.
const ARENA: &str = "../games/levels/arena.navmesh";
const ROOMS: &str = "../games/levels/rooms.navmesh";
/// A level with doors and portals.
const PORTALS: &str = "demo/assets/portals.navmesh";

/// A game in a level.
fn game(name: &str, level: &str) -> Game {
    game_with(name, level, NavPlugin::default())
}

fn game_with(name: &str, level: &str, plugin: NavPlugin) -> Game {
    let mut game = Game::empty(name, plugin, false);
    game.write("level.navmesh", &level_bytes(level));
    game.enter("level.navmesh");
    game
}

fn level_bytes(level: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(level);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Paths are looked up, unless the game does without the index.
#[test]
fn levels_are_loaded_with_their_index() {
    for is_indexed in [true, false] {
        let plugin = NavPlugin::default().with_route_index(is_indexed);
        let mut game = game_with("index", ARENA, plugin);
        let mesh = |game: &Game| {
            let meshes = game.app.world().resource::<Assets<NavMesh>>();
            meshes.iter().next().map(|(_, mesh)| mesh.clone())
        };
        game.until("the level is loaded", |game| mesh(game).is_some());
        let mesh = mesh(&game).unwrap();
        let [from, to] = [[48.0, 352.0], [640.0, 128.0]].map(glam::Vec2::from);
        let mut finder = PathFinder::new();
        let outcome = finder
            .find(&mesh.layers()[0], &PathQuery::new(from, to))
            .unwrap();
        let steps = &outcome.path().expect("a path").steps;
        let links = steps.iter().filter(|step| step.link.is_some()).count();
        assert_eq!(finder.expanded() as usize == links, is_indexed);
    }
}

#[test]
fn agents_arrive_where_they_are_sent() {
    let mut game = game("arrive", ARENA);
    let goals = [
        ("walker", at(48.0, 352.0), at(192.0, 192.0)),
        ("walker", at(640.0, 352.0), at(496.0, 192.0)),
        ("creeper", at(224.0, 352.0), at(128.0, 272.0)),
        ("flyer", at(224.0, 80.0), at(640.0, 320.0)),
    ];
    let agents = goals.map(|(layer, from, to)| {
        let components = (NavAgent::new(layer), NavDestination::Point(to), place(from));
        game.app.world_mut().spawn(components).id()
    });
    game.until("all arrived", |game| {
        agents
            .iter()
            .all(|agent| game.has(*agent, NavEventKind::Arrived))
    });
    for (agent, (_, _, to)) in agents.into_iter().zip(goals) {
        // A flier ends at a free vertex, at most a cell away.
        assert!(
            game.position(agent).distance(to) < 8.0,
            "{}",
            game.position(agent)
        );
        let z = game
            .app
            .world()
            .get::<Transform>(agent)
            .unwrap()
            .translation
            .z;
        assert_eq!(z, 3.0, "the depth is the game's");
    }
    // The first two go up, which is positive in Bevy.
    assert!(game.events.iter().any(|event| {
        matches!(event.kind, NavEventKind::Jumped { to } if to.y > event.position.y + 50.0)
    }));
}

#[test]
fn agents_survive_a_reload() {
    let mut game = game("reload", ARENA);
    let spawn = |game: &mut Game, layer: &str, from, to| {
        let components = (NavAgent::new(layer), NavDestination::Point(to), place(from));
        game.app.world_mut().spawn(components).id()
    };
    // Both levels have a floor at y 192 here.
    let walker = spawn(&mut game, "walker", at(48.0, 352.0), at(496.0, 192.0));
    let flyer = spawn(&mut game, "flyer", at(100.0, 80.0), at(600.0, 60.0));
    game.wait_for_load(1);
    for _ in 0..60 {
        game.update();
    }
    let before = game.position(walker);
    assert!(before.x > 80.0, "it is on its way: {before}");
    assert!(!game.has(walker, NavEventKind::Arrived));
    game.rewrite("level.navmesh", &level_bytes(ROOMS));
    game.wait_for_load(2);
    assert_eq!(
        game.loads,
        [
            NavLevelLoaded { is_reload: false },
            NavLevelLoaded { is_reload: true }
        ]
    );
    let lost = NavEventKind::PathLost(bevy_navbake::navmesh_runtime::motion::PathLostReason::Level);
    game.until("noticed the new level", |game| {
        game.has(walker, lost) && game.has(flyer, lost)
    });
    game.until("arrived", |game| {
        [walker, flyer]
            .iter()
            .all(|agent| game.has(*agent, NavEventKind::Arrived))
    });
    assert!(game.position(walker).distance(at(496.0, 192.0)) < 1.0);
    assert!(game.position(flyer).distance(at(600.0, 60.0)) < 8.0);
    // A file that is no mesh leaves the last one in play.
    game.rewrite("level.navmesh", b"half a file");
    for _ in 0..30 {
        game.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(game.loads.len(), 2);
    game.app
        .world_mut()
        .entity_mut(flyer)
        .insert(NavDestination::Point(at(100.0, 80.0)));
    game.until("flew back", |game| {
        game.position(flyer).distance(at(100.0, 80.0)) < 8.0
    });
}

#[test]
fn an_enemy_catches_the_entity_it_follows() {
    let mut game = game("follow", ARENA);
    let player = game
        .app
        .world_mut()
        .spawn((place(at(640.0, 352.0)), NavFeet(Vec2::new(0.0, -10.0))))
        .id();
    let enemy = game
        .app
        .world_mut()
        .spawn((
            NavAgent::new("walker").allow_partial_path(),
            NavDestination::Entity(player),
            NavFeet(Vec2::new(0.0, -10.0)),
            place(at(48.0, 342.0)),
        ))
        .id();
    game.wait_for_load(1);
    for frame in 0..240 {
        // The player runs to the left and jumps: above the floor most of the time.
        let x = 640.0 - frame as f32;
        let jump = 60.0 * (frame as f32 / 20.0).sin().abs();
        *game.app.world_mut().get_mut::<Transform>(player).unwrap() = place(at(x, 342.0 - jump));
        game.update();
    }
    game.until("caught", |game| {
        game.position(enemy).distance(game.position(player)) < 80.0
    });
    // Without its destination it stops.
    game.app
        .world_mut()
        .entity_mut(enemy)
        .remove::<NavDestination>();
    game.until("stopped", |game| !game.agent(enemy).activity().is_moving());
    let here = game.position(enemy);
    game.app
        .world_mut()
        .get_mut::<Transform>(player)
        .unwrap()
        .translation
        .x = 100.0;
    for _ in 0..60 {
        game.update();
    }
    assert_eq!(game.position(enemy), here);
}

#[test]
fn agents_fall_where_ground_is_removed_until_it_is_restored() {
    let mut game = game("removed", PORTALS);
    game.wait_for_load(1);
    let from = at(624.0, 208.0);
    let agent = game
        .app
        .world_mut()
        .spawn((NavAgent::new("ground"), place(from)))
        .id();
    for _ in 0..60 {
        game.update();
    }
    let from = game.position(agent);
    // All of the level below its feet.
    let ground = Rect::from_corners(
        from - Vec2::new(5000.0, 5000.0),
        from + Vec2::new(5000.0, 0.0),
    );
    game.doors().remove(ground);
    for _ in 0..5 {
        game.update();
    }
    assert!(game.position(agent).y < from.y, "it falls");
    let mesh = game.doors().navigator().unwrap().mesh().clone();
    game.update();
    let nav = game.doors();
    let nav = nav.navigator().unwrap();
    assert!(
        std::sync::Arc::ptr_eq(nav.mesh(), &mesh),
        "the mesh is cut once"
    );
    assert_eq!(nav.removed().len(), 1);
    assert!(game.doors().restore(ground) && !game.doors().restore(ground));
    // Another version of the level, as a game that bakes makes it.
    let whole = game.doors().navigator().unwrap().mesh().clone();
    game.doors().remove(ground);
    let left = game.doors().navigator().unwrap().mesh().clone();
    assert!(game.doors().restore(ground));
    game.doors().set_mesh(left.clone());
    game.update();
    let nav = game.doors();
    let mesh = nav.navigator().unwrap().mesh();
    assert!(std::sync::Arc::ptr_eq(mesh, &left) && !std::sync::Arc::ptr_eq(mesh, &whole));
}

#[test]
fn a_closed_door_stops_agents_and_stays_closed_in_a_reload() {
    let mut game = game("doors", PORTALS);
    assert!(!game.doors().close("gate"), "no level is loaded yet");
    game.wait_for_load(1);
    assert!(!game.doors().close("gat"), "the level has no such door");
    assert_eq!(game.doors().is_closed("hatch"), Some(true));
    // The waypoint `vault` is behind the door `hatch`.
    let to = at(704.0, 208.0);
    let agent = game
        .app
        .world_mut()
        .spawn((
            NavAgent::new("ground"),
            NavDestination::Point(to),
            place(at(624.0, 208.0)),
        ))
        .id();
    let refused = |game: &Game| {
        let mut events = game.events.iter();
        events
            .any(|event| event.agent == agent && matches!(event.kind, NavEventKind::CannotReach(_)))
    };
    game.until("refused", refused);
    game.rewrite("level.navmesh", &level_bytes(PORTALS));
    game.wait_for_load(2);
    for _ in 0..60 {
        game.update();
    }
    assert!(
        game.position(agent).x < 660.0,
        "it is still in front of the door"
    );
    assert!(game.doors().open("hatch"));
    game.rewrite("level.navmesh", &level_bytes(PORTALS));
    game.wait_for_load(3);
    assert_eq!(
        game.doors().is_closed("hatch"),
        Some(false),
        "the reload keeps it open"
    );
    game.until("arrived", |game| game.has(agent, NavEventKind::Arrived));
    assert!(game.position(agent).distance(to) < 1.0);
    let places: Vec<_> = game
        .doors()
        .doors()
        .map(|(name, place, _)| (name.to_owned(), place))
        .collect();
    assert_eq!(places[1].0, "hatch");
    assert!(
        places[1].1.max.y < 0.0 && places[1].1.width() == 8.0,
        "{places:?}"
    );
}

/// A body with gravity on an endless floor, as a physics engine would move it.
#[test]
fn a_physics_body_is_steered_and_never_moved() {
    let mut game = game_with("body", ARENA, NavPlugin::in_schedule(FixedUpdate));
    let agent = game
        .app
        .world_mut()
        .spawn((
            NavAgent::new("walker"),
            NavBody::default(),
            NavDestination::Point(at(300.0, 352.0)),
            place(at(100.0, 352.0)),
        ))
        .id();
    game.app.add_systems(
        FixedUpdate,
        (|time: Res<Time>, mut bodies: Query<(&mut NavBody, &mut Transform)>| {
            for (mut body, mut transform) in &mut bodies {
                body.grounded = true;
                let change = 600.0 * time.delta_secs();
                body.velocity.x +=
                    (body.wanted_velocity().x - body.velocity.x).clamp(-change, change);
                transform.translation.x += body.velocity.x * time.delta_secs();
            }
        })
        .after(NavSystems::Move),
    );
    game.until("arrived", |game| game.has(agent, NavEventKind::Arrived));
    assert!(
        game.position(agent).distance(at(300.0, 352.0)) < 4.0,
        "{}",
        game.position(agent)
    );
    let frozen = game.position(agent);
    for _ in 0..30 {
        game.update();
    }
    assert!(game.position(agent).distance(frozen) < 4.0);
}

const TREE: &str = r#"(
    name: "guard",
    root: with_token(name: "may attack", pool: "melee", child: sequence(name: "attack", children: [
        task(name: "chase", task: "pursue", params: {"range": 20.0}),
        task(name: "bite", task: "cue", params: {"cue": "bite"}),
    ])),
)"#;

#[test]
fn a_tree_chases_bites_shares_a_token_and_is_reloaded() {
    let mut game = game("tree", ARENA);
    game.write("guard.tree.ron", TREE.as_bytes());
    let melee = TokenPool::new(Aggression::Low);
    game.app
        .world_mut()
        .resource_mut::<NavTokens>()
        .insert("melee", melee);
    let player = game.app.world_mut().spawn(place(at(300.0, 352.0))).id();
    let tree: Handle<NavTree> = game
        .app
        .world()
        .resource::<AssetServer>()
        .load("guard.tree.ron");
    let [one, two] = [100.0, 500.0].map(|x| {
        let brain = NavBrain::new(tree.clone()).with_target(player);
        game.app
            .world_mut()
            .spawn((NavAgent::new("walker"), brain, place(at(x, 352.0))))
            .id()
    });
    game.wait_for_tree(&tree, "20.0");
    game.until("bit", |game| game.cues.len() == 1);
    let brain = |game: &Game, agent| {
        let brain = game.app.world().get::<NavBrain>(agent).unwrap();
        (
            brain.tokens_held(),
            brain.running().map(str::to_owned).collect::<Vec<_>>(),
        )
    };
    // One token: the other waits where it is.
    let biter = game.cues[0].agent;
    let other = if biter == one { two } else { one };
    assert_eq!(
        (&*game.cues[0].name, game.cues[0].phase),
        ("bite", CuePhase::Begin)
    );
    assert_eq!(
        brain(&game, biter),
        (
            1,
            ["may attack", "attack", "bite"].map(str::to_owned).to_vec()
        )
    );
    assert_eq!(brain(&game, other).0, 0);
    assert!(game.position(biter).distance(game.position(player)) <= 20.0);
    // Meanwhile the file changes: the bite continues, and the range is another.
    game.rewrite("guard.tree.ron", TREE.replace("20.0", "90.0").as_bytes());
    game.wait_for_tree(&tree, "90.0");
    assert_eq!(brain(&game, biter).0, 1, "it keeps its token");
    assert_eq!(game.cues.len(), 1, "the cue goes on");
    // A file with a mistake changes nothing.
    game.rewrite(
        "guard.tree.ron",
        b"(name: \"guard\", root: task(task: \"pursu\"))",
    );
    game.wait_for_tree(&tree, "\"pursu\"");
    assert_eq!(brain(&game, biter).1[2], "bite");
    // The biter is despawned: its token goes to the other, with the new range.
    game.app.world_mut().despawn(biter);
    game.until("the other bit", |game| game.cues.len() == 3);
    assert_eq!(
        (game.cues[1].agent, game.cues[1].phase),
        (biter, CuePhase::Cancel)
    );
    assert_eq!(game.cues[2].agent, other);
    let distance = game.position(other).distance(game.position(player));
    assert!((60.0..=90.0).contains(&distance), "{distance}");
    // A stun cancels the cue, and returns the token.
    game.app
        .world_mut()
        .get_mut::<NavAgent>(other)
        .unwrap()
        .stun();
    game.until("cancelled", |game| game.cues.len() == 4);
    assert_eq!(game.cues[3].phase, CuePhase::Cancel);
    assert_eq!(brain(&game, other).0, 0);
    game.app
        .world_mut()
        .get_mut::<NavAgent>(other)
        .unwrap()
        .enable();
    game.until("bit again", |game| game.cues.len() == 5);
    game.app
        .world_mut()
        .get_mut::<NavBrain>(other)
        .unwrap()
        .finish_cue(true);
    game.update();
    assert_eq!(game.app.world().get::<NavBrain>(other).unwrap().cue(), None);
}

#[test]
fn a_despawned_agent_leaves_the_queue() {
    let mut game = game_with("queue", ARENA, NavPlugin::default().with_path_budget(1));
    let agents: Vec<Entity> = (0..20)
        .map(|i| {
            // Each goes somewhere else, so that no search is shared.
            let to = NavDestination::Point(at(60.0 + 25.0 * i as f32, 352.0));
            game.app
                .world_mut()
                .spawn((NavAgent::new("walker"), to, place(at(48.0, 352.0))))
                .id()
        })
        .collect();
    game.wait_for_load(1);
    game.update();
    let waiting = |game: &Game| game.app.world().resource::<NavWorld>().waiting();
    assert!(waiting(&game) > 10, "{}", waiting(&game));
    for agent in agents {
        game.app.world_mut().despawn(agent);
    }
    assert_eq!(waiting(&game), 0);
}

/// Loads a tree, and the level.
fn load_tree(game: &mut Game, file: &'static str, root: &str) -> Handle<NavTree> {
    let text = format!(r#"(name: "{file}", root: {root})"#);
    game.write(file, text.as_bytes());
    let tree = game.app.world().resource::<AssetServer>().load(file);
    if game.loads.is_empty() {
        game.wait_for_load(1);
    }
    game.wait_for_tree(&tree, file);
    tree
}

fn spawn_with_tree(game: &mut Game, tree: &Handle<NavTree>, x: f32) -> Entity {
    let brain = NavBrain::new(tree.clone());
    let components = (NavAgent::new("walker"), brain, place(at(x, 352.0)));
    game.app.world_mut().spawn(components).id()
}

/// Tasks that go to a position of the level.
fn go_to(to: [f32; 2]) -> String {
    format!(
        r#"task(task: "set_destination", params: {{"to": {to:?}}}),
        task(name: "start", task: "start_navigation"),
        task(name: "go", task: "wait_for_at_destination"),"#
    )
}

fn brain(game: &Game, agent: Entity) -> &NavBrain {
    game.app.world().get(agent).unwrap()
}

fn running(game: &Game, agent: Entity) -> Vec<String> {
    brain(game, agent).running().map(str::to_owned).collect()
}

const WAIT: &str = r#"task(name: "end", task: "wait", params: {"seconds": 1000.0})"#;

#[test]
fn events_of_a_tree_are_reported_once() {
    let mut game = game("events", ARENA);
    // To where it stands, along the floor, up by jumps, and into the ground.
    let trips = [
        [100.0, 352.0],
        [200.0, 352.0],
        [192.0, 192.0],
        [192.0, 383.0],
    ];
    let trips = trips.map(go_to).concat();
    let root = format!("selector(children: [sequence(children: [{trips}]), {WAIT}])");
    let tree = load_tree(&mut game, "trips.tree.ron", &root);
    let agent = spawn_with_tree(&mut game, &tree, 100.0);
    game.until("ended", |game| running(game, agent).contains(&"end".into()));
    for _ in 0..10 {
        game.update();
    }
    let count = |is_it: fn(&NavEventKind) -> bool| {
        let events = game.events.iter().filter(|event| is_it(&event.kind));
        events.count()
    };
    assert_eq!(count(|kind| *kind == NavEventKind::Arrived), 3);
    assert_eq!(
        count(|kind| matches!(kind, NavEventKind::CannotReach(_))),
        1
    );
    let jumps = count(|kind| matches!(kind, NavEventKind::Jumped { .. }));
    assert!(jumps > 0);
    assert_eq!(count(|kind| *kind == NavEventKind::Landed), jumps);
}

fn finish_cue(game: &mut Game, agent: Entity, name: &str) {
    let mut brain = game.app.world_mut().get_mut::<NavBrain>(agent).unwrap();
    brain.finish_cue_named(name, true);
    game.update();
}

#[test]
fn each_cue_ends_by_itself() {
    let mut game = game("cues", ARENA);
    let cue = |name| format!(r#"task(name: "{name}", task: "cue", params: {{"cue": "{name}"}})"#);
    let [a, b, bite] = ["a", "b", "bite"].map(cue);
    let root = format!(
        r#"sequence(children: [
            parallel(name: "both", success: 0, failure: 1, children: [{a}, {b}]),
            task(task: "shout"), {bite}, {WAIT},
        ])"#
    );
    let tree = load_tree(&mut game, "cues.tree.ron", &root);
    let agent = spawn_with_tree(&mut game, &tree, 100.0);
    let leaf = |game: &Game| running(game, agent).pop().unwrap();
    game.update();
    assert_eq!(brain(&game, agent).cue(), Some("b"));
    finish_cue(&mut game, agent, "a");
    assert_eq!(running(&game, agent)[1..], ["both", "b"].map(str::to_owned));
    finish_cue(&mut game, agent, "b");
    finish_cue(&mut game, agent, "shout");
    assert_eq!(
        leaf(&game),
        "bite",
        "the end of a shout is not that of a bite"
    );
    assert_eq!(brain(&game, agent).cue(), Some("bite"));
    let mut brain = game.app.world_mut().get_mut::<NavBrain>(agent).unwrap();
    brain.finish_cue(true);
    game.update();
    assert_eq!(leaf(&game), "end");
    let names: Vec<_> = game
        .cues
        .iter()
        .map(|cue| (&*cue.name, cue.phase))
        .collect();
    assert_eq!(
        names,
        ["a", "b", "shout", "bite"].map(|name| (name, CuePhase::Begin))
    );
}

/// The agent is stunned before its tree has read the end of the cue.
#[test]
fn a_finished_cue_is_not_cancelled() {
    let mut game = game("finished", ARENA);
    let agents = biters(&mut game);
    let mut entity = game.app.world_mut().entity_mut(agents[0]);
    entity.get_mut::<NavBrain>().unwrap().finish_cue(true);
    entity.get_mut::<NavAgent>().unwrap().stun();
    game.update();
    assert_eq!(tokens_held(&game, agents), [0, 1]);
    let cues: Vec<_> = game.cues.iter().map(|cue| (cue.agent, cue.phase)).collect();
    assert_eq!(cues, [(agents[1], CuePhase::Begin)]);
}

#[test]
fn a_shout_leaves_the_cue_beside_it_alone() {
    let mut game = game("shout", ARENA);
    let bite = r#"task(name: "bite", task: "cue", params: {"cue": "bite"})"#;
    let shout = r#"sequence(children: [task(task: "wait", params: {"seconds": 0.1}), task(task: "shout")])"#;
    let root = format!(
        "sequence(children: [parallel(success: 0, failure: 1, children: [{bite}, {shout}]), {WAIT}])"
    );
    let tree = load_tree(&mut game, "shout.tree.ron", &root);
    let agent = spawn_with_tree(&mut game, &tree, 100.0);
    game.until("shouted", |game| game.cues.len() == 2);
    for _ in 0..3 {
        assert_eq!(brain(&game, agent).cue(), Some("bite"));
        game.update();
    }
    finish_cue(&mut game, agent, "shout");
    let mut brain = game.app.world_mut().get_mut::<NavBrain>(agent).unwrap();
    brain.finish_cue(true);
    game.update();
    assert_eq!(running(&game, agent).pop().unwrap(), "end");
    // A bomb shouts, and the game removes it: nothing was given up.
    let root = format!(r#"sequence(children: [task(task: "shout"), {WAIT}])"#);
    let tree = load_tree(&mut game, "bomb.tree.ron", &root);
    let bomb = spawn_with_tree(&mut game, &tree, 100.0);
    game.cues.clear();
    game.until("shouted", |game| game.cues.len() == 1);
    game.app.world_mut().entity_mut(bomb).despawn();
    game.update();
    assert_eq!(game.cues.len(), 1, "{:?}", game.cues);
}

/// A body that follows its jump commands, on a floor at y −352.
fn move_bodies(time: Res<Time>, mut bodies: Query<(&mut NavBody, &mut Transform)>) {
    for (mut body, mut transform) in &mut bodies {
        let dt = time.delta_secs();
        body.grounded = transform.translation.y <= -352.0 && body.velocity.y <= 0.0;
        let jump = body.jump().filter(|_| body.grounded);
        body.grounded &= jump.is_none();
        body.velocity.y = match jump {
            Some(jump) => jump.velocity.y,
            None if body.grounded => 0.0,
            None => body.velocity.y - 890.0 * dt,
        };
        body.velocity.x = body.wanted_velocity().x;
        transform.translation += (body.velocity * dt).extend(0.0);
        transform.translation.y = transform.translation.y.max(-352.0);
    }
}

/// A designer renames an agent.
#[test]
fn an_agent_without_a_layer_rests() {
    let mut game = game_with("no_layer", ARENA, NavPlugin::in_schedule(FixedUpdate));
    game.app
        .add_systems(FixedUpdate, move_bodies.after(NavSystems::Move));
    let to = NavDestination::Point(at(192.0, 192.0));
    let start = place(at(48.0, 352.0));
    let body = (NavAgent::new("walker"), NavBody::default(), to, start);
    let body = game.app.world_mut().spawn(body).id();
    let moved = (NavAgent::new("walker"), to, start);
    let moved = game.app.world_mut().spawn(moved).id();
    let jump = |game: &Game| game.app.world().get::<NavBody>(body).unwrap().jump();
    game.until("told to jump", |game| jump(game).is_some());
    game.rewrite("level.navmesh", &level_bytes(PORTALS));
    game.wait_for_load(2);
    // It lands.
    for _ in 0..60 {
        game.update();
    }
    assert_eq!(jump(&game), None);
    let before = [body, moved].map(|agent| game.position(agent));
    let mut agent = game.app.world_mut().get_mut::<NavAgent>(moved).unwrap();
    agent.launch(Vec2::new(0.0, 300.0));
    for _ in 0..60 {
        game.update();
    }
    assert_eq!([body, moved].map(|agent| game.position(agent)), before);
    assert_eq!(game.agent(moved).velocity(), Vec2::ZERO);
    assert!(!game.agent(moved).activity().is_moving());
    // The designer takes it back.
    game.rewrite("level.navmesh", &level_bytes(ARENA));
    game.wait_for_load(3);
    game.until("arrived", |game| game.has(moved, NavEventKind::Arrived));
}

const BITE: &str = r#"with_token(name: "token", pool: "melee", child:
    task(name: "bite", task: "cue", params: {"cue": "bite"}))"#;

/// An agent that bites with the only token, and one that waits for it.
fn biters(game: &mut Game) -> [Entity; 2] {
    let melee = TokenPool::new(Aggression::Low);
    let mut tokens = game.app.world_mut().resource_mut::<NavTokens>();
    tokens.insert("melee", melee);
    let tree = load_tree(game, "bite.tree.ron", BITE);
    let agents = [100.0, 120.0].map(|x| {
        let agent = spawn_with_tree(game, &tree, x);
        game.update();
        agent
    });
    assert_eq!(tokens_held(game, agents), [1, 0]);
    game.cues.clear();
    agents
}

fn tokens_held(game: &Game, agents: [Entity; 2]) -> [usize; 2] {
    agents.map(|agent| {
        let brain = game.app.world().get::<NavBrain>(agent);
        brain.map_or(0, NavBrain::tokens_held)
    })
}

#[test]
fn the_token_of_an_agent_without_a_layer_returns() {
    let mut game = game("no_layer_token", ARENA);
    let agents = biters(&mut game);
    game.rewrite("level.navmesh", &level_bytes(PORTALS));
    game.wait_for_load(2);
    game.update();
    assert_eq!(tokens_held(&game, agents), [0, 0]);
    let cues: Vec<_> = game.cues.iter().map(|cue| (cue.agent, cue.phase)).collect();
    assert_eq!(cues, [(agents[0], CuePhase::Cancel)]);
}

#[test]
fn the_first_tick_of_a_tree_has_the_values_of_the_game() {
    let mut game = game("keys", ARENA);
    let root = format!(
        r#"selector(children: [sequence(children: [
            task(task: "head_for", params: {{"key": "home"}}),
            task(task: "start_navigation"),
            task(task: "wait_for_at_destination"),
            {WAIT},
        ]), task(name: "lost", task: "wait", params: {{"seconds": 1000.0}})])"#
    );
    let tree = load_tree(&mut game, "home.tree.ron", &root);
    let mut brain = NavBrain::new(tree);
    let homes = [at(600.0, 352.0), at(200.0, 352.0)];
    assert!(homes.map(|home| brain.set_position("home", home)) == [true; 2]);
    assert!(brain.set("hme", 1_i64), "the tree does not run yet");
    let agent = (NavAgent::new("walker"), brain, place(at(100.0, 352.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    game.until("went home", |game| {
        assert!(!running(game, agent).contains(&"lost".into()));
        running(game, agent).contains(&"end".into())
    });
    assert_eq!(game.position(agent), homes[1]);
    let mut brain = game.app.world_mut().get_mut::<NavBrain>(agent).unwrap();
    assert!(brain.set_position("home", homes[0]) && !brain.set("hme", 1_i64));
    // What the game has set is there when the level is started again.
    let level = game.app.world_mut().remove_resource::<NavLevel>().unwrap();
    game.update();
    game.app.insert_resource(level);
    game.until("went to the other home", |game| {
        assert!(!running(game, agent).contains(&"lost".into()));
        running(game, agent).contains(&"end".into())
    });
    assert_eq!(game.position(agent), homes[0]);
}

/// With the file that the guide names.
#[test]
fn the_enemy_of_the_guide_bites_the_player() {
    let mut game = game("guide", ARENA);
    game.write(
        "grunt.tree.ron",
        &level_bytes("demo/assets/chaser.tree.ron"),
    );
    let mut tokens = game.app.world_mut().resource_mut::<NavTokens>();
    tokens.insert("melee", TokenPool::new(Aggression::Low));
    let player = game.app.world_mut().spawn(place(at(48.0, 352.0))).id();
    let tree = game.app.world().resource::<AssetServer>();
    let brain = NavBrain::new(tree.load("grunt.tree.ron")).with_target(player);
    let grunt = (NavAgent::new("walker"), brain, place(at(624.0, 128.0)));
    let grunt = game.app.world_mut().spawn(grunt).id();
    game.until("bitten", |game| !game.cues.is_empty());
    assert!(game.position(grunt).distance(at(48.0, 352.0)) < 20.0);
    let is_bite = |cue: &NavCue| cue.agent == grunt && &*cue.name == "bite";
    assert!(game.cues.iter().all(is_bite), "{:?}", game.cues);
}

/// Before a level is loaded, and after a designer has renamed the door.
#[test]
fn an_unknown_door_is_logged_once_and_stays_as_it_is() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let mut game = game("unknown_door", PORTALS);
    assert!(!game.doors().close("gate") && !game.doors().close("gate"));
    game.wait_for_load(1);
    let called = game
        .doors()
        .doors()
        .map(|(name, ..)| name.to_owned())
        .next();
    assert!(game.doors().close(&called.expect("a door")));
    assert!(!game.doors().close("gote") && !game.doors().open("gote"));
    let lines = log.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    for (line, what) in lines.iter().zip(["\"gate\"", "\"gote\""]) {
        assert!(line.contains(what), "{line}");
    }
}

/// For a key that was declared and never set, and for a repeat whose child fails in every tick.
#[test]
fn a_mistake_of_a_tree_is_logged_once_for_each_brain() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let mut game = game("mistakes", ARENA);
    let home = r#"repeat(child: sequence(name: "go home", children: [
        task(task: "head_for", params: {"key": "home"}),
    ])), keys: {"home": vec2}"#;
    let fails = r#"sequence(children: [repeat(name: "again", child: always_fail())])"#;
    let rests = r#"repeat(child: task(task: "wait", params: {"seconds": 0.1}))"#;
    let roots = [
        ("home.tree.ron", home),
        ("fails.tree.ron", fails),
        ("rests.tree.ron", rests),
    ];
    let [home, fails, rests] = roots.map(|(file, root)| load_tree(&mut game, file, root));
    let agents = [&home, &home, &fails, &rests].map(|tree| spawn_with_tree(&mut game, tree, 100.0));
    for _ in 0..60 * 60 {
        game.update();
    }
    let key = "`repeat/go home/head_for`: blackboard key \"home\" is not set";
    let expected = [
        format!("{}: tree \"home.tree.ron\": {key}", agents[0]),
        format!("{}: tree \"home.tree.ron\": {key}", agents[1]),
        format!(
            "{}: tree \"fails.tree.ron\": `sequence/again`: its child fails in every tick",
            agents[2]
        ),
    ];
    assert_eq!(log.lines(), expected);
}

/// A target behind an agent is heard when it is near, and remembered.
#[test]
fn an_agent_with_perception_sees_ahead_hears_what_is_near_and_forgets() {
    let mut game = game("perception", ARENA);
    let root = r#"selector(children: [
        reactive_sequence(children: [
            task(task: "knows_target"),
            task(name: "alarm", task: "wait", params: {"seconds": 1000.0}),
        ]),
        task(name: "sleep", task: "wait", params: {"seconds": 0.02}),
    ])"#;
    let tree = load_tree(
        &mut game,
        "alarm.tree.ron",
        &format!("repeat(child: {root})"),
    );
    let target = game.app.world_mut().spawn(place(at(300.0, 352.0))).id();
    let mut brain = NavBrain::new(tree).with_target(target);
    brain.perception = Some(Perception {
        range: 120.0,
        hearing: 30.0,
        memory: 0.5,
        ..Perception::default()
    });
    let agent = (NavAgent::new("walker"), brain, place(at(200.0, 352.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    let mut is_alarmed = |x: f32, frames: u32| {
        let mut target = game.app.world_mut().get_mut::<Transform>(target).unwrap();
        target.translation = at(x, 352.0).extend(0.0);
        for _ in 0..frames {
            game.update();
        }
        running(&game, agent).contains(&"alarm".to_owned())
    };
    // It looks to the right: out of sight, ahead, gone for less and for more than its memory.
    let cases = [
        (400.0, 12),
        (300.0, 12),
        (100.0, 24),
        (100.0, 24),
        (180.0, 12),
    ];
    let found = cases.map(|(x, frames)| is_alarmed(x, frames));
    assert_eq!(found, [false, true, true, false, true]);
}

#[test]
fn a_tree_takes_the_place_of_a_destination() {
    let mut game = game("replace", ARENA);
    let root = format!("sequence(children: [{} {WAIT}])", go_to([400.0, 352.0]));
    let tree = load_tree(&mut game, "go.tree.ron", &root);
    let to = NavDestination::Point(at(200.0, 352.0));
    let components = (NavAgent::new("walker"), to, place(at(100.0, 352.0)));
    let agent = game.app.world_mut().spawn(components).id();
    for _ in 0..10 {
        game.update();
    }
    let mut entity = game.app.world_mut().entity_mut(agent);
    entity
        .remove::<NavDestination>()
        .insert(NavBrain::new(tree));
    game.until("ended", |game| running(game, agent).contains(&"end".into()));
    assert!(game.position(agent).distance(at(400.0, 352.0)) < 1.0);
}

#[test]
fn a_level_is_started_again() {
    let mut game = game("restart", PORTALS);
    let root = format!("sequence(children: [{} {BITE}])", go_to([400.0, 208.0]));
    let melee = TokenPool::new(Aggression::Low);
    let mut tokens = game.app.world_mut().resource_mut::<NavTokens>();
    tokens.insert("melee", melee);
    let tree = load_tree(&mut game, "go.tree.ron", &root);
    let brain = NavBrain::new(tree);
    let agent = (NavAgent::new("ground"), brain, place(at(56.0, 208.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    assert!(game.doors().open("hatch"));
    for _ in 0..30 {
        game.update();
    }
    let before = game.position(agent);
    assert!(game.agent(agent).activity().is_moving());
    let level = game.app.world_mut().remove_resource::<NavLevel>().unwrap();
    for _ in 0..30 {
        game.update();
    }
    assert_eq!(game.position(agent), before);
    assert!(!game.agent(agent).activity().is_moving());
    assert!(running(&game, agent).is_empty());
    assert_eq!(game.doors().doors().count(), 0);
    game.app.insert_resource(level);
    game.update();
    assert_eq!(game.loads[1..], [NavLevelLoaded { is_reload: false }]);
    assert_eq!(game.doors().is_closed("hatch"), Some(true));
    game.until("bit", |game| !game.cues.is_empty());
    assert!(game.position(agent).distance(at(400.0, 208.0)) < 1.0);
}

/// Frames are shorter than the steps of `FixedUpdate`, so none may come between.
#[test]
fn trees_begin_again_with_their_level_in_every_schedule() {
    for plugin in [NavPlugin::default(), NavPlugin::in_schedule(FixedUpdate)] {
        let mut game = game_with("again", ARENA, plugin);
        let frame = Duration::from_secs_f64(1.0 / 600.0);
        game.app
            .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
        let root = r#"task(task: "cue", params: {"cue": "bite"})"#;
        let tree = load_tree(&mut game, "once.tree.ron", root);
        spawn_with_tree(&mut game, &tree, 100.0);
        game.until("bit", |game| game.cues.len() == 1);
        let level = game.app.world_mut().remove_resource::<NavLevel>().unwrap();
        game.update();
        game.app.insert_resource(level);
        game.until("bit again", |game| game.cues.len() == 3);
        let phases: Vec<_> = game.cues.iter().map(|cue| cue.phase).collect();
        let expected = [CuePhase::Begin, CuePhase::Cancel, CuePhase::Begin];
        assert_eq!(phases, expected);
    }
}

/// The bite of an agent was cancelled, and the other bites.
#[track_caller]
fn assert_other_bites(game: &mut Game, agents: [Entity; 2]) {
    for _ in 0..5 {
        game.update();
    }
    assert_eq!(tokens_held(game, agents), [0, 1]);
    let cues: Vec<_> = game.cues.iter().map(|cue| (cue.agent, cue.phase)).collect();
    assert_eq!(
        cues,
        [(agents[0], CuePhase::Cancel), (agents[1], CuePhase::Begin)]
    );
}

#[test]
fn a_brain_without_an_agent_returns_its_token() {
    let mut game = game("corpse", ARENA);
    let agents = biters(&mut game);
    let mut entity = game.app.world_mut().entity_mut(agents[0]);
    entity.remove::<NavAgent>();
    assert_other_bites(&mut game, agents);
}

#[test]
fn a_tree_goes_on_until_another_file_is_a_tree() {
    let mut game = game("mistake", ARENA);
    let agents = biters(&mut game);
    let tree = load_tree(&mut game, "mistake.tree.ron", r#"task(task: "pursu")"#);
    let mut entity = game.app.world_mut().entity_mut(agents[0]);
    entity.get_mut::<NavBrain>().unwrap().tree = tree.clone();
    for _ in 0..5 {
        game.update();
    }
    assert_eq!(tokens_held(&game, agents), [1, 0]);
    finish_cue(&mut game, agents[0], "bite");
    // It bites again at once, as its root starts again.
    assert_eq!(game.cues.len(), 1);
    let right = format!(r#"(name: "repaired", root: {WAIT})"#);
    game.rewrite("mistake.tree.ron", right.as_bytes());
    game.wait_for_tree(&tree, "repaired");
    assert_eq!(running(&game, agents[0]), ["end"]);
}

/// With a mesh that is loaded already, and one that is not.
#[test]
fn agents_spawned_with_the_next_level_wait_for_it() {
    for is_loaded in [true, false] {
        let mut game = game("next", ARENA);
        game.wait_for_load(1);
        game.write("next.navmesh", &level_bytes(ROOMS));
        let server = game.app.world().resource::<AssetServer>();
        let mesh: Handle<NavMesh> = server.load("next.navmesh");
        let meshes = |game: &Game| game.app.world().resource::<Assets<NavMesh>>().len();
        if is_loaded {
            game.wait("loaded", |game| meshes(game) == 2);
        }
        // On the floor of the next level, and below that of the one in play.
        let start = at(128.0, 384.0);
        let agent = (NavAgent::new("walker"), place(start));
        let agent = game.app.world_mut().spawn(agent).id();
        game.app.add_systems(
            Update,
            (move |mut commands: Commands, mut is_done: Local<bool>| {
                if !std::mem::replace(&mut *is_done, true) {
                    commands.insert_resource(NavLevel::new(mesh.clone()));
                }
            })
            .before(NavSystems::Trees),
        );
        game.wait_for_load(2);
        for _ in 0..30 {
            game.update();
        }
        assert_eq!(game.events, []);
        assert!(game.agent(agent).feet().is_some());
        assert_eq!(game.position(agent), start);
    }
}

/// To the entrance of the next level, or with the level when the game moves its origin.
#[test]
fn agents_begin_where_the_game_puts_them_between_levels() {
    let mut game = game("entrance", ARENA);
    let to = NavDestination::Point(at(600.0, 352.0));
    let agent = (NavAgent::new("walker"), to, place(at(100.0, 352.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    game.wait_for_load(1);
    for _ in 0..30 {
        game.update();
    }
    let put = |game: &mut Game, mesh: &Handle<NavMesh>, origin: Vec2, x: f32| {
        let mut transform = game.app.world_mut().get_mut::<Transform>(agent).unwrap();
        *transform = place(origin + at(x, 352.0));
        let mesh = mesh.clone();
        game.app.insert_resource(NavLevel { mesh, origin });
        game.events.clear();
        game.update();
        let moved = game.position(agent) - origin - at(x, 352.0);
        assert!(moved.length() < 2.0, "{moved} from {x}");
    };
    let level = game.app.world_mut().remove_resource::<NavLevel>().unwrap();
    game.update();
    put(&mut game, &level.mesh, Vec2::ZERO, 200.0);
    // Its mesh is loaded already.
    game.write("next.navmesh", &level_bytes(ARENA));
    let next = game.app.world().resource::<AssetServer>();
    let next: Handle<NavMesh> = next.load("next.navmesh");
    let meshes = |game: &Game| game.app.world().resource::<Assets<NavMesh>>().len();
    game.wait("loaded", |game| meshes(game) == 2);
    put(&mut game, &next, Vec2::ZERO, 100.0);
    game.until("arrived", |game| game.has(agent, NavEventKind::Arrived));
    put(&mut game, &next, Vec2::new(-300.0, 50.0), 240.0);
}

/// The floor is 32 lower in the new file, and nothing else is near the target.
#[test]
fn followers_look_for_the_new_floor_below_a_target_at_rest() {
    let mut game = game("lower", ARENA);
    let target = game.app.world_mut().spawn(place(at(500.0, 340.0))).id();
    let to = NavDestination::Entity(target);
    let agent = (NavAgent::new("walker"), to, place(at(460.0, 352.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    game.until("arrived", |game| game.has(agent, NavEventKind::Arrived));
    game.rewrite("level.navmesh", &level_bytes(ROOMS));
    game.wait_for_load(2);
    game.until("arrived below", |game| {
        game.position(agent).distance(at(500.0, 384.0)) < 1.0
            && !game.agent(agent).activity().is_moving()
    });
}

#[test]
fn a_tree_goes_on_with_another_pool_and_a_moved_level() {
    let mut game = game("pools", ARENA);
    let agents = biters(&mut game);
    let mut tokens = game.app.world_mut().resource_mut::<NavTokens>();
    tokens.insert("ranged", TokenPool::new(Aggression::Low));
    game.update();
    game.app.world_mut().resource_mut::<NavLevel>().origin.x = 1.0;
    game.wait_for_load(2);
    game.update();
    assert_eq!(tokens_held(&game, agents), [1, 0]);
    assert_eq!(game.cues, []);
    finish_cue(&mut game, agents[0], "bite");
    assert_eq!(game.cues.len(), 1);
}

#[test]
fn a_tree_ends_with_its_brain() {
    let mut game = game("ends", ARENA);
    for removed in [true, false] {
        let agents = biters(&mut game);
        let mut entity = game.app.world_mut().entity_mut(agents[0]);
        if removed {
            entity.remove::<NavBrain>();
        } else {
            entity.despawn();
        }
        assert_other_bites(&mut game, agents);
        game.app.world_mut().despawn(agents[1]);
    }
    let turn = format!(
        r#"sequence(children: [task(task: "face_target"), {} {WAIT}])"#,
        go_to([600.0, 352.0])
    );
    let tree = load_tree(&mut game, "turn.tree.ron", &turn);
    let target = game.app.world_mut().spawn(place(at(50.0, 352.0))).id();
    let brain = NavBrain::new(tree).with_target(target);
    let agent = (NavAgent::new("walker"), brain, place(at(100.0, 352.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    for _ in 0..30 {
        game.update();
    }
    let before = game.position(agent);
    assert!(before.x > 110.0);
    game.app.world_mut().entity_mut(agent).remove::<NavBrain>();
    for _ in 0..30 {
        game.update();
    }
    assert!(game.position(agent).distance(before) < 10.0);
    assert_eq!(game.agent(agent).facing(), Facing::Right);
}

#[test]
fn a_launched_agent_does_not_bite_in_the_air() {
    let mut game = game("knockback", ARENA);
    let agents = biters(&mut game);
    let mut agent = game.app.world_mut().get_mut::<NavAgent>(agents[0]).unwrap();
    agent.launch(Vec2::new(50.0, 300.0));
    assert_other_bites(&mut game, agents);
    assert_eq!(game.agent(agents[0]).activity(), Activity::Launched);
    game.until("landed", |game| game.has(agents[0], NavEventKind::Landed));
    game.app.world_mut().despawn(agents[1]);
    game.update();
    assert_eq!(tokens_held(&game, agents), [1, 0]);
}

#[test]
fn a_teleport_repairs_a_transform() {
    let mut game = game("repair", ARENA);
    let offset = NavFeet(Vec2::new(0.1, -10.3));
    let agent = (NavAgent::new("walker"), offset, place(at(100.0, 341.7)));
    let agent = game.app.world_mut().spawn(agent).id();
    game.until("stood", |game| game.agent(agent).feet().is_some());
    game.update();
    let world = game.app.world_mut();
    let tick = |world: &World| {
        world
            .entity(agent)
            .get_ref::<Transform>()
            .unwrap()
            .last_changed()
    };
    let before = tick(world);
    game.update();
    assert_eq!(tick(game.app.world()), before, "it is at rest");
    for far in [f32::NAN, 3e8] {
        let mut transform = game.app.world_mut().get_mut::<Transform>(agent).unwrap();
        transform.translation.y = far;
        let mut commanded = game.app.world_mut().get_mut::<NavAgent>(agent).unwrap();
        commanded.teleport(at(200.0, 352.0));
        game.update();
        assert_eq!(game.position(agent), at(200.0, 352.0) - offset.0);
    }
}

#[test]
fn a_target_may_have_a_parent() {
    let mut game = game("parent", ARENA);
    let root = r#"task(name: "chase", task: "pursue", params: {"range": 20.0})"#;
    let root = format!("sequence(children: [{root}, {WAIT}])");
    let tree = load_tree(&mut game, "chase.tree.ron", &root);
    let world = game.app.world_mut();
    let parent = world.spawn(Transform::from_xyz(200.0, -52.0, 0.0)).id();
    let target = (place(at(100.0, 300.0)), ChildOf(parent));
    let target = world.spawn(target).id();
    let start = place(at(200.0, 352.0));
    let to = NavDestination::Entity(target);
    let follower = world.spawn((NavAgent::new("walker"), to, start)).id();
    let brain = NavBrain::new(tree).with_target(target);
    let chaser = world.spawn((NavAgent::new("walker"), brain, start)).id();
    game.until("arrived", |game| {
        game.has(follower, NavEventKind::Arrived) && running(game, chaser).contains(&"end".into())
    });
    assert_eq!(game.position(follower), at(300.0, 352.0));
    assert!(game.position(chaser).distance(at(300.0, 352.0)) <= 20.0);
}

#[test]
#[should_panic(expected = "add it after DefaultPlugins, or after AssetPlugin")]
fn the_plugin_names_the_one_that_must_come_first() {
    App::new().add_plugins((MinimalPlugins, NavPlugin::default()));
}
