// Makes elements. Text goes in as text only; nothing is ever read as HTML.

/**
 * Makes an element. Properties: class, on (listeners by event), data and aria (attributes), any other attribute.
 */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'on') {
      Object.entries(value).forEach(([event, listener]) => made.addEventListener(event, listener));
    } else if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((each) => each !== null).map((each) => (each instanceof Node ? each : String(each))));
  return made;
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((each) => each !== null));
}

/** Writes a text into an element if it is another one; what is marked stays marked otherwise. */
export function say(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];

/** A number in few characters: 12.3 M. */
export function short(value, unit = '') {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return '–';
  }
  let number = Math.abs(value);
  let prefix = 0;
  while (number >= 1000 && prefix < PREFIXES.length - 1) {
    number /= 1000;
    prefix++;
  }
  const digits = prefix === 0 && Number.isInteger(number) ? 0 : number < 10 ? 2 : number < 100 ? 1 : 0;
  return `${value < 0 ? '-' : ''}${number.toFixed(digits)}${prefix || unit ? ' ' : ''}${PREFIXES[prefix]}${unit}`;
}

/** A time of day. */
export function clock(millis) {
  return new Date(millis).toLocaleTimeString([], { hour12: false });
}
