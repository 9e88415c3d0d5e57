// Asks the console something that has one answer.

const LIMIT_MS = 20000;

/** Returns the answer; fails with a sentence for people. */
export function ask(path, fields = {}) {
  return send(path, fields, {});
}

let permission;

/** Returns what lets this page ask for changes; nothing if the console only reads. */
export function mayChange() {
  permission ??= ask('/api/change').then((answer) => answer.token);
  return permission;
}

/** Asks for a change; returns the answer, and fails with a sentence for people. */
export async function change(path, fields) {
  return send(path, fields, { method: 'POST', headers: { 'X-Railyard-Change': await mayChange() } });
}

async function send(path, fields, how) {
  const query = new URLSearchParams(fields).toString();
  let answer;
  try {
    answer = await fetch(query ? `${path}?${query}` : path, { ...how, signal: AbortSignal.timeout(LIMIT_MS) });
  } catch (failure) {
    throw new Error(
      failure.name === 'TimeoutError' ? 'no answer within 20 s' : "the console does not answer; is 'railyard console' running?",
      { cause: failure },
    );
  }
  if (answer.status === 403) {
    throw new Error('the console was started anew; open the address that it printed');
  }
  const document = await answer.json();
  if (!answer.ok) {
    throw new Error(document.error);
  }
  return document;
}
