// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { ending } from "./scene-end.js";
import { styled } from "./scene-place.js";
import { Session } from "./scene-session.js";

// A browser gives a site six connections, of which each view has one for its events.
const mostOpen = 2;
const open = new Set();
const scrolling = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " "];

// A page that is left shows no view.
addEventListener("pagehide", () => { for (const view of [...open]) view.finish("closed"); });

// The view of an app for one of its notifications, in a process of its own, from the moment in which a person opens it.
export class View {
  // `ask` asks the centre; `row` is the element of the notification, whose own texts a view may stand for; `answers`
  // has its buttons, and `rest` takes the focus where a view goes that had it.
  constructor(notification, act, { ask, row, answers, rest }) {
    Object.assign(this, { notification, act, ask, row, answers, rest });
    this.element = h("div");
    this.element.addEventListener("keydown", (event) => this.type(event));
    this.element.addEventListener("focusin", ({ target }) => { this.focused = target; });
    // A row that goes takes its view with it.
    this.watch = new MutationObserver(() => { if (!this.element.isConnected) this.close(); });
  }

  get isOpen() {
    return open.has(this);
  }

  // Opens the view, and has the oldest of several give way.
  async open() {
    if (open.size >= mostOpen) [...open][0].finish("tooMany");
    open.add(this);
    this.watch.observe(document, { childList: true, subtree: true });
    const session = new Session(this, { act: this.act, ask: this.ask,
      ended: (reason) => { if (this.session === session) this.finish(reason); } });
    this.session = session;
    await styled;
    if (this.session !== session) return;
    this.element.replaceChildren(session.box.element);
    session.begin();
  }

  // Brings the row in line with the scene: its own texts, and its buttons.
  settle() {
    const { session, notification: { actions = [], view } } = this;
    this.row.classList.toggle("viewed", view?.hidesDefaultContent === true && session?.hasScene === true);
    this.answers.offer(Array.isArray(session?.actions) ? session.actions : actions);
  }

  // Escape leads from a field to the details, and from there to the row. Keys that scroll a part of the scene are not
  // those of the list.
  type(event) {
    const { target, key, isComposing } = event;
    if (target.matches(".frame, [data-kind=scroll]") && scrolling.includes(key)) event.stopPropagation();
    if (key !== "Escape" || isComposing || target.closest("input, textarea") === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.rest.focus();
  }

  // Goes on in the row of another version of the notification; the element is there already.
  moveTo(notification, places, hadFocus) {
    Object.assign(this, { notification, ...places });
    this.settle();
    this.session?.box.fit();
    if (hadFocus && this.element.contains(this.focused ?? null)) this.focused.focus({ preventScroll: true });
  }

  close() {
    this.finish("closed");
    this.element.remove();
  }

  // Ends the view, and says in its place why it ended, unless that was wished.
  finish(reason) {
    if (!open.delete(this)) return;
    const hadFocus = this.element.contains(document.activeElement);
    const { session } = this;
    this.session = undefined;
    session.close();
    this.watch.disconnect();
    this.settle();
    this.element.replaceChildren(...ending(reason, () => {
      this.rest.focus({ preventScroll: true });
      this.open();
    }));
    if (hadFocus) this.rest.focus({ preventScroll: true });
  }
}
