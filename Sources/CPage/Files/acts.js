// SPDX-License-Identifier: Apache-2.0
import { ask } from "./feed.js";
import { words } from "./words.js";

const mostOfAnswer = 200;
const appPath = (topic) => `apps/${encodeURIComponent(topic)}`;

// Opens what an answer leads to, in a tab that knows nothing of this one.
function follow(launch) {
  if (launch !== undefined) open(launch.url, "_blank", "noopener");
}

// The requests to the centre for all that a person does with notifications and apps. A refusal is told with its
// reason.
export class Acts {
  // `say` puts a line above the list, `tell` says something that needs no line, `refused` says why something was
  // refused, and `reload` loads the list anew.
  constructor(front, { say, tell, refused, reload }) {
    Object.assign(this, { front, say, tell, refused, reload });
  }

  app(topic) {
    return this.front.apps.get(topic) ?? { app: topic };
  }

  refresh() {
    return this.reload();
  }

  // Returns true once the centre has taken the answer.
  async respond(notification, action, text) {
    const body = text === undefined ? { action } : { action, text };
    const answer = await this.change("POST", `notifications/${notification.id}/responses`, body);
    // An app that is nowhere on this machine is a page of its own.
    if (answer?.launch?.url !== undefined) follow(answer.launch);
    return answer !== undefined;
  }

  dismiss({ id }) {
    return this.change("DELETE", `notifications/${id}`);
  }

  clear({ id, leading }) {
    return this.change("DELETE", `stacks/${id}?upTo=${leading.id}`);
  }

  // Decides about an app; one that is allowed may do what it asks for, but for what `without` names.
  decide(topic, decision, without = []) {
    return this.change("POST", appPath(topic) + "/authorization",
      without.length === 0 ? { decision } : { decision, without });
  }

  // Turns an app off that was on trial, and clears what it has brought.
  async turnOff(topic) {
    if (await this.decide(topic, "turnOff") === undefined) return;
    await this.change("DELETE", `notifications?app=${encodeURIComponent(topic)}`);
  }

  // Returns all settings as they are then, or undefined where they stay as they were.
  async set(path, wishes) {
    const settings = await this.asked("PATCH", path, wishes);
    if (settings !== undefined) this.say("");
    return settings;
  }

  // One notification as it is now, or undefined where it is gone or nothing answers.
  look({ id }) {
    return this.asked("GET", `notifications/${id}`);
  }

  // A page of what has a text, of one app or of all, or undefined.
  search(text, topic, limit, before) {
    const query = { text, limit, app: topic, before: before ?? "" };
    // The centre takes a plus for one.
    const parts = Object.entries(query).filter(([, value]) => value !== "").map(([name, value]) =>
      `${name}=${encodeURIComponent(value)}`);
    return this.asked("GET", "notifications?" + parts.join("&"));
  }

  // A page of the history, or undefined.
  past(limit, before) {
    return this.asked("GET", `history?limit=${limit}` + (before === undefined ? "" : `&before=${before}`));
  }

  // Brings one of the history back into the list.
  async restore({ id }) {
    if (await this.asked("POST", `history/${id}/restore`, {}) !== undefined) this.tell(words.restored);
    await this.reload();
  }

  // Deletes one of the history for good, or all of it.
  forget(item) {
    return this.change("DELETE", item === undefined ? "history" : `history/${item.id}`);
  }

  // The newest members of a stack, at least so many, and all down to the one of an id; says whether they are all.
  async open(stack, count, id) {
    const items = [];
    for (let before = ""; ;) {
      const limit = Math.max(1, Math.min(mostOfAnswer, count - items.length));
      const page = await this.asked("GET", `stacks/${stack.id}?limit=${limit}${before}`);
      if (page === undefined) return undefined;
      items.push(...page.items);
      const isReached = items.length >= count && (id === undefined || BigInt(items.at(-1).id) <= BigInt(id));
      if (page.next === null || isReached) return { items, isWhole: page.next === null };
      before = "&before=" + page.next;
    }
  }

  // Has an app show the settings that it has itself; a notification that is gone meanwhile leads nowhere.
  async settings(topic, notification) {
    const body = notification === undefined ? {} : { notification: notification.id };
    try {
      const { launch } = await ask("POST", appPath(topic) + "/open-settings", body);
      this.say(launch === undefined ? words.settingsAsked : "");
      follow(launch);
    } catch (error) {
      if (error.reason === "gone" && notification !== undefined) return this.settings(topic);
      this.refused(error);
    }
  }

  // Asks, and says why it was refused; undefined then. What is not there any more goes from the list.
  async asked(method, path, body) {
    try { return await ask(method, path, body); } catch (error) {
      if (error.reason === "gone") this.say(words.gone);
      else this.refused(error);
      if (error.status === 404 || error.status === 410) this.reload();
      return undefined;
    }
  }

  // Does something, and says why it was not done; the list is loaded anew in any case. Returns the answer, if it was
  // done.
  async change(method, path, body) {
    let answer;
    try {
      answer = await ask(method, path, body);
      this.say("");
    } catch (error) {
      // What is gone already is as it was wished.
      const isGone = error.reason === "gone" || (method === "DELETE" && error.status === 404);
      if (!isGone) this.refused(error);
    }
    await this.reload();
    return answer;
  }
}
