// The page Node: NIs, their figures over time, peers, and why things are as they are.

import { mayChange } from './ask.js';
import { clock, el, fill, say, short } from './dom.js';
import { listen, nodes } from './live.js';
import * as panels from './panels.js';
import { Plot } from './plot.js';
import { Table } from './table.js';

// The order of values in a row, see Rows.COLUMNS of the server.
const [NID, OF, STATE, HEALTH, CREDITS, MAX, MIN, QUEUED, OUT, IN, OUT_BYTES, IN_BYTES, DROPPED, RESENDS, TIMEOUTS] = Array.from({ length: 15 }, (_, i) => i);
const FULL = 1000;

const MEASURES = {
  'bytes sent': { unit: 'B/s', of: (row) => row[OUT_BYTES] },
  'bytes received': { unit: 'B/s', of: (row) => row[IN_BYTES] },
  'messages sent': { unit: '/s', of: (row) => row[OUT] },
  'messages received': { unit: '/s', of: (row) => row[IN] },
  'credits': { unit: '', of: (row) => row[CREDITS] },
  'health': { unit: '', of: (row) => row[HEALTH] },
  'dropped': { unit: '', of: (row) => row[DROPPED] },
  'resends': { unit: '', of: (row) => row[RESENDS] },
};

const down = (row) => row[STATE] !== 'ACTIVE' && row[STATE] !== 'up';

function column(title, at, more = {}) {
  return { title, text: (row) => String(row[at] ?? '–'), value: (row) => row[at], ...more };
}

function number(title, at, unit, more = {}) {
  return column(title, at, { number: true, width: 'minmax(4.4em, 1fr)', text: (row) => short(row[at], unit), ...more });
}

const NI_COLUMNS = [
  column('NID', NID, { width: 'minmax(9em, 2fr)' }),
  column('device', OF, { width: 'minmax(4em, 1fr)' }),
  column('state', STATE, { width: '5.5em', bad: down }),
  number('health', HEALTH, '', { bad: (row) => row[HEALTH] < FULL, text: (row) => String(row[HEALTH]), width: '4.4em' }),
  number('credits', CREDITS, '', { bad: (row) => row[CREDITS] < 0, text: (row) => `${row[CREDITS]}/${row[MAX]}`, help: 'free now, of how many' }),
  number('least', MIN, '', { bad: (row) => row[MIN] < 0, text: (row) => String(row[MIN]), width: '4em', help: 'fewest free credits there ever were' }),
  number('sent', OUT_BYTES, 'B/s', { width: '6em' }),
  number('received', IN_BYTES, 'B/s', { width: '6em' }),
  number('drops', DROPPED, '', { width: '4em' }),
];

const PEER_COLUMNS = [
  column('NID', NID, { width: 'minmax(8em, 3fr)' }),
  column('peer', OF, { width: 'minmax(8em, 3fr)', help: 'primary NID' }),
  column('state', STATE, { width: '3.6em', bad: down }),
  number('health', HEALTH, '', { bad: (row) => row[HEALTH] < FULL, text: (row) => String(row[HEALTH]), width: '4.4em' }),
  number('credits', CREDITS, '', { bad: (row) => row[CREDITS] < 0, text: (row) => `${row[CREDITS]}/${row[MAX]}`, width: 'minmax(5.2em, 1fr)', help: 'free now, of how many' }),
  number('queue', QUEUED, 'B', { width: 'minmax(5.4em, 1fr)', help: 'bytes that hold or wait for credits' }),
  number('sent/s', OUT, '', { help: 'messages' }),
  number('got/s', IN, '', { help: 'messages' }),
  number('drops', DROPPED, '', { width: '4em' }),
  number('again', RESENDS, '', { width: '4em', help: 'messages sent again' }),
  number('late', TIMEOUTS, '', { width: '4em', help: 'time-outs' }),
];

const key = (row) => `${row[NID]} ${row[OF]}`;
const last = (node) => node.points.findLast((each) => each.nis)?.nis ?? [];

const REACH = {
  UNKNOWN: ['', 'asked for the first time …'],
  UP: ['good', 'answers'],
  REFUSES: ['bad', 'the daemon has no figures'],
  GONE: ['bad', 'does not answer'],
};

