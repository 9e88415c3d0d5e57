// The page Lab run: what happened in a run in virtual time, as lanes and as a table, from the whole of it to a message.

import { ask } from './ask.js';
import { el, fill, say } from './dom.js';
import { ARRIVED, ATTEMPT, BYTES, CALL, END, FROM, HOW, ID, isBad, LanesView, LINE, START, time, TO, TYPE, WAY, WHY } from './lanes.js';
import { Table } from './table.js';

const MAX_ROWS = 5000;
const AROUND = 200e6;
const SHOWN = {
  'what is not well': (row) => row.bad,
  'everything': () => true,
  'calls': (row) => row.kind === 'call',
  'messages': (row) => Boolean(row.message),
  'faults and nodes': (row) => Boolean(row.line),
};
const OUTCOMES = ['ok', 'failed', 'timed out', 'abandoned'];

const COLUMNS = [
  { title: 'time', text: (row) => time(row.at, 1000), value: (row) => row.at, number: true, width: '9.5em' },
  { title: 'node', text: (row) => row.node, value: (row) => row.node, width: 'minmax(6em, 1fr)' },
  { title: 'what', text: (row) => row.kind, value: (row) => row.kind, width: '6em', bad: (row) => row.bad },
  { title: '', text: (row) => row.text, value: (row) => row.text, width: 'minmax(10em, 5fr)' },
];

/** Shows the page; returns what ends it. */
export function labPage(main) {
  let ended = false;
  let end = () => { ended = true; };
  fill(main, el('p', { class: 'faint' }, 'Reading the run …'));
  ask('/api/lab').then((run) => {
    if (!ended) {
      end = show(main, run);
    }
  }, (problem) => fill(main, el('p', { class: 'bad', role: 'alert' }, problem.message)));
  return () => end();
}

/** What became of a message. */
function fate(run, message) {
  const why = run.texts[message[WHY]];
  if (message[HOW] === ARRIVED) {
    return why ? `arrived; the sender was told: ${why}` : 'arrived';
  }
  return ['lost, or on its way when the run ended', '', `not taken: ${why}`, `did not arrive: ${why}`][message[HOW]];
}

function rowsOf(run) {
  const node = (lane) => run.nodes[lane] ?? '–';
  const number = (id) => (id > 0 ? ` #${id}` : id < 0 ? ' (ping or push)' : '');
  const rows = [];
  run.messages.forEach((message, index) => rows.push({
    key: `m${index}`, at: message[START], node: node(message[FROM]), kind: run.texts[message[TYPE]], message,
    bad: message[HOW] !== ARRIVED || message[WHY] !== 0 || message[ATTEMPT] > 1,
    text: `${message[ATTEMPT] > 1 ? `try ${message[ATTEMPT]}, ` : ''}to ${node(message[TO])}${number(message[ID])}, ${message[BYTES]} bytes: ${fate(run, message)}`,
  }));
  run.calls.forEach((call) => rows.push({
    key: `c${call[CALL.ID]}`, at: call[CALL.START], node: node(call[CALL.FROM]), kind: 'call', call, bad: call[CALL.OUTCOME] !== 0,
    text: `${run.texts[call[CALL.KIND]]} #${call[CALL.ID]} of ${call[CALL.BYTES]} bytes to ${run.texts[call[CALL.TARGET]]}: `
      + (call[CALL.OUTCOME] < 0 ? 'no outcome yet' : `${OUTCOMES[call[CALL.OUTCOME]]} after ${time(call[CALL.END] - call[CALL.START], 1000)}`),
  }));
  run.lines.forEach((line, index) => rows.push({
    key: `l${index}`, at: line[LINE.AT], node: line[LINE.LANE] < 0 ? '' : node(line[LINE.LANE]), kind: line[LINE.KIND], line,
    bad: isBad(line), text: line[LINE.TEXT],
  }));
  return rows.sort((a, b) => a.at - b.at);
}

