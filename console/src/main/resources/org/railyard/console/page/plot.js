// Figures over time, drawn with uPlot.

import uPlot from './lib/uplot/uPlot.esm.js';
import { el, short } from './dom.js';

const COLORS = ['--line-1', '--line-2', '--line-3', '--line-4', '--line-5', '--line-6'];
const HEIGHT = 154;
const MOST = 16;
const LEAST = 10;

/** Canvases do not know variables: an element with the color tells what it is in the scheme of now. */
function color(owner, variable) {
  const probe = el('span');
  probe.style.color = `var(${variable})`;
  owner.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

export class Plot {
  constructor(label) {
    this.element = el('div', { class: 'plot', role: 'img', 'aria-label': label });
    this.names = '';
    this.plot = null;
    new ResizeObserver(() => this.fit()).observe(this.element);
    this.end = new AbortController();
    const options = { signal: this.end.signal };
    document.addEventListener('scheme', () => { this.names = ''; }, options);
  }

  /** Aborted when the plot is closed. */
  get ended() {
    return this.end.signal;
  }

  /** Shows lines: times in seconds, and for each name its values, null where there is none. */
  set(times, lines, unit) {
    const names = JSON.stringify([unit, ...lines.map((each) => each.name)]);
    const shown = lines.slice(0, MOST);
    const data = [times, ...shown.map((each) => each.values)];
    if (names === this.names && this.plot) {
      this.plot.setData(data);
      return;
    }
    this.names = names;
    this.plot?.destroy();
    this.plot = this.create(data, shown, unit);
  }

  create(data, lines, unit) {
    const axis = { stroke: color(this.element, '--faint'), grid: { stroke: color(this.element, '--grid'), width: 1 }, ticks: { show: false } };
    return new uPlot({
      width: Math.max(200, this.element.clientWidth),
      height: HEIGHT,
      legend: { live: true },
      cursor: { drag: { x: false, y: false } },
      // With one reading there is no span of time yet: days would be shown.
      scales: { x: { range: (_, low, high) => (high === null ? [0, LEAST] : [Math.min(low, high - LEAST), high]) }, y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.05 : 1] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((each) => new Date(each * 1000).toLocaleTimeString([], { hour12: false })), space: 70, gap: 9, size: 32 },
        { ...axis, values: (_, ticks) => ticks.map((each) => short(each, unit)), size: 70 },
      ],
      series: [
        { label: 'time', value: (_, at) => (at === null ? '' : new Date(at * 1000).toLocaleTimeString([], { hour12: false })) },
        ...lines.map((each, index) => ({
          label: each.name,
          stroke: color(this.element, COLORS[index % COLORS.length]),
          dash: index < COLORS.length ? [] : [6, 3],
          width: 1.5,
          points: { show: false },
          // Without a pointer over the plot: the last one.
          value: (plot, value, at) => short(value ?? plot.data[at].findLast((each) => each !== null), unit),
        })),
      ],
    }, data, this.element);
  }

  fit() {
    const width = this.element.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) {
      this.plot.setSize({ width, height: HEIGHT });
    }
  }

  /** Ends it. */
  close() {
    this.end.abort();
    this.plot?.destroy();
  }
}
