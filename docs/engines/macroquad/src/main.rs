use macroquad::prelude::*;
use navmesh_runtime::glam::Vec2;
use navmesh_runtime::{Navigator, asset};

#[macroquad::main("chase")]
async fn main() {
    let file = load_file("level.navmesh")
        .await
        .expect("level.navmesh is in this folder");
    let mesh = asset::decode(&file).expect("it was baked by `navbake bake`");
    let mut nav = Navigator::new(mesh);
    nav.index_routes();
    let mut enemy = nav
        .agent("walker", Vec2::new(624.0, 128.0))
        .expect("it was baked for this agent");
    enemy.set_allow_partial_path(true);
    let [width, height] = enemy.profile().body;
    loop {
        // The player is the mouse. The enemy runs to the floor below it.
        let (x, y) = mouse_position();
        if let Some(place) = nav.place_of_target(&enemy, Vec2::new(x, y), None) {
            enemy.go_to(place);
        }
        let feet = enemy.update(&mut nav, get_frame_time()).position;

        clear_background(BLACK);
        for floor in nav
            .mesh()
            .layers()
            .iter()
            .flat_map(|layer| layer.platforms())
        {
            let (a, b) = (floor.left(), floor.right());
            draw_line(a.x, a.y, b.x, b.y, 2.0, GREEN);
        }
        draw_rectangle(feet.x - width / 2.0, feet.y - height, width, height, RED);
        draw_circle(x, y, 4.0, YELLOW);
        next_frame().await;
    }
}
