// What the types promise. `.ci/web` checks this file with `tsc --strict`.
import { load, activities, type Pose, type AgentEvent, Navigator, Agent } from "navbake";
import { bake, Level, levelNames, type Explanation } from "navbake/baker";
import { Brains, Tree, load as loadWithTrees, type Tasks } from "navbake/behavior";
const level: Level = await bake({ files: { "a.tmx": "<map/>", "b.tsx": new Uint8Array(3) }, config: "", progress: (agent, stage, part) => console.log(agent.length, stage.length, part.toFixed()) });
const nav: Navigator = await load(level.bytes);
const enemy: Agent = nav.agent("ground", 1, 2);
enemy.goTo(3, 4);
const pose: Pose = enemy.pose;
const events: AgentEvent[] = enemy.events();
for (const event of events) {
  if (event.type === "arrived") console.log(event.at.x);
  else if (event.type === "jumped") console.log(event.from.x, event.to.y);
  else if (event.type === "cannot_reach") console.log(event.reason.length);
}
const path = enemy.findPath(1, 2);
if (path.found) console.log(path.steps[0].kind, path.cost); else console.log(path.reason);
const body = enemy.drive({ x: 1, y: 2, vx: 0, vy: 0, grounded: true }, 1 / 60);
if (body.jump) console.log(body.jump.vx);
const why: Explanation = level.explain("ground", 1, 2, 3, 4);
level.setTiles(0, 0, 1, 1, "solid");
level.setTiles(0, 0, 1, 1, undefined);
const names: string[] = levelNames({}), codes: string[] = activities();
console.log(pose.activity, why.message, names, codes, nav.poses[0], level.undecided[0]?.answers[0]?.line);
// @ts-expect-error: no such material
level.setTiles(0, 0, 1, 1, "lava");
// @ts-expect-error: no such event
if (events[0].type === "exploded") console.log();
const tasks: Tasks = { bite: (me: { name: string }, params, step) => (step === "cancel" ? undefined : me.name === "a" ? "running" : false) };
const game = await loadWithTrees(level.bytes), brains = new Brains(game), guard = game.agent("ground", 1, 2);
brains.setTokens("melee", 2);
brains.add(guard, new Tree("{}", tasks), { name: "a" });
brains.setTarget(guard, 3, 4);
brains.setTarget(guard);
brains.tick(1 / 60);
console.log(brains.running(guard)[0]?.length, brains.tokensHeld("melee"));
// @ts-expect-error: no such result
const wrong: Tasks = { bite: () => "maybe" };
