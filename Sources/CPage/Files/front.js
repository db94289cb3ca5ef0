// SPDX-License-Identifier: Apache-2.0
import { Board } from "./board.js";
import { learnTime } from "./clock.js";
import { ask } from "./feed.js";

// Stacks of an answer: of the newest, which are asked for at each change, and of others at most.
const step = 50;
const mostOfAnswer = 200;

// What the page knows of its owner: the stacks of the list, as far down as somebody has looked, those that wait for a
// summary, and the apps.
export class Front {
  constructor() {
    this.forget();
  }

  forget() {
    this.now = new Board();
    this.upcoming = new Board();
    this.apps = new Map();
    this.answer = { apps: [], unseen: 0, badge: 0, seen: "0" };
  }

  // Asks for the newest stacks, then for what `wishes` names of the others, and for all of them down to the stack of
  // `name`. False if everything was forgotten meanwhile.
  async load(wishes, name) {
    const { now } = this;
    const { doubts } = now;
    const start = Date.now();
    const answer = await ask("GET", `front?limit=${step}`);
    if (now !== this.now) return false;
    learnTime(answer.time, start);
    this.answer = answer;
    this.apps = new Map(answer.apps.map((app) => [app.app, app]));
    now.take(answer, doubts);
    this.upcoming = new Board();
    this.upcoming.take({ stacks: answer.upcoming, next: null }, 0);
    const more = async ({ high, low, limit }) => {
      const { doubts } = now;
      const found = await ask("GET", `front?limit=${limit}&before=${high}`);
      if (now === this.now) now.take(found, doubts, high, low);
      return now === this.now;
    };
    for (const wish of wishes()) if (!await more(wish)) return false;
    while (name !== undefined && !now.isWhole && now.find(({ id }) => id === name) === undefined) {
      if (!await more({ high: now.end, low: 0n, limit: mostOfAnswer })) return false;
    }
    return true;
  }
}
