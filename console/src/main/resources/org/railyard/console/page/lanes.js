// Draws a run of the lab on plain canvases: nodes as lanes, messages between them over virtual time, and a strip of the
// whole run to scrub in.

import { el } from './dom.js';

const GUTTER = 128;
const AXIS = 20;
const ROW = 15;
const MAX_FAULT_ROWS = 4;
const MIN_LANE = 20;
const MAX_LANE = 90;
const MOST = 12000;
const NEAR = 7;
const SHORTEST = 1000;
const STRIP = 44;
const STEP = 0.15;
const FONT = '11px system-ui, sans-serif';

// The order of values in a message, see RunPages.message of the server.
export const [START, END, FROM, TO, TYPE, ID, BYTES, ATTEMPT, HOW, WAY, WHY] = Array.from({ length: 11 }, (_, i) => i);
export const ARRIVED = 1;
// The order of values in a call, see RunPages.call.
export const CALL = { ID: 0, START: 1, END: 2, FROM: 3, KIND: 4, TARGET: 5, BYTES: 6, OUTCOME: 7 };
export const LINE = { AT: 0, LANE: 1, KIND: 2, TEXT: 3 };

const COLORS = { PUT: 'line-1', ACK: 'line-6', GET: 'line-4', REPLY: 'line-5', HELLO: 'faint' };
const OUTCOMES = ['good', 'bad', 'warn', 'faint'];

/** Virtual time in a unit that fits, with as many digits as tell a step apart. */
export function time(nanos, step) {
  const digits = (unit) => Math.max(0, Math.ceil(unit - Math.log10(step)));
  return nanos >= 1e9 || step >= 1e8 ? `${(nanos / 1e9).toFixed(digits(9))} s` : `${(nanos / 1e6).toFixed(digits(6))} ms`;
}

/** Whether a line tells of something that is not as it should be. */
export function isBad(line) {
  const text = line[LINE.TEXT];
  return {
    start: false, selftest: false, repair: false, fabric: false, device: text.endsWith('FATAL'), end: text !== 'shut down', break: !text.endsWith(' SHUTDOWN'),
  }[line[LINE.KIND]] ?? true;
}

/** Times from a fault to its repair, each in a row where none before it is in its way. */
export function faultsOf(run) {
  const open = new Map();
  const all = [];
  for (const line of run.lines) {
    const text = line[LINE.TEXT];
    if (line[LINE.KIND] === 'fault') {
      const fault = { from: line[LINE.AT], to: run.end, text };
      all.push(fault);
      open.set(text, [...(open.get(text) ?? []), fault]);
    } else if (line[LINE.KIND] === 'repair') {
      const fault = open.get(text)?.shift();
      if (fault) {
        fault.to = line[LINE.AT];
      }
    }
  }
  const ends = [];
  for (const fault of all) {
    const free = ends.findIndex((end) => end <= fault.from);
    fault.row = Math.min(MAX_FAULT_ROWS - 1, free < 0 ? ends.length : free);
    ends[fault.row] = Math.max(ends[fault.row] ?? 0, fault.to);
  }
  return all;
}

/** Times when a node did not run, by lane. */
function absences(run) {
  const since = new Map(run.nodes.map((_, lane) => [lane, 0]));
  const all = [];
  for (const line of run.lines) {
    const lane = line[LINE.LANE];
    if (line[LINE.KIND] === 'start' && since.has(lane)) {
      all.push([lane, since.get(lane), line[LINE.AT]]);
      since.delete(lane);
    } else if (line[LINE.KIND] === 'end' && !since.has(lane)) {
      since.set(lane, line[LINE.AT]);
    }
  }
  since.forEach((from, lane) => all.push([lane, from, run.end]));
  return all;
}

