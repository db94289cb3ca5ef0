// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { words } from "./words.js";

// Texts that were begun, by the notifications that they answer. They live in memory alone, and an update of the
// notification keeps them.
const drafts = new Map();
const mostDrafts = 64;

export const forgetDrafts = () => drafts.clear();
export const hasDrafts = () => drafts.size > 0;

// Signs beside the name of an action, by its options. Not every machine has a letter for a padlock.
const signs = {
  authenticationRequired: () => h("span", { class: "padlock", "aria-hidden": "true" }),
  foreground: () => h("span", { "aria-hidden": "true" }, " ↗"),
};

// The buttons by which a person answers a notification, and the field in their place while a text is being written.
export class Answers {
  // The first `most` of the app's actions are offered, and `others` behind them; `answered` is called once the centre
  // has taken an answer. Whoever stands at a lock view opens nothing, and hears of an action that asks for
  // authentication what comes first.
  constructor(notification, act, { most, others = [], answered = () => {}, isLocked = false } = {}) {
    this.notification = notification;
    this.act = act;
    this.answered = answered;
    this.isLocked = isLocked;
    this.isBusy = false;
    this.key = JSON.stringify([notification.app, notification.identifier ?? notification.id]);
    this.actions = (notification.actions ?? []).slice(0, most);
    const open = isLocked ? undefined : h("button", { click: () => this.respond("default") }, words.open);
    this.buttons = this.actions.map((action) => this.button(action));
    this.row = h("div", { class: "actions" }, open, this.buttons, others);
    this.element = h("div", {}, this.row);
  }

  // Offers other actions of the app behind “Open”, as its view wants them.
  offer(actions) {
    if (JSON.stringify(actions) === JSON.stringify(this.actions)) return;
    const hadFocus = this.buttons.includes(document.activeElement);
    for (const button of this.buttons) button.remove();
    this.actions = actions;
    this.buttons = actions.map((action) => this.button(action));
    this.row.firstElementChild.after(...this.buttons);
    if (hadFocus) this.row.firstElementChild.focus({ preventScroll: true });
  }

  button(action) {
    const options = action.options ?? [];
    const isDestructive = options.includes("destructive");
    return h("button", { class: isDestructive && "destructive", click: () => this.choose(action) },
      h("bdi", { dir: "auto" }, action.title || action.identifier),
      isDestructive ? h("span", { class: "spoken" }, ` (${words.destructive})`) : undefined,
      options.filter((option) => Object.hasOwn(signs, option)).map((option) => signs[option]()));
  }

  // True while a text is being written, which no change of the list may take away.
  get isWriting() {
    return this.form !== undefined;
  }

  choose(action) {
    if (this.isLocked && action.options?.includes("authenticationRequired")) return this.act.locked();
    return action.text === undefined ? this.respond(action.identifier) : this.write(action);
  }

  // One thing at a time: a second press before the first has its answer would only hear that it is too late.
  async once(body) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.element.setAttribute("aria-busy", "true");
    try { await (this.turn = body()); } finally {
      this.isBusy = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  respond(action, text) {
    return this.once(async () => {
      if (!await this.act.respond(this.notification, action, text)) return;
      drafts.delete(this.key);
      this.answered();
      // A view may have taken the text, and the row stays, or a newer version of it.
      const { heir = this } = this;
      if (text !== undefined && heir.isWriting && heir.element.isConnected) heir.stop();
    });
  }

  // A field in the place of the buttons: Enter sends, Shift and Enter break the line, Escape brings the buttons back. A
  // text that was begun is there again.
  write(action, takesFocus = true) {
    if (this.isWriting) return this.input.focus();
    this.writes = action.identifier;
    this.input = h("textarea", { rows: 1, maxlength: 16384, "aria-label": action.title || action.identifier,
      placeholder: action.text.placeholder, input: () => this.keepDraft() });
    this.input.value = drafts.get(this.key) ?? "";
    this.form = h("form", { submit: (event) => {
      event.preventDefault();
      this.respond(action.identifier, this.input.value);
    } }, this.input, h("button", {}, action.text.button || words.send));
    this.input.addEventListener("keydown", (event) => this.type(event));
    this.row.replaceWith(this.form);
    if (takesFocus) this.input.focus();
  }

  type(event) {
    // A browser that composes a character sends its keys as 229.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") {
      // A banner that the field is in stays.
      event.stopPropagation();
      this.stop();
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.form.requestSubmit();
  }

  // Brings the buttons back.
  stop() {
    const hadFocus = this.form.contains(document.activeElement);
    this.form.replaceWith(this.row);
    this.form = undefined;
    if (hadFocus) this.row.firstElementChild.focus();
    this.act.refresh();
  }

  keepDraft() {
    drafts.delete(this.key);
    if (this.input.value === "") return;
    drafts.set(this.key, this.input.value);
    if (drafts.size > mostDrafts) drafts.delete(drafts.keys().next().value);
  }

  // Goes on with the text that was being written at a former version of the notification.
  resume(former, hadFocus) {
    if (!former.isWriting) return;
    const action = this.actions.find(({ identifier, text }) => identifier === former.writes && text !== undefined);
    if (action === undefined) return;
    this.write(action, hadFocus);
    former.heir = this;
    // One whose words are hidden meanwhile has another key.
    this.input.value = former.input.value;
    this.keepDraft();
    this.input.setSelectionRange(former.input.selectionStart, former.input.selectionEnd);
  }
}