function show(main, run) {
  const rows = rowsOf(run);
  const byMessage = new Map(rows.filter((each) => each.message).map((each) => [each.message, each]));
  const byLine = new Map(rows.filter((each) => each.line).map((each) => [each.line, each]));
  const calls = new Map(run.calls.map((each) => [each[CALL.ID], each]));

  const view = new LanesView({ run, choose: pick, moved: () => later() });
  const table = new Table({ label: 'Events', columns: COLUMNS, key: (row) => row.key, choose: (row) => choose(row, true), empty: 'nothing of this kind in the time that is shown', unfit: 'nothing in the time that is shown fits the search: the key 0 in the lanes shows all of it' });
  const kinds = el('select', { id: 'kinds', 'aria-label': 'Kind of events', on: { change: list } }, ...Object.keys(SHOWN).map((each) => el('option', {}, each)));
  const search = el('input', { id: 'events-search', type: 'search', placeholder: 'search events  /', 'aria-label': 'Search events', maxlength: 200, on: { input: () => table.search(search.value) } });
  const lanes = el('input', { id: 'lanes-search', type: 'search', placeholder: 'nodes to show', 'aria-label': 'Nodes to show', maxlength: 200, on: { input: lanesOf } });
  const window_ = el('span', { id: 'window', class: 'faint', role: 'status' });
  const count = el('span', { id: 'events-count', class: 'faint' });
  const about = el('div', { id: 'item', class: 'told', tabindex: 0, role: 'status', 'aria-label': 'What was chosen' });
  const zoom = (text, label, action) => el('button', { type: 'button', 'aria-label': label, title: label, on: { click: action } }, text);

  fill(main, el('div', { class: 'lab' },
    el('div', { class: 'bar' }, el('strong', {}, run.name), el('span', {}, `seed ${run.seed}`), verdict(), window_, el('span', { class: 'space' }), lanes,
      zoom('|◂', 'the fault or violation before (P)', () => view.jump(-1)), zoom('▸|', 'the next fault or violation (N)', () => view.jump(1)),
      zoom('+', 'zoom in (+)', () => view.zoom(1 / 1.5)), zoom('−', 'zoom out (-)', () => view.zoom(1.5)), zoom('all', 'the whole run (0)', () => view.show(0, view.whole.to))),
    el('section', { class: 'lanes' }, view.canvas, view.strip, legend()),
    el('section', { class: 'events' }, el('div', { class: 'bar' }, kinds, search, count), table.element),
    el('section', { class: 'item' }, about)));

  function verdict() {
    return run.violations.length
      ? el('strong', { class: 'bad' }, run.violations.length === 1 ? '1 violation' : `${run.violations.length} violations`)
      : el('strong', { class: 'good' }, 'all rules held');
  }

  function legend() {
    const item = (kind, text) => el('span', {}, el('i', { class: kind }), text);
    return el('div', { class: 'legend' }, item('put', 'PUT'), item('ack', 'ACK'), item('get', 'GET'), item('reply', 'REPLY'),
      item('again', 'sent again'), item('failed', 'did not arrive'), item('ok', 'call, ok'), item('late', 'call, timed out'), item('lost', 'call, failed'), item('absent', 'node not running'));
  }

  function lanesOf() {
    const words = lanes.value.toLowerCase().split(/\s+/).filter(Boolean);
    view.only(run.nodes.map((_, lane) => lane).filter((lane) => !words.length || words.some((word) => run.nodes[lane].toLowerCase().includes(word))));
  }

  function list() {
    const fits = SHOWN[kinds.value];
    const all = rows.filter((row) => row.at >= view.from && row.at <= view.to && fits(row));
    table.set(all.slice(0, MAX_ROWS));
    say(count, all.length > MAX_ROWS ? `the first ${MAX_ROWS} of ${all.length}; zoom in` : `${all.length} event${all.length === 1 ? '' : 's'}`);
  }

  let due = 0;
  function later() {
    say(window_, `${time(view.from, 1000)} to ${time(view.to, 1000)}`);
    clearTimeout(due);
    due = setTimeout(list, 120);
  }

  function pick(item) {
    if (!item) {
      choose(null, false);
    } else {
      choose(item.message ? byMessage.get(item.message) : byLine.get(item.line), false);
    }
  }

  /** Tells of a row; from the table, the picture goes there. */
  function choose(row, go) {
    if (!row) {
      view.mark({ chosen: null, call: 0 });
      tellRun();
      return;
    }
    const id = row.message?.[ID] ?? row.call?.[CALL.ID] ?? 0;
    view.mark({ chosen: row.message ?? null, call: id > 0 ? id : 0 });
    if (go && (row.at < view.from || row.at > view.to || view.to - view.from > AROUND)) {
      view.center(row.at, Math.min(view.to - view.from, AROUND));
    }
    tell(row, id);
  }

  function tell(row, id) {
    const call = calls.get(id);
    const message = row.message;
    fill(about,
      el('h3', {}, `${row.kind} at ${time(row.at, 1)}${row.node ? ` on ${row.node}` : ''}`),
      el('p', {}, row.text),
      message ? el('p', { class: 'faint' }, `${run.texts[message[WAY]]}${message[END] >= 0 ? `, ${time(message[END] - message[START], 10)} on the way` : ''}`) : null,
      call && id > 0 ? el('h3', {}, `call #${id}`) : null,
      ...(id > 0 ? rows.filter((each) => each.message?.[ID] === id || each.call?.[CALL.ID] === id)
        .map((each) => el('p', { class: each.bad ? 'bad' : '' }, `${time(each.at, 1)}  ${each.node}: ${each.kind} ${each.text}`)) : []));
  }

  function tellRun() {
    const [messages, others, lines] = run.skipped;
    fill(about,
      run.about ? el('p', {}, run.about) : null,
      ...run.violations.map((each) => el('div', {},
        el('button', { type: 'button', class: 'violation', on: { click: () => view.center(each.at, AROUND) } }, `${each.checker} at ${time(each.at, 1)}`),
        el('p', { class: 'bad' }, each.text))),
      el('p', {}, `${run.messages.length} messages and ${run.calls.length} calls in ${time(run.end, 1e6)}: ${Object.entries(run.outcomes).filter(([, value]) => value).map(([name, value]) => `${value} ${name}`).join(', ') || 'no calls'}`),
      messages + others + lines ? el('p', { class: 'faint' }, `not kept, for want of room: ${messages} messages, ${others} calls, ${lines} other events`) : null,
      el('pre', {}, run.command));
  }

  const stop = new AbortController();
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement?.tagName !== 'INPUT') {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape') {
      choose(null, false);
    }
  }, { signal: stop.signal });
  document.addEventListener('scheme', () => view.recolor(), { signal: stop.signal });
  if (run.violations.length) {
    view.center(run.violations[0].at, run.end / 10);
  } else {
    view.show(0, view.whole.to);
  }
  tellRun();
  return () => {
    stop.abort();
    clearTimeout(due);
    view.close();
  };
}
