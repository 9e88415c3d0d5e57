// What is told about a node beside its figures: why a message goes where it goes, routes, events, the doctor's findings.

import { ask, change } from './ask.js';
import { clock, el, fill } from './dom.js';

function failure(text) {
  return el('p', { class: 'bad', role: 'alert' }, text);
}

/** Fills an element with what an answer makes; a late answer to an older question is left out. */
async function show(element, question, make) {
  const turn = {};
  element.turn = turn;
  let children;
  try {
    children = make(await question);
  } catch (problem) {
    children = [failure(problem.message)];
  }
  if (element.turn === turn) {
    fill(element, ...children);
  }
}

/** Why the next message to a NID takes which way. */
export function explain(element, node, nid) {
  return show(element, ask('/api/explain', { node, to: nid }), (answer) => [
    el('h3', {}, `The next message to ${nid}`),
    answer.possible ? null : failure('no message can be sent there now'),
    el('pre', {}, answer.text.join('\n')),
  ]);
}

/** Routes and their gateways. */
export function routes(element, node) {
  return show(element, ask('/api/routes', { node }), (answer) => {
    const all = answer.route ?? [];
    if (!all.length) {
      return [el('p', { class: 'faint' }, 'This node has no routes: it reaches its own nets only.')];
    }
    const head = ['net', 'gateway', 'hops', 'priority', 'state', 'type'];
    return [el('table', {},
      el('thead', {}, el('tr', {}, ...head.map((each) => el('th', {}, each)))),
      el('tbody', {}, ...all.map((each) => el('tr', {},
        el('td', {}, each.net), el('td', {}, each.gateway), el('td', {}, each.hop < 0 ? '–' : each.hop), el('td', {}, each.priority),
        el('td', { class: each.state === 'up' ? 'good' : 'bad' }, each.state), el('td', {}, each.type)))))];
  });
}

/** What the doctor finds, with the commands that mend it. */
export function doctor(element, node) {
  fill(element, el('p', { class: 'faint' }, 'Examining …'));
  return show(element, ask('/api/doctor', { node }), ({ doctor: report }) => [
    report.findings.length ? null : el('p', { class: 'good' }, 'Nothing is wrong.'),
    ...report.findings.map((each) => el('section', { class: `finding ${each.severity}` },
      el('h3', {}, `${each.severity}: ${each.subject}`),
      el('p', {}, each.found), el('p', { class: 'faint' }, each.means),
      each.mend.length ? el('pre', {}, each.mend.join('\n')) : null)),
    report['not checked'].length
      ? el('details', {}, el('summary', {}, `not checked: ${report['not checked'].length}`),
        el('ul', {}, ...report['not checked'].map((each) => el('li', {}, each))))
      : null,
  ]);
}

/**
 * Changes of a node, as lnetctl makes them: discovery, and the health of what is chosen.
 *
 * @param chosen {nid, of}: of the node or of a peer; null if nothing is chosen
 */
export function actions(element, node, chosen) {
  const said = el('p', { id: 'said', role: 'status' });
  const act = async (path, fields, done) => {
    said.className = '';
    said.textContent = '…';
    try {
      await change(path, { node, ...fields });
      said.className = 'good';
      said.textContent = done;
    } catch (problem) {
      said.className = 'bad';
      said.textContent = problem.message;
    }
  };
  const button = (id, text, path, fields, done) =>
    el('button', { type: 'button', id, on: { click: () => act(path, typeof fields === 'function' ? fields() : fields, done) } }, text);
  const health = el('input', { id: 'health', type: 'number', min: 0, max: 1000, value: 1000, 'aria-label': 'Health' });
  fill(element,
    el('h3', {}, 'Discovery'),
    el('p', {}, button('discovery-on', 'on', '/api/discovery/set', { value: '1' }, 'discovery is on'), ' ',
      button('discovery-off', 'off', '/api/discovery/set', { value: '0' }, 'discovery is off')),
    el('h3', {}, chosen ? `${chosen.of === 'node' ? 'NI' : 'NI of a peer'} ${chosen.nid}` : 'Health'),
    chosen
      ? el('p', {}, 'health ', health, ' ',
        button('set-health', 'set', '/api/health/set', () => ({ ...chosen, value: health.value }), 'the health is set'), ' ',
        chosen.of === 'peer' ? button('discover', 'discover now', '/api/discover', { nid: chosen.nid }, 'it is discovered') : null)
      : el('p', { class: 'faint' }, 'Choose an NI of this node or of a peer to set its health.'),
    said);
}

/** What happened, the last first. */
export function events(element, list) {
  if (!list.length) {
    fill(element, el('p', { class: 'faint' }, 'Nothing has happened yet that the node tells of.'));
    return;
  }
  fill(element, el('ol', { class: 'changes' }, ...list.toReversed().map((each) =>
    el('li', { class: each.bad ? 'bad' : '' }, el('time', {}, clock(each.at)), ' ', each.text))));
}
