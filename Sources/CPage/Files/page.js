// SPDX-License-Identifier: Apache-2.0
import { Acts } from "./acts.js";
import { forgetDrafts } from "./answers.js";
import { Badge, Sight } from "./badge.js";
import { Banners } from "./banner.js";
import { BrowserSettings } from "./browser.js";
import { learnTime } from "./clock.js";
import { h } from "./dom.js";
import { ask, ended, follow, Refusal } from "./feed.js";
import { Filter } from "./filter.js";
import { Front } from "./front.js";
import { dropHolds, endHolds } from "./hold.js";
import { Jump } from "./jump.js";
import { Keys } from "./keys.js";
import { Notices } from "./notices.js";
import { Offers } from "./offers.js";
import { Past } from "./past.js";
import { Pill } from "./pill.js";
import { Presence } from "./presence.js";
import { Questions } from "./question.js";
import { Settings } from "./settings.js";
import { renew } from "./renewal.js";
import { Search } from "./search.js";
import { begin, isLockView, session, takeTarget } from "./session.js";
import { hush, hushAll, ring } from "./sound.js";
import { StackList } from "./stacks.js";
import { inTurn } from "./turn.js";
import { Voice } from "./voice.js";
import { language, words } from "./words.js";

document.documentElement.lang = language;

const note = h("p", { class: "note remark" });
const quiet = h("p", { class: "note", hidden: true }, words.quiet);
const now = h("div");
const upcoming = h("section", { "aria-labelledby": "upcoming" });
const later = h("div", { hidden: true }, h("h2", { id: "upcoming" }, words.upcoming), upcoming);
const none = h("p", { class: "none", hidden: true }, words.none);
const head = h("header", {}, h("h1", { tabindex: -1 }, words.title), h("div", { class: "ways" },
  h("button", { click: () => goTo(past.element) }, words.history),
  h("button", { click: () => goTo(choices.element) }, words.allSettings),
  h("button", { click: signOut }, words.signOut)));

let source, timer;
let isSignedOut = false;
const front = new Front();

const act = new Acts(front, { say, refused, reload, tell: (text) => voice.say(text) });
const lists = [new StackList(now, act, { wish: () => load(), drawn, asks: true }), new StackList(upcoming, act, { drawn })];
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
const pill = new Pill(() => lists[0].focus());
const filter = new Filter(act, () => {
  showStacks();
  search.change();
  voice.say(filter.count.textContent || words.allApps);
});
const search = new Search(act, () => filter.topic, () => showStacks());
const jump = new Jump((end) => goBack(end));
const list = h("div", {}, none, now, later);
const browser = new BrowserSettings(() => presence.say());
const main = h("main", {}, note, quiet, browser.offer, questions.element,
  h("div", { class: "bar" }, search.element, jump.element, filter.element), pill.element, search.results, list,
  past.element, offers.element, choices.element, browser.element, banners.element, voice.element);
const keys = new Keys(main, { banners, settings: choices, filter, search });
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

// Rows were made or are gone since a person has scrolled.
function drawn() {
  keys.settle();
  sight.look();
}

// Shows those of the stacks that the filter lets through.
function showStacks() {
  const { now, upcoming, answer } = front;
  const lets = (stack) => filter.lets(stack);
  list.hidden = search.isOpen;
  filter.show(answer.apps);
  later.hidden = upcoming.find(lets) === undefined;
  lists[0].show(now, lets);
  lists[1].show(upcoming, lets);
  none.hidden = !now.isWhole || now.find(() => true) !== undefined;
  sight.expectNewest(now, answer.seen, lets, filter.topic === "");
  keys.settle();
}

// Draws what was loaded. In the background nothing is drawn, until the page is in front again.
let isDue = false;
const isInFront = () => document.visibilityState === "visible";
function draw() {
  isDue = !isInFront();
  if (isDue) return;
  const { apps } = front.answer;
  showStacks();
  search.show(apps);
  jump.show(front.now);
  questions.show(apps);
  offers.show(apps);
  choices.showApps(apps);
}

document.addEventListener("visibilitychange", () => { if (isDue) draw(); });

// Loads the front; returns the position, or undefined when there is no answer. So much of the list is loaded
// that it is enough for whoever seeks.
let enough;
const load = inTurn(async () => {
  try {
    if (!await front.load(() => (isInFront() ? lists[0].wishes() : []), enough) || isSignedOut) return undefined;
    const { answer } = front;
    draw();
    badge.show(answer.unseen, answer.badge);
    return answer.position;
  } catch (error) {
    refused(error);
    if (!isSignedOut) again();
    return undefined;
  }
}, () => (isInFront() ? 100 : 2000));

