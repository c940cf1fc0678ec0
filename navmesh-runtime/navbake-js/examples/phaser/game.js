// A platformer with the arcade physics of Phaser 3 or 4: a player on the arrow keys, and two enemies
// that chase it. The walker is a body of the physics; the flier is moved by the runtime.
import * as Phaser from "phaser";
import { load } from "navbake";
import { bake } from "navbake/baker";

// A game that ships levels bakes them in its build: npx navbake bake level.tmj
const read = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
const level = await bake({ files: { "level.tmj": await read("level.tmj"), "tiles.png": await read("tiles.png") } });
const nav = await load(level.bytes);
const profile = JSON.parse(level.agents).find(({ name }) => name === "ground");
const spawn = (name) => nav.markers().find((marker) => marker.class === "spawn" && marker.name === name);

/** Platforms and links of an agent, to see where it can go. */
class Overlay extends Phaser.GameObjects.Graphics {
  constructor(scene, agent) {
    super(scene);
    this.setAlpha(0.5);
    for (const { points } of nav.links(agent)) this.line(points, 1, 0x4c78e0);
    for (const { points } of nav.platforms(agent)) this.line(points, 2, 0x40d070);
    scene.add.existing(this);
  }

  line(points, width, color) {
    this.lineStyle(width, color).beginPath().moveTo(points[0], points[1]);
    for (let i = 2; i < points.length; i += 2) this.lineTo(points[i], points[i + 1]);
    this.strokePath();
  }
}

class Game extends Phaser.Scene {
  preload() {
    this.load.tilemapTiledJSON("level", "level.tmj");
    this.load.image("tiles", "tiles.png");
  }

  create() {
    const map = this.make.tilemap({ key: "level" });
    const ground = map.createLayer("ground", map.addTilesetImage("tiles", "tiles"));
    ground.setCollision([1, 2]);
    // One-way platforms stop what comes from above.
    ground.forEachTile((tile) => tile.index === 2 && tile.setCollision(false, false, true, false));
    new Overlay(this, "ground");

    this.player = this.body("player", [12, 24], 0xe0b030);
    this.walker = this.body("ground", profile.body, 0xd84030);
    const drops = (body) => body.dropsUntil > this.time.now;
    const isSolid = (body, tile) => tile.index !== 2 || !drops(body);
    this.physics.add.collider([this.player, this.walker], ground, undefined, isSolid);
    this.walker.agent = nav.agent("ground", spawn("ground").x, spawn("ground").y);

    const [width, height] = nav.body("air");
    this.flier = this.add.rectangle(0, 0, width, height, 0x8a4fd8).setOrigin(0.5, 1);
    this.flier.agent = nav.agent("air", spawn("air").x, spawn("air").y);
    this.keys = this.input.keyboard.createCursorKeys();
  }

  /** A box with a body, at a spawn. The gravity is that of the bake. */
  body(name, [width, height], color) {
    const { x, y } = spawn(name);
    const box = this.add.rectangle(x, y, width, height, color).setOrigin(0.5, 1);
    this.physics.add.existing(box);
    box.body.setGravityY(profile.gravity);
    return box;
  }

  update(_, milliseconds) {
    const seconds = Math.min(milliseconds / 1000, 0.05);
    const { left, right, up, down } = this.keys;
    const { body } = this.player;
    body.setVelocityX((right.isDown - left.isDown) * 110);
    if (up.isDown && body.blocked.down) body.setVelocityY(-profile.jump_speed);
    if (down.isDown) this.player.dropsUntil = this.time.now + 200;

    for (const { agent } of [this.walker, this.flier]) {
      const place = agent.placeOfTarget(body.center.x, body.bottom);
      agent.goTo(place.x, place.y);
    }
    this.drive(this.walker, seconds);
    nav.update(seconds);
    const [x, y] = nav.poses.subarray(6 * this.flier.agent.index);
    this.flier.setPosition(x, y);
  }

  drive(enemy, seconds) {
    const { agent, body } = enemy;
    const now = { x: body.center.x, y: body.bottom, vx: body.velocity.x, vy: body.velocity.y, grounded: body.blocked.down };
    const command = agent.drive(now, seconds);
    // `exact`: climbing and portals, without gravity and collisions.
    body.setAllowGravity(!command.exact);
    body.checkCollision.none = command.exact;
    if (command.exact) body.setVelocity(command.vx, command.vy);
    else body.setVelocityX(command.vx);
    if (command.jump) body.setVelocity(command.jump.vx, command.jump.vy);
    if (command.dropThrough) enemy.dropsUntil = this.time.now + 200;
  }
}

globalThis.game = new Phaser.Game({
  width: 512, height: 288, zoom: 2, backgroundColor: "#1c2028", scene: Game,
  physics: { default: "arcade", arcade: { fps: 120 } },
});
