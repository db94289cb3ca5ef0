// SPDX-License-Identifier: Apache-2.0
import { Answers } from "./answers.js";
import { h } from "./dom.js";
import { Hold } from "./hold.js";
import { appIcon, texts, when } from "./list.js";
import { thumbnail } from "./media.js";
import { words } from "./words.js";

// The texts of a notification as a lock view is told them: those in the place of hidden ones, or its own.
export function toldTexts(notification) {
  const { hidden } = notification;
  if (hidden === undefined) return texts(notification);
  return { title: hidden.title ?? "", subtitle: hidden.subtitle ?? "", body: hidden.placeholder };
}

// A row of the lock view: the newest notification of a stack, and a line for the others.
export class LockRow {
  constructor(act) {
    this.act = act;
    this.element = h("article", { tabindex: -1 });
  }

  // Shows the newest of some notifications; `text` names all that the row depends on.
  update(items, line, text) {
    // A text that is being written, or something that is held, stays while what is told stays.
    const [notification] = items;
    const told = JSON.stringify([notification, this.act.app(notification.app)]);
    const isSame = told === this.told;
    if (isSame && (this.answers.isWriting || this.hold?.isOpen)) return;
    this.hold?.end();
    this.text = text;
    this.id = notification.id;
    this.told = told;
    const app = this.act.app(notification.app);
    this.app = app.name ?? app.app;
    const { title, subtitle, body } = toldTexts(notification);
    this.speech = [this.app, title || body].filter((part) => part !== "").join(": ");
    this.isUrgent = ["time-sensitive", "critical"].includes(notification.level);
    const former = this.answers;
    this.answers = new Answers(notification, this.act, { isLocked: true, others: [
      h("button", { click: () => this.dismiss(notification) }, words.dismiss)] });
    const hadFocus = this.element.contains(document.activeElement);
    this.element.setAttribute("aria-label", this.speech);
    this.element.classList.toggle("stack", items.length > 1);
    this.element.replaceChildren(h("div", { class: "notification row", role: "group", "data-level": notification.level,
      tabindex: 0, "aria-label": this.speech },
      h("header", {}, h("span", { class: "app", title: notification.app }, appIcon(app), h("bdi", {}, this.app)),
        h("time", { datetime: notification.date }, when(notification.date))),
      thumbnail(notification) ?? "",
      title && h("h2", { dir: "auto" }, title),
      subtitle && h("p", { class: "subtitle", dir: "auto" }, subtitle),
      body && h("p", { class: "body", dir: "auto" }, body),
      this.answers.element),
    ...(line === "" ? [] : [h("footer", {}, h("span", { dir: "auto" }, line))]));
    if (former?.isWriting) this.answers.resume(former, hadFocus);
    else if (hadFocus) this.element.firstElementChild.focus({ preventScroll: true });
  }

  // Goes after a while, in which it can be taken back.
  dismiss(notification) {
    if (this.hold?.isOpen) return;
    this.hold = new Hold(this.element, words.dismissed, () => this.act.dismiss(notification));
  }
}
