// SPDX-License-Identifier: Apache-2.0
import { words } from "./words.js";

// The time that the newest row is in sight of a person before it counts as seen, in milliseconds.
const glance = 1000;

// The time between two changes of the signs, in milliseconds: a browser tells each to other processes.
const pause = 500;

// Signs of the page where nobody looks at it: its title, its icon in the tab, and the badge of the app that a
// browser makes of it.
export class Badge {
  constructor() {
    this.icon = document.querySelector("link[rel=icon]");
    this.show(0, 0);
  }

  // `unseen` is the number of notifications above the read mark, and `badge` the sum of those of the apps. What comes
  // soon behind the last change is shown a while after that.
  show(unseen, badge) {
    this.wished = { unseen, badge };
    this.timer ??= this.change();
  }

  // Shows what is wished, and returns the timer of the next change.
  change() {
    const { unseen, badge } = this.wished;
    document.title = unseen > 0 ? `(${unseen}) ${words.title}` : words.title;
    const address = unseen > 0 ? "/unseen.svg" : "/icon.svg";
    if (this.icon.getAttribute("href") !== address) this.icon.setAttribute("href", address);
    // Browsers without badges, and those in which the page is no app, say so.
    const set = badge > 0 ? navigator.setAppBadge?.(badge) : navigator.clearAppBadge?.();
    set?.catch(() => {});
    return setTimeout(() => {
      this.timer = this.wished.unseen === unseen && this.wished.badge === badge ? undefined : this.change();
    }, pause);
  }
}

// Sets the read mark once a person has had the newest row in sight.
export class Sight {
  // `element` finds the row of the newest notification, and `mark` takes its id.
  constructor(element, mark) {
    this.element = element;
    this.mark = mark;
    for (const name of ["focus", "scroll", "resize"]) addEventListener(name, () => this.look(), { passive: true });
    document.addEventListener("visibilitychange", () => this.look());
  }

  // The newest row above the read mark is to be seen; the first stack has the newest one. The mark covers
  // all that is below it, and so waits while one above it is in a stack that `lets` does not let through, or may be.
  expectNewest(board, seen, lets, letsAll) {
    const mark = BigInt(seen);
    let newest;
    for (const stack of board) {
      if (BigInt(stack.leading.id) <= mark) return this.expect(newest);
      if (letsAll) return this.expect(stack.leading.id);
      if (!lets(stack)) return this.expect(undefined);
      newest ??= stack.leading.id;
    }
    return this.expect(board.isWhole ? newest : undefined);
  }

  // The newest notification that is not seen yet, if there is one.
  expect(id) {
    if (id === this.id) return;
    this.id = id;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.look();
  }

  get isInSight() {
    if (document.visibilityState !== "visible" || !document.hasFocus()) return false;
    const box = this.element(this.id)?.getBoundingClientRect();
    return box !== undefined && box.top < innerHeight && box.bottom > 0;
  }

  // Looks at the next frame, for which the page is laid out anyway.
  look() {
    if (this.id === undefined) return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.begin();
    });
  }

  begin() {
    if (this.id === undefined || this.timer !== undefined || !this.isInSight) return;
    const { id } = this;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (id === this.id && this.isInSight) this.mark(id);
    }, glance);
  }
}
