// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { undoLast } from "./hold.js";
import { cardOf } from "./list.js";
import { isWished, onWish, wish } from "./wishes.js";
import { words } from "./words.js";

// The keys of the list. One of its rows is reached by Tab, and from there all others.
export class Keys {
  constructor(main, { banners, settings, filter, search }) {
    this.main = main;
    this.settings = settings;
    this.banners = banners;
    this.filter = filter;
    this.search = search;
    this.help = this.makeHelp();
    addEventListener("keydown", (event) => this.press(event));
    main.addEventListener("focusin", (event) => {
      const row = event.target.closest(".notification");
      if (row !== null) this.settle(row);
    });
  }

  rows() {
    return [...this.main.querySelectorAll(".notification")].filter((row) => row.checkVisibility());
  }

  // Has Tab reach one row: this one, else the one that it reached before, else the first.
  settle(row = this.current) {
    const rows = [...this.main.querySelectorAll(".notification")];
    // Asked of the elements: to ask for their look has the page laid out at each draw.
    const isShown = (other) => other.parentElement.closest("[hidden], .held, details:not([open])") === null;
    this.current = rows.includes(row) && isShown(row) ? row : rows.find(isShown);
    for (const other of rows) {
      const index = other === this.current ? 0 : -1;
      if (other.tabIndex !== index) other.tabIndex = index;
    }
  }

  press(event) {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.closest("textarea, input, select, audio, video") !== null) return;
    if (this.help.matches(":popover-open")) return;
    if (key.length === 1 && !isWished("letters")) return;
    const row = target.closest(".notification");
    const card = row === null ? undefined : cardOf(row);
    if (this.act(event, key, row, card)) event.preventDefault();
  }

  // Does what a key stands for; false if it stands for nothing here.
  act(event, key, row, card) {
    switch (key) {
    case "ArrowDown": case "j": return this.move(row, 1);
    case "ArrowUp": case "k": return this.move(row, -1);
    case "PageDown": return row !== null && this.move(row, 1);
    case "PageUp": return row !== null && this.move(row, -1);
    case "u": return undoLast() ?? true;
    case "d": return this.settings.openQuiet();
    case "b": return this.banners.focus();
    case "s": return this.search.focus();
    case "/": return this.filter.focus();
    case "?": return this.help.togglePopover() || true;
    case "Escape": return card?.details.close() || this.leave(event.target, row);
    default: return card !== undefined && this.answer(event, key, row, card);
    }
  }

  answer({ target, shiftKey }, key, row, card) {
    const { answers, stack } = card;
    const isHeld = card.hold?.isOpen || stack.hold?.isOpen;
    if (isHeld) return false;
    const number = Number(key);
    switch (key) {
    case "Enter": return target === row && answers.respond("default") !== undefined;
    case "ArrowRight": return stack.isOpenable && stack.turn(true) !== undefined;
    case "ArrowLeft": return stack.isOpen && stack.turn(false).then(() => stack.focus()) !== undefined;
    case "i": return card.turnDetails() ?? true;
    case "Delete": return (shiftKey ? stack.clear() : card.dismiss()) ?? true;
    case "r": {
      const action = answers.actions.find(({ text }) => text !== undefined);
      return action !== undefined && (answers.write(action) ?? true);
    }
    default: {
      const action = number >= 1 && number <= 9 ? answers.actions[number - 1] : undefined;
      if (action === undefined) return false;
      answers.choose(action);
      return true;
    }
    }
  }

  move(row, distance) {
    const rows = this.rows();
    const next = row === null ? rows.indexOf(this.current) : rows.indexOf(row) + distance;
    const found = rows[Math.max(0, Math.min(next, rows.length - 1))];
    found?.focus({ preventScroll: true });
    found?.scrollIntoView({ block: "nearest" });
    return found !== undefined;
  }

  // From what is in a row to the row, from a row to the heading, and elsewhere the newest banner is put away.
  leave(target, row) {
    if (row === null) return this.banners.putAway();
    (target === row ? document.querySelector("h1") : row).focus();
    return true;
  }

  // The list of the keys, and a switch for those that are letters.
  makeHelp() {
    const letters = h("input", { type: "checkbox", change: () => wish("letters", letters.checked) });
    const update = () => { letters.checked = isWished("letters"); };
    onWish(update);
    update();
    return h("section", { class: "help", popover: "auto", tabindex: -1, autofocus: true, "aria-label": words.keys },
      h("h2", {}, words.keys),
      h("dl", {}, Object.entries(words.keyNames).map(([names, what]) =>
        h("div", {}, h("dt", {}, names.split(" ").map((name) => h("kbd", {}, name))), h("dd", {}, what)))),
      h("label", {}, letters, words.letters));
  }
}
