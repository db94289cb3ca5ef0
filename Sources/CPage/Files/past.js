// SPDX-License-Identifier: Apache-2.0
import { arrange, h } from "./dom.js";
import { Hold } from "./hold.js";
import { look, parts, texts } from "./list.js";
import { inTurn } from "./turn.js";
import { words } from "./words.js";

// Rows that are loaded at first and by each press on “Show older”, and those of one answer.
const step = 50;
const mostOfAnswer = 200;

// A notification that was dismissed or answered. A person brings it back, or has it go for good after a while in which
// that can be taken back.
class PastRow {
  constructor(item, act, changed) {
    this.item = item;
    this.act = act;
    this.changed = changed;
    this.text = look(item, act);
    const { title, body } = texts(item);
    this.element = h("div", { class: "past", role: "group", tabindex: -1,
      "aria-label": title || body || (act.app(item.app).name ?? item.app) }, parts(item, act),
      h("p", { class: "end" }, item.answered ? words.wasAnswered : words.wasDismissed),
      h("div", { class: "actions" }, h("button", { click: () => this.restore() }, words.restore),
        h("button", { class: "destructive", click: () => this.forget() }, words.forget)));
  }

  get isHeld() {
    return this.hold?.isOpen ?? false;
  }

  // A second press before the first has its answer would only hear that it is gone.
  async restore() {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await this.act.restore(this.item);
      await this.changed();
    } finally {
      this.isBusy = false;
    }
  }

  forget() {
    if (this.isHeld) return;
    this.hold = new Hold(this.element, words.forgotten, async () => {
      await this.act.forget(this.item);
      await this.changed();
    });
  }
}

// The history, below the list: what was dismissed or answered within a day. It is loaded when a person opens it, and
// follows what happens from then on.
export class Past {
  constructor(act) {
    this.act = act;
    this.rows = new Map();
    this.wished = step;
    this.list = h("div");
    this.none = h("p", { class: "none", hidden: true }, words.noHistory);
    this.more = h("button", { hidden: true, click: () => this.grow() }, words.older);
    this.all = h("button", { class: "destructive", hidden: true, click: () => this.confirm(true) }, words.forgetAll);
    this.keep = h("button", { click: () => this.confirm(false) }, words.keep);
    this.sure = h("div", { class: "sure", role: "group", "aria-label": words.forgetAll, hidden: true,
      keydown: (event) => this.press(event) }, h("p", {}, words.sure), h("div", { class: "actions" }, this.keep,
      h("button", { class: "destructive", click: () => this.forgetAll() }, words.forgetAll)));
    this.foot = h("div", { class: "actions" }, this.more, this.all);
    this.summary = h("summary", {}, words.history);
    this.element = h("details", { class: "history", toggle: () => this.turn() }, this.summary, this.none, this.list,
      this.foot, this.sure);
    this.load = inTurn(() => this.read());
  }

  // Opened, it is loaded; closed, it keeps only what waits to be taken back.
  turn() {
    if (this.element.open) return this.load();
    this.wished = step;
    this.foot.hidden = false;
    this.sure.hidden = true;
    this.show([...this.rows.values()].filter((row) => row.isHeld).map(({ item }) => item), null);
    this.none.hidden = true;
    return undefined;
  }

  close() {
    this.element.open = false;
    this.turn();
  }

  // Reads as many rows as a person wishes to see, the newest first; undefined where nothing answers, or nobody looks.
  async read() {
    const items = [];
    let before;
    do {
      if (!this.element.open) return undefined;
      const page = await this.act.past(Math.min(mostOfAnswer, this.wished - items.length), before);
      if (page === undefined) return undefined;
      items.push(...page.items);
      before = page.next;
    } while (before !== null && items.length < this.wished);
    if (this.element.open) this.show(items, before);
    return items;
  }

  show(items, next) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : undefined;
    this.rows = new Map(items.map((item) => {
      const known = this.rows.get(item.id);
      const isKept = known !== undefined && (known.isHeld || known.text === look(item, this.act));
      return [item.id, isKept ? known : new PastRow(item, this.act, () => this.load())];
    }));
    arrange(this.list, [...this.rows.values()].map(({ element }) => element));
    this.none.hidden = items.length > 0;
    this.more.hidden = next === null;
    this.all.hidden = items.length === 0;
    // The next row has the focus of one that is gone, and without rows what opens them.
    const isLost = focused !== undefined && !focused.checkVisibility() && !this.list.contains(document.activeElement);
    if (isLost) this.summary.focus();
  }

  // The first of the older rows has the focus, where the button may go.
  async grow() {
    const count = this.rows.size;
    this.wished = count + step;
    if (await this.load() === undefined) return;
    [...this.rows.values()][count]?.element.focus();
  }

  // Asks once more: what goes with all of it cannot be told one by one, nor taken back.
  confirm(isAsked) {
    this.foot.hidden = isAsked;
    this.sure.hidden = !isAsked;
    const next = isAsked ? this.keep : this.all;
    (next.hidden ? this.summary : next).focus();
  }

  press(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    this.confirm(false);
  }

  async forgetAll() {
    this.summary.focus();
    this.sure.hidden = true;
    this.foot.hidden = false;
    await this.act.forget();
    await this.load();
  }
}
