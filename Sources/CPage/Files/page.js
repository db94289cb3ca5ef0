// SPDX-License-Identifier: Apache-2.0
import { forgetDrafts } from "/answers.js";
import { Badge, Sight } from "/badge.js";
import { Banners } from "/banner.js";
import { BrowserSettings } from "/browser.js";
import { learnTime } from "/clock.js";
import { h } from "/dom.js";
import { ask, follow, Refusal } from "/feed.js";
import { Filter } from "/filter.js";
import { dropHolds, endHolds } from "/hold.js";
import { Keys } from "/keys.js";
import { StackList } from "/list.js";
import { Notices } from "/notices.js";
import { Offers } from "/offers.js";
import { Past } from "/past.js";
import { Presence } from "/presence.js";
import { Questions } from "/question.js";
import { Settings } from "/settings.js";
import { begin, isLockView, session, takeTarget } from "/session.js";
import { ring } from "/sound.js";
import { inTurn } from "/turn.js";
import { Voice } from "/voice.js";
import { language, words } from "/words.js";

document.documentElement.lang = language;

const note = h("p", { class: "note remark" });
const quiet = h("p", { class: "note", hidden: true }, words.quiet);
const now = h("div");
const upcoming = h("section", { "aria-labelledby": "upcoming" });
const later = h("div", { hidden: true }, h("h2", { id: "upcoming" }, words.upcoming), upcoming);
const none = h("p", { class: "none", hidden: true }, words.none);
const head = h("header", {}, h("h1", { tabindex: -1 }, words.title), h("button", { click: signOut }, words.signOut));

let source;
let timer;
let isSignedOut = false;
let apps = new Map();
const nothing = { stacks: [], upcoming: [] };
let front = nothing;

const act = {
  // Returns true once the centre has taken the answer.
  respond: async (notification, action, text) => {
    const body = text === undefined ? { action } : { action, text };
    const answer = await change("POST", `notifications/${notification.id}/responses`, body);
    // An app that is nowhere on this machine is a page of its own.
    if (answer?.launch?.url !== undefined) open(answer.launch.url, "_blank", "noopener");
    return answer !== undefined;
  },
  dismiss: (notification) => change("DELETE", `notifications/${notification.id}`),
  decide: (topic, decision) => change("POST", `apps/${encodeURIComponent(topic)}/authorization`, { decision }),
  // Returns all settings as they are then, or undefined where they stay as they were.
  set: async (path, wishes) => {
    const settings = await asked("PATCH", path, wishes);
    if (settings !== undefined) say("");
    return settings;
  },
  // One notification as it is now, or undefined where it is gone or nothing answers.
  look: ({ id }) => asked("GET", `notifications/${id}`),
  // A page of the history, or undefined.
  past: (limit, before) => asked("GET", `history?limit=${limit}` + (before === undefined ? "" : `&before=${before}`)),
  // Brings one of the history back into the list.
  restore: async ({ id }) => {
    if (await asked("POST", `history/${id}/restore`, {}) !== undefined) voice.say(words.restored);
    await load();
  },
  // Deletes one of the history for good, or all of it.
  forget: (item) => change("DELETE", item === undefined ? "history" : `history/${item.id}`),
  clear: (stack) => change("DELETE", `stacks/${stack.id}?upTo=${stack.leading.id}`),
  // Every member, page by page.
  open: async (stack) => {
    const items = [];
    for (let before = ""; ;) {
      const page = await asked("GET", `stacks/${stack.id}?limit=200${before}`);
      if (page === undefined) return undefined;
      items.push(...page.items);
      if (page.next === null) return items;
      before = "&before=" + page.next;
    }
  },
  // Has an app show the settings that it has itself; a notification that is gone meanwhile leads nowhere.
  settings: async (topic, notification) => {
    const body = notification === undefined ? {} : { notification: notification.id };
    try {
      const { launch } = await ask("POST", `apps/${encodeURIComponent(topic)}/open-settings`, body);
      say(launch === undefined ? words.settingsAsked : "");
      if (launch !== undefined) open(launch.url, "_blank", "noopener");
    } catch (error) {
      if (error.reason === "gone" && notification !== undefined) return act.settings(topic);
      refused(error);
    }
  },
  app: (topic) => apps.get(topic) ?? { app: topic },
  refresh: () => load(),
};
const lists = [new StackList(now, act), new StackList(upcoming, act)];
const voice = new Voice();
const banners = new Banners(act, voice);
const badge = new Badge();
const sight = new Sight((id) => lists[0].row(id), (id) => see(id));
const notices = new Notices(act);
const presence = new Presence();
const questions = new Questions(act);
const choices = new Settings(act);
const offers = new Offers(act);
const past = new Past(act);
const filter = new Filter(act, () => {
  showStacks();
  voice.say(filter.count.textContent || words.allApps);
});
const browser = new BrowserSettings(() => presence.say());
const main = h("main", {}, note, quiet, browser.offer, questions.element, filter.element, none, now, later,
  past.element, offers.element, choices.element, browser.element, banners.element, voice.element);
