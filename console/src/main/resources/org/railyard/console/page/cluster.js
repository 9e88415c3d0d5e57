// The page Cluster: nodes and their peers as a graph, colored by health; what is well steps back.

import { ask } from './ask.js';
import { el, fill, say } from './dom.js';
import { listen, nodes } from './live.js';

const NID = 0;
const OF = 1;
const STATE = 2;
const HEALTH = 3;
const FULL = 1000;
const MOST = 120;
const WIDTH = 1000;
const HEIGHT = 560;
const ROUTES_MS = 10000;
// What a name takes at least, so that no two of them are written over each other.
const NAME_WIDTH = 120;
const NAME_HEIGHT = 11;
const SVG = 'http://www.w3.org/2000/svg';

function shape(tag, properties, ...children) {
  const made = document.createElementNS(SVG, tag);
  Object.entries(properties).forEach(([name, value]) => made.setAttribute(name, String(value)));
  made.append(...children);
  return made;
}

const isUp = (row) => row[STATE] === 'ACTIVE' || row[STATE] === 'up';

/** How a set of NIs does: the worst of them counts. */
function kindOf(rows) {
  if (rows.some((row) => !isUp(row))) {
    return 'bad';
  }
  return rows.some((row) => row[HEALTH] < FULL) ? 'warn' : 'well';
}

const WORST = { bad: 0, warn: 1, well: 2 };

/** What there is to draw: daemons, peers that are none of them, and the links between. */
export function graphOf(all) {
  const daemons = all.map((node) => {
    const rows = node.points.findLast((each) => each.nis)?.nis ?? [];
    return { id: `node ${node.number}`, number: node.number, name: node.name, rows, kind: node.reach === 'UP' ? kindOf(rows) : node.reach === 'UNKNOWN' ? 'warn' : 'bad', reach: node.reach };
  });
  const owner = new Map();
  daemons.forEach((each) => each.rows.forEach((row) => owner.set(row[NID], each)));
  const peers = new Map();
  const links = new Map();
  all.forEach((node, index) => {
    for (const row of node.peers.values()) {
      const own = owner.get(row[NID]) ?? owner.get(row[OF]);
      if (own === daemons[index]) {
        continue;
      }
      const end = own ?? peers.get(row[OF]) ?? { id: `peer ${row[OF]}`, name: row[OF], rows: [], by: node.number };
      if (!own) {
        peers.set(row[OF], end);
        end.rows.push(row);
      }
      const key = `${daemons[index].id} ${end.id}`;
      const link = links.get(key) ?? { from: daemons[index], to: end, rows: [] };
      link.rows.push(row);
      links.set(key, link);
    }
  });
  for (const each of [...peers.values(), ...links.values()]) {
    each.kind = kindOf(each.rows);
  }
  return { daemons, peers: [...peers.values()].sort((a, b) => WORST[a.kind] - WORST[b.kind]), links: [...links.values()] };
}

