// SPDX-License-Identifier: Apache-2.0

// A notification interrupts for so long at most where the centre does not say until when, in milliseconds.
const freshness = 30000;
// The centre's clock less the browser's, in milliseconds: every date here is one of the centre's.
let difference = 0;

// Takes the time that an answer names, which was asked for at a moment of the browser's clock and has just come.
export function learnTime(text, asked) {
  const time = Date.parse(text);
  // Half of the way is behind it.
  if (!Number.isNaN(time)) difference = time - (asked + Date.now()) / 2;
}

// The present by the centre's clock, in milliseconds since 1970.
export const now = () => Date.now() + difference;

// True while a notification may interrupt.
export function isFresh({ date, present }) {
  return now() <= (present.until === undefined ? Date.parse(date) + freshness : Date.parse(present.until));
}