const keys = new Keys(main, { banners, settings: choices, filter });
main.append(keys.help);
// Refusals that people are told in their language.
const refusals = new Map(["lost", "answered", "replaced", "noSettings", "notRunning"].map((reason) =>
  [reason, words[reason]]));

// A line above the list, which is said as well; no text takes it away.
function say(text) {
  if (note.textContent === text) return;
  note.textContent = text;
  if (text !== "") voice.say(text);
}

function refused(error) {
  if (!(error instanceof Refusal)) return say(words.lost);
  if (error.status === 401) return endSession();
  say(refusals.get(error.reason) ?? error.message);
}

// Asks, and says why it was refused; undefined then. What is not there any more goes from the list.
async function asked(method, path, body) {
  try { return await ask(method, path, body); } catch (error) {
    if (error.reason === "gone") say(words.gone);
    else refused(error);
    if (error.status === 404 || error.status === 410) load();
    return undefined;
  }
}

// Does something, and says why it was not done; the list is loaded anew in any case. Returns the answer, if it was done.
async function change(method, path, body) {
  let answer;
  try {
    answer = await ask(method, path, body);
    say("");
  } catch (error) {
    // What is gone already is as it was wished.
    const isGone = error.reason === "gone" || (method === "DELETE" && error.status === 404);
    if (!isGone) refused(error);
  }
  await load();
  return answer;
}

// Shows those of the stacks that the filter lets through.
function showStacks() {
  const { stacks, upcoming } = front;
  const lets = (stack) => filter.lets(stack);
  filter.show([...stacks, ...upcoming]);
  lists[0].show(stacks, lets);
  lists[1].show(upcoming, lets);
  later.hidden = !upcoming.some(lets);
  none.hidden = stacks.length > 0;
  sight.expectNewest(front, lets);
  keys.settle();
}

// Loads the front; returns the position, or undefined when there is no answer.
const load = inTurn(async () => {
  try {
    const start = Date.now();
    const answer = await ask("GET", "front?limit=200");
    if (isSignedOut) return undefined;
    front = answer;
    learnTime(front.time, start);
    apps = new Map(front.apps.map((app) => [app.app, app]));
    showStacks();
    questions.show(front.apps);
    offers.show(front.apps);
    choices.showApps(front.apps);
    badge.show(front.unseen, front.badge);
    return front.position;
  } catch (error) {
    refused(error);
    if (!isSignedOut) again();
    return undefined;
  }
});

// The centre tells all of it; what cannot be said now is said at the next look.
async function see(number) {
  try { await ask("PUT", "seen", { number }); } catch { /* The list says what is wrong. */ }
}

// Begins anew in a moment; of several wishes one is fulfilled.
function again() {
  clearTimeout(timer);
  timer = setTimeout(start, 3000);
}

// Shows and plays what has just come, as far as that is for this tab and no other surface of the owner.
function interrupt(notification) {
  const { isShown, isPlayed, isLeft } = presence.turn(notification.present.sound?.critical === true);
  const isVisible = document.visibilityState === "visible";
  if (isShown && isVisible) banners.show(notification);
  else banners.remove([notification.replaces]);
  // The list says which stack it is in. A sound that the page plays is not the browser's too.
  if (isShown && !isVisible) load().then(() => notices.show(notification, lists[0].nameOf(notification), !isLeft));
  // A sound that nobody can play is for the one who says so.
  if (isPlayed || isLeft) ring(notification, () => { quiet.hidden = false; });
}