/** Shows the page; returns what ends it. */
export function nodePage(main, number_, nid) {
  let chosen = number_;
  let measure = 'bytes sent';
  let panel = 'explain';
  let peer = null;
  let peerOf = 'peer';

  const name = el('select', { id: 'node', 'aria-label': 'Node', on: { change: () => { location.hash = `#/node/${name.value}`; } } });
  const reach = el('strong', { id: 'reach', role: 'status' });
  const why = el('span', { id: 'why' });
  const nis = new Table({ label: 'NIs', columns: NI_COLUMNS, key, choose: (row) => explainTo(row[NID], 'node'), empty: 'no NIs yet' });
  const plot = new Plot('figures of the NIs over time');
  const measures = el('select', { id: 'measure', 'aria-label': 'Figure', on: { change: () => { measure = measures.value; draw(); } } },
    ...Object.keys(MEASURES).map((each) => el('option', {}, each)));
  const peers = new Table({ label: 'Peers', columns: PEER_COLUMNS, key, choose: (row) => explainTo(row[NID]), empty: 'no peers are known',
    arranged: (all, shown) => {
      const more = nodes.get(chosen)?.more ?? 0;
      say(count, `${shown < all ? `${shown} of ` : ''}${all}${more ? ` of ${all + more}` : ''} NIs of peers`);
    } });
  const search = el('input', { id: 'search', type: 'search', placeholder: 'search peers  /', 'aria-label': 'Search peers', maxlength: 200,
    on: { input: () => peers.search(search.value) } });
  const count = el('span', { id: 'count', class: 'faint' });
  const told = el('div', { id: 'told', class: 'told', tabindex: 0, role: 'region', 'aria-label': 'What is told about the node' });
  const tab = (each) =>
    el('button', { type: 'button', id: `tab-${each}`, 'aria-pressed': each === panel, on: { click: () => turn(each) } }, each);
  const tabs = ['explain', 'routes', 'events', 'doctor'].map((each) => tab(each));

  fill(main, el('div', { class: 'node' },
    el('div', { class: 'bar' }, name, reach, why),
    el('section', { class: 'nis' }, el('h2', {}, 'Network interfaces'), nis.element),
    el('section', { class: 'over-time' }, el('div', { class: 'bar' }, el('h2', {}, 'Over time'), measures), plot.element),
    el('section', { class: 'peers' }, el('div', { class: 'bar' }, el('h2', {}, 'Peers'), search, count), peers.element),
    el('section', { class: 'beside' }, el('div', { class: 'bar', role: 'group', 'aria-label': 'About the node' }, ...tabs), told)));

  // What changes the node is offered only by a console that may.
  mayChange().then((token) => {
    if (token) {
      tabs.push(tab('actions'));
      tabs[0].parentElement.append(tabs.at(-1));
    }
  }, () => {});

  function explainTo(nid, of = 'peer') {
    peer = nid;
    peerOf = of;
    turn(panel === 'actions' ? 'actions' : 'explain');
  }

  function turn(to) {
    panel = to;
    tabs.forEach((each) => each.setAttribute('aria-pressed', each.id === `tab-${to}`));
    told.turn = null;
    refresh();
  }

  function refresh() {
    if (panel === 'routes') {
      panels.routes(told, chosen);
    } else if (panel === 'doctor') {
      panels.doctor(told, chosen);
    } else if (panel === 'actions') {
      panels.actions(told, chosen, peer ? { nid: peer, of: peerOf } : null);
    } else if (panel === 'events') {
      panels.events(told, nodes.get(chosen)?.changes ?? []);
    } else if (peer) {
      panels.explain(told, chosen, peer);
    } else {
      fill(told, el('p', { class: 'faint' }, 'Choose a peer: here stands which way the next message to it takes, and why.'));
    }
  }

  function state() {
    const options = [...nodes.values()].map((each) => el('option', { value: each.number, selected: each.number === chosen }, each.name));
    if (name.options.length !== options.length) {
      fill(name, ...options);
    }
    const node = nodes.get(chosen);
    if (!node) {
      return;
    }
    const [kind, text] = REACH[node.reach] ?? REACH.UNKNOWN;
    reach.className = kind;
    say(reach, text);
    say(why, node.reach === 'UP' ? '' : `${node.why}${node.since ? `, since ${clock(node.since)}; the figures are from before` : ''}`);
    main.classList.toggle('stale', node.reach === 'GONE' || node.reach === 'REFUSES');
  }

  function draw() {
    const node = nodes.get(chosen);
    if (!node) {
      return;
    }
    const rows = last(node);
    nis.set(rows);
    const { unit, of } = MEASURES[measure];
    const times = node.points.map((each) => each.at / 1000);
    const lines = rows.map((row) => ({
      name: `${row[NID]} ${row[OF]}`,
      values: node.points.map((point) => {
        const found = point.nis?.find((each) => key(each) === key(row));
        return found ? of(found) : null;
      }),
    }));
    plot.set(times, lines, unit);
  }

  function drawPeers() {
    const node = nodes.get(chosen);
    if (node) {
      peers.set([...node.peers.values()]);
    }
  }

  // The first words of the console come all at once: one drawing for all of them.
  const due = new Set();
  function later(what) {
    if (!due.size) {
      requestAnimationFrame(() => {
        const now = new Set(due);
        due.clear();
        if (now.has('state')) state();
        if (now.has('nis') || now.has('state')) draw();
        if (now.has('peers')) drawPeers();
        if (now.has('change') && panel === 'events') refresh();
      });
    }
    due.add(what);
  }

  const stop = listen((what, of) => {
    if (of === chosen || what === 'state') {
      later(what);
    }
  });
  const slash = (event) => {
    if (event.key === '/' && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  };
  document.addEventListener('keydown', slash);
  document.addEventListener('scheme', () => later('nis'), { signal: plot.ended });
  const again = setInterval(() => {
    if (panel === 'routes' || (panel === 'explain' && peer)) {
      refresh();
    }
  }, 5000);
  ['state', 'nis', 'peers'].forEach(later);
  if (nid) {
    search.value = nid;
    peers.search(nid);
    explainTo(nid);
  } else {
    refresh();
  }
  return () => {
    stop();
    clearInterval(again);
    document.removeEventListener('keydown', slash);
    main.classList.remove('stale');
    plot.close();
  };
}
