// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { ask } from "./feed.js";
import { sizeText } from "./media.js";
import { language, words } from "./words.js";

const moment = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium" });

// Reasons of docs/attachments.md for which a file is not there, by the sentence that people are told.
const refusals = new Map(Object.entries({
  size: ["tooLarge", "tooMany", "wrongSize"],
  kind: ["unknownType", "wrongContent", "notAFile"],
  fetch: ["notFetched", "notListed", "notFound", "outOfTime"],
  seal: ["notOpened", "openerUnavailable", "badEntry"],
}).flatMap(([sentence, reasons]) => reasons.map((reason) => [reason, sentence])));

// Reasons of docs/records.md for which a push is shown as it was sent, by the sentence that people are told. Others are
// names of errors of the opener: it was not opened.
const courses = new Map(Object.entries({
  asSent: ["notMutable", "alertsOff", "noExtension"],
  outOfTime: ["budgetExceeded", "timeWillExpireIgnored"],
  failed: ["launchFailed", "noWorker", "otherOwner", "crashed", "memoryLimitExceeded", "exitedEarly",
    "protocolViolation", "emptyContent"],
}).flatMap(([sentence, reasons]) => reasons.map((reason) => [reason, sentence])));

const foreign = (text) => h("bdi", { dir: "auto" }, text);

// Returns where a notification is from, and who could have read it on the way. Its app may write what it likes into one
// that it adds itself; into what was sent, only the opener writes `encryption`.
function origin({ remote, payload }) {
  if (!remote) return [words.origins.app];
  const { encryption } = payload ?? {};
  if (typeof encryption !== "object" || encryption === null) return [words.origins.open];
  const { authenticated, sender, clear } = encryption;
  const parts = Array.isArray(clear) ? clear.filter((part) => typeof part === "string") : [];
  const rest = parts.length === 0 ? []
    : [[words.origins.parts, " ", ...parts.flatMap((part, index) => [index > 0 ? ", " : "", foreign(part)])]];
  if (authenticated !== true) return [words.origins.sealed, ...rest];
  if (typeof sender !== "string") return [words.origins.key, ...rest];
  return [[words.origins.sender, " ", foreign(sender)], ...rest];
}

// Returns what became of a push before it was shown.
function course({ outcome, reason, late }) {
  if (outcome === "modified") return [late ? words.courses.late : words.courses.modified];
  if (outcome === "opened") return [words.courses.opened];
  const sentence = words.courses[courses.get(reason) ?? "notOpened"];
  return [[sentence, " (", foreign(reason ?? ""), ")"]];
}

// A file: what it is called, what it is and how large, or why it is not there.
function file({ identifier, mediaType, type, size, href, refused }) {
  const what = href === undefined ? words.refused[refusals.get(refused) ?? "other"]
    : [mediaType ?? type, sizeText(size)].join(", ");
  return [foreign(identifier), ": ", what];
}

// Returns the facts that the centre has of a notification, as pairs of a name and what stands beside it.
function facts(notification, act) {
  const { name } = act.app(notification.app);
  const files = notification.attachments ?? [];
  const isNamed = name !== undefined && name !== notification.app;
  return [
    [words.facts.app, isNamed ? [[foreign(name)], [foreign(notification.app)]] : [[foreign(notification.app)]]],
    [words.facts.origin, origin(notification)],
    ...(notification.outcome === undefined ? [] : [[words.facts.course, course(notification)]]),
    [words.facts.date,
      [[h("time", { datetime: notification.date }, moment.format(new Date(notification.date)))]]],
    [words.facts.level, [words.levels[notification.level]]],
    ...(files.length === 0 ? [] : [[words.facts.files, files.map(file)]]),
    ...(notification.payload === undefined ? [[words.facts.state, [words.damaged]]] : []),
  ];
}

// The details of a notification, in its row below the texts, the files and the answers, which the row has whole. Above
// them is the view of its app, if it has one.
export class Details {
  // `row` has the focus once they are closed, unless what they were opened from is still there. A view may have other
  // buttons among the `answers`.
  constructor(notification, act, row, answers) {
    this.notification = notification;
    this.act = act;
    this.row = row;
    this.answers = answers;
    this.element = h("div", { class: "details", role: "group", tabindex: -1, hidden: true,
      "aria-label": words.details });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  // Shows what is known at once, and what the centre says as soon as it does.
  async open(opener, takesFocus = true) {
    this.opener = opener;
    this.list = h("dl");
    this.place = h("div");
    this.element.replaceChildren(this.place, this.list,
      h("div", { class: "actions" }, h("button", { click: () => this.close() }, words.close)));
    this.show(this.notification);
    this.element.hidden = false;
    if (takesFocus) {
      this.element.focus({ preventScroll: true });
      this.element.scrollIntoView({ block: "nearest" });
    }
    this.openView();
    const found = await this.act.look(this.notification);
    if (found !== undefined) this.show(found);
  }

  // Opens the view of the app, unless a former version of the notification has left its own here. The scripts for it
  // are loaded with the first one.
  async openView() {
    const { place, notification, act, row, answers } = this;
    if (this.view !== undefined || notification.view === undefined) return;
    let module;
    try { module = await import("./scene.js"); } catch { return act.say(words.lost); }
    if (!this.isOpen || this.view !== undefined || place !== this.place) return;
    this.view = new module.View(notification, act, { ask, row, answers, rest: this.element });
    place.replaceChildren(this.view.element);
    this.view.open();
  }

  show(notification) {
    this.list.replaceChildren(...facts(notification, this.act).map(([name, values]) =>
      h("div", {}, h("dt", {}, name), values.map((value) => h("dd", {}, value)))));
  }

  // False if they are closed already.
  close() {
    if (!this.isOpen) return false;
    this.element.hidden = true;
    this.view?.close();
    this.view = undefined;
    (this.opener.isConnected ? this.opener : this.row).focus();
    return true;
  }

  // Opens those of another version of the notification here. Its view is told of the new version by the centre, and
  // stays as it is, also where it has ended, unless that was with its host.
  resume(former, hadFocus) {
    const { view } = former;
    if (view !== undefined && this.notification.view !== undefined) {
      this.view = view;
      former.view = undefined;
    }
    this.open(this.row, hadFocus);
    this.place.append(...(this.view === undefined ? [] : [this.view.element]));
    this.view?.moveTo(this.notification, { row: this.row, answers: this.answers, rest: this.element }, hadFocus);
    former.element.hidden = true;
    former.view?.close();
  }
}
