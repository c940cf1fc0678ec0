//! Maps that are baked when they are loaded, and again when they or their files change.

mod support;

use std::path::Path;

use bevy::asset::LoadState;
use bevy::prelude::*;
use bevy_navbake::navmesh_runtime::asset;
use bevy_navbake::prelude::*;

use support::{Game, at, place};

const CONFIG: &str = "[[agent]]\nname = \"runner\"\nbody = [12, 14]\nmax_jump = [64, 40]\n";

/// A floor with a gap of 14 tiles, and a bridge of tiles of its own across it.
fn map() -> String {
    let mut rows = vec!["0,".repeat(40); 11];
    rows.push(format!(
        "{}{}{}",
        "1,".repeat(12),
        "2,".repeat(14),
        "1,".repeat(14)
    ));
    let csv = rows.join("\n");
    let csv = csv.trim_end_matches(',');
    format!(
        r#"<map orientation="orthogonal" width="40" height="12" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="tiles/stone.tsx"/>
 <layer id="1" name="scene" width="40" height="12"><data encoding="csv">
{csv}
</data></layer>
</map>"#
    )
}

/// The tiles: the second one is air unless it is a bridge.
fn tileset(bridge: bool) -> String {
    let solid = |id, is_solid| {
        format!(
            r#"<tile id="{id}"><properties><property name="solid" type="bool" value="{is_solid}"/></properties></tile>"#
        )
    };
    format!(
        r#"<tileset name="stone" tilewidth="16" tileheight="16" tilecount="2" columns="2">{}{}</tileset>"#,
        solid(0, true),
        solid(1, bridge)
    )
}

fn load_error(game: &Game, mesh: &Handle<NavMesh>) -> Option<String> {
    let server = game.app.world().resource::<AssetServer>();
    match server.load_state(mesh) {
        LoadState::Failed(error) => Some(error.to_string()),
        _ => None,
    }
}

#[test]
fn agents_arrive_over_the_floor_that_a_designer_draws() {
    let mut game = Game::empty("bake", NavPlugin::default(), true);
    std::fs::create_dir_all(game.folder.join("maps/tiles")).unwrap();
    game.write("navbake.toml", CONFIG.as_bytes());
    game.write("maps/first.tmx", map().as_bytes());
    game.write("maps/tiles/stone.tsx", tileset(false).as_bytes());
    game.enter("maps/first.tmx");
    let to = at(600.0, 176.0);
    let components = (
        NavAgent::new("runner"),
        NavDestination::Point(to),
        place(at(40.0, 176.0)),
    );
    let runner = game.app.world_mut().spawn(components).id();
    game.until("found the gap too wide", |game| {
        let mut events = game.events.iter();
        events.any(|event| matches!(event.kind, NavEventKind::CannotReach(_)))
    });
    assert_eq!(game.position(runner), at(40.0, 176.0));

    // Saved without a change for agents: the mesh in play stays.
    game.write("maps/first.tmx", format!("{}\n", map()).as_bytes());
    // The designer makes the bridge solid, in the tileset.
    game.write("maps/tiles/stone.tsx", tileset(true).as_bytes());
    game.wait_for_load(2);
    assert!(game.loads[1].is_reload);
    let mut over_the_gap = Vec::new();
    for _ in 0..1200 {
        game.update();
        let here = game.position(runner);
        over_the_gap.extend((192.0..416.0).contains(&here.x).then_some(here.y));
    }
    assert!(game.has(runner, NavEventKind::Arrived));
    assert!(game.position(runner).distance(to) < 1.0);
    assert!(over_the_gap.len() > 60, "{}", over_the_gap.len());
    assert!(
        over_the_gap.iter().all(|y| *y == -176.0),
        "it runs on the bridge"
    );
    assert_eq!(game.loads.len(), 2);

    // The configuration renames the agent: the old name is in no mesh any more.
    game.write("navbake.toml", CONFIG.replace("runner", "racer").as_bytes());
    game.wait_for_load(3);
    let meshes = game.app.world().resource::<Assets<NavMesh>>();
    let names: Vec<_> = meshes
        .iter()
        .flat_map(|(_, mesh)| mesh.layers().iter())
        .map(|layer| layer.profile().name.clone())
        .collect();
    assert_eq!(names, ["racer"]);
}

