// SPDX-License-Identifier: Apache-2.0
import { now } from "./clock.js";
import { h } from "./dom.js";
import { words } from "./words.js";

// A day as fields for a date write it, in the zone of the browser.
function day(moment) {
  const date = new Date(moment);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

// The field for a day, which leads, once one is chosen or Enter is pressed, to the newest row that is not younger. It is
// there while the list has rows of more than one day, as far as it is known, or goes on.
export class Jump {
  // `go` is told the end of the day, in milliseconds since 1970.
  constructor(go) {
    this.go = go;
    this.field = h("input", { type: "date", min: "2000-01-01", keydown: (event) => this.press(event),
      pointerdown: () => { this.isTyping = false; }, change: () => { if (!this.isTyping) this.jump(); } });
    this.element = h("label", { class: "jump", hidden: true }, h("span", {}, words.jump), this.field);
  }

  show(board) {
    const newest = board.find(() => true);
    const isOfOneDay = newest === undefined || day(newest.leading.date) === day(board.last.leading.date);
    this.element.hidden = isOfOneDay && board.isWhole && !this.element.contains(document.activeElement);
    this.field.max = day(now());
  }

  // Each key that changes a part of a date is a change of all of it, so that whoever types says when it is whole.
  press(event) {
    this.isTyping = true;
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.jump();
  }

  jump() {
    const [year, month, date] = this.field.value.split("-").map(Number);
    // One that is half written is none.
    if (year >= 2000) this.go(new Date(year, month - 1, date + 1).getTime());
  }
}
