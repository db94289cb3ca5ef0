// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { words } from "./words.js";

// Whoever is farther down than that does not see what comes on top, in pixels.
const away = 200;

// A button that counts the notifications that have come above while a person is farther down in the list, and leads to
// the top. The list itself stays where it is.
export class Pill {
  // `lead` brings a person to the first row.
  constructor(lead) {
    this.lead = lead;
    this.count = 0;
    // Kept, since asking the page where it is has it lay out all that has changed.
    this.isAway = scrollY > away;
    this.button = h("button", { class: "pill", hidden: true, click: () => this.press() });
    this.element = h("div", { class: "pills" }, this.button);
    addEventListener("scroll", () => {
      this.isAway = scrollY > away;
      if (!this.isAway) this.forget();
    }, { passive: true });
  }

  add() {
    if (!this.isAway) return;
    this.count += 1;
    this.button.textContent = words.fresh(this.count);
    this.button.hidden = false;
  }

  forget() {
    this.count = 0;
    this.button.hidden = true;
  }

  // The first row has the focus of the button, which goes.
  press() {
    scrollTo(0, 0);
    this.lead();
    this.forget();
  }
}
