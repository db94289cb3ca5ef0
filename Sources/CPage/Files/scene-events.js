// SPDX-License-Identifier: Apache-2.0

// Events that one request takes, and those that wait at most.
const batch = 16;
const mostWaiting = 64;
const mostTries = 4;
const pause = (time) => new Promise((done) => { setTimeout(done, time); });
// Acts of a person keep their order; other events may come earlier than they were told.
const acts = ["tap", "longPress", "press", "release", "focus", "blur", "submit", "value"];
const isAct = ({ event }) => acts.includes(event);

// The events of one view on their way to the centre: one request at a time, and newer values in the place of those that
// still wait.
export class Events {
  // `send` takes a list of events; `refused` is told why one was not taken, and `gone` that the view is no more.
  constructor({ send, refused, gone }) {
    Object.assign(this, { send, refused, gone });
    this.waiting = [];
    this.last = 0;
    this.isBusy = false;
    this.isOver = false;
  }

  // Adds an event; an event with a value names its part.
  add(body, part) {
    const entry = this.replaceable(body);
    if (entry !== undefined) entry.body = body;
    else if (this.waiting.length < mostWaiting) this.waiting.push({ body, part });
    else return;
    if (part !== undefined) part.pending = Infinity;
    this.flush();
  }

  // The event that waits and says less than a newer one: a former value of the same control, behind which no other act
  // of a person waits, or a former environment.
  replaceable(body) {
    for (const entry of this.waiting.toReversed()) {
      const isSame = body.environment !== undefined ? entry.body.environment !== undefined
        : entry.body.node === body.node && entry.body.event === body.event
          && ["value", "measured", "time"].includes(body.event);
      if (isSame) return entry;
      if (isAct(entry.body) && isAct(body)) return undefined;
    }
    return undefined;
  }

  async flush() {
    if (this.isBusy || this.isOver || this.waiting.length === 0) return;
    this.isBusy = true;
    const entries = this.waiting.splice(0, batch);
    const events = entries.map(({ body }) => ({ seq: this.last += 1, ...body }));
    const isNewer = ({ part }) => this.waiting.some((entry) => entry.part === part);
    entries.forEach((entry, index) => {
      if (entry.part !== undefined && !isNewer(entry)) entry.part.pending = events[index].seq;
    });
    try { await this.deliver(events); } catch (error) {
      // Controls show again what the scene says.
      for (const entry of entries) {
        if (entry.part === undefined || isNewer(entry)) continue;
        entry.part.pending = 0;
        entry.part.redraw();
      }
      this.refused(error);
    }
    this.isBusy = false;
    this.flush();
  }

  // Sends events, several times where nobody answers: the centre knows by their numbers what it has taken.
  async deliver(events) {
    for (let tries = 1; ; tries += 1) {
      try { return await this.send(events); } catch (error) {
        if (this.isOver) return undefined;
        if (error.status === 404 || error.status === 410) return this.gone();
        const isLost = error.status === undefined || error.status === 429 || error.status >= 500;
        if (!isLost || tries === mostTries) throw error;
      }
      await pause(250 * 2 ** tries);
    }
  }

  close() {
    this.isOver = true;
    this.waiting = [];
  }
}