#[test]
fn what_is_wrong_with_a_map_is_the_error_of_its_load() {
    let mut game = Game::empty("bake-errors", NavPlugin::default(), true);
    std::fs::create_dir_all(game.folder.join("tiles")).unwrap();
    game.write("first.tmx", map().as_bytes());
    game.write("tiles/stone.tsx", b"<tileset>\n<tile");
    let mesh = game.enter("first.tmx");
    game.wait("failed", |game| load_error(game, &mesh).is_some());
    let error = load_error(&game, &mesh).unwrap();
    assert!(error.contains("tiles/stone.tsx:"), "{error}");
    // The tileset is corrected, and the map is saved again.
    game.write("tiles/stone.tsx", tileset(true).as_bytes());
    game.write("first.tmx", map().as_bytes());
    game.wait_for_load(1);
    // Half a map leaves the mesh in play.
    let half = map();
    game.write("first.tmx", &half.as_bytes()[..half.len() / 2]);
    game.wait("failed again", |game| load_error(game, &mesh).is_some());
    let error = load_error(&game, &mesh).unwrap();
    assert!(error.contains("first.tmx:"), "{error}");
    assert_eq!(game.loads.len(), 1);
    let meshes = game.app.world().resource::<Assets<NavMesh>>();
    assert!(meshes.get(&mesh).is_some());
    // A mistake in the configuration names its line.
    game.write("first.tmx", map().as_bytes());
    game.write("navbake.toml", b"[[agent]]\nname = \"a\"\nbody = [0, 1]\n");
    let names_line =
        |game: &Game| load_error(game, &mesh).is_some_and(|error| error.contains("navbake.toml:3"));
    game.wait("named the line", names_line);
}

/// The levels of the repository: the mesh of a map is that of the command, and a
/// project has a mesh for each level.
#[test]
fn meshes_are_those_of_the_command() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut game = Game::empty("bake-command", NavPlugin::default(), false);
    for file in ["portals.tmx", "tiles.tsx", "mine.ldtk"] {
        let bytes = std::fs::read(repository.join("fixtures").join(file)).unwrap();
        game.write(file, &bytes);
    }
    game.write("navbake.toml", b"");
    let portals = game.enter("portals.tmx");
    let server = game.app.world().resource::<AssetServer>();
    let levels: [Handle<NavMesh>; 3] =
        ["mine.ldtk", "mine.ldtk#Mine", "mine.ldtk#Shaft"].map(|path| server.load(path));
    game.wait("baked", |game| {
        let meshes = game.app.world().resource::<Assets<NavMesh>>();
        levels
            .iter()
            .chain([&portals])
            .all(|mesh| meshes.contains(mesh))
    });
    let meshes = game.app.world().resource::<Assets<NavMesh>>();
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/assets/portals.navmesh");
    let mesh = meshes.get(&portals).unwrap();
    assert!(asset::encode(mesh) == std::fs::read(committed).unwrap());
    let [whole, mine, shaft] = levels.map(|mesh| asset::encode(meshes.get(&mesh).unwrap()));
    assert!(whole == mine && mine != shaft);
}

/// A level of a project, while the project itself is not in use.
#[test]
fn a_level_of_a_project_is_baked_again_when_the_configuration_changes() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/mine.ldtk");
    let mut game = Game::empty("bake-project", NavPlugin::default(), true);
    game.write("mine.ldtk", &std::fs::read(fixture).unwrap());
    game.write("navbake.toml", CONFIG.as_bytes());
    let mesh = game.enter("mine.ldtk#Shaft");
    game.wait_for_load(1);
    game.write("navbake.toml", CONFIG.replace("runner", "racer").as_bytes());
    // The file may also be read while it is written, when it is empty.
    game.wait("baked for the racer", |game| {
        let meshes = game.app.world().resource::<Assets<NavMesh>>();
        let mesh = meshes.get(&mesh);
        mesh.is_some_and(|mesh| mesh.layer_named("racer").is_some())
    });
}

/// The project is saved in the folder of the game, or in the asset folder above the map,
/// where it is changed in play.
#[test]
fn defaults_of_classes_are_those_of_the_tiled_project() {
    for name in ["../game.tiled-project", "game.tiled-project"] {
        check_project(name);
    }
}