export class LanesView {
  /** choose(item) is called with {message}, {line}, {violation} or null; moved() whenever other times are shown. */
  constructor({ run, choose, moved }) {
    this.run = run;
    this.choose = choose;
    this.moved = moved;
    this.whole = { from: 0, to: Math.max(SHORTEST, run.end) };
    this.from = 0;
    this.to = this.whole.to;
    this.top = 0;
    this.lanes = run.nodes.map((_, lane) => lane);
    this.place = new Map(this.lanes.map((lane, index) => [lane, index]));
    this.chosen = null;
    this.call = 0;
    this.faults = faultsOf(run);
    this.gone = absences(run);
    this.faultRows = Math.max(1, ...this.faults.map((each) => each.row + 1));
    this.colors = null;
    this.due = false;
    this.drawn = [];
    this.canvas = el('canvas', { tabindex: 0, role: 'img', id: 'lanes',
      'aria-label': 'messages between nodes: left and right move in time, + and - zoom, up and down move the lanes, Home shows the start, End the end, 0 all,'
        + ' N and P the next and previous fault or violation' });
    this.strip = el('canvas', { id: 'strip', role: 'img', 'aria-label': 'the whole run; drag to choose the time that is shown' });
    this.listen();
    this.size = new ResizeObserver(() => this.later());
    this.size.observe(this.canvas);
  }

