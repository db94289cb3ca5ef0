// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "/dom.js";
import { ask, follow, Refusal } from "/feed.js";
import { StackList } from "/list.js";
import { language, words } from "/words.js";

document.documentElement.lang = language;
document.title = words.title;

const note = h("p", { role: "status", class: "note" });
const questions = h("section", { "aria-label": words.title });
const now = h("section", { "aria-label": words.title });
const upcoming = h("section", { "aria-labelledby": "upcoming" });
const later = h("div", { hidden: true }, h("h2", { id: "upcoming" }, words.upcoming), upcoming);
const none = h("p", { class: "none", hidden: true }, words.none);
const main = h("main", {}, note, questions, none, now, later);
const leave = h("button", { click: signOut }, words.signOut);
let source;
let names = new Map();
let isLoading = false;
let isStale = false;

const act = {
  respond: (notification, action, text) =>
    change("POST", `notifications/${notification.id}/responses`, text === undefined ? { action } : { action, text }),
  dismiss: (notification) => change("DELETE", `notifications/${notification.id}`),
  clear: (stack) => change("DELETE", `stacks/${stack.id}?upTo=${stack.leading.id}`),
  name: (app) => names.get(app) ?? app,
  open: async (stack) => (await ask("GET", `stacks/${stack.id}?limit=200`)).items,
};
const lists = [new StackList(now, act), new StackList(upcoming, act)];

function say(text) {
  note.textContent = text;
}

// Does something, and says why it was not done; the list is loaded anew in any case.
async function change(method, path, body) {
  try {
    await ask(method, path, body);
    say("");
  } catch (error) {
    refused(error, error.reason === "answered" || error.reason === "gone" ? words.answered : error.message);
  }
  load();
}

function refused(error, text) {
  if (error instanceof Refusal && error.status === 401) return showSignIn(words.signIn);
  say(error instanceof Refusal ? text : words.lost);
}

// A card above the list for an app that asks; whoever does not answer is asked again.
function question(app) {
  const decide = (decision) => change("POST", `apps/${encodeURIComponent(app.app)}/authorization`, { decision });
  return h("article", { class: "question" }, h("p", {}, words.asks(app.name ?? app.app)),
    h("div", { class: "actions" }, h("button", { click: () => decide("allow") }, words.allow),
      h("button", { click: () => decide("deny") }, words.deny)));
}

// Loads the front, once at a time; what changes meanwhile is loaded behind it.
async function load() {
  if (isLoading) { isStale = true; return undefined; }
  isLoading = true;
  try {
    const front = await ask("GET", "front?limit=200");
    names = new Map(front.apps.map((app) => [app.app, app.name ?? app.app]));
    lists[0].show(front.stacks);
    lists[1].show(front.upcoming);
    later.hidden = front.upcoming.length === 0;
    none.hidden = front.stacks.length > 0;
    arrange(questions, front.apps.filter((app) => app.question !== undefined).map(question));
    document.title = front.unseen > 0 ? `(${front.unseen}) ${words.title}` : words.title;
    return front.position;
  } catch (error) {
    refused(error, error.message);
    return undefined;
  } finally {
    isLoading = false;
    if (isStale) { isStale = false; load(); }
  }
}

function heard(name, data) {
  if (name === "reset") return start();
  if (name === "missed") say(words.missed(data.count));
  load();
}

async function start() {
  source?.close();
  document.body.replaceChildren(h("header", {}, h("h1", {}, words.title), leave), main);
  const position = await load();
  if (position === undefined) return;
  source = follow(position, heard, (isOver) => {
    say(words.lost);
    // A browser that has given up, as after 401, begins anew.
    if (isOver) setTimeout(start, 3000);
  });
  source.addEventListener("open", () => { say(""); load(); });
}

// Everything that was shown goes with the session.
function showSignIn(text) {
  source?.close();
  for (const list of lists) list.show([]);
  questions.replaceChildren();
  document.title = words.title;
  document.body.replaceChildren(h("main", { class: "sign-in" }, h("h1", {}, words.title), h("p", {}, text)));
}

async function signOut() {
  try { await ask("DELETE", "sessions/current"); } catch (error) { say(error.message); return; }
  showSignIn(words.signIn);
}

// The code is in no address that is kept, and is good once.
async function signIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get("sign-in");
  if (code === null) return start();
  history.replaceState(null, "", "/");
  try { await ask("POST", "sessions", { code }); } catch (error) {
    return showSignIn(error.status === 401 ? words.badLink : error.message);
  }
  return start();
}

signIn();
