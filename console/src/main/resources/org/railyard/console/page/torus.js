// Draws a torus in three dimensions on a plain canvas: some thousands of points and lines need no graphics card.

const GAP = 0.34;
const LIMIT = Math.PI / 2;

/** Shares of what a link carries, from which on it looks busier; colors and widths of the five ranges. */
export const RANGES = [0, 0.2, 0.4, 0.6, 0.8];
const RANGE_COLORS = ['edge', 'line-6', 'line-4', 'warn', 'bad'];
const RANGE_WIDTHS = [1, 1.4, 2, 2.8, 3.8];

/** Colors of the scheme of now. */
function colors(owner) {
  const probe = document.createElement('span');
  owner.append(probe);
  const found = {};
  for (const name of ['text', 'faint', 'edge', 'card', 'link', 'good', 'bad', 'warn', 'mark', 'line-2', 'line-4', 'line-6']) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

export class TorusView {
  /** choose(id or null) is called for a click on a switch, and fail(id) for a double click. */
  constructor({ fabric, choose, fail }) {
    this.fabric = fabric;
    this.turn = { across: -0.5, up: 0.42 };
    this.zoom = 1.25;
    this.cut = { dimension: -1, at: 0 };
    this.marks = { chosen: null, found: new Set(), failed: new Set(), failedLinks: new Set(), path: [], loop: [], load: null, before: null, use: null };
    this.points = new Map();
    this.due = false;
    this.at = new Map(fabric.switches.map((each) => [each.id, each]));
    this.pairs = new Map(fabric.links.map(([from, to], index) => [`${from} ${to}`, index]));
    this.canvas = document.createElement('canvas');
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `torus ${fabric.shape}: arrows turn it, + and - zoom, Page Up and Page Down move the plane`);
    this.canvas.addEventListener('pointerdown', (event) => this.down(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', () => { this.drag = null; });
    this.canvas.addEventListener('click', (event) => { if (!this.dragged) choose(this.hit(event)); });
    this.canvas.addEventListener('dblclick', (event) => { const id = this.hit(event); if (id !== null) fail(id); });
    this.canvas.addEventListener('wheel', (event) => { event.preventDefault(); this.scale(Math.exp(-event.deltaY / 600)); }, { passive: false });
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.size = new ResizeObserver(() => this.later());
    this.size.observe(this.canvas);
  }

  close() {
    this.size.disconnect();
  }

  /** Marks what is chosen, found, failed, or on a way. */
  mark(marks) {
    Object.assign(this.marks, marks);
    this.later();
  }

  /** Shows only a plane; a dimension of -1 shows all. */
  slice(dimension, at) {
    this.cut = { dimension, at };
    this.later();
  }

  /** The number of the link between two switches, whichever way; -1 if they are no neighbours. */
  linkOf(a, b) {
    return this.pairs.get(`${a} ${b}`) ?? this.pairs.get(`${b} ${a}`) ?? -1;
  }

  down(event) {
    this.drag = { x: event.clientX, y: event.clientY };
    this.dragged = false;
    this.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (!this.drag) {
      return;
    }
    const x = event.clientX - this.drag.x;
    const y = event.clientY - this.drag.y;
    if (this.dragged || Math.abs(x) + Math.abs(y) > 3) {
      this.dragged = true;
      this.rotate(x / 150, y / 150);
      this.drag = { x: event.clientX, y: event.clientY };
    }
  }

  rotate(across, up) {
    this.turn.across += across;
    this.turn.up = Math.max(-LIMIT, Math.min(LIMIT, this.turn.up + up));
    this.later();
  }

  scale(by) {
    this.zoom = Math.max(0.2, Math.min(12, this.zoom * by));
    this.later();
  }

  key(event) {
    const step = 0.1;
    const action = {
      ArrowLeft: () => this.rotate(-step, 0), ArrowRight: () => this.rotate(step, 0),
      ArrowUp: () => this.rotate(0, -step), ArrowDown: () => this.rotate(0, step),
      '+': () => this.scale(1.2), '-': () => this.scale(1 / 1.2),
      PageUp: () => this.canvas.dispatchEvent(new CustomEvent('plane', { detail: 1 })),
      PageDown: () => this.canvas.dispatchEvent(new CustomEvent('plane', { detail: -1 })),
    }[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  /** The switch under the pointer, null if there is none. */
  hit(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    let best = null;
    let least = 12 * 12;
    for (const [id, point] of this.points) {
      const far = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (far < least) {
        least = far;
        best = id;
      }
    }
    return best;
  }

  later() {
    if (!this.due) {
      this.due = true;
      requestAnimationFrame(() => {
        this.due = false;
        this.draw();
      });
    }
  }

  isShown(at) {
    return this.cut.dimension < 0 || at[this.cut.dimension] === this.cut.at;
  }

  /** Where a place is on the screen. */
  project(place) {
    const { radix } = this.fabric;
    const [x, y, z] = place.map((each, d) => each - (radix[d] - 1) / 2);
    const { across, up } = this.turn;
    const x1 = x * Math.cos(across) + z * Math.sin(across);
    const z1 = z * Math.cos(across) - x * Math.sin(across);
    const y2 = y * Math.cos(up) - z1 * Math.sin(up);
    const z2 = z1 * Math.cos(up) + y * Math.sin(up);
    const size = Math.hypot(...radix) || 1;
    const far = 1 / (1 + (z2 / size) * 0.35);
    const unit = (Math.min(this.width, this.height) / size) * this.zoom * far;
    return { x: this.width / 2 + x1 * unit, y: this.height / 2 - y2 * unit, depth: z2 / size, unit };
  }

  draw() {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    if (!this.width || !this.height) {
      return;
    }
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const paint = colors(canvas.parentElement);
    this.points = new Map();
    for (const each of this.fabric.switches) {
      if (this.isShown(each.at)) {
        this.points.set(each.id, this.project(each.at));
      }
    }
    this.drawLinks(pen, paint);
    this.drawWay(pen, this.marks.loop, paint.bad);
    this.drawArrows(pen, this.marks.loop, paint.bad);
    this.drawWay(pen, this.marks.path, paint.link);
    this.drawGaps(pen, paint);
    this.drawSwitches(pen, paint);
  }

  /** Places without a switch. */
  drawGaps(pen, paint) {
    pen.strokeStyle = paint.bad;
    pen.lineWidth = 1.2;
    pen.setLineDash([2, 2]);
    for (const place of this.fabric.gaps.filter((each) => this.isShown(each))) {
      const point = this.project(place);
      pen.beginPath();
      pen.arc(point.x, point.y, 6, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  /** What a link looks like: failed, with more or less load than before, or with its load. */
  look(index, paint) {
    const [from, to, , cables] = this.fabric.links[index];
    const { failed, failedLinks, load, before, use } = this.marks;
    if (!cables || failedLinks.has(index) || failed.has(from) || failed.has(to)) {
      return { color: paint.bad, width: 1.2, dash: [3, 4], alpha: 0.9 };
    }
    if (use) {
      const range = RANGES.findLastIndex((least) => use[index][0] >= least);
      return { color: paint[RANGE_COLORS[range]], width: RANGE_WIDTHS[range], dash: [], alpha: range ? 0.95 : 0.8 };
    }
    if (!load) {
      return { color: paint.edge, width: 1, dash: [], alpha: 1 };
    }
    const now = Math.max(...load.links[index]);
    if (before) {
      const more = now - Math.max(...before.links[index]);
      if (more !== 0) {
        const part = Math.min(1, Math.abs(more) / (before.most || 1));
        return { color: more > 0 ? paint.warn : paint['line-4'], width: 1 + 4 * Math.sqrt(part), dash: [], alpha: 0.95 };
      }
      return { color: paint.edge, width: 1, dash: [], alpha: 0.8 };
    }
    const part = load.most ? now / load.most : 0;
    return { color: paint['line-2'], width: 0.6 + 2.4 * part, dash: [], alpha: 0.12 + 0.75 * part * part };
  }

  drawLinks(pen, paint) {
    this.fabric.links.forEach((link, index) => {
      const [from, to] = link;
      if (this.points.has(from) && this.points.has(to)) {
        const { color, width, dash, alpha } = this.look(index, paint);
        pen.strokeStyle = color;
        pen.lineWidth = width;
        pen.globalAlpha = alpha;
        pen.setLineDash(dash);
        this.stroke(pen, from, to);
      }
    });
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  /** A link; one that closes a ring leaves on one side and comes back on the other. */
  stroke(pen, from, to) {
    const a = this.at.get(from).at;
    const b = this.at.get(to).at;
    pen.beginPath();
    if (a.every((each, d) => Math.abs(each - b[d]) <= 1)) {
      const start = this.points.get(from);
      const end = this.points.get(to);
      pen.moveTo(start.x, start.y);
      pen.lineTo(end.x, end.y);
    } else {
      const out = a.map((each, d) => each + Math.sign(each - b[d]) * GAP);
      const back = b.map((each, d) => each + Math.sign(each - a[d]) * GAP);
      for (const [place, stub] of [[a, out], [b, back]]) {
        const start = this.project(place);
        const end = this.project(stub);
        pen.moveTo(start.x, start.y);
        pen.lineTo(end.x, end.y);
      }
    }
    pen.stroke();
  }

  drawWay(pen, hops, color) {
    pen.strokeStyle = color;
    pen.lineWidth = 4;
    hops.forEach(([from, to]) => {
      if (this.points.has(from) && this.points.has(to)) {
        this.stroke(pen, from, to);
      }
    });
  }

  /** In the middle of each hop, which way packets go. */
  drawArrows(pen, hops, color) {
    pen.fillStyle = color;
    hops.forEach(([from, to]) => {
      const a = this.points.get(from);
      const b = this.points.get(to);
      if (a && b && this.at.get(from).at.every((each, d) => Math.abs(each - this.at.get(to).at[d]) <= 1)) {
        const turn = Math.atan2(b.y - a.y, b.x - a.x);
        const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
        pen.beginPath();
        for (const [angle, far] of [[0, 10], [2.5, 9], [-2.5, 9]]) {
          pen.lineTo(x + far * Math.cos(turn + angle), y + far * Math.sin(turn + angle));
        }
        pen.fill();
      }
    });
  }

  drawSwitches(pen, paint) {
    const { chosen, found, failed, path } = this.marks;
    const way = new Set(path.flat());
    const names = this.points.size <= 64 || this.zoom > 3;
    const order = [...this.points].sort((a, b) => b[1].depth - a[1].depth);
    pen.font = '11px system-ui, sans-serif';
    for (const [id, point] of order) {
      const size = Math.max(2.5, Math.min(9, point.unit * 0.09));
      pen.globalAlpha = Math.max(0.45, Math.min(1, 0.8 - point.depth));
      pen.fillStyle = failed.has(id) ? paint.bad : way.has(id) ? paint.link : found.has(id) ? paint.good : paint.faint;
      pen.beginPath();
      pen.arc(point.x, point.y, found.has(id) || id === chosen ? size + 2.5 : size, 0, 2 * Math.PI);
      pen.fill();
      if (id === chosen) {
        pen.globalAlpha = 1;
        pen.strokeStyle = paint.text;
        pen.lineWidth = 2;
        pen.stroke();
      }
      if (names || id === chosen || (found.size <= 20 && found.has(id)) || (way.has(id) && way.size < 40)) {
        pen.fillStyle = paint.text;
        pen.fillText(this.at.get(id).name.slice(0, 40), point.x + size + 4, point.y - size);
      }
    }
    pen.globalAlpha = 1;
  }
}
