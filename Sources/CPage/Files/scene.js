// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { ending } from "./scene-end.js";
import { styled } from "./scene-place.js";
import { Session } from "./scene-session.js";
import { holdFree, holdOthers, onAsked } from "./scene-stream.js";

const open = new Set();
const scrolling = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " "];

// A page that is left shows no view.
addEventListener("pagehide", () => { for (const view of [...open]) view.finish("closed"); });

// A view that nobody sees gives way to one in another tab.
onAsked((name) => [...open].find(({ held }) => held?.name === name)?.finish("tooMany"));

// Returns a lock for one more view, or undefined. The oldest view of this tab gives way before one of another tab does.
async function holdOne() {
  const free = await holdFree();
  if (free !== undefined) return free;
  const oldest = [...open].find(({ held }) => held !== undefined);
  if (oldest === undefined) return holdOthers();
  const { held } = oldest;
  oldest.held = undefined;
  oldest.finish("tooMany");
  return held;
}

// The view of an app for one of its notifications, in a process of its own, from the moment in which a person opens it.
export class View {
  // `ask` asks the centre; `row` is the element of the notification, whose own texts a view may stand for; `answers`
  // has its buttons, and `rest` takes the focus where a view goes that had it.
  constructor(notification, act, { ask, row, answers, rest }) {
    Object.assign(this, { notification, act, ask, row, answers, rest });
    this.element = h("div");
    this.element.addEventListener("keydown", (event) => this.type(event));
    this.element.addEventListener("focusin", ({ target }) => { this.focused = target; });
    // A part that loses the focus because its row is made anew has it back by then.
    this.element.addEventListener("focusout", () => setTimeout(() => {
      if (!this.element.contains(document.activeElement)) this.focused = undefined;
    }));
    // A row that goes takes its view with it.
    this.watch = new MutationObserver(() => { if (!this.element.isConnected) this.close(); });
  }

  get isOpen() {
    return open.has(this);
  }

  // Opens the view, as soon as the browser has a connection for it.
  async open() {
    open.add(this);
    this.reason = undefined;
    this.watch.observe(document, { childList: true, subtree: true });
    const session = new Session(this, { act: this.act, ask: this.ask,
      ended: (reason) => { if (this.session === session) this.finish(reason); } });
    this.session = session;
    await styled;
    if (this.session !== session) return undefined;
    this.element.replaceChildren(session.box.element);
    const held = await holdOne();
    if (this.session !== session) return held?.free();
    if (held === undefined) return this.finish("tooMany");
    this.held = held;
    return session.begin();
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

  // Goes on in the row of another version of the notification; the element is there already. A view that has ended with
  // its host is opened anew: whoever delivers another version runs views again.
  moveTo(notification, places, hadFocus) {
    const isNewer = notification.id !== this.notification.id;
    Object.assign(this, { notification, ...places });
    this.settle();
    if (isNewer && this.reason === "gone") return this.open();
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
    this.reason = reason;
    const hadFocus = this.element.contains(document.activeElement);
    const { session } = this;
    this.session = undefined;
    session.close();
    this.held?.free();
    this.held = undefined;
    this.watch.disconnect();
    this.settle();
    this.element.replaceChildren(...ending(reason, () => {
      this.rest.focus({ preventScroll: true });
      this.open();
    }));
    if (hadFocus) this.rest.focus({ preventScroll: true });
  }
}
