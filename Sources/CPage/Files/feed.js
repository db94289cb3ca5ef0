// SPDX-License-Identifier: Apache-2.0

// An answer of the centre that is no success: its status, its word for programs and its sentence for people.
export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.message ?? `status ${status}`);
    this.status = status;
    this.reason = answer.reason;
  }
}

// Asks the centre, and returns the object that it answers with.
export async function ask(method, path, body) {
  const response = await fetch("/v1/" + path, {
    method,
    // What a person has wished away goes though the page is left meanwhile.
    keepalive: method === "DELETE",
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text === "" ? {} : JSON.parse(text);
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

const names = ["delivered", "removed", "app", "owner", "missed", "summary", "history", "reset"];
// Events that are for the tab alone that reads.
const own = ["hello", "surfaces"];

// Returns what tells by its id whether an event is the end of a notification for a person: it was answered, removed,
// replaced or seen. Undefined if the event is no end of any.
export function ended(name, data) {
  if (name === "removed") return (id) => data.ids.includes(id);
  if (name === "delivered" && data.replaces !== undefined) return (id) => id === data.replaces;
  if (name === "owner") return (id) => BigInt(id) <= BigInt(data.seen);
  return undefined;
}

// Follows the events of the owner as a page, or as a lock view, whose tabs share a stream of their own: what is hidden
// there is in no event of it. Calls `heard` with the name and the data of each event behind a position, `opened` when a
// connection begins, and `lost` when it ends; of the tab that reads, `heard` is told of its surface too. A browser
// gives a site six connections, so that its tabs share one: the tab that has the lock reads, and tells the others, if
// any has said that it listens. One that becomes the reader goes on behind the last event that it heard of.
export function follow(position, { heard, opened, lost }, surface = "page") {
  const end = new AbortController();
  // The name of the lock and of the channel.
  const shared = "events " + surface;
  const channel = new BroadcastChannel(shared);
  let last = position;
  let isRead = false;
  // Undefined while it is not known whether any other tab listens, which is told all then.
  let isHeard;
  const take = ({ state, id, name, data }, isOwn) => {
    if (end.signal.aborted) return;
    // Whoever listens from now on may have missed what came while nobody was told, and looks at all of it anew.
    if (state === "who") return channel.postMessage({ state: "listens" });
    if (state === "listens") {
      if (isRead && isHeard === false) channel.postMessage({ state: "open", id: last });
      isHeard = true;
      return;
    }
    if (state === "open") {
      if (id !== undefined) last = id;
      return opened();
    }
    // The tab that reads asks again; the others hear of it.
    if (state !== undefined) return lost(isOwn && state === "over");
    if (id !== "") last = id;
    heard(name, data);
  };
  const tell = (message) => {
    if (end.signal.aborted) return;
    if (isHeard !== false) channel.postMessage(message);
    take(message, true);
  };
  channel.addEventListener("message", (event) => take(event.data, false));
  const read = () => new Promise((done) => {
    isRead = true;
    // Whoever listens waits for the lock, but for one that begins just now and answers.
    navigator.locks.query().then(({ pending }) => {
      isHeard ??= pending.some(({ name }) => name === shared);
      if (!isHeard && !end.signal.aborted) channel.postMessage({ state: "who" });
    });
    const source = new EventSource(`/v1/events?surface=${surface}&after=${encodeURIComponent(last)}`);
    for (const name of own) {
      source.addEventListener(name, (event) => { if (!end.signal.aborted) heard(name, JSON.parse(event.data)); });
    }
    for (const name of names) {
      source.addEventListener(name, (event) => tell({ id: event.lastEventId, name, data: JSON.parse(event.data) }));
    }
    source.addEventListener("open", () => tell({ state: "open" }));
    source.addEventListener("error", () => tell({ state: source.readyState === EventSource.CLOSED ? "over" : "lost" }));
    end.signal.addEventListener("abort", () => {
      source.close();
      done();
    });
  });
  // A wish that is taken back while others read is no error.
  navigator.locks.request(shared, { signal: end.signal }, read).catch(() => {});
  // Behind the wish: a tab that reads and does not see it among those that wait hears this.
  channel.postMessage({ state: "listens" });
  // What came between the front and this is told to nobody again.
  opened();
  return {
    close() {
      end.abort();
      channel.close();
    },
  };
}
