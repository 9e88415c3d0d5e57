// What the console tells while it runs: state, figures and peers of all nodes, kept for whichever page is shown.

const MAX_POINTS = 300;
const MAX_CHANGES = 200;

/** Nodes by number: {number, name, reach, why, since, points, peers, more, changes}. */
export const nodes = new Map();

const listeners = new Set();
let source = null;

/** Calls a listener with what is new: 'link', 'state', 'nis', 'peers' or 'change', and the number of the node. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(what, number) {
  listeners.forEach((each) => each(what, number));
}

function node(number) {
  if (!nodes.has(number)) {
    nodes.set(number, { number, name: '', reach: 'UNKNOWN', why: '', since: 0, points: [], peers: new Map(), more: 0, changes: [] });
  }
  return nodes.get(number);
}

function push(list, item, limit) {
  list.push(item);
  if (list.length > limit) {
    list.shift();
  }
}

function on(name, take) {
  source.addEventListener(name, (event) => {
    const told = JSON.parse(event.data);
    take(node(told.node), told);
    tell(name, told.node);
  });
}

/** Connects, and again whenever the connection is lost: the console then tells everything from the beginning. */
export function connect() {
  source = new EventSource('/events');
  source.addEventListener('open', () => {
    for (const each of nodes.values()) {
      each.points = [];
      each.changes = [];
    }
    tell('link', -1);
  });
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) {
      // An answer that was no stream, such as 'too many pages': browsers give up then.
      setTimeout(connect, 3000);
    }
    tell('link', -1);
  });
  on('state', (of, told) => Object.assign(of, { name: told.name, reach: told.reach, why: told.why, since: told.since }));
  on('nis', (of, told) => push(of.points, told, MAX_POINTS));
  on('change', (of, told) => push(of.changes, told, MAX_CHANGES));
  on('peers', (of, told) => {
    if (told.all) {
      of.peers = new Map();
    }
    told.gone.forEach((key) => of.peers.delete(key));
    told.rows.forEach((row) => of.peers.set(`${row[0]} ${row[1]}`, row));
    of.more = told.more;
  });
}

/** Whether the console is connected. */
export function isConnected() {
  return source !== null && source.readyState === EventSource.OPEN;
}
