// A platformer with KAPLAY: a player on the arrow keys in a level of characters, and an enemy that chases it.
import kaplay from "kaplay";
import { load } from "navbake";
import { bake } from "navbake/baker";

const rows = [
  "#..............................#",
  "#.......................e......#",
  "#......------........####......#",
  "#..............................#",
  "#..####..........###.......##..#",
  "#............##................#",
  "#.####...............-----..####",
  "#..........####................#",
  "#.@..............###...........#",
  "################################",
];
const config = `[legend]
use = "plain"
"@" = "spawn:player"
"e" = "spawn:enemy"`;
const level = await bake({ files: { "level.txt": rows.join("\n") }, config });
const nav = await load(level.bytes);
const profile = JSON.parse(level.agents).find(({ name }) => name === "ground");
const spawn = (name) => nav.markers().find((marker) => marker.name === name);

const k = kaplay({ width: 512, height: 160, scale: 2, background: "#1c2028" });
k.setGravity(profile.gravity);
const tile = (...more) => [k.rect(16, 16), k.area(), k.body({ isStatic: true }), ...more];
k.addLevel(rows, {
  tileWidth: 16,
  tileHeight: 16,
  tiles: {
    "#": () => tile(k.color("#5a6475")),
    "-": () => tile(k.color("#b8954d"), k.platformEffector({})),
  },
});
const body = ({ x, y }, color, ...more) => k.add([k.rect(...profile.body), k.pos(x, y), k.anchor("bot"), k.color(color), k.area(), ...more]);
const player = body(spawn("player"), "#ffc04d", k.body());
const enemy = body(spawn("enemy"), "#ff6e63");
const agent = nav.agent("ground", enemy.pos.x, enemy.pos.y);

k.onKeyDown("left", () => player.move(-110, 0));
k.onKeyDown("right", () => player.move(110, 0));
k.onKeyPress("up", () => player.isGrounded() && player.jump(profile.jump_speed));
k.onUpdate(() => {
  const place = agent.placeOfTarget(player.pos.x, player.pos.y);
  agent.goTo(place.x, place.y);
  nav.update(Math.min(k.dt(), 0.05));
  [enemy.pos.x, enemy.pos.y] = nav.poses.subarray(6 * agent.index);
});
globalThis.game = { player, enemy };