function heard(name, data) {
  if (name === "hello") {
    learnTime(data.time, Date.now());
    return presence.lead(data.surface);
  }
  if (name === "surfaces") return presence.learn(data);
  if (name === "reset") return start();
  if (name === "owner") choices.showOwner(data);
  if (name === "missed") say(words.missed(data.count));
  if (name === "removed") banners.remove(data.ids);
  if (name === "delivered") interrupt(data);
  if (presence.reads) clearNotices(name, data);
  // What is removed goes to the history, and what is delivered may come from there: its event does not say so.
  load().then(() => past.load());
}

// Takes the browser's notifications away of what was answered, removed, replaced, or seen elsewhere.
function clearNotices(name, data) {
  if (name === "removed") notices.close((id) => data.ids.includes(id));
  if (name === "delivered" && data.replaces !== undefined) notices.close((id) => id === data.replaces);
  if (name === "owner") notices.close((id) => BigInt(id) <= BigInt(data.seen));
}

// Goes where a notice of the browser leads: to its row, or to what became of its answer.
async function reveal({ id, stack, action, reason }) {
  if (await load() === undefined) return;
  if (lists[0].hides(stack)) filter.choose("");
  const isThere = await lists[0].reveal(id, stack, action);
  if (reason !== undefined && reason !== "gone") say(refusals.get(reason) ?? words.notAnswered);
  else if (!isThere) say(words.gone);
}

// What is wished of all apps changes by events from then on.
async function loadOwner() {
  try { await choices.askOwner(() => ask("GET", "owner")); } catch (error) { refused(error); }
}

async function start() {
  clearTimeout(timer);
  source?.close();
  presence.rest();
  isSignedOut = false;
  if (!main.isConnected) document.body.replaceChildren(head, main);
  // Whoever opens the page sees what the browser has shown.
  if (document.visibilityState === "visible") notices.close(() => true);
  const position = await load();
  if (position === undefined || isSignedOut) return;
  say("");
  source?.close();
  loadOwner();
  isLockView().then((isOne) => { if (isOne) location.replace("/lock"); });
  source = follow(position, {
    heard,
    opened: async () => {
      if (await load() === undefined) return;
      // What is said of anything else is as true as before.
      if (note.textContent === words.lost) say("");
      past.load();
    },
    lost: (isOver) => {
      say(words.lost);
      // A browser that has given up, as after 401 and 503, begins anew.
      if (isOver) again();
    },
  });
}

// All tabs do as one that learns something of the session.
session.addEventListener("message", ({ data }) => {
  if (data === "over") showSignIn(words.signIn);
  // Another session is not this tab's: what it has shown goes.
  else if (isSignedOut) start();
  else location.reload();
});

function endSession() {
  session.postMessage("over");
  showSignIn(words.signIn);
}

// Everything that was shown goes with the session.
function showSignIn(text) {
  isSignedOut = true;
  dropHolds();
  clearTimeout(timer);
  source?.close();
  presence.rest();
  front = nothing;
  filter.forget();
  showStacks();
  past.close();
  questions.show([]);
  offers.show([]);
  choices.showApps([]);
  banners.keep(() => false);
  notices.close(() => true);
  forgetDrafts();
  voice.forget();
  badge.show(0, 0);
  const title = h("h1", { tabindex: -1 }, words.title);
  document.body.replaceChildren(h("main", { class: "sign-in" }, title, h("p", { role: "alert" }, text)));
  title.focus();
}

async function signOut() {
  await endHolds();
  try { await ask("DELETE", "sessions/current"); } catch (error) { return refused(error); }
  endSession();
}

// A link that is not good leaves a browser that is signed in as it is.
async function signIn() {
  const target = takeTarget();
  const code = target.get("sign-in");
  if (code === null) {
    await start();
    if (target.has("quiet")) choices.openQuiet();
    return target.has("id") ? reveal(Object.fromEntries(target)) : undefined;
  }
  try { await begin(code); } catch (error) {
    if (error.status !== 401) return showSignIn(error instanceof Refusal ? error.message : words.lost);
    await start();
    return isSignedOut ? showSignIn(words.badLink) : undefined;
  }
  return start();
}

// Once a press is over: a line that goes while it lasts would move the button away from under it.
for (const name of ["click", "keydown"]) addEventListener(name, () => { quiet.hidden = true; });
navigator.serviceWorker?.addEventListener("message", ({ data }) => reveal(data));
addEventListener("hashchange", () => { if (location.hash.startsWith("#sign-in=")) signIn(); });
signIn();
