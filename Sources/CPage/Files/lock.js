// SPDX-License-Identifier: Apache-2.0
import { forgetDrafts } from "./answers.js";
import { learnTime, now } from "./clock.js";
import { arrange, h } from "./dom.js";
import { ask, follow, Refusal } from "./feed.js";
import { dropHolds } from "./hold.js";
import { renew } from "./renewal.js";
import { LockRow } from "./row.js";
import { begin, isLockView, session, takeTarget } from "./session.js";
import { inTurn } from "./turn.js";
import { Voice } from "./voice.js";
import { language, words } from "./words.js";

// A lock view, in front of which anybody may stand: what has come since it was opened, with what the centre tells of it
// there. Each question says that it is for a lock view, so that no hidden text comes into the page.
document.documentElement.lang = language;

// The half of the day is left out, since it is plain to see.
const hour = new Intl.DateTimeFormat(language, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" });
const minute = 60000;

const time = h("time");
const date = h("p");
const note = h("p", { class: "note" });
const badge = h("span");
const unlock = h("a", { href: "/" }, words.lock.unlock);
const rows = h("div", { class: "rows" });
const voice = new Voice();
const below = h("div", { class: "below" }, badge, unlock);
const heading = h("h1", { class: "spoken", tabindex: -1 }, words.lock.title);
const main = h("main", {}, heading, h("div", { class: "clock" }, time, date), note, rows, below, voice.element);

let source;
let timer;
let isSignedOut = false;
let apps = new Map();
let shown = new Map();
// The newest notification that was there when the view opened; what is not newer is not shown.
let past;

const act = {
  app: (topic) => apps.get(topic) ?? { app: topic },
  respond: async ({ id }, action, text) => {
    const body = text === undefined ? { action } : { action, text };
    return change("POST", `notifications/${id}/responses?surface=lock`, body);
  },
  dismiss: ({ id }) => change("DELETE", `notifications/${id}?surface=lock`),
  locked: () => say(words.lock.first),
  refresh: () => load(),
};

// A line above the list, which is said as well.
function say(text) {
  if (note.textContent === text) return;
  note.textContent = text;
  if (text !== "") voice.say(text);
}

// Refusals that people are told in their language.
const refusals = new Map([
  ["answered", words.answered], ["lost", words.lost], ["needsAuthentication", words.lock.first],
]);

function refused(error) {
  if (!(error instanceof Refusal)) return say(words.lost);
  if (error.status === 401) return endSession();
  say(refusals.get(error.reason) ?? error.message);
}

// Does something, and says why it was not done. Returns true if it was.
async function change(method, path, body) {
  let isDone = false;
  try {
    await ask(method, path, body);
    isDone = true;
    say("");
  } catch (error) {
    // What is gone already is as it was wished.
    if (error.reason !== "gone") refused(error);
  }
  await load();
  return isDone;
}

// Loads what is shown; returns the position, or undefined when there is no answer.
const load = inTurn(async () => {
  try {
    const asked = Date.now();
    const front = await ask("GET", "front?limit=200&surface=lock");
    learnTime(front.time, asked);
    tell();
    apps = new Map(front.apps.map((app) => [app.app, app]));
    past ??= front.stacks.reduce((most, { leading }) => (BigInt(leading.id) > most ? BigInt(leading.id) : most), 0n);
    const next = await Promise.all(front.stacks.map(async (stack) => [stack.id, await rowOf(stack)]));
    if (isSignedOut) return undefined;
    shown = new Map(next.filter(([, row]) => row !== undefined));
    arrange(rows, [...shown.values()].map(({ element }) => element));
    badge.textContent = front.badge > 0 ? `${words.settingNames.badge}: ${front.badge}` : "";
    return front.position;
  } catch (error) {
    refused(error);
    if (!isSignedOut) again();
    return undefined;
  }
});

// The row of a stack; undefined if nothing of it is for this view.
async function rowOf(stack) {
  const known = shown.get(stack.id);
  const text = JSON.stringify([stack, act.app(stack.app)]);
  if (known?.text === text) return known;
  if (BigInt(stack.leading.id) <= past) return undefined;
  const items = await members(stack);
  const fresh = items.filter(({ id, present }) => BigInt(id) > past && present.lock);
  if (fresh.length === 0) return undefined;
  const row = known ?? new LockRow(act);
  row.update(fresh, lineOf(stack, fresh.length), text);
  return row;
}

// The newest members of a stack; one that is gone meanwhile has none.
async function members(stack) {
  if (stack.count === 1) return [stack.leading];
  try { return (await ask("GET", `stacks/${stack.id}?limit=200&surface=lock`)).items; } catch (error) {
    if (error.status === 404) return [];
    throw error;
  }
}

// Returns the line for the members that are not shown. The centre's summary is of all of them.
function lineOf({ count, hidden, summary }, number) {
  if (number === 1) return "";
  if (number === count) return hidden?.placeholder ?? summary ?? words.lock.further(number - 1);
  return words.lock.further(number - 1);
}

// Begins anew in a moment; of several wishes one is fulfilled.
function again() {
  clearTimeout(timer);
  timer = setTimeout(start, 3000);
}

function heard(name, data) {
  if (name === "hello") {
    learnTime(data.time, Date.now());
    return renew(data.assets);
  }
  if (name === "reset") return start();
  // The history is none of a lock view.
  if (name === "history") return;
  load().then(() => {
    const row = name === "delivered" ? [...shown.values()].find(({ id }) => id === data.id) : undefined;
    if (row !== undefined) voice.announce(row.app, row.speech, row.isUrgent);
  });
}

async function start() {
  clearTimeout(timer);
  source?.close();
  isSignedOut = false;
  if (!main.isConnected) document.body.replaceChildren(main);
  const position = await load();
  if (position === undefined || isSignedOut) return;
  say("");
  source?.close();
  source = follow(position, {
    heard,
    opened: async () => { if (await load() !== undefined) say(""); },
    lost: (isOver) => {
      say(words.lost);
      if (isOver) again();
    },
  }, "lock");
  // A browser that is a lock view by its session has no other view to go to.
  isLockView().then((isOne) => { unlock.hidden = isOne; });
}

// The clock, which is the centre's.
function tell() {
  const present = new Date(now());
  const parts = hour.formatToParts(present).filter(({ type }) => type !== "dayPeriod");
  time.textContent = parts.map(({ value }) => value).join("").trim();
  date.textContent = day.format(present);
}

function tick() {
  tell();
  setTimeout(tick, minute - now() % minute);
}

session.addEventListener("message", ({ data }) => {
  if (data === "over") showSignIn(words.lock.signIn);
  else if (isSignedOut) start();
  else location.reload();
});

function endSession() {
  session.postMessage("over");
  showSignIn(words.lock.signIn);
}

// Everything that was shown goes with the session.
function showSignIn(text) {
  isSignedOut = true;
  dropHolds();
  clearTimeout(timer);
  source?.close();
  shown.clear();
  past = undefined;
  arrange(rows, []);
  forgetDrafts();
  voice.forget();
  const title = h("h1", { tabindex: -1 }, words.lock.title);
  document.body.replaceChildren(h("main", { class: "sign-in" }, title, h("p", { role: "alert" }, text)));
}

// A link that is not good leaves a browser that is signed in as it is.
async function open() {
  const code = takeTarget().get("sign-in");
  if (code === null) return start();
  try { await begin(code); } catch (error) {
    if (error.status !== 401) return showSignIn(error instanceof Refusal ? error.message : words.lost);
    await start();
    return isSignedOut ? showSignIn(words.badLink) : undefined;
  }
  return start();
}

addEventListener("hashchange", () => { if (location.hash.startsWith("#sign-in=")) open(); });
document.title = words.lock.title;
tick();
open();
