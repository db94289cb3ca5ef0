// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { renewed } from "./list.js";
import { inTurn } from "./turn.js";
import { words } from "./words.js";

// Rows that are shown at first and by each press on “Show older”, and those of one answer.
const step = 50;
const mostOfAnswer = 200;
// The time between two questions, and behind one that took several answers, in milliseconds.
const pause = 300;
const longPause = 3000;
// A row that is found stands for itself, whatever its stack is.
const alone = { isOpenable: false, isOpen: false, clear: () => {} };

// The field for a text that is sought in the list. What is found stands in the place of the list, the newest first,
// with all that a row has, until the field is empty again.
export class Search {
  // `topic` tells the app whose rows are sought alone, or an empty text; `turned` is called when what is found takes
  // the place of the list, and when it goes.
  constructor(act, topic, turned) {
    this.act = act;
    this.topic = topic;
    this.turned = turned;
    this.wished = step;
    this.cards = new Map();
    this.field = h("input", { type: "search", maxlength: 200, autocomplete: "off",
      input: () => this.change(), keydown: (event) => this.press(event) });
    this.element = h("label", { class: "search", hidden: true }, h("span", {}, words.search), this.field);
    this.count = h("p", { class: "note" });
    this.list = h("div", { class: "rows" });
    this.more = h("button", { hidden: true, click: () => this.grow() }, words.older);
    this.results = h("section", { class: "results", hidden: true, "aria-label": words.results }, this.count, this.list,
      this.more);
    this.load = inTurn(() => this.read(), () => (this.isLong && this.told !== undefined ? longPause : pause));
  }

  get text() {
    return this.field.value.trim();
  }

  get isOpen() {
    return this.text !== "";
  }

  // Shows the field while the list has something to seek in, or the field has a text.
  show(apps) {
    this.element.hidden = !this.isOpen && !apps.some(({ stored }) => stored > 0);
    if (this.isOpen) this.load();
  }

  focus() {
    if (this.element.hidden) return false;
    this.field.focus();
    return true;
  }

  change() {
    this.wished = step;
    this.told = undefined;
    if (!this.isOpen) return this.end();
    this.count.textContent = "…";
    this.results.setAttribute("aria-busy", true);
    return this.load();
  }

  // The list is there again.
  end() {
    this.field.value = "";
    this.cards.clear();
    this.list.replaceChildren();
    this.results.hidden = true;
    this.turned();
  }

  // Asks for as many rows as are wished; undefined where nothing answers, or nothing is sought any more.
  async read() {
    const { text } = this;
    const items = [];
    let before = null;
    let count = 0;
    do {
      count += 1;
      this.isLong = count > 1;
      if (!this.isOpen) return undefined;
      // Another text stands there by now, and is asked for next.
      if (text !== this.text) return items;
      const limit = Math.min(mostOfAnswer, this.wished - items.length);
      const page = await this.act.search(text, this.topic(), limit, before);
      if (page === undefined) return undefined;
      items.push(...page.items);
      before = page.next;
    } while (before !== null && items.length < this.wished);
    if (text === this.text) this.take(text, items, before);
    return items;
  }

  take(text, items, next) {
    const { next: found, settle } = renewed(this.cards, items, this.act, alone);
    // A row at which a person is stays behind the others when newer ones have taken its place in the answer.
    const last = items.at(-1)?.id;
    const kept = next === null ? [] : [...this.cards].filter(([id, card]) => BigInt(id) < BigInt(last) && card.isInUse
      && !items.some((item) => card.isDraftOf(item)));
    this.cards = new Map([...found, ...kept]);
    this.count.textContent = items.length === 0 ? words.notFound : words.found(items.length, next !== null);
    this.more.hidden = next === null;
    this.results.hidden = false;
    arrange(this.list, [...this.cards.values()].map(({ element }) => element));
    settle();
    this.results.setAttribute("aria-busy", false);
    this.turned();
    if (this.told !== text) this.act.tell(this.count.textContent);
    this.told = text;
  }

  // The first of the older rows has the focus, where the button may go.
  async grow() {
    const count = this.cards.size;
    this.wished = count + step;
    if (await this.load() === undefined) return;
    [...this.cards.values()][count]?.element.focus();
  }

  // Escape brings the list back, and an arrow or Enter leads to the first row.
  press(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.end();
      document.querySelector("h1").focus();
    } else if (["ArrowDown", "Enter"].includes(event.key)) {
      event.preventDefault();
      this.list.querySelector(".notification")?.focus();
    }
  }
}
