//! The animation of the documentation.

use std::error::Error;
use std::io::Write;

use embedded_graphics::mono_font::ascii::{FONT_4X6, FONT_5X8};
use glam::Vec2;
use navmesh_bots::interest::heading;

use super::bot::{Aim, Bot, Style};
use super::rules::{BLAST, GOAT_ID, Match};
use super::stage::Stage;
use super::study::EASY;
use crate::canvas::{
    Animation, BLUE, Canvas, EDGE, GOLD, GREEN, GREY, Ink, ORANGE, PAPER, RED, STONE, WHITE,
    palette,
};

const PALETTE: [[u8; 3]; 14] = palette(&[
    // Interest, from little to much.
    [96, 72, 104],
    [150, 76, 110],
    [212, 90, 100],
    [255, 140, 90],
]);
/// The two sides.
const SIDES: [Ink; 2] = [BLUE, ORANGE];

/// The height of the table below the level, in pixels.
const TABLE: u32 = 36;
/// Ticks of the game per frame of the animation.
const SKIP: u32 = 3;
/// The seconds of the documentation's animation.
pub const SECONDS: f32 = 12.0;

/// The match of the documentation's animation, at its beginning: two hard bots in
/// blue against two easy ones.
pub fn scene(stage: &Stage) -> Match<'_> {
    let mut game = Match::new(stage, [Style::FULL, EASY], 3);
    while game.now < 6.0 {
        game.step();
    }
    game
}

/// Writes an animation of some seconds of a match.
pub fn write(out: impl Write, game: &mut Match<'_>, seconds: f32) -> Result<(), Box<dyn Error>> {
    let shots = (game.stage.mesh)
        .layer_named("shot")
        .ok_or("no layer `shot`")?;
    let mut backdrop = Canvas::level(shots, TABLE, [PAPER, STONE, EDGE]);
    for geyser in &game.stage.geysers {
        let size = geyser.max - geyser.min;
        backdrop.fill(geyser.min.into(), size.into(), EDGE);
        backdrop.fill(
            (geyser.min.x + 4.0, geyser.min.y),
            (size.x - 8.0, size.y),
            BLUE,
        );
    }
    for portal in &game.stage.portals {
        backdrop.ring((portal.x, portal.y - 12.0), 12.0, GREEN);
    }
    let mut animation = Animation::new(out, &backdrop, &PALETTE, 10)?;
    for tick in 0..(seconds / super::rules::DT).round() as u32 {
        if tick % SKIP == 0 {
            animation.add(&draw(game, &backdrop))?;
        }
        game.step();
    }
    Ok(())
}

fn draw(game: &Match<'_>, backdrop: &Canvas) -> Canvas {
    let mut canvas = backdrop.clone();
    let layer = game.stage.layer();
    // The interest of each zone, as a stripe on its floor.
    for zone in game.field.zones() {
        let interest = game.field.zone_interest(layer, *zone, &[], 1.0);
        let shade = [10.0, 40.0, 90.0, 180.0]
            .iter()
            .filter(|least| interest > **least);
        if let Some(shade) = shade.count().checked_sub(1) {
            canvas.fill((zone.x - 14.0, zone.y), (28.0, 3.0), Ink(10 + shade as u8));
        }
    }
    // Where the bots go.
    for (i, bot) in game.bots.iter().enumerate() {
        let Some(Aim::Target(id)) = bot.aim else {
            continue;
        };
        let place = game.field.place(id);
        if let Some(zone) = place.and_then(|place| game.field.zone_at(layer, place)) {
            let zone = game.field.zones()[zone];
            canvas.fill((zone.x - 14.0, zone.y + 4.0), (28.0, 1.0), SIDES[i % 2]);
        }
    }
    for (block, (door, _)) in game.stage.blocks.iter().zip(&game.whole) {
        if door.is_some() {
            let (corner, size) = (block.min, block.max - block.min);
            canvas.fill(corner.into(), size.into(), EDGE);
            canvas.frame(corner.into(), size.into(), WHITE);
        }
    }
    for thing in game.things.iter().filter(|thing| thing.is_there()) {
        let at = (thing.at.x, thing.at.y - 6.0);
        match thing.points {
            0.0 => canvas.frame((at.0 - 4.0, at.1 - 4.0), (8.0, 8.0), GREEN),
            points => canvas.disc(at, 2.0 + (points / 60.0).round(), GOLD),
        }
    }
    for bomb in &game.bombs {
        canvas.disc((bomb.at.x, bomb.at.y - 5.0), 4.0, RED);
        if bomb.explodes - game.now < 1.0 {
            canvas.ring(bomb.at.into(), BLAST, RED);
        }
    }
    if game.carrier.is_none() {
        goat(&mut canvas, game.goat);
    }
    let mut labels = Vec::new();
    for (i, bot) in game.bots.iter().enumerate() {
        player(&mut canvas, game, i, bot, &mut labels);
    }
    table(&mut canvas, game);
    canvas
}