fn check_project(name: &str) {
    let mut game = Game::empty("bake-classes/assets", NavPlugin::default(), true);
    std::fs::create_dir_all(game.folder.join("maps/tiles")).unwrap();
    let slab = r#"<objectgroup id="2" name="things">
  <object id="1" class="Slab" x="192" y="176" width="224" height="16"/>
 </objectgroup></map>"#;
    let project = |is_solid: bool| {
        format!(
            r#"{{"propertyTypes": [{{"id": 1, "name": "Slab", "type": "class", "useAs": ["object"],
"members": [{{"name": "solid", "type": "bool", "value": {is_solid}}}]}}]}}"#
        )
    };
    game.write(name, project(true).as_bytes());
    game.write("maps/first.tmx", map().replace("</map>", slab).as_bytes());
    game.write("maps/tiles/stone.tsx", tileset(false).as_bytes());
    game.write("navbake.toml", CONFIG.as_bytes());
    let mesh = game.enter("maps/first.tmx");
    game.wait_for_load(1);
    let floors = |game: &Game| {
        let meshes = game.app.world().resource::<Assets<NavMesh>>();
        let mesh = meshes.get(&mesh).unwrap();
        mesh.layer_named("runner").unwrap().platforms().len()
    };
    assert_eq!(floors(&game), 1);
    game.write(name, project(false).as_bytes());
    if name.starts_with("..") {
        // Only files of the asset folder are watched.
        return;
    }
    game.wait("without the slab", |game| floors(game) == 2);
}

/// Beside the middle of the ladder, where its own body would not be.
#[test]
fn followers_climb_to_a_target_on_a_ladder() {
    let mut game = Game::empty("bake-ladder", NavPlugin::default(), false);
    std::fs::create_dir_all(game.folder.join("tiles")).unwrap();
    let ladder = r#"<objectgroup id="2" name="things">
  <object id="1" class="ladder" x="256" y="48" width="16" height="128"/>
 </objectgroup></map>"#;
    game.write("first.tmx", map().replace("</map>", ladder).as_bytes());
    game.write("tiles/stone.tsx", tileset(true).as_bytes());
    let edges = "edges = [\"floor\", \"ladder\"]\n";
    game.write("navbake.toml", format!("{CONFIG}{edges}").as_bytes());
    game.enter("first.tmx");
    let target = game.app.world_mut().spawn(place(at(267.0, 100.0))).id();
    let to = NavDestination::Entity(target);
    let agent = (NavAgent::new("runner"), to, place(at(40.0, 176.0)));
    let agent = game.app.world_mut().spawn(agent).id();
    game.until("arrived", |game| game.has(agent, NavEventKind::Arrived));
    assert!(game.position(agent).distance(at(264.0, 100.0)) < 1.0);
    // In a jump beside the ladder, the target is above the floor.
    let mut body = game.app.world_mut().get_mut::<Transform>(target).unwrap();
    body.translation = at(300.0, 130.0).extend(0.0);
    game.until("is below", |game| {
        game.position(agent).distance(at(300.0, 176.0)) < 1.0
    });
}

/// A guard that bites the player when it comes near, and then goes home.
const GUARD: &str = r#"(keys: {"home": vec2}, root: repeat(child: selector(children: [
    sequence(name: "fight", children: [
        task(task: "target_within", params: {"distance": 120.0}),
        task(task: "pursue", params: {"range": 20.0, "seconds": 4.0}),
        with_token(pool: "melee", child: task(task: "cue", params: {"cue": "bite"})),
        task(task: "wait", params: {"seconds": 0.5}),
    ]),
    sequence(name: "go home", children: [
        task(task: "head_for", params: {"key": "home"}),
        task(task: "start_navigation"),
        task(task: "wait_for_at_destination"),
        task(task: "wait", params: {"seconds": 0.5}),
    ]),
    task(task: "wait", params: {"seconds": 0.5}),
])))"#;

/// Spawns guards on the right side of the gap, of a saved game if there is one.
fn spawn_guards(
    game: &mut Game,
    player: Entity,
    saved: Option<Vec<(Vec2, NavSavedTree)>>,
) -> Vec<Entity> {
    let tree: Handle<NavTree> = game
        .app
        .world()
        .resource::<AssetServer>()
        .load("guard.tree.ron");
    let guards = (0..20_u8).map(|i| {
        let home = at(430.0 + 9.0 * f32::from(i), 176.0);
        let mut brain = NavBrain::new(tree.clone()).with_target(player);
        let agent = NavAgent::new("runner")
            .allow_partial_path()
            .with_sight(11.0, "runner");
        let Some((feet, state)) = saved.as_ref().map(|saved| &saved[usize::from(i)]) else {
            brain.set_position("home", home);
            return game.app.world_mut().spawn((agent, brain, place(home))).id();
        };
        let components = (agent, brain, place(*feet), state.clone());
        game.app.world_mut().spawn(components).id()
    });
    guards.collect()
}

