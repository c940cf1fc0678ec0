use macroquad::prelude::*;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::search::SnapTo;
use navmesh_runtime::{Environment, NavAgent, PathFinder, asset};

#[macroquad::main("chase")]
async fn main() {
    let file = load_file("level.navmesh")
        .await
        .expect("level.navmesh is in this folder");
    let mesh = asset::decode(&file).expect("it was baked by `navbake bake`");
    let layer = mesh
        .layer_named("walker")
        .expect("it was baked for this agent");
    layer.index_routes();
    let [width, height] = layer.profile().body;
    let mut finder = PathFinder::new();
    let mut enemy = NavAgent::new(layer, Vec2::new(624.0, 128.0));
    enemy.set_allow_partial_path(true);
    loop {
        // The player is the mouse. The enemy runs to the floor below it.
        let (x, y) = mouse_position();
        if let Some(floor) = layer.snap(Vec2::new(x, y), SnapTo::FloorBelow(f32::INFINITY)) {
            enemy.go_to(floor.position);
        }
        let pose = enemy.step(Environment::new(layer), &mut finder, get_frame_time());

        clear_background(BLACK);
        for floor in layer.platforms() {
            let (a, b) = (floor.left(), floor.right());
            draw_line(a.x, a.y, b.x, b.y, 2.0, GREEN);
        }
        let feet = pose.position;
        draw_rectangle(feet.x - width / 2.0, feet.y - height, width, height, RED);
        draw_circle(x, y, 4.0, YELLOW);
        next_frame().await;
    }
}
