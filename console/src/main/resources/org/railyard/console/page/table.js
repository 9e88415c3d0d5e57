// A table of which only the rows that can be seen exist, so that ten thousand stay fluid. Sorted by a click on a head,
// searched by words, walked with the keys.

import { el, say } from './dom.js';

const ROW = 24;
const SPARE = 6;
const PAGE = 20;
let made = 0;

export class Table {
  /**
   * columns: [{name, title, text(row), value(row), number, bad(row)}]; key(row) tells rows apart. When rows were arranged,
   * arranged(all, shown) hears how many there are, and how many of them hold the words.
   */
  constructor({ label, columns, key, choose, empty, unfit = 'nothing fits the search', arranged = () => {} }) {
    this.columns = columns;
    this.key = key;
    this.choose = choose;
    this.empty = empty;
    this.unfit = unfit;
    this.arranged = arranged;
    this.all = [];
    this.shown = [];
    this.words = [];
    this.order = { column: 0, down: false };
    this.chosen = null;
    this.due = false;
    this.lines = [];
    this.heads = columns.map((column, index) =>
      el('div', { class: column.number ? 'cell number' : 'cell', role: 'columnheader' },
        el('button', { type: 'button', title: column.help ?? null, on: { click: () => this.sort(index) } }, column.title)));
    this.space = el('div', { class: 'rows', role: 'rowgroup' });
    this.note = el('div', { class: 'note' });
    this.element = el('div', { class: 'scroll', tabindex: 0, role: 'grid', 'aria-label': label },
      el('div', { class: 'line head', role: 'row' }, ...this.heads), this.space, this.note);
    this.element.addEventListener('scroll', () => this.draw(), { passive: true });
    this.element.addEventListener('keydown', (event) => this.key_(event));
    const widths = columns.map((column) => column.width ?? 'minmax(4em, 1fr)').join(' ');
    this.element.style.setProperty('--columns', widths);
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.mark();
  }

  /** Shows other rows. */
  set(rows) {
    this.all = rows;
    this.later();
  }

  /** Shows only rows that hold all words. */
  search(text) {
    this.words = text.toLowerCase().split(/\s+/).filter((each) => each);
    this.element.scrollTop = 0;
    this.later();
  }

  sort(column) {
    this.order = { column, down: this.order.column === column ? !this.order.down : Boolean(this.columns[column].number) };
    this.mark();
    this.later();
  }

  mark() {
    this.heads.forEach((head, index) => {
      const is = index === this.order.column;
      head.setAttribute('aria-sort', is ? (this.order.down ? 'descending' : 'ascending') : 'none');
    });
  }

  /** Much may come at once; it is sorted once for a picture. */
  later() {
    if (!this.due) {
      this.due = true;
      requestAnimationFrame(() => {
        this.due = false;
        this.arrange();
        this.draw();
      });
    }
  }

  arrange() {
    const texts = this.columns.filter((column) => !column.number);
    const fits = (row) => {
      const text = texts.map((column) => column.text(row)).join(' ').toLowerCase();
      return this.words.every((word) => text.includes(word));
    };
    const { value } = this.columns[this.order.column];
    const sign = this.order.down ? -1 : 1;
    const compare = (a, b) => {
      const left = value(a);
      const right = value(b);
      if (typeof left === 'string') {
        return sign * NATURAL.compare(left, right);
      }
      return sign * ((left ?? -Infinity) - (right ?? -Infinity) || 0);
    };
    this.shown = (this.words.length ? this.all.filter(fits) : this.all.slice()).sort(compare);
    this.place = new Map(this.shown.map((row, index) => [this.key(row), index]));
    this.arranged(this.all.length, this.shown.length);
  }

  draw() {
    const height = this.element.clientHeight - ROW;
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - SPARE);
    const count = Math.min(this.shown.length - first, Math.ceil(height / ROW) + 2 * SPARE);
    this.space.style.height = `${this.shown.length * ROW}px`;
    this.element.setAttribute('aria-rowcount', this.shown.length);
    say(this.note, this.shown.length ? '' : this.words.length ? this.unfit : this.empty);
    while (this.lines.length < count) {
      this.lines.push(this.line());
    }
    // A screen reader is told by it which row the keys have chosen; the focus stays with the table.
    this.element.removeAttribute('aria-activedescendant');
    this.lines.forEach((line, index) => this.write(line, index < count ? first + index : -1));
  }

  line() {
    const cells = this.columns.map((column) => el('div', { class: column.number ? 'cell number' : 'cell', role: 'gridcell' }));
    const line = { cells, index: -1, element: el('div', { class: 'line', role: 'row', id: `row-${made++}` }, ...cells) };
    line.element.addEventListener('click', () => this.pick(line.index));
    this.space.append(line.element);
    return line;
  }

  write(line, index) {
    const row = this.shown[index];
    line.index = index;
    line.element.hidden = row === undefined;
    if (row === undefined) {
      return;
    }
    line.element.style.transform = `translateY(${index * ROW}px)`;
    const chosen = this.key(row) === this.chosen;
    line.element.classList.toggle('chosen', chosen);
    line.element.setAttribute('aria-selected', chosen);
    line.element.setAttribute('aria-rowindex', index + 1);
    if (chosen) {
      this.element.setAttribute('aria-activedescendant', line.element.id);
    }
    this.columns.forEach((column, at) => {
      say(line.cells[at], column.text(row));
      line.cells[at].classList.toggle('bad', Boolean(column.bad?.(row)));
      line.cells[at].title = column.number ? '' : column.text(row);
    });
  }

  pick(index) {
    const row = this.shown[index];
    if (row === undefined) {
      return;
    }
    this.chosen = this.key(row);
    const top = index * ROW;
    if (top < this.element.scrollTop) {
      this.element.scrollTop = top;
    } else if (top + ROW > this.element.scrollTop + this.element.clientHeight - ROW) {
      this.element.scrollTop = top + 2 * ROW - this.element.clientHeight;
    }
    this.draw();
    this.choose?.(row);
  }

  key_(event) {
    const at = this.place?.get(this.chosen) ?? -1;
    const last = this.shown.length - 1;
    const to = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + PAGE, PageUp: at - PAGE, Home: 0, End: last,
    }[event.key];
    if (to !== undefined && last >= 0) {
      event.preventDefault();
      this.pick(Math.min(last, Math.max(0, to)));
    }
  }
}

const NATURAL = new Intl.Collator('en', { numeric: true });
