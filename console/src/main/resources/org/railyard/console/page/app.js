// Which page is shown, and in which colors.

import { ask } from './ask.js';
import { clusterPage } from './cluster.js';
import { el, fill, say } from './dom.js';
import { fabricPage } from './fabric.js';
import { labPage } from './lab.js';
import { connect, isConnected, listen } from './live.js';
import { nodePage } from './node.js';

const PAGES = [
  { name: 'node', title: 'Node', show: (main, rest, nid) => nodePage(main, Number.parseInt(rest ?? '0', 10) || 0, decode(nid)) },
  { name: 'cluster', title: 'Cluster', show: (main) => clusterPage(main) },
  { name: 'fabric', title: 'Fabric', show: (main) => fabricPage(main) },
  { name: 'lab', title: 'Lab run', show: (main) => labPage(main) },
];
const SCHEMES = { auto: 'light dark', light: 'light', dark: 'dark' };

const main = document.getElementById('page');
// Pages about what this console was not given: they would be empty.
const hidden = new Set();
let end = () => {};

function decode(text) {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    return '';
  }
}

function show() {
  const [, name, rest, more] = location.hash.split('/');
  const page = PAGES.find((each) => each.name === name && !hidden.has(name)) ?? PAGES.find((each) => !hidden.has(each.name)) ?? PAGES[0];
  end();
  document.querySelectorAll('#pages a').forEach((each) => {
    if (each.dataset.page === page.name) {
      each.setAttribute('aria-current', 'page');
    } else {
      each.removeAttribute('aria-current');
    }
  });
  end = page.show(main, rest, more);
}

function scheme(chosen) {
  const value = chosen in SCHEMES ? chosen : 'auto';
  document.documentElement.style.colorScheme = SCHEMES[value];
  localStorage.setItem('scheme', value);
  say(document.getElementById('scheme'), `colors: ${value}`);
  document.dispatchEvent(new Event('scheme'));
}

// The token stays out of what is shown, copied and remembered; the cookie has it.
history.replaceState(null, '', `/${location.hash}`);

fill(document.getElementById('pages'), ...PAGES.map((each) => {
  const link = el('a', { href: `#/${each.name}` }, each.title);
  link.dataset.page = each.name;
  return link;
}));
scheme(localStorage.getItem('scheme'));
document.getElementById('scheme').addEventListener('click', () => {
  const names = Object.keys(SCHEMES);
  scheme(names[(names.indexOf(localStorage.getItem('scheme')) + 1) % names.length]);
});
addEventListener('hashchange', show);
// Canvases are drawn anew in the other colors.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => document.dispatchEvent(new Event('scheme')));
listen((what) => {
  if (what === 'link') {
    const link = document.getElementById('link');
    link.className = isConnected() ? 'good' : 'bad';
    say(link, isConnected() ? 'live' : 'the console does not answer; trying again');
  }
});
connect();
ask('/api/about').then((about) => {
  const has = { node: about.nodes, cluster: about.nodes, fabric: about.fabric, lab: about.lab };
  PAGES.filter((each) => !has[each.name]).forEach((each) => hidden.add(each.name));
}, () => {}).then(() => {
  document.querySelectorAll('#pages a').forEach((each) => { each.hidden = hidden.has(each.dataset.page); });
  show();
});
