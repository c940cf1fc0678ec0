// A body on the arrow keys, in the collision of the level: it runs, jumps, drops and climbs.

/** A jump still counts so long after an edge, and so long before the ground, seconds. */
const COYOTE = 0.1;
const BUFFER = 0.12;
/** Steps are so short that no body passes a floor between two of them. */
const STEP = 1 / 240;
/** The side of the squares by which pieces are found, pixels: a few tiles. */
const CELL = 64;

export class Player {
  vx = 0;
  vy = 0;
  facing = 1;
  isGrounded = false;
  /** Seconds since it stood, since jump was pressed, and until it stops dropping. */
  air = 0;
  asked = Infinity;
  drops = 0;
  jumps = 0;

  /** Feet, in level pixels. */
  constructor(x, y) {
    Object.assign(this, { x, y, start: { x, y } });
  }

  setLevel(collision, bounds) {
    this.bottom = bounds[1] + bounds[3];
    this.cells = new Map();
    for (const { material, points } of collision) {
      const xs = points.filter((_, i) => i % 2 === 0);
      const ys = points.filter((_, i) => i % 2 === 1);
      const piece = { material, points, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
      for (let row = Math.floor(piece.top / CELL); row <= piece.bottom / CELL; row++) {
        for (let column = Math.floor(piece.left / CELL); column <= piece.right / CELL; column++) {
          const key = `${column},${row}`;
          if (!this.cells.has(key)) this.cells.set(key, []);
          this.cells.get(key).push(piece);
        }
      }
    }
  }

  /** The pieces that the body overlaps with its feet at a place. */
  *touched(x, y) {
    const [left, right, top, bottom] = [x - this.width / 2 + 0.01, x + this.width / 2 - 0.01, y - this.height + 0.01, y - 0.01];
    for (let row = Math.floor(top / CELL); row <= bottom / CELL; row++) {
      for (let column = Math.floor(left / CELL); column <= right / CELL; column++) {
        for (const piece of this.cells.get(`${column},${row}`) ?? []) {
          const isNear = piece.left < right && piece.right > left && piece.top < bottom && piece.bottom > top;
          if (isNear && overlaps(piece.points, left, right, top, bottom)) yield piece;
        }
      }
    }
  }

  /** Whether it cannot be at a place. A one-way platform stops only a body that comes from above. */
  isBlocked(x, y, fromY) {
    for (const piece of this.touched(x, y)) {
      if (piece.material === "solid") return true;
      if (piece.material === "one_way" && fromY < y && this.drops <= 0 && ![...this.touched(x, fromY)].includes(piece)) return true;
    }
    return false;
  }

  touches(material) {
    return [...this.touched(this.x, this.y)].some((piece) => piece.material === material);
  }

  /** `keys`: left, right, up, down. `values`: width, height, speed, jumpSpeed, gravity, acceleration, airAcceleration, airJumps in pixels. */
  update(dt, keys, values) {
    Object.assign(this, { width: values.width, height: values.height });
    for (let left = dt; left > 0; left -= STEP) this.step(Math.min(STEP, left), keys, values);
    if (this.y > this.bottom + 2 * this.height || this.touches("hazard")) Object.assign(this, this.start, { vx: 0, vy: 0 });
  }

  step(dt, keys, values) {
    const want = (keys.right - keys.left) * values.speed;
    const most = (this.isGrounded ? values.acceleration : values.airAcceleration) * dt;
    this.vx += Math.min(Math.max(want - this.vx, -most), most);
    if (want) this.facing = Math.sign(want);
    this.air = this.isGrounded ? 0 : this.air + dt;
    this.asked = keys.up && !this.wasUp ? 0 : this.asked + dt;
    this.wasUp = keys.up;
    this.drops = keys.down && this.isGrounded ? 0.15 : this.drops - dt;
    if (this.isGrounded) this.jumps = 0;
    const climbs = (keys.up || keys.down) && this.touches("ladder");
    if (climbs) {
      this.vy = (keys.down - keys.up) * values.speed * 0.6;
    } else if (this.asked < BUFFER && (this.air < COYOTE || this.jumps < values.airJumps)) {
      this.jumps += this.air >= COYOTE;
      this.vy = -values.jumpSpeed;
      Object.assign(this, { asked: Infinity, air: COYOTE, isGrounded: false });
    } else {
      this.vy += values.gravity * dt;
      // A key that is let go ends the rise early.
      if (!keys.up && this.vy < -values.jumpSpeed / 2 && this.jumps === 0) this.vy += values.gravity * dt;
    }
    this.moveAcross(this.vx * dt);
    this.moveUpright(this.vy * dt);
  }

  moveAcross(by) {
    const x = this.x + by;
    // Slopes of 45 degrees and low steps are walked.
    for (let up = 0; up <= Math.abs(by) + 0.5; up += 0.25) {
      if (this.isBlocked(x, this.y - up, this.y - up)) continue;
      Object.assign(this, { x, y: this.y - up });
      if (this.isGrounded && up === 0) this.sink(Math.abs(by) + 0.5);
      return;
    }
    this.vx = 0;
  }

  /** Stays on a slope that leads down. */
  sink(most) {
    for (let down = 0; down <= most; down += 0.25) {
      if (!this.isBlocked(this.x, this.y + down, this.y)) continue;
      this.y += Math.max(0, down - 0.25);
      return;
    }
  }

  moveUpright(by) {
    if (!this.isBlocked(this.x, this.y + by, this.y)) {
      this.y += by;
      this.isGrounded = false;
      return;
    }
    // To where it is stopped.
    let [free, blocked] = [0, by];
    for (let i = 0; i < 8; i++) {
      const middle = (free + blocked) / 2;
      if (this.isBlocked(this.x, this.y + middle, this.y)) blocked = middle;
      else free = middle;
    }
    this.y += free;
    this.isGrounded = by > 0;
    this.vy = 0;
  }
}

/** Whether a convex polygon and an upright box overlap: no edge of the polygon has the box outside. */
function overlaps(points, left, right, top, bottom) {
  const [cx, cy] = [points[0] + points[2] + points[4], points[1] + points[3] + points[5]].map((sum) => sum / 3);
  for (let i = 0; i < points.length; i += 2) {
    const [ax, ay] = [points[i], points[i + 1]];
    const next = (i + 2) % points.length;
    let [nx, ny] = [points[next + 1] - ay, ax - points[next]];
    if ((cx - ax) * nx + (cy - ay) * ny > 0) [nx, ny] = [-nx, -ny];
    // The corner of the box that is farthest inside.
    const [x, y] = [nx > 0 ? left : right, ny > 0 ? top : bottom];
    if ((x - ax) * nx + (y - ay) * ny >= 0) return false;
  }
  return true;
}