// Loads the front, and anew what is known of the list farther down.
function reload() {
  front.now.doubt();
  return load();
}

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
  if (isShown && isInFront()) banners.show(notification);
  else banners.remove([notification.replaces]);
  // The list knows the name of its app then. A sound that the page plays is not the browser's too.
  if (isShown && !isInFront()) load().then(() => notices.show(notification, notification.stack, !isLeft));
  // A sound that nobody can play is for the one who says so.
  if (isPlayed || isLeft) ring(notification, () => { quiet.hidden = false; });
}

function heard(name, data) {
  if (name === "hello") {
    learnTime(data.time, Date.now());
    renew(data.assets);
    return presence.lead(data.surface);
  }
  if (name === "surfaces") return presence.learn(data);
  if (name === "reset") {
    hush();
    return start();
  }
  if (name === "history") return past.load();
  if (name === "owner") choices.showOwner(data);
  if (name === "missed") say(words.missed(data.count));
  if (name === "removed") banners.remove(data.ids);
  if (name === "delivered") {
    interrupt(data);
    if (data.replaces === undefined && filter.lets(data) && !search.isOpen) pill.add();
  }
  const isOver = ended(name, data);
  if (isOver !== undefined) {
    hush(isOver);
    if (presence.reads) notices.close(isOver);
  }
  // What is removed goes to the history, and what is delivered may come from there: its event does not say so.
  (front.knows(name, data) ? load() : reload()).then(() => past.load());
}

// Opens a part of the page that is below the list, however long that is.
function goTo(part) {
  part.open = true;
  part.scrollIntoView();
  part.querySelector("summary").focus({ preventScroll: true });
}

// Loads so much of the list that it is enough.
async function seek(isEnough) {
  enough = isEnough;
  const position = await load();
  enough = undefined;
  return position;
}

// Goes to the newest row that is older than a moment. What was brought back is above younger rows.
async function goBack(end) {
  const time = ({ leading }) => Date.parse(leading.date);
  const isOlder = (stack) => stack !== undefined && time(stack) < end;
  if (await seek(({ last }) => isOlder(last)) === undefined) return;
  const older = [...front.now].filter((stack) => filter.lets(stack) && isOlder(stack));
  if (older.length === 0) return say(words.notAsOld);
  const found = older.reduce((one, other) => (time(other) > time(one) ? other : one));
  if (note.textContent === words.notAsOld) say("");
  if (search.isOpen) search.end();
  await lists[0].reveal(found.leading.id, found.id);
}

// Goes where a notice of the browser leads: to its row, or to what became of its answer.
async function reveal({ id, stack, action, reason }) {
  const position = await seek((board) => board.find(({ id }) => id === stack) !== undefined);
  if (position === undefined) return;
  // Whoever goes there brings the page to the front.
  showStacks();
  if (search.isOpen) search.end();
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
  if (isInFront()) notices.close(() => true);
  const position = await reload();
  if (position === undefined && !isSignedOut) again();
  if (position === undefined || isSignedOut) return;
  say("");
  source?.close();
  loadOwner();
  isLockView().then((isOne) => { if (isOne) location.replace("/lock"); });
  source = follow(position, {
    heard,
    opened: async () => {
      // Events may have been told before this tab heard any.
      if (await reload() === undefined) return;
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
  front.forget();
  filter.forget();
  search.end();
  pill.forget();
  showStacks();
  past.close();
  questions.show([]);
  offers.show([]);
  choices.showApps([]);
  banners.keep(() => false);
  notices.close(() => true);
  hush();
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
    if (target.has("app")) filter.choose(target.get("app"));
    return target.has("id") ? reveal(Object.fromEntries(target)) : undefined;
  }
  if (!main.isConnected) document.body.replaceChildren(head);
  try { await begin(code); } catch (error) {
    if (error.status !== 401) return showSignIn(error instanceof Refusal ? error.message : words.lost);
    await start();
    return isSignedOut ? showSignIn(words.badLink) : undefined;
  }
  return start();
}

// The line goes once a press is over: one that goes while it lasts would move the button away from under it.
for (const name of ["click", "keydown"]) addEventListener(name, () => { quiet.hidden = true; });
for (const name of ["pointerdown", "keydown", "wheel"]) addEventListener(name, hushAll, { passive: true });
navigator.serviceWorker?.addEventListener("message", ({ data }) => reveal(data));
addEventListener("hashchange", () => { if (location.hash.startsWith("#sign-in=")) signIn(); });
signIn();
