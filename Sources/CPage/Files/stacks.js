// SPDX-License-Identifier: Apache-2.0
import { Board } from "./board.js";
import { arrange, h } from "./dom.js";
import { Stack } from "./list.js";

// Rows are made at once so far above and below what is in sight, a piece in each frame up to `near`, and go again
// farther away than `far`, in pixels.
const close = 400;
const near = 1000;
const far = 1400;
// A scrolling is over when nothing moves for so long, in milliseconds.
const still = 150;
// Stacks of an answer, those that are asked for at once of a region, and regions of one load.
const step = 50;
const mostOfAnswer = 200;
const mostOfRegion = 150;
const mostRegions = 4;

// Sets an attribute that is not so already.
function mark(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

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
    // Where the list was in the window at the last look: to ask for it has the page laid out.
    this.place = { isVisible: true, top: 0, bottom: 0, height: innerHeight };
    const move = () => {
      this.rest();
      this.plan();
    };
    for (const name of ["scroll", "resize"]) addEventListener(name, move, { passive: true });
  }

  // Shows those of the stacks that `lets` lets through.
  show(board, lets) {
    this.board = board;
    this.lets = lets;
    this.foresee();
    this.draw();
    this.plan();
  }

  // Has those made that will be in sight where the list begins there, by heights that are noted or usual: the next look
  // corrects that. What comes while its beginning is farther up moves nothing that is in sight.
  foresee() {
    let { top } = this.place;
    if (top < -close) return;
    for (const chunk of [...this.board.chunks]) {
      if (top > this.place.height + close) return;
      const bottom = top + this.height(chunk);
      if (!chunk.isFilled) this.wake(chunk, { top, bottom }, close);
      top = bottom;
    }
  }

  // The height that a chunk has, or is taken to have.
  height(chunk) {
    return chunk.height ?? chunk.stacks.filter(this.lets).length * this.usual;
  }

  // How far a place is out of sight, in pixels; negative for what is in sight.
  distance({ top, bottom }) {
    return Math.max(top - this.place.height, -bottom);
  }

  // Marks those pieces of a chunk as drawn that are nearer than a distance, at most so many; returns how many.
  wake(chunk, { top, bottom }, reach, most = Infinity) {
    if (this.distance({ top, bottom }) >= reach) return 0;
    const rows = chunk.stacks.length;
    let count = 0;
    let start = top;
    for (const piece of this.board.cut(chunk)) {
      const end = rows === 0 ? bottom : start + (bottom - top) * piece.stacks.length / rows;
      if (count < most && this.distance({ top: start, bottom: end }) < reach) {
        piece.isFilled = true;
        count += 1;
      }
      start = end;
    }
    return count;
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
        mark(stack.element, "aria-posinset", place);
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
    for (const article of children) if (article.matches("article")) mark(article, "aria-setsize", size);
  }

  // Looks once a frame.
  plan() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.look();
    });
  }

  // Makes rows that come near, lets those go that are far away, and says what is needed.
  look() {
    const { top, bottom } = this.element.getBoundingClientRect();
    this.place = { isVisible: this.element.checkVisibility(), top, bottom, height: innerHeight };
    if (!this.place.isVisible) return;
    // All places are asked for before anything is changed, which lays the page out once.
    const boxes = this.board.chunks.map((chunk) => [chunk, this.box(chunk)]);
    let isChanged = false;
    let hasGone = false;
    const inUse = boxes.map(([chunk]) => chunk.isFilled && this.isInUse(chunk));
    for (const [index, [chunk, box]] of boxes.entries()) {
      if (box === undefined) {
        // A chunk without a row that is shown has no place.
        if (!chunk.isStale && !inUse[index]) chunk.isFilled = false;
        continue;
      }
      if (!chunk.isFilled) {
        if (this.wake(chunk, box, close) > 0) isChanged = true;
        continue;
      }
      chunk.height = box.bottom - box.top;
      // Keys lead from a row that a person is at to the next one.
      const isKept = inUse[index] || inUse[index - 1] || inUse[index + 1];
      if (this.distance(box) <= far || isKept) continue;
      chunk.isFilled = false;
      this.usual = chunk.height / box.rows;
      isChanged = true;
      hasGone = true;
    }
    if (hasGone) this.board.join();
    // What is out of sight is made while there is nothing else to make.
    const isAhead = !isChanged && boxes.some(([chunk, box]) =>
      box !== undefined && !chunk.isFilled && this.wake(chunk, box, near, 1) > 0);
    if (isChanged || isAhead) {
      this.draw();
      this.isFresh = true;
      this.rest();
      this.plan();
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
    const { isVisible, bottom, height } = this.place;
    if (!isVisible) return [];
    const regions = [];
    for (const { high, low, stacks, isStale, isFilled } of this.board.chunks) {
      // The newest are asked for at each change, without a wish.
      if (!isStale || !isFilled || low >= this.board.floor) continue;
      const former = regions.at(-1);
      if (former?.low === high && former.count + stacks.length <= mostOfRegion) {
        former.low = low;
        former.count += stacks.length;
      } else regions.push({ high, low, count: stacks.length });
    }
    const stale = regions.slice(0, mostRegions).map(({ high, low }) => ({ high, low, limit: mostOfAnswer }));
    // Whoever is below the list needs no more of it.
    const isNear = bottom > 0 && bottom < height + near;
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
    return this.made(name)?.reveal(id, action) ?? false;
  }

  // Gives the first row the focus.
  focus() {
    this.made(this.board.find(this.lets)?.id)?.focus();
  }

  // Returns a stack, whose row is made where it was not; undefined if it is not known.
  made(name) {
    const has = ({ stacks }) => stacks.some(({ id }) => id === name);
    const chunk = this.board.chunks.find(has);
    if (chunk !== undefined && !chunk.isFilled) {
      this.board.cut(chunk).find(has).isFilled = true;
      this.draw();
    }
    return this.stacks.get(name);
  }

  // The element of a notification that leads a stack.
  row(id) {
    return [...this.stacks.values()].find(({ data }) => data.leading.id === id)?.element;
  }
}
