// SPDX-License-Identifier: Apache-2.0
import { Answers } from "./answers.js";
import { now } from "./clock.js";
import { Details } from "./details.js";
import { arrange, h } from "./dom.js";
import { Hold } from "./hold.js";
import { media } from "./media.js";
import { language, words } from "./words.js";

const hour = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

// A moment of today by its hour, any other by its date as well.
export function when(text) {
  const date = new Date(text);
  return (date.toDateString() === new Date(now()).toDateString() ? hour : day).format(date);
}

// The texts of a notification; an alert that is a plain text is the body, and what is no text is nothing.
export function texts(notification) {
  const alert = notification.payload?.aps?.alert;
  const parts = typeof alert === "object" && alert !== null ? alert : { body: alert };
  const text = (part) => (typeof part === "string" ? part : "");
  return { title: text(parts.title), subtitle: text(parts.subtitle), body: text(parts.body) };
}

// The picture of an app beside its name, if it has one that this browser can show.
export function appIcon(app) {
  if (app.icon === undefined) return undefined;
  const icon = h("img", { class: "icon", src: app.icon, alt: "", width: 20, height: 20 });
  icon.addEventListener("error", () => icon.remove());
  return icon;
}

// Makes the parts of a notification that are shown wherever it is whole: whose it is, when it came, its texts and its
// files. The direction of each text is its own. A card has its menu there too.
export function parts(notification, act, menu) {
  const app = act.app(notification.app);
  const { title, subtitle, body } = texts(notification);
  return [
    h("header", {}, h("span", { class: "app", title: notification.app }, appIcon(app),
      h("bdi", {}, app.name ?? notification.app)),
      h("time", { datetime: notification.date }, when(notification.date)), menu),
    title && h("h2", { dir: "auto" }, title),
    subtitle && h("p", { class: "subtitle", dir: "auto" }, subtitle),
    body && h("p", { class: "body", dir: "auto" }, body),
    ...media(notification),
  ];
}

// Everything that `parts` and the menu of a card show: elements with the same need not be made anew.
export function look(notification, act) {
  const { name, icon, providesAppNotificationSettings } = act.app(notification.app);
  return JSON.stringify([notification, name, icon, providesAppNotificationSettings]);
}

// The cards by their elements.
const cards = new WeakMap();
export const cardOf = (element) => cards.get(element);

// A notification whole, with its answers and its details.
export class Card {
  constructor(notification, act, stack) {
    this.text = look(notification, act);
    this.stack = stack;
    this.notification = notification;
    this.act = act;
    const details = { click: ({ currentTarget }) => this.turnDetails(currentTarget) };
    this.answers = new Answers(notification, act, { others: [
      // The app shows more of it there.
      notification.view && h("button", details, words.details),
      h("button", { click: () => this.dismiss() }, words.dismiss)] });
    const { title, body } = texts(notification);
    this.element = h("div", { class: "notification", role: "group", "data-level": notification.level, tabindex: -1,
      "aria-label": title || body || (act.app(notification.app).name ?? notification.app) },
      parts(notification, act, this.menu()), this.answers.element);
    this.details = new Details(notification, act, this.element, this.answers);
    this.element.append(this.details.element);
    cards.set(this.element, this);
  }

  // Goes after a while, in which a person can take it back.
  dismiss() {
    if (this.hold?.isOpen) return;
    this.hold = new Hold(this.element, words.dismissed, () => this.act.dismiss(this.notification));
  }

  // True while a text is being written, which no change of the list may take away.
  get hasDraft() {
    return this.answers.isWriting && this.element.isConnected;
  }

  // True while it may not be replaced by a card of the same notification.
  get isInUse() {
    return this.hasDraft || this.hold?.isOpen;
  }

  // True for the card of a former version of a notification, at which a text is being written.
  isDraftOf({ id, identifier }) {
    return this.hasDraft && this.notification.id !== id && identifier !== undefined
      && this.notification.identifier === identifier;
  }

  // True if its details are open, and the notification is this one or a former version of it.
  isReadAs({ id, identifier }) {
    return this.details.isOpen && (this.notification.id === id
      || (identifier !== undefined && this.notification.identifier === identifier));
  }

