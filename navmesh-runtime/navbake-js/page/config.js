// navbake.toml: what the page changes of it.

/** A table [[agent]] with these values. */
export function agentText(values) {
  const number = (value) => String(+(+value).toFixed(3));
  const lines = [
    `name = ${JSON.stringify(values.name)}`,
    values.flies ? `preset = "air"` : undefined,
    `body = [${number(values.width)}, ${number(values.height)}]`,
    `run_speed = ${number(values.run_speed)}`,
    values.flies ? undefined : `jump_height = ${number(values.jump_height)}`,
    values.flies || values.jump_height === 0 ? undefined : `jump_time = ${number(values.jump_time)}`,
    values.air_factor && !values.flies ? `air_acceleration = ${number(values.air_factor * values.run_speed)}` : undefined,
    values.air_jumps > 0 ? `air_jumps = ${values.air_jumps}` : undefined,
    values.climb_speed > 0 ? `climb_speed = ${number(values.climb_speed)}` : undefined,
    `max_slope = ${number(values.max_slope)}`,
    `edges = [${values.edges.map((edge) => JSON.stringify(edge)).join(", ")}]`,
    values.ignores_hazards ? "ignores_hazards = true" : undefined,
  ];
  return ["[[agent]]", ...lines.filter(Boolean)].join("\n");
}

/** A text without its tables [[agent]]. */
function withoutAgents(text) {
  let isAgent = false;
  const lines = text.split("\n").filter((line) => {
    if (/^\s*\[[^\],]*\]\]?\s*(#.*)?$/.test(line)) isAgent = /^\s*\[\[agent\]\]/.test(line);
    return !isAgent;
  });
  return lines.join("\n");
}

export class Configuration {
  /** The text of a file, whose tables but `agent` are kept. */
  own = undefined;
  agents = new Map();
  /** Rules by their key: `solid`. */
  rules = new Map();
  isChanged = false;

  reset(own) {
    Object.assign(this, { own, agents: new Map(), rules: new Map(), isChanged: false });
  }

  /** Takes the agents of a bake, unless the page has changed some. */
  setAgents(agents) {
    if (this.isChanged) return;
    for (const profile of agents) {
      const { body: [width, height], jump_height, gravity, edges, run_speed } = profile;
      const jump_time = Math.sqrt((2 * jump_height) / gravity) || 0.36;
      // In run speeds per second. 8 is the default, which follows the speed.
      const factor = +((profile.air_acceleration ?? 0) / run_speed).toFixed(3);
      const air_factor = factor === 8 ? undefined : factor;
      this.agents.set(profile.name, { ...profile, width, height, jump_time, air_factor, flies: edges.includes("fly") && !edges.includes("floor") });
    }
  }

  values(agent) {
    return this.agents.get(agent);
  }

  set(agent, key, value) {
    const values = this.agents.get(agent);
    values[key] = value;
    this.isChanged = true;
  }

  /** Whether rules can be added: a file has none of its own. */
  get canAnswer() {
    return !/^\s*\[collision\]/m.test(this.own ?? "");
  }

  /** Adds a line of `[collision]`: `solid = ["layer:rocks"]`. */
  answer(line) {
    const [key, rules] = line.split(/ = (.*)/s);
    this.rules.set(key, [...(this.rules.get(key) ?? []), ...JSON.parse(rules)]);
  }

  /** The text to bake with; `undefined` for none. */
  text() {
    return this.own === undefined && !this.isChanged && this.rules.size === 0 ? undefined : this.written();
  }

  /** The text of a file with all that is known. */
  written() {
    if (this.own !== undefined && !this.isChanged && this.rules.size === 0) return this.own;
    const rules = [...this.rules].map(([key, list]) => `${key} = ${JSON.stringify(list)}`);
    const collision = rules.length > 0 ? ["[collision]", ...rules].join("\n") : "";
    const isOurs = this.isChanged || this.own === undefined;
    const kept = isOurs ? withoutAgents(this.own ?? "") : this.own;
    const agents = isOurs ? [...this.agents.values()].map(agentText) : [];
    return `${[kept.trim(), collision, ...agents].filter(Boolean).join("\n\n")}\n`;
  }
}
