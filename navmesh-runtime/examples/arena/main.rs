//! x
mod game;
use game::{play::Arena, files};
use navmesh_runtime::coordination::Aggression;
fn main() {
    let mut a = Arena::new(Aggression::Medium, |k| files::tree(files::file(k))).unwrap();
    let secs: f32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let t = std::time::Instant::now();
    for f in 0..(secs*60.0) as u32 {
        a.step();
        if f % 120 == 0 {
            print!("{:>6.1} P{:.0}", a.effects.time, a.player.position());
            for i in 0..a.bodies.len() { let b=&a.bodies[i]; print!(" | {} {:.0} h{:.0} {}", &b.kind.name()[..4], b.position(), b.health, a.active(i)); }
            println!(" mel{} ran{}", a.stage.pools.tokens("melee").unwrap().held(), a.stage.pools.tokens("ranged").unwrap().held());
        }
    }
    eprintln!("{:?} hurts {}", t.elapsed(), a.player.hurts);
    let mut c = std::collections::BTreeMap::new();
    for e in &a.effects.log { *c.entry(format!("{} {:?}", e.kind.name(), e.sight)).or_insert(0)+=1; }
    for (k,v) in c { println!("{k}: {v}"); }
}