  // True if its details are open, and the notification has come later and is another one.
  isReadBehind(other) {
    return this.details.isOpen && !this.isReadAs(other) && BigInt(other.id) > BigInt(this.notification.id);
  }

  // Opens the details, or closes them.
  turnDetails(opener = this.element) {
    if (!this.details.close()) this.details.open(opener);
  }

  // Makes the menu of what is seldom wished of a notification: its details, and the settings that its app has itself.
  menu() {
    const { app } = this.notification;
    const summary = h("summary", { "aria-label": words.menu, title: words.menu }, "⋯");
    const own = h("button", { click: () => this.answers.once(() => this.act.settings(app, this.notification)) },
      words.inApp);
    const menu = h("details", { class: "menu" }, summary, h("div", {}, h("button", { click: () => {
      menu.open = false;
      this.turnDetails(summary);
    } }, words.details), this.act.app(app).providesAppNotificationSettings ? own : undefined));
    // It lies over the next row, in whose way it would be.
    menu.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget !== null && !menu.contains(relatedTarget)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.preventDefault();
      menu.open = false;
      summary.focus();
    });
    return menu;
  }
}

// Returns the cards of some notifications, of which those that are known stay where they may, and a function that
// brings details that are open and texts that are being written over to newer versions, once their cards are in the
// page.
export function renewed(cards, items, act, stack) {
  const next = new Map();
  const writing = [...cards.values()].filter((card) => card.hasDraft);
  const reading = [...cards.values()].filter((card) => card.details.isOpen);
  const drafts = [];
  const read = [];
  const hasFocus = ({ element }) => element.contains(document.activeElement);
  for (const item of items) {
    const known = cards.get(item.id);
    const isKept = known !== undefined && (known.isInUse || known.text === look(item, act));
    const card = isKept ? known : new Card(item, act, stack);
    next.set(item.id, card);
    const former = writing.find((other) => other.isDraftOf(item));
    if (former !== undefined && !isKept) {
      drafts.push([card.answers, former.answers, hasFocus(former) && !hasFocus(former.details)]);
    }
    const open = reading.find((other) => other !== card && other.isReadAs(item))?.details;
    if (open !== undefined) read.push([card.details, open, hasFocus(open)]);
  }
  return { next, settle: () => { for (const [part, former, had] of [...read, ...drafts]) part.resume(former, had); } };
}

// Members of an open stack that are shown at first, and by each press on “Show older”.
const step = 50;

// A stack: its newest notification, and more of them once it is open, as it stays while they change.
export class Stack {
  constructor(act) {
    this.act = act;
    this.isOpen = false;
    this.wished = step;
    this.turns = 0;
    // True while a row is sought to which somebody is led.
    this.isSought = false;
    this.cards = new Map();
    this.summary = h("span", { dir: "auto" });
    this.toggle = h("button", { click: () => this.turn(!this.isOpen) });
    this.older = h("button", { click: () => this.grow() }, words.older);
    this.trial = h("div", { class: "trial", hidden: true });
    this.footer = h("footer", {}, this.summary, this.toggle, this.older,
      h("button", { pointerdown: () => { this.pressed = this.data; },
        click: ({ detail }) => this.clear(detail === 0 ? this.data : this.pressed) }, words.clear));
    this.element = h("article", { tabindex: -1 });
  }

  async update(data) {
    const text = JSON.stringify([data, look(data.leading, this.act)]);
    if (text === this.text) return;
    this.text = text;
    // What came behind the moment of a clearing stays.
    if (this.hold?.isOpen && data.leading.id !== this.data.leading.id) this.hold.end();
    this.data = data;
    // A row whose details are being read stays in sight, in front of what has come.
    const isRead = [...this.cards.values()].some((card) => card.isReadBehind(data.leading));
    if (!this.isOpen && !isRead) return this.show([data.leading]);
    await this.open();
  }

