// SPDX-License-Identifier: Apache-2.0
import { Board } from "./board.js";
import { learnTime } from "./clock.js";
import { ask } from "./feed.js";

// Stacks of an answer: of the newest, which are asked for at each change, and of others at most.
const step = 50;
const mostOfAnswer = 200;

// An app or an owner without what changes with each notification.
const rest = ({ badge, stored, seen, ...others }) => JSON.stringify(others);

// The page's knowledge of its owner: the stacks of the list, as far down as somebody has looked, those that wait for a
// summary, and the apps.
export class Front {
  constructor() {
    this.forget();
  }

  forget() {
    this.now = new Board();
    this.upcoming = new Board();
    this.apps = new Map();
    this.owner = undefined;
    this.answer = { apps: [], unseen: 0, badge: 0, seen: "0" };
  }

  // True if an event changes no stack but the newest ones, which are asked for at each event.
  knows(name, data) {
    if (name === "delivered") return data.replaces === undefined;
    if (name === "removed") return this.now.remove(data.ids);
    if (name === "owner") {
      const isSame = rest(data) === this.owner;
      this.owner = rest(data);
      return isSame;
    }
    // An app that is as before has other categories, whose actions and summaries rows show.
    const app = this.apps.get(data.app);
    return name === "app" && app !== undefined && rest(app) === rest(data)
      && JSON.stringify(app) !== JSON.stringify(data);
  }

  // Asks for the newest stacks, then for what `wishes` names of the others, and for so many
  // that a board with them is `enough`. False if everything was forgotten meanwhile.
  async load(wishes, enough) {
    const { now } = this;
    const { doubts } = now;
    const start = Date.now();
    const answer = await ask("GET", `front?limit=${step}`);
    if (now !== this.now) return false;
    learnTime(answer.time, start);
    this.answer = answer;
    this.apps = new Map(answer.apps.map((app) => [app.app, app]));
    now.take(answer, doubts);
    this.upcoming.take({ stacks: answer.upcoming, next: null }, this.upcoming.doubts);
    const more = async ({ high, low, limit }) => {
      const { doubts } = now;
      const found = await ask("GET", `front?limit=${limit}&before=${high}`);
      if (now === this.now) now.take(found, doubts, high, low);
      return now === this.now;
    };
    for (const wish of wishes()) if (!await more(wish)) return false;
    while (enough !== undefined && !now.isWhole && !enough(now)) {
      if (!await more({ high: now.end, low: 0n, limit: mostOfAnswer })) return false;
    }
    return true;
  }
}
