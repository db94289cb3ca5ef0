// SPDX-License-Identifier: Apache-2.0

// A browser gives a site six connections for all of its tabs, of which each view has one for its events: one of these
// locks is held while a view is open.
const names = ["view 1", "view 2"];
// The time for another tab to give a lock back, in milliseconds.
const patience = 500;
const channel = new BroadcastChannel("views");

// Asks for a lock. Returns its name and what gives it back, or undefined where it is another's.
const hold = (name, options) => new Promise((done) => {
  navigator.locks.request(name, options, (lock) => (lock === null ? done() : new Promise((free) => {
    done({ name, free });
  }))).catch(() => done());
});

// Returns a lock that nobody held, or undefined.
export async function holdFree() {
  for (const name of names) {
    const held = await hold(name, { ifAvailable: true });
    if (held !== undefined) return held;
  }
  return undefined;
}

// Asks other tabs for a lock of theirs, which those that nobody sees give back.
export async function holdOthers() {
  for (const name of names) {
    channel.postMessage(name);
    const held = await hold(name, { signal: AbortSignal.timeout(patience) });
    if (held !== undefined) return held;
  }
  return undefined;
}

// Calls a function with the name of a lock that another tab asks this one for.
export function onAsked(asked) {
  channel.addEventListener("message", ({ data }) => { if (document.hidden) asked(data); });
}

// Follows the scenes of a view until a signal ends it. `take` is called with an update, and with true for one that is
// the whole scene; `files` with the numbers of all pictures that there are; `ended` with the reason once the view is no
// more; `lost` when the browser gives up, because the view is not there, or because the page is being left.
export function follow(path, { take, files, ended, lost }, signal) {
  const source = new EventSource("/v1/" + path);
  const hear = (name, told) =>
    source.addEventListener(name, ({ data }) => { if (!signal.aborted) told(JSON.parse(data)); });
  hear("files", (told) => files(told.files));
  hear("whole", (update) => take(update, true));
  hear("scene", (update) => take(update, false));
  hear("ended", ({ reason }) => ended(reason));
  // A stream that is only interrupted begins again by itself, with the whole scene.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED && !signal.aborted) lost();
  });
  signal.addEventListener("abort", () => source.close());
}