fn goat(canvas: &mut Canvas, feet: Vec2) {
    canvas.fill((feet.x - 5.0, feet.y - 8.0), (10.0, 6.0), WHITE);
    canvas.fill((feet.x + 3.0, feet.y - 11.0), (4.0, 5.0), WHITE);
    canvas.fill((feet.x - 4.0, feet.y - 2.0), (2.0, 2.0), GREY);
    canvas.fill((feet.x + 2.0, feet.y - 2.0), (2.0, 2.0), GREY);
}

/// Draws a bot, and above it what it does, above the labels that are there already.
fn player(
    canvas: &mut Canvas,
    game: &Match<'_>,
    i: usize,
    bot: &Bot,
    labels: &mut Vec<(Vec2, f32)>,
) {
    let at = bot.agent.pose().position;
    let (left, top) = (at.x - 6.0, at.y - 20.0);
    canvas.fill((left, top), (12.0, 20.0), SIDES[i % 2]);
    let looks = heading(at, bot.agent.remaining_path());
    let eye = left + if looks.x < 0.0 { 2.0 } else { 8.0 };
    canvas.fill((eye, top + 3.0), (2.0, 2.0), PAPER);
    if bot.shield_until > game.now {
        canvas.ring((at.x, at.y - 10.0), 14.0, WHITE);
    }
    let mut label = Vec2::new(at.x, top - 2.0);
    if game.carrier == Some(i) {
        goat(canvas, Vec2::new(at.x, top));
        label.y -= 12.0;
    }
    let text = doing(game, i, bot);
    let half = 0.5 * (FONT_4X6.character_size.width as usize * text.len()) as f32;
    let line = FONT_4X6.character_size.height as f32 + 1.0;
    let is_over = |(other, other_half): &(Vec2, f32), label: Vec2| {
        (other.x - label.x).abs() < other_half + half + 2.0 && (other.y - label.y).abs() < line
    };
    while let Some((other, _)) = labels.iter().find(|other| is_over(other, label)) {
        label.y = other.y - line;
    }
    labels.push((label, half));
    canvas.label(label.into(), text, &FONT_4X6, WHITE);
}

/// What a bot does, in a few words.
fn doing(game: &Match<'_>, i: usize, bot: &Bot) -> &'static str {
    let points = |id: u32| {
        let mut things = game.things.iter();
        things
            .find(|thing| thing.id == id)
            .map_or(0.0, |t| t.points)
    };
    if bot.stunned_until > game.now {
        return "stunned";
    }
    match bot.aim {
        _ if bot.dash.is_some() => "dash!",
        Some(Aim::Block(_)) => "to break a block",
        Some(Aim::Geyser(_)) => "to the geyser",
        Some(Aim::Target(GOAT_ID)) if game.carrier.is_some() => "to meet the carrier",
        Some(Aim::Target(GOAT_ID)) => "to the goat",
        Some(Aim::Target(id)) => match points(id) {
            0.0 => "to the powerup",
            155.0 => "to 155",
            50.0 => "to 50",
            _ => "to 10",
        },
        None if game.carrier == Some(i) => "carries",
        None => "reacts",
    }
}

fn table(canvas: &mut Canvas, game: &Match<'_>) {
    let layer = game.stage.layer();
    canvas.origin = (0.0, 0.0);
    let top = layer.grid().rows as f32 * layer.grid().spacing;
    canvas.text(
        (6.0, top + 4.0),
        &format!("{:5.1} s", game.now),
        &FONT_5X8,
        WHITE,
    );
    let score = game.score();
    for (side, name) in ["hard", "easy"].into_iter().enumerate() {
        let y = top + 4.0 + 16.0 * side as f32;
        let text = format!("{name} {:4.0}", score[side]);
        canvas.text((60.0, y), &text, &FONT_5X8, SIDES[side]);
        for (k, bot) in game.bots.iter().skip(side).step_by(2).enumerate() {
            let log = &bot.log;
            let text = format!(
                "{:4.0} points, {} coins, {} times the goat, {} dashes",
                bot.points, log.coins, log.goats, log.dashes
            );
            canvas.text((130.0 + 280.0 * k as f32, y), &text, &FONT_5X8, GREY);
        }
    }
}