/// Plays while the player walks from the left to the gap and back, and finishes each bite.
/// Returns how many there were.
fn play(game: &mut Game, player: Entity, frames: u16) -> usize {
    let before = game.cues.len();
    for frame in 0..frames {
        let x = 300.0 + 260.0 * (f32::from(frame) / 100.0).sin();
        let mut transform = game.app.world_mut().get_mut::<Transform>(player).unwrap();
        transform.translation = at(x, 176.0).extend(0.0);
        game.update();
        let mut brains = game.app.world_mut().query::<&mut NavBrain>();
        for mut brain in brains.iter_mut(game.app.world_mut()) {
            brain.finish_cue(true);
        }
    }
    game.cues.len() - before
}

#[test]
fn a_game_survives_an_edited_level_a_restart_and_a_saved_game() {
    let mut game = Game::empty("game", NavPlugin::default(), true);
    std::fs::create_dir_all(game.folder.join("tiles")).unwrap();
    game.write("navbake.toml", CONFIG.as_bytes());
    game.write("level.tmx", map().as_bytes());
    game.write("tiles/stone.tsx", tileset(false).as_bytes());
    game.write("guard.tree.ron", GUARD.as_bytes());
    let mut tokens = game.app.world_mut().resource_mut::<NavTokens>();
    tokens.insert("melee", TokenPool::new(1_u32));
    game.enter("level.tmx");
    game.wait_for_load(1);
    let player = game.app.world_mut().spawn(place(at(40.0, 176.0))).id();
    let guards = spawn_guards(&mut game, player, None);
    assert!(play(&mut game, player, 1200) > 0, "guards bite the player");

    // The designer draws a bridge.
    game.write("tiles/stone.tsx", tileset(true).as_bytes());
    game.wait_for_load(2);
    assert!(
        play(&mut game, player, 1200) > 0,
        "they go on in the edited level"
    );
    let brain = |game: &Game, guard| game.app.world().get::<NavBrain>(guard).unwrap().save();
    let home = |game: &Game, guard| {
        let brain = game.app.world().get::<NavBrain>(guard).unwrap();
        brain.position("home")
    };
    assert_eq!(home(&game, guards[0]), Some(at(430.0, 176.0)));

    // A restart: what the game has set survives.
    let level = game.app.world_mut().remove_resource::<NavLevel>().unwrap();
    game.update();
    game.app.insert_resource(level);
    assert!(
        play(&mut game, player, 1200) > 0,
        "they bite after a restart"
    );
    assert_eq!(home(&game, guards[0]), Some(at(430.0, 176.0)));

    // Save, load in a new game, and compare.
    let saved: Vec<_> = guards
        .iter()
        .map(|guard| {
            (
                game.position(*guard),
                brain(&game, *guard).expect("a tree runs"),
            )
        })
        .collect();
    let file = serde_json::to_string(&saved.iter().map(|(_, tree)| tree).collect::<Vec<_>>());
    let running = |game: &Game, guard| {
        let brain = game.app.world().get::<NavBrain>(guard).unwrap();
        brain.running_paths()
    };
    let did: Vec<_> = guards.iter().map(|guard| running(&game, *guard)).collect();
    for guard in guards {
        game.app.world_mut().despawn(guard);
    }
    let trees: Vec<NavSavedTree> = serde_json::from_str(&file.unwrap()).unwrap();
    let saved = saved.iter().map(|(feet, _)| *feet).zip(trees).collect();
    let guards = spawn_guards(&mut game, player, Some(saved));
    game.update();
    game.update();
    let same = guards.iter().zip(&did);
    let same = same
        .filter(|(guard, did)| running(&game, **guard) == **did)
        .count();
    // Some have just come to the next node.
    assert!(same >= 15, "{same} guards do what they did");
    assert!(guards.iter().all(|guard| home(&game, *guard).is_some()));
    let mut left = game.app.world_mut().query::<&NavSavedTree>();
    assert_eq!(left.iter(game.app.world()).count(), 0);
    assert!(play(&mut game, player, 1200) > 0, "they bite after loading");
}