  listen() {
    const { canvas, strip } = this;
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('pointerdown', (event) => {
      this.drag = { x: event.clientX, y: event.clientY, far: 0 };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => this.dragTo(event));
    canvas.addEventListener('pointerup', (event) => {
      if (this.drag && this.drag.far < 4) {
        this.pick(event);
      }
      this.drag = null;
    });
    strip.addEventListener('pointerdown', (event) => {
      strip.setPointerCapture(event.pointerId);
      this.scrub(event);
    });
    strip.addEventListener('pointermove', (event) => { if (event.buttons) this.scrub(event); });
  }

  close() {
    this.size.disconnect();
  }

  /** Shows only some lanes. */
  only(lanes) {
    this.lanes = lanes;
    this.place = new Map(lanes.map((lane, index) => [lane, index]));
    this.top = 0;
    this.later();
  }

  mark({ chosen = this.chosen, call = this.call }) {
    this.chosen = chosen;
    this.call = call;
    this.later();
  }

  recolor() {
    this.colors = null;
    this.later();
  }

  /** Shows other times; they stay inside of the run. */
  show(from, to) {
    const span = Math.min(this.whole.to, Math.max(SHORTEST, to - from));
    this.from = Math.min(Math.max(0, from), this.whole.to - span);
    this.to = this.from + span;
    this.later();
    this.moved();
  }

  /** Shows a moment in the middle; with a span, so much around it. */
  center(at, span = this.to - this.from) {
    this.show(at - span / 2, at + span / 2);
  }

  zoom(by, at = (this.from + this.to) / 2) {
    this.show(at - (at - this.from) * by, at + (this.to - at) * by);
  }

  scroll(by) {
    const most = Math.max(0, this.lanes.length * this.lane() - (this.height - this.head()));
    this.top = Math.min(most, Math.max(0, this.top + by));
    this.later();
  }

  key(event) {
    const span = this.to - this.from;
    const action = {
      ArrowLeft: () => this.show(this.from - span * STEP, this.to - span * STEP),
      ArrowRight: () => this.show(this.from + span * STEP, this.to + span * STEP),
      ArrowUp: () => this.scroll(-3 * this.lane()), ArrowDown: () => this.scroll(3 * this.lane()),
      PageUp: () => this.scroll(-this.height / 2), PageDown: () => this.scroll(this.height / 2),
      '+': () => this.zoom(1 / 1.5), '=': () => this.zoom(1 / 1.5), '-': () => this.zoom(1.5),
      Home: () => this.show(0, span), End: () => this.show(this.whole.to - span, this.whole.to),
      0: () => this.show(0, this.whole.to),
      n: () => this.jump(1), p: () => this.jump(-1),
    }[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      action();
    }
  }

  /** Goes to the next fault or violation, or to the one before. */
  jump(way) {
    const isAll = this.to - this.from >= this.whole.to;
    const now = isAll ? (way > 0 ? -Infinity : Infinity) : (this.from + this.to) / 2;
    const all = [...this.faults.map((each) => each.from), ...this.run.violations.map((each) => each.at)].sort((a, b) => a - b);
    const slack = (this.to - this.from) / 1000;
    const to = way > 0 ? all.find((each) => each > now + slack) : all.findLast((each) => each < now - slack);
    if (to !== undefined) {
      this.center(to, Math.min(this.to - this.from, this.whole.to / 20));
    }
  }

  wheel(event) {
    event.preventDefault();
    if (event.shiftKey) {
      this.scroll(event.deltaY || event.deltaX);
    } else {
      this.zoom(Math.exp(event.deltaY / 500), this.timeAt(event.offsetX));
    }
  }

  dragTo(event) {
    if (!this.drag) {
      return;
    }
    const x = event.clientX - this.drag.x;
    const y = event.clientY - this.drag.y;
    this.drag.far += Math.abs(x) + Math.abs(y);
    if (this.drag.far >= 4) {
      const by = (x / (this.width - GUTTER)) * (this.to - this.from);
      this.show(this.from - by, this.to - by);
      this.scroll(-y);
      Object.assign(this.drag, { x: event.clientX, y: event.clientY });
    }
  }

  scrub(event) {
    const part = (event.offsetX - GUTTER) / (this.strip.clientWidth - GUTTER);
    this.center(Math.min(1, Math.max(0, part)) * this.whole.to);
  }

  timeAt(x) {
    return this.from + ((x - GUTTER) / (this.width - GUTTER)) * (this.to - this.from);
  }

  x(at) {
    return GUTTER + ((at - this.from) / (this.to - this.from)) * (this.width - GUTTER);
  }

  head() {
    return AXIS + this.faultRows * ROW + 4;
  }

  lane() {
    return Math.max(MIN_LANE, Math.min(MAX_LANE, (this.height - this.head()) / Math.max(1, this.lanes.length)));
  }

  /** The middle of a lane; NaN if it is not shown. */
  y(lane) {
    return this.head() + ((this.place.get(lane) ?? NaN) + 0.5) * this.lane() - this.top;
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

  paint() {
    if (!this.colors) {
      const probe = el('span');
      this.canvas.parentElement.append(probe);
      this.colors = {};
      for (const name of ['text', 'faint', 'edge', 'grid', 'card', 'back', 'mark', 'link', 'good', 'bad', 'warn', 'line-1', 'line-4', 'line-5', 'line-6']) {
        probe.style.color = `var(--${name})`;
        this.colors[name] = getComputedStyle(probe).color;
      }
      probe.remove();
    }
    return this.colors;
  }

  static pen(canvas, height) {
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = FONT;
    return pen;
  }

  draw() {
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    if (!this.width || !this.height) {
      return;
    }
    const paint = this.paint();
    const pen = LanesView.pen(this.canvas, this.height);
    pen.save();
    pen.beginPath();
    pen.rect(0, this.head(), this.width, this.height - this.head());
    pen.clip();
    this.drawLanes(pen, paint);
    this.drawCalls(pen, paint);
    this.drawMessages(pen, paint);
    this.drawLines(pen, paint);
    this.drawNames(pen, paint);
    pen.restore();
    this.drawAxis(pen, paint);
    this.drawFaults(pen, paint);
    this.drawViolations(pen, paint);
    this.drawStrip(paint);
  }

  isSeen(from, to) {
    return to >= this.from && from <= this.to;
  }

  drawLanes(pen, paint) {
    for (const lane of this.lanes) {
      const y = this.y(lane);
      if (y > -MAX_LANE && y < this.height + MAX_LANE) {
        pen.fillStyle = paint.edge;
        pen.fillRect(GUTTER, y, this.width - GUTTER, 1);
      }
    }
    pen.fillStyle = paint.grid;
    for (const [lane, from, to] of this.gone) {
      const y = this.y(lane);
      if (y === y && this.isSeen(from, to)) {
        const left = Math.max(GUTTER, this.x(from));
        pen.fillRect(left, y - 5, Math.min(this.width, this.x(to)) - left, 11);
      }
    }
  }

  drawNames(pen, paint) {
    pen.fillStyle = paint.card;
    pen.fillRect(0, 0, GUTTER - 4, this.height);
    pen.fillStyle = paint.text;
    pen.textAlign = 'right';
    for (const lane of this.lanes) {
      const y = this.y(lane);
      if (y > 0 && y < this.height + MAX_LANE) {
        pen.fillText(this.run.nodes[lane].slice(0, 24), GUTTER - 8, y + 4, GUTTER - 12);
      }
    }
    pen.textAlign = 'left';
  }

  drawCalls(pen, paint) {
    for (const call of this.run.calls) {
      const end = call[CALL.END] < 0 ? this.run.end : call[CALL.END];
      const y = this.y(call[CALL.FROM]);
      if (y === y && this.isSeen(call[CALL.START], end)) {
        const left = Math.max(GUTTER, this.x(call[CALL.START]));
        const mine = call[CALL.ID] === this.call;
        pen.globalAlpha = mine ? 0.9 : call[CALL.OUTCOME] === 0 ? 0.18 : 0.4;
        pen.fillStyle = paint[OUTCOMES[call[CALL.OUTCOME]] ?? 'faint'];
        pen.fillRect(left, y - (mine ? 9 : 7), Math.max(1, Math.min(this.width, this.x(end)) - left), mine ? 5 : 3);
        if (call[CALL.OUTCOME] > 0 && end <= this.to) {
          pen.globalAlpha = 1;
          pen.fillRect(this.x(end) - 2, y - 10, 4, 8);
        }
      }
    }
    pen.globalAlpha = 1;
  }

  /** What is seen; of more than can be told apart only what did not go well. */
  seen() {
    const all = [];
    let more = 0;
    for (const message of this.run.messages) {
      if (message[START] > this.to) {
        break;
      }
      const end = message[END] < 0 ? this.run.end : message[END];
      if (end >= this.from && (this.place.has(message[FROM]) || this.place.has(message[TO]))) {
        if (all.length < MOST || !LanesView.isFine(message) || message[ID] === this.call) {
          all.push(message);
        } else {
          more++;
        }
      }
    }
    return more ? { all: all.filter((each) => !LanesView.isFine(each) || (this.call && each[ID] === this.call)), dense: true } : { all, dense: false };
  }

  static isFine(message) {
    return message[HOW] === ARRIVED && message[WHY] === 0 && message[ATTEMPT] === 1;
  }

  drawMessages(pen, paint) {
    const { all, dense } = this.seen();
    this.drawn = all;
    this.dense = dense;
    if (dense) {
      this.drawDensity(pen, paint);
    }
    for (const message of all) {
      const isCall = this.call !== 0 && message[ID] === this.call;
      this.drawMessage(pen, paint, message, isCall || message === this.chosen);
    }
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  drawMessage(pen, paint, message, bold) {
    const [x1, y1, x2, y2] = this.ends(message);
    if (!(y1 === y1)) {
      return;
    }
    const bad = message[HOW] !== ARRIVED;
    const again = message[ATTEMPT] > 1;
    pen.strokeStyle = bad ? paint.bad : again ? paint.warn : paint[COLORS[this.run.texts[message[TYPE]]]] ?? paint.faint;
    pen.lineWidth = bold ? 3 : again || bad ? 1.8 : 1;
    pen.globalAlpha = bold || bad || again ? 1 : this.call ? 0.15 : 0.65;
    pen.setLineDash(bad ? [4, 3] : []);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
    pen.setLineDash([]);
    if (bad) {
      pen.beginPath();
      pen.moveTo(x2 - 4, y2 - 4);
      pen.lineTo(x2 + 4, y2 + 4);
      pen.moveTo(x2 + 4, y2 - 4);
      pen.lineTo(x2 - 4, y2 + 4);
      pen.stroke();
    } else if (bold || this.drawn.length < 400) {
      pen.fillStyle = pen.strokeStyle;
      pen.beginPath();
      pen.arc(x2, y2, bold ? 4 : 2.2, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  /** Where a message begins and ends; one that did not arrive ends on half its way. */
  ends(message) {
    const x1 = this.x(message[START]);
    const y1 = this.y(message[FROM]);
    const to = this.y(message[TO]);
    const y2 = to === to ? to : y1 + this.lane() * 0.4;
    if (message[HOW] === ARRIVED) {
      return [x1, y1, this.x(message[END]), y1 === y1 ? y2 : NaN];
    }
    const end = message[END] < 0 ? this.to : message[END];
    return [x1, y1, Math.max(x1 + 6, Math.min(this.x(end), x1 + 40)), y1 + (y2 - y1) * 0.5];
  }

  /** How many messages each lane sends, by pixels. */
  drawDensity(pen, paint) {
    const columns = Math.ceil((this.width - GUTTER) / 3);
    const counts = new Map(this.lanes.map((lane) => [lane, new Uint32Array(columns + 1)]));
    let most = 1;
    for (const message of this.run.messages) {
      const column = Math.floor((this.x(message[START]) - GUTTER) / 3);
      const row = counts.get(message[FROM]);
      if (row && column >= 0 && column <= columns) {
        most = Math.max(most, ++row[column]);
      }
    }
    pen.fillStyle = paint['line-1'];
    pen.globalAlpha = 0.55;
    const tall = this.lane() * 0.42;
    counts.forEach((row, lane) => {
      const y = this.y(lane);
      row.forEach((count, column) => {
        if (count) {
          pen.fillRect(GUTTER + column * 3, y, 2, Math.max(1, (count / most) * tall));
        }
      });
    });
  }

  /** Broken connections, device events, lost frames and what else is said of a node. */
  drawLines(pen, paint) {
    for (const line of this.run.lines) {
      const y = this.y(line[LINE.LANE]);
      const at = line[LINE.AT];
      if (y === y && at >= this.from && at <= this.to && line[LINE.KIND] !== 'start') {
        pen.fillStyle = isBad(line) ? paint.bad : paint.faint;
        pen.beginPath();
        pen.moveTo(this.x(at), y + 3);
        pen.lineTo(this.x(at) - 4, y + 10);
        pen.lineTo(this.x(at) + 4, y + 10);
        pen.fill();
      }
    }
  }

  drawAxis(pen, paint) {
    const wanted = ((this.to - this.from) / (this.width - GUTTER)) * 110;
    const unit = 10 ** Math.floor(Math.log10(wanted));
    const step = unit * [1, 2, 5, 10].find((each) => each * unit >= wanted);
    pen.textAlign = 'center';
    for (let at = Math.ceil(this.from / step) * step; at <= this.to; at += step) {
      pen.fillStyle = paint.grid;
      pen.fillRect(this.x(at), AXIS - 4, 1, this.height - AXIS);
      pen.fillStyle = paint.faint;
      pen.fillText(time(at, step), this.x(at), 12);
    }
    pen.textAlign = 'left';
  }

  drawFaults(pen, paint) {
    pen.textAlign = 'right';
    pen.fillStyle = paint.faint;
    pen.fillText('faults', GUTTER - 8, AXIS + 11);
    pen.textAlign = 'left';
    for (const fault of this.faults.filter((each) => this.isSeen(each.from, each.to))) {
      const left = Math.max(GUTTER, this.x(fault.from));
      const wide = Math.max(2, Math.min(this.width, this.x(fault.to)) - left);
      const y = AXIS + fault.row * ROW;
      pen.globalAlpha = 0.3;
      pen.fillStyle = paint.bad;
      pen.fillRect(left, y, wide, ROW - 2);
      pen.globalAlpha = 0.07;
      pen.fillRect(left, this.head(), wide, this.height);
      pen.globalAlpha = 1;
      pen.save();
      pen.beginPath();
      const next = this.faults.filter((each) => each.row === fault.row && each.from > fault.from).map((each) => this.x(each.from));
      pen.rect(left, y, Math.max(8, Math.min(this.width, ...next) - left - 4), ROW);
      pen.clip();
      pen.fillStyle = paint.text;
      pen.fillText(fault.text.slice(0, 200), left + 3, y + 11);
      pen.restore();
    }
  }

  drawViolations(pen, paint) {
    for (const { at, checker } of this.run.violations) {
      if (at >= this.from && at <= this.to) {
        const x = this.x(at);
        pen.fillStyle = paint.bad;
        pen.fillRect(x - 1, AXIS - 6, 2, this.height);
        const wide = pen.measureText(checker).width + 10;
        const left = Math.min(x, this.width - wide);
        pen.fillRect(left, this.height - 16, wide, 16);
        pen.fillStyle = paint.card;
        pen.fillText(checker, left + 5, this.height - 4);
      }
    }
  }

  drawStrip(paint) {
    const pen = LanesView.pen(this.strip, STRIP);
    const wide = this.strip.clientWidth - GUTTER;
    const x = (at) => GUTTER + (at / this.whole.to) * wide;
    this.counts ??= this.count();
    const most = Math.max(1, ...this.counts);
    pen.fillStyle = paint.faint;
    pen.textAlign = 'right';
    pen.fillText('whole run', GUTTER - 8, 26);
    pen.textAlign = 'left';
    pen.fillStyle = paint['line-1'];
    const bar = wide / this.counts.length;
    this.counts.forEach((count, index) => {
      const tall = count ? 2 + (count / most) * (STRIP - 6) : 0;
      pen.fillRect(GUTTER + index * bar, STRIP - tall, Math.max(1, bar - 0.5), tall);
    });
    pen.globalAlpha = 0.25;
    pen.fillStyle = paint.bad;
    this.faults.forEach((each) => pen.fillRect(x(each.from), 0, Math.max(2, x(each.to) - x(each.from)), STRIP));
    pen.globalAlpha = 1;
    this.run.violations.forEach((each) => pen.fillRect(x(each.at) - 1, 0, 3, STRIP));
    pen.strokeStyle = paint.link;
    pen.lineWidth = 2;
    pen.strokeRect(x(this.from), 1, Math.max(4, x(this.to) - x(this.from)), STRIP - 2);
  }

  /** Messages of the whole run, in 300 parts of it. */
  count() {
    const counts = new Array(300).fill(0);
    for (const message of this.run.messages) {
      counts[Math.min(299, Math.floor((message[START] / this.whole.to) * 300))]++;
    }
    return counts;
  }

  /** What is under the pointer: the nearest message, else a mark on a lane. */
  pick(event) {
    const { offsetX: x, offsetY: y } = event;
    let best = null;
    let least = NEAR;
    for (const message of this.drawn) {
      const far = distance(x, y, ...this.ends(message));
      if (far < least) {
        least = far;
        best = { message };
      }
    }
    for (const line of this.run.lines) {
      const far = Math.hypot(this.x(line[LINE.AT]) - x, this.y(line[LINE.LANE]) + 7 - y);
      if (far < least) {
        least = far;
        best = { line };
      }
    }
    this.choose(best);
  }
}

/** How far a point is from a line between two others. */
function distance(x, y, x1, y1, x2, y2) {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}
