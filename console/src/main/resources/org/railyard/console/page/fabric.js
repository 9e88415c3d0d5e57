// The page Fabric: a torus to turn and cut, ways from host to host hop by hop, and what failures would do.

import { ask } from './ask.js';
import { el, fill, say } from './dom.js';
import { RANGES, TorusView } from './torus.js';

const MAX_FOUND = 200;
const VERDICTS = {
  proved: ['good', 'routed and proved free of credit loops'],
  incomplete: ['bad', 'no credit loop, but some routes do not arrive'],
  'credit loop': ['bad', 'these tables close a credit loop'],
  refused: ['bad', 'the engine does not route this fabric'],
};

/** Shows the page; returns what ends it. */
export function fabricPage(main) {
  let ended = false;
  let end = () => { ended = true; };
  fill(main, el('p', { class: 'faint' }, 'Reading the fabric …'));
  ask('/api/fabric').then((fabric) => {
    if (!ended) {
      end = show(main, fabric);
    }
  }, (problem) => fill(main, el('p', { class: 'bad', role: 'alert' }, problem.message)));
  return () => end();
}

function show(main, fabric) {
  const failed = new Set();
  let chosen = null;
  let whole = null;
  let turn = null;
  let simulated = null;
  let now = { load: null, compared: null };
  let loop = [];
  const named = new Map(fabric.switches.map((each) => [each.id, each]));
  const hosts = Map.groupBy(fabric.hosts, ([, , at]) => at);

  const view = new TorusView({ fabric, choose: pick, fail: (id) => toggle(`s${id}`) });
  const planes = el('select', { id: 'cut', 'aria-label': 'Cut', on: { change: cut } },
    el('option', { value: -1 }, 'all'),
    ...['x', 'y', 'z'].map((each, d) => el('option', { value: d, disabled: fabric.radix[d] < 2 }, `plane ${each}`)));
  const plane = el('input', { id: 'plane', type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Place of the plane', hidden: true, on: { input: cut } });
  const planeText = el('output', { id: 'plane-text' });
  const search = el('input', { id: 'find', type: 'search', placeholder: 'switch or host  /', 'aria-label': 'Search', maxlength: 200,
    on: { input: find, keydown: (event) => { if (event.key === 'Enter') { next(); } } } });
  const found = el('span', { id: 'found', class: 'faint' });
  const names = el('datalist', { id: 'hosts' }, ...fabric.hosts.slice(0, 1000).map(([, name]) => el('option', { value: name })));
  const from = el('input', { id: 'from', list: 'hosts', placeholder: 'from: host or LID', 'aria-label': 'From', maxlength: 200 });
  const to = el('input', { id: 'to', list: 'hosts', placeholder: 'to: host or LID', 'aria-label': 'To', maxlength: 200 });
  const hint = el('select', { id: 'hint', 'aria-label': 'QoS level', title: 'QoS level that is asked for' }, el('option', { value: 0 }, 'level 0'), el('option', { value: 8 }, 'level 1'));
  const way = el('div', { id: 'way', class: 'told', tabindex: 0, role: 'region', 'aria-label': 'The way, hop by hop' });
  const about = el('div', { id: 'about' });
  const outcome = el('div', { id: 'outcome', class: 'told', tabindex: 0, role: 'status', 'aria-label': 'What becomes of the fabric' });
  const legend = el('div', { id: 'legend', class: 'legend' });
  const pattern = el('select', { id: 'pattern', 'aria-label': 'What links show', title: 'what links show', on: { change: traffic } },
    el('option', { value: '' }, 'ways over links'), ...fabric.patterns.map((each) => el('option', { value: each }, `traffic: ${each}`)));
  const share = el('input', { id: 'share', type: 'number', min: 0.01, max: 1, step: 0.01, value: 0.3, title: 'share of its link that each host sends, 0.01 to 1', on: { change: traffic } });
  const loadOf = el('label', { hidden: true }, 'load ', share);
  const carried = el('div', { id: 'carried', role: 'status' });
  const form = el('form', { class: 'bar', on: { submit: (event) => { event.preventDefault(); follow(); } } },
    from, to, hint, el('button', { id: 'follow' }, 'show the way'));

  fill(main, el('div', { class: 'fabric' },
    el('div', { class: 'bar' }, el('strong', {}, fabric.name), el('span', { class: 'faint' },
      `torus ${fabric.shape}, ${fabric.switches.length} switches, ${fabric.hosts.length} hosts`),
    search, found, planes, plane, planeText, pattern, loadOf),
    el('section', { class: 'picture' }, view.canvas, carried, legend),
    el('section', { class: 'what-if' }, el('h2', {}, 'What if'), about, outcome),
    el('section', { class: 'ways' }, el('h2', {}, 'A way, hop by hop'), names, form, way)));

  function cut() {
    const dimension = Number(planes.value);
    plane.hidden = dimension < 0;
    plane.max = dimension < 0 ? 0 : fabric.radix[dimension] - 1;
    say(planeText, dimension < 0 ? '' : `${'xyz'[dimension]} = ${plane.value}`);
    view.slice(dimension, Number(plane.value));
  }

  /** Goes through what was found: to the switch that has this very name, then from one to the next. */
  function next() {
    const ids = [...view.marks.found];
    if (!ids.length) {
      return;
    }
    const exact = ids.find((id) => named.get(id)?.name.toLowerCase() === search.value.trim().toLowerCase());
    const at = ids.indexOf(chosen);
    pick(at < 0 && exact !== undefined ? exact : ids[(at + 1) % ids.length]);
  }

  function find() {
    const text = search.value.trim().toLowerCase();
    const ids = new Set();
    if (text) {
      fabric.switches.filter((each) => each.name.toLowerCase().includes(text) || each.guid.includes(text) || String(each.at) === text)
        .forEach((each) => ids.add(each.id));
      fabric.hosts.filter(([lid, name]) => name.toLowerCase().includes(text) || String(lid) === text).forEach(([, , at]) => ids.add(at));
    }
    say(found, text ? `${ids.size} found` : '');
    view.mark({ found: ids.size <= MAX_FOUND ? ids : new Set([...ids].slice(0, MAX_FOUND)) });
    if (ids.size === 1) {
      pick([...ids][0]);
    }
  }

  function pick(id) {
    chosen = id;
    view.mark({ chosen });
    tell();
  }

  function button(part, text) {
    const is = failed.has(part);
    return el('button', { type: 'button', 'data-part': part, 'aria-pressed': is, on: { click: () => toggle(part) } }, is ? `mend ${text}` : `let ${text} fail`);
  }

  /** Tells of the chosen switch, with what may fail at it. */
  function tell() {
    const sw = named.get(chosen);
    if (!sw) {
      fill(about, el('p', { class: 'faint' }, 'Click on a switch, or search it and press Enter, to let it or a link of it fail; a double click does so at once.'));
      return;
    }
    const links = fabric.links.map((link, index) => [link, index])
      .filter(([[a, b, , cables]]) => cables && (a === chosen || b === chosen));
    const at = hosts.get(chosen) ?? [];
    // The buttons are made anew: who pressed one by a key goes on from there.
    const focus = about.contains(document.activeElement) ? document.activeElement.dataset.part : null;
    fill(about,
      el('p', {}, el('strong', {}, sw.name), ` at (${sw.at}), ${sw.guid}`),
      at.length ? el('p', { class: 'faint' }, `hosts: ${at.slice(0, 6).map(([lid, name]) => `${name} (LID ${lid})`).join(', ')}${at.length > 6 ? ` and ${at.length - 6} more` : ''}`) : null,
      el('div', { class: 'buttons' }, button(`s${chosen}`, 'it'),
        ...links.map(([[a, b, d], index]) => button(`l${index}`, `the ${'xyz'[d]} link to ${named.get(a === chosen ? b : a)?.name}`))));
    if (focus) {
      [...about.querySelectorAll('button')].find((each) => each.dataset.part === focus)?.focus();
    }
  }

  function toggle(part) {
    if (!failed.delete(part)) {
      failed.add(part);
    }
    tell();
    route();
    if (view.marks.path.length) {
      follow();
    }
  }

  const fail = () => [...failed].sort().join(',');

  /** Asks what becomes of the fabric; only the last question counts. */
  async function route() {
    const mine = {};
    turn = mine;
    const ids = new Set([...failed].filter((each) => each[0] === 's').map((each) => Number(each.slice(1))));
    const links = new Set([...failed].filter((each) => each[0] === 'l').map((each) => Number(each.slice(1))));
    view.mark({ failed: ids, failedLinks: links });
    fill(outcome, el('p', { class: 'faint' }, 'Routing and proving …'));
    try {
      const answer = await ask('/api/whatif', { fail: fail() });
      if (turn !== mine) {
        return;
      }
      const load = answer.load ? { links: answer.load, most: answer['most load'] } : null;
      if (!failed.size) {
        whole = load;
      }
      const compared = failed.size && whole && load ? whole : null;
      loop = answer.loop ?? [];
      now = { load, compared };
      view.mark({ load, before: compared, loop });
      tellOutcome(answer);
      await traffic();
    } catch (problem) {
      if (turn === mine) {
        fill(outcome, el('p', { class: 'bad', role: 'alert' }, problem.message));
      }
    }
  }

  function tellOutcome(answer) {
    const [kind, text] = VERDICTS[answer.verdict];
    const figures = 'load' in answer ? [
      ['longest way', `${answer.longest} hops between switches`],
      ['mean way', `${answer['mean hops']} hops`],
      ['most loaded cable', `${answer['most load']} ways in one direction`],
      answer['cut off'] ? ['hosts without a cable', answer['cut off']] : null,
      'entries' in answer ? ['entries changed', `${answer['entries changed']} of ${answer.entries}`] : null,
      'entries' in answer ? ['SLs changed', answer['SLs changed']] : null,
    ] : [];
    fill(outcome,
      answer.failed.length ? el('p', {}, el('strong', {}, 'failed: '), answer.failed.join(', ')) : null,
      el('p', { class: kind }, text),
      el('table', {}, el('tbody', {}, ...figures.filter(Boolean).map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', {}, value))))),
      ...answer.reasons.map((each) => el('p', {}, each)),
      ...(answer.changes ?? []).map((each) => el('p', { class: 'faint' }, each)));
  }

  /** Shows what links carry in a simulation, or how many ways go over them; only the last question counts. */
  async function traffic() {
    const mine = {};
    simulated = mine;
    loadOf.hidden = !pattern.value;
    fill(carried);
    if (!pattern.value) {
      view.mark({ use: null, loop });
      tellLegend(null);
      return;
    }
    fill(carried, el('span', { class: 'faint' }, 'Simulating …'));
    try {
      if (!share.checkValidity() || !share.value) {
        throw new Error('the load is a share of what links of hosts carry: expected 0.01 to 1');
      }
      const answer = await ask('/api/sim', { pattern: pattern.value, load: share.value, fail: fail() });
      if (simulated !== mine) {
        return;
      }
      view.mark({ use: answer.links, loop: answer.loop.length ? answer.loop : loop });
      fill(carried, el('span', {}, `${answer.micros} us of '${pattern.value}': ${percent(answer.accepted)} of ${percent(answer.offered)} arrive, `
        + `mean ${answer['mean us']} us, 99 % ${answer['99 % us']} us, busiest link ${percent(answer.busiest)}`),
      answer.deadlock ? el('p', { class: 'bad' }, answer.deadlock) : null);
      tellLegend(answer);
    } catch (problem) {
      if (simulated === mine) {
        view.mark({ use: null, loop });
        fill(carried, el('span', { class: 'bad', role: 'alert' }, problem.message));
        tellLegend(null);
      }
    }
  }

  const percent = (part) => `${Math.round(part * 100)} %`;

  function tellLegend(simulation) {
    const { load, compared } = now;
    const item = (kind, text) => el('span', {}, el('i', { class: kind }), text);
    const ways = compared
      ? [item('more', 'more ways than before: detours'), item('less', 'fewer')]
      : [item('load', `ways over a link, up to ${load?.most ?? 0}`)];
    const use = RANGES.map((least, index) => item(`use-${index}`, `${least * 100} to ${Math.round((RANGES[index + 1] ?? 1) * 100)} %`));
    fill(legend, ...(simulation ? [el('span', {}, 'carried of what a link can:'), ...use] : ways),
      view.marks.loop.length ? item('loop', simulation?.deadlock ? 'packets that wait for each other' : 'cycle of the credit loop') : null,
      item('failed', 'failed or missing'), item('path', 'the way'), item('stub', 'stubs at the rim close the rings'));
  }

  async function follow() {
    if (!from.value || !to.value) {
      return;
    }
    fill(way, el('p', { class: 'faint' }, 'Following …'));
    try {
      const answer = await ask('/api/path', { from: from.value, to: to.value, hint: hint.value, fail: fail() });
      view.mark({ path: answer.hops.map((each) => each.ends) });
      const head = ['', 'from', 'to', 'VL', 'why'];
      fill(way,
        el('p', { class: answer.arrives ? 'good' : 'bad' }, 'sl' in answer ? `SL ${answer.sl}, ${answer.end}` : answer.end),
        el('table', {},
          el('thead', {}, el('tr', {}, ...head.map((each) => el('th', {}, each)))),
          el('tbody', {}, ...answer.hops.map((each, index) => el('tr', {},
            el('td', {}, index + 1), el('td', {}, each.from), el('td', {}, each.to), el('td', {}, each.vl), el('td', {}, each.why))))));
    } catch (problem) {
      view.mark({ path: [] });
      fill(way, el('p', { class: 'bad', role: 'alert' }, problem.message));
    }
  }

  const slash = (event) => {
    if (event.key === '/' && document.activeElement?.tagName !== 'INPUT') {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && document.activeElement === view.canvas) {
      pick(null);
    }
  };
  const stop = new AbortController();
  document.addEventListener('keydown', slash, { signal: stop.signal });
  document.addEventListener('scheme', () => view.later(), { signal: stop.signal });
  view.canvas.addEventListener('plane', (event) => {
    plane.value = Number(plane.value) + event.detail;
    cut();
  });
  tell();
  route();
  return () => {
    stop.abort();
    view.close();
  };
}