  // Asks below the row of an app that notifies on trial whether it may go on, or asks no more. A question that a person
  // is at stays as long as the app is on trial.
  offer(app, isFirst) {
    const isShown = app?.status === "provisional" && (isFirst || this.trial.matches(":hover, :focus-within"));
    if (!isShown && this.trial.contains(document.activeElement)) this.focus();
    this.trial.hidden = !isShown;
    if (!isShown) return;
    const name = app.name ?? app.app;
    if (name === this.tried) return;
    this.tried = name;
    this.trial.replaceChildren(h("p", {}, words.trial(name)), h("div", { class: "actions" },
      h("button", { click: () => this.act.decide(app.app, "keep") }, words.keepApp),
      h("button", { click: () => this.act.turnOff(app.app) }, words.turnOff)));
  }

  // True while a person is at it, so that its element may not go.
  get isInUse() {
    const cards = [...this.cards.values()];
    return this.isOpen || this.isSought || (this.hold?.isOpen ?? false)
      || cards.some((card) => card.isInUse || card.details.isOpen)
      || [...this.element.querySelectorAll("audio, video")].some(({ paused }) => !paused)
      || this.element.contains(document.activeElement) || getSelection().containsNode(this.element, true);
  }

  // Gives the focus to the row that leads.
  focus() {
    this.element.querySelector(".notification")?.focus({ preventScroll: true });
  }

  get isOpenable() {
    return !this.isOpen && this.data.count > 1;
  }

  // Goes as a whole after a while, up to what was there when it was wished.
  clear(data = this.data) {
    if (this.hold?.isOpen) return;
    // Something came between the press and the release, and is not to be covered.
    if (data.leading.id !== this.data.leading.id) return this.act.clear(data);
    this.hold = new Hold(this.element, words.cleared, () => this.act.clear(data));
  }

  // Opens it, or closes it.
  async turn(isOpen) {
    this.wished = step;
    if (isOpen) return this.open();
    this.turns += 1;
    this.isOpen = false;
    this.show([this.data.leading]);
  }

  // Shows as many members as are wished, and all down to the one of an id.
  async open(id) {
    this.turns += 1;
    const { turns } = this;
    const answer = await this.act.open(this.data, this.wished, id);
    // The stack was turned, or asked for anew, meanwhile.
    if (turns !== this.turns) return;
    // The stack is gone, or nothing answers; the list says so, and asks again when it is loaded next.
    if (answer === undefined) {
      this.text = undefined;
      return;
    }
    this.isOpen = true;
    this.wished = Math.max(this.wished, answer.items.length);
    this.show(answer.items, !answer.isWhole);
  }

  // The first of the older rows has the focus, where the button may go.
  async grow() {
    const count = this.cards.size;
    this.wished = count + step;
    await this.open();
    [...this.cards.values()][count]?.element.focus();
  }

  // Brings a notification before a person: its row, or the field of an action that takes a text. False if it is gone.
  async reveal(id, name) {
    // Another change may have it asked for anew.
    this.isSought = true;
    try {
      for (let tries = 0; tries < 3 && !this.cards.has(id); tries += 1) await this.open(id);
    } finally { this.isSought = false; }
    const card = this.cards.get(id);
    if (card === undefined) return false;
    const action = card.answers.actions.find(({ identifier, text }) => identifier === name && text !== undefined);
    card.element.classList.add("found");
    card.element.addEventListener("focusout", () => card.element.classList.remove("found"), { once: true });
    if (action === undefined) card.element.focus();
    else card.answers.write(action);
    card.element.scrollIntoView({ block: "nearest" });
    return true;
  }

  show(items, hasOlder = false) {
    const { next, settle } = renewed(this.cards, items, this.act, this);
    this.cards = next;
    const isStack = this.data.count > 1;
    const app = this.act.app(this.data.app);
    this.element.setAttribute("aria-label", texts(this.data.leading).title || (app.name ?? app.app));
    this.element.classList.toggle("stack", isStack && !this.isOpen);
    this.summary.textContent = this.isOpen ? "" : this.data.summary ?? "";
    this.older.hidden = !hasOlder;
    this.toggle.textContent = this.isOpen ? words.less : words.more;
    this.toggle.setAttribute("aria-expanded", String(this.isOpen));
    arrange(this.element, [...[...next.values()].map((card) => card.element), ...(isStack ? [this.footer] : []),
      this.trial, ...(this.hold?.isOpen ? [this.hold.line] : [])]);
    settle();
  }
}
