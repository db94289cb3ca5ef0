// SPDX-License-Identifier: Apache-2.0
import { Board } from "./board.js";
import { arrange, h } from "./dom.js";
import { Stack } from "./list.js";

// Rows are made so far above and below what is in sight, and go again farther away, in pixels.
const near = 1500;
const far = 2000;
// A scrolling is over when nothing moves for so long, in milliseconds.
const still = 150;
// Stacks of an answer, those that are asked for at once of a region, and regions of one load.
const step = 50;
const mostOfAnswer = 200;
const mostOfRegion = 150;
const mostRegions = 4;

// A list of stacks, of which those have elements that are near what is in sight; an empty space stands for the others.
// An element stays as long as its stack is near.
export class StackList {
  // `wish` is called when the list needs more of its board than is known, and `drawn` when a person's scrolling has
  // made rows; one that `asks` has a question at the first row of each app on trial.
  constructor(element, act, { wish = () => {}, drawn = () => {}, asks = false } = {}) {
    this.element = element;
    this.act = act;
    this.wish = wish;
    this.drawn = drawn;
    this.asks = asks;
    this.board = new Board();
    this.lets = () => true;
    this.stacks = new Map();
    this.spaces = new Map();
    // The height of a row that was never made, in pixels.
    this.usual = 130;
    for (const name of ["scroll", "resize"]) addEventListener(name, () => this.plan(), { passive: true });
  }

  // Shows those of the stacks that `lets` lets through.
  show(board, lets) {
    this.board = board;
    this.lets = lets;
    this.draw();
    this.look();
  }

  draw() {
    const next = new Map();
    const spaces = new Map();
    const children = [];
    let place = 0;
    // Apps of which a row was met.
    const met = new Set();
    for (const chunk of this.board.chunks) {
      // A row that a person is at goes nowhere.
      chunk.isFilled ||= chunk.stacks.some(({ id }) => this.stacks.get(id)?.isInUse);
      const start = place;
      for (const data of chunk.stacks) {
        const isShown = this.lets(data);
        const isFirst = isShown && !met.has(data.app);
        if (isShown) {
          place += 1;
          met.add(data.app);
        }
        if (!chunk.isFilled) continue;
        const known = this.stacks.get(data.id);
        // A row that is not let through is kept as it is, and not made.
        if (known === undefined && !isShown) continue;
        const stack = known ?? new Stack(this.act);
        stack.update(data);
        if (this.asks) stack.offer(this.act.app(data.app), isFirst);
        next.set(data.id, stack);
        if (!isShown) continue;
        stack.element.setAttribute("aria-posinset", place);
        children.push(stack.element);
      }
      // A stale chunk of which nothing is known any more may have rows at the centre.
      if (chunk.isFilled || (place === start && !chunk.isStale)) continue;
      const space = this.spaces.get(chunk.high) ?? h("div", { class: "space" });
      space.style.height = `${chunk.height ?? (place - start) * this.usual}px`;
      spaces.set(chunk.high, space);
      children.push(space);
    }
    this.stacks = next;
    this.spaces = spaces;
    arrange(this.element, children);
    // A feed without articles is none.
    if (place > 0) this.element.setAttribute("role", "feed");
    else this.element.removeAttribute("role");
    const size = this.board.isWhole && !this.board.isStale ? place : -1;
    for (const article of children) if (article.matches("article")) article.setAttribute("aria-setsize", size);
  }

  // Looks once a frame.
  plan() {
    this.rest();
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.look();
    });
  }

  // Makes rows that come near, lets those go that are far away, and says what is needed.
  look() {
    if (!this.element.checkVisibility()) return;
    let isChanged = false;
    for (const chunk of this.board.chunks) {
      const box = this.box(chunk);
      if (box === undefined) {
        // A chunk without a row that is shown has no place.
        if (!chunk.isStale && !this.isInUse(chunk)) chunk.isFilled = false;
        continue;
      }
      const distance = Math.max(box.top - innerHeight, -box.bottom);
      if (!chunk.isFilled && distance < near) {
        chunk.isFilled = true;
        isChanged = true;
      } else if (chunk.isFilled && distance > far && !this.isInUse(chunk)) {
        chunk.isFilled = false;
        chunk.height = box.bottom - box.top;
        this.usual = chunk.height / box.rows;
        isChanged = true;
      }
    }
    if (isChanged) {
      this.draw();
      this.isFresh = true;
      this.rest();
      this.drawn();
    }
    const isBusy = this.wishes().length > 0;
    this.element.setAttribute("aria-busy", isBusy);
    if (isBusy) this.wish();
  }

  // Waits for the end of a scrolling that has made rows.
  rest() {
    if (!this.isFresh) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hold(), still);
  }

  // Has the browser hold on to a row, where it has chosen something else while a space was in sight: it chooses anew
  // after each scrolling.
  hold() {
    this.isFresh = false;
    const place = scrollY;
    if (place === 0) return;
    scrollTo(0, place - 1);
    scrollTo(0, place);
  }

  // Returns the place of a chunk in the window; undefined if nothing of it is shown.
  box(chunk) {
    if (!chunk.isFilled) return this.spaces.get(chunk.high)?.getBoundingClientRect();
    const shown = chunk.stacks.map(({ id }) => this.stacks.get(id)?.element).filter((element) => element?.isConnected);
    if (shown.length === 0) return undefined;
    const last = shown.at(-1);
    const bottom = last.nextElementSibling?.getBoundingClientRect().top ?? last.getBoundingClientRect().bottom;
    return { top: shown[0].getBoundingClientRect().top, bottom, rows: shown.length };
  }

  isInUse({ stacks }) {
    return stacks.some(({ id }) => this.stacks.get(id)?.isInUse);
  }

  // The regions of the board that are to be asked for: what is stale of the rows that are made, and what follows the
  // last one once that comes near.
  wishes() {
    if (!this.element.checkVisibility()) return [];
    // The newest are asked for at each change, without a wish.
    const regions = [];
    for (const { high, low, stacks, isStale, isFilled } of this.board.chunks.slice(1)) {
      if (!isStale || !isFilled) continue;
      const former = regions.at(-1);
      if (former?.low === high && former.count + stacks.length <= mostOfRegion) {
        former.low = low;
        former.count += stacks.length;
      } else regions.push({ high, low, count: stacks.length });
    }
    const stale = regions.slice(0, mostRegions).map(({ high, low }) => ({ high, low, limit: mostOfAnswer }));
    // Whoever is below the list needs no more of it.
    const { bottom } = this.element.getBoundingClientRect();
    const isNear = bottom > 0 && bottom < innerHeight + near;
    const isWished = !this.board.isWhole && this.board.chunks.length > 0 && isNear;
    return isWished ? [...stale, { high: this.board.end, low: 0n, limit: step }] : stale;
  }

  // True for the name of a stack that is known and is not let through.
  hides(name) {
    const data = this.board.find(({ id }) => id === name);
    return data !== undefined && !this.lets(data);
  }

  // Brings a notification of a stack before a person; false if it is not there.
  async reveal(id, name, action) {
    const chunk = this.board.chunks.find(({ stacks }) => stacks.some((stack) => stack.id === name));
    if (chunk === undefined) return false;
    chunk.isFilled = true;
    this.draw();
    return this.stacks.get(name)?.reveal(id, action) ?? false;
  }

  // Gives the first row the focus.
  focus() {
    this.look();
    this.stacks.get(this.board.find(this.lets)?.id)?.focus();
  }

  // The element of a notification that leads a stack.
  row(id) {
    return [...this.stacks.values()].find(({ data }) => data.leading.id === id)?.element;
  }
}
