// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { words } from "./words.js";

// The time in which a person can take back what was put away, in milliseconds.
const patience = 5000;
// Holds, in the order in which they began.
const all = new Set();

// A wish that is not sent yet: a line with “Undo” stands in the place of an element until the time is over. Whoever
// leaves the page has it sent at once; nobody hears of one that is taken back.
export class Hold {
  constructor(element, text, send) {
    this.element = element;
    this.send = send;
    this.button = h("button", { click: () => this.undo() }, words.undo);
    this.line = h("p", { class: "undo" }, h("span", {}, text), this.button);
    const hadFocus = element.contains(document.activeElement);
    element.classList.add("held");
    element.append(this.line);
    if (hadFocus) this.button.focus({ preventScroll: true });
    this.timer = setTimeout(() => this.end(), patience);
    all.add(this);
  }

  get isOpen() {
    return all.has(this);
  }

  // Does what was wished; a row that cannot be put away is there again.
  async end() {
    clearTimeout(this.timer);
    if (!all.delete(this)) return;
    await this.send();
    this.restore();
  }

  undo() {
    clearTimeout(this.timer);
    all.delete(this);
    this.restore();
  }

  restore() {
    const hadFocus = this.line.contains(document.activeElement);
    this.element.classList.remove("held");
    this.line.remove();
    if (!hadFocus || !this.element.isConnected) return;
    (this.element.querySelector(".notification") ?? this.element).focus({ preventScroll: true });
  }
}

export const undoLast = () => [...all].at(-1)?.undo();

// Sends all that is held.
export const endHolds = () => Promise.all([...all].map((hold) => hold.end()));

// Sends nothing of it: the session is over.
export const dropHolds = () => { for (const hold of all) hold.undo(); };

addEventListener("pagehide", () => { endHolds(); });