/** Shows the page; returns what ends it. */
export function clusterPage(main) {
  const picture = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, id: 'graph', role: 'group', 'aria-label': 'nodes and peers' });
  const text = el('span', { id: 'sum', class: 'faint', role: 'status' });
  let gateways = new Map();
  const told = new Map();
  let asked = 0;
  fill(main, el('div', { class: 'cluster' },
    el('div', { class: 'bar' }, el('strong', {}, 'Nodes and their peers'), text),
    el('section', {}, picture, el('div', { class: 'legend' },
      el('span', {}, el('i', { class: 'well' }), 'well'), el('span', {}, el('i', { class: 'warn' }), 'health below 1000'),
      el('span', {}, el('i', { class: 'bad-line' }), 'down, or no answer'), el('span', {}, 'squares are nodes of this console, diamonds gateways of routes')))));

  function place(list, radius, turn) {
    list.forEach((each, index) => {
      const angle = (2 * Math.PI * index) / list.length + turn;
      each.x = WIDTH / 2 + (list.length === 1 && radius < 0.5 ? 0 : Math.cos(angle) * radius * WIDTH * 0.42);
      each.y = HEIGHT / 2 + (list.length === 1 && radius < 0.5 ? 0 : Math.sin(angle) * radius * HEIGHT * 0.43);
    });
  }

  /** Decides whose names are written: of those that would cover each other the worst, which come first. */
  function nameApart(list) {
    const written = [];
    for (const each of list) {
      const right = each.x >= WIDTH / 2;
      each.named = !written.some((other) => other.right === right && Math.abs(other.x - each.x) < NAME_WIDTH && Math.abs(other.y - each.y) < NAME_HEIGHT);
      if (each.named) {
        written.push({ x: each.x, y: each.y, right });
      }
    }
  }

  function tip(name, rows) {
    return shape('title', {}, [name, ...rows.slice(0, 16).map((row) => `${row[NID]} ${row[STATE]}, health ${row[HEALTH]}`)].join('\n'));
  }

  function mark(each, radius, sides, target) {
    const nets = gateways.get(each.name);
    const points = Array.from({ length: sides }, (_, i) => {
      const angle = (2 * Math.PI * (i + (sides === 4 && !nets ? 0.5 : 0))) / sides;
      return `${each.x + radius * Math.cos(angle)},${each.y + radius * Math.sin(angle)}`;
    }).join(' ');
    const right = each.x >= WIDTH / 2;
    return shape('a', { href: target, class: each.kind, 'aria-label': `${each.name}: ${each.kind === 'bad' ? 'down' : each.kind === 'warn' ? 'not well' : 'well'}` },
      tip(each.name, each.rows), shape('polygon', { points }),
      !each.named ? '' : shape('text', { x: each.x + (right ? radius + 4 : -radius - 4), y: each.y + 4, 'text-anchor': right ? 'start' : 'end' },
        (nets ? `${each.name} → ${[...nets].join(', ')}` : each.name).slice(0, 60)));
  }

  function draw() {
    const { daemons, peers, links } = graphOf([...nodes.values()]);
    const drawn = peers.slice(0, MOST);
    place(daemons, drawn.length ? 0.4 : 0.8, Math.PI);
    place(drawn, 1, -Math.PI / 2 + 0.2);
    nameApart([...daemons, ...drawn]);
    const bad = daemons.filter((each) => each.kind === 'bad').length;
    say(text, `${daemons.length} nodes${bad ? `, ${bad} of them down` : ''}; ${peers.length} other peers${peers.length > MOST ? `, the worst ${MOST} are drawn` : ''}`);
    const shown = new Set([...daemons, ...drawn]);
    // By what it leads to: its label tells its state, which may be what changed.
    const focus = picture.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    picture.replaceChildren(
      ...links.filter((each) => shown.has(each.to)).map((each) =>
        shape('line', { x1: each.from.x, y1: each.from.y, x2: each.to.x, y2: each.to.y, class: each.from.reach === 'UP' ? each.kind : 'bad', 'stroke-width': 1 + Math.min(4, each.rows.length) / 2 }, tip(`${each.from.name} – ${each.to.name}`, each.rows))),
      ...drawn.map((each) => mark(each, gateways.has(each.name) ? 8 : 5, gateways.has(each.name) ? 4 : 12, `#/node/${each.by}/${encodeURIComponent(each.name)}`)),
      ...daemons.map((each) => mark(each, 13, 4, `#/node/${each.number}`)));
    if (focus) {
      [...picture.querySelectorAll('a')].find((each) => each.getAttribute('href') === focus)?.focus();
    }
  }

  const up = () => [...nodes.values()].filter((node) => node.reach === 'UP');

  /** Asks the nodes that answer for their gateways; what others told before they were gone stays. */
  async function routes() {
    const all = up();
    asked = all.length;
    for (const node of all) {
      try {
        const answer = await ask('/api/routes', { node: node.number });
        told.set(node.number, answer.route ?? []);
      } catch {
        // It does not answer: the graph says so.
      }
    }
    gateways = new Map();
    for (const { net, gateway } of [...told.values()].flat()) {
      gateways.set(gateway, (gateways.get(gateway) ?? new Set()).add(net));
    }
    later();
  }

  let due = false;
  function later() {
    if (!due) {
      due = true;
      setTimeout(() => requestAnimationFrame(() => { due = false; draw(); }), 200);
    }
  }
  const stop = listen(() => {
    // A page that is opened at once knows no nodes yet, and would tell gateways from other peers only later.
    if (asked !== up().length) {
      routes();
    }
    later();
  });
  const again = setInterval(routes, ROUTES_MS);
  draw();
  routes();
  return () => {
    stop();
    clearInterval(again);
  };
}
