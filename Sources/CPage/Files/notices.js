// SPDX-License-Identifier: Apache-2.0
import { isFresh } from "./clock.js";
import { ask } from "./feed.js";
import { toldTexts } from "./row.js";
import { inTurn } from "./turn.js";
import { isWished } from "./wishes.js";

// Notices that wait, the time between two, in milliseconds, and characters of a text.
const most = 16;
const pause = 250;
const longest = 500;

// The only text that may become a script is the worker's address.
const policy = globalThis.trustedTypes?.createPolicy("centre", {
  createScriptURL: (address) => {
    if (address !== "/sw.js") throw new TypeError(`"${address}" is not the page's worker`);
    return address;
  },
});

const canNotify = () => globalThis.Notification !== undefined && navigator.serviceWorker !== undefined;

// The right that the browser gives the page: `granted`, `denied`, or `default` while nobody was asked.
export const permission = () => (canNotify() ? Notification.permission : "denied");

// True if the browser shows what comes while no tab is visible.
export const mayNotify = () => permission() === "granted" && isWished("notices");

const short = (text) => [...text].slice(0, longest).join("");

// Notifications of the browser, for a page in the background: one for each stack.
export class Notices {
  constructor(act) {
    this.act = act;
    // The newest notice of each stack, by its tag.
    this.waiting = new Map();
    // The notice that is being shown, whose notification may be gone before it is there.
    this.current = undefined;
    this.isBusy = false;
    // Tests of the ids that are gone and that the browser was not asked about yet, which costs it as much as an event.
    this.gone = [];
    this.clean = inTurn(() => this.closeGone(), () => pause);
  }

  // Shows what the centre tells a lock view of a notification: a browser cannot know whether its screen is locked.
  show(notification, tag, isSilent) {
    this.waiting.delete(tag);
    this.waiting.set(tag, { notification, isSilent });
    if (this.waiting.size > most) this.waiting.delete(this.waiting.keys().next().value);
    this.work();
  }

  async work() {
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.waiting.size > 0) {
      const [[tag, notice]] = this.waiting;
      this.waiting.delete(tag);
      // One that is gone meanwhile, or that the browser refuses, stays a row or none.
      this.current = notice;
      try { await this.put(tag, notice); } catch { /* There is nobody to tell. */ }
      this.current = undefined;
      if (notice.isGone) await this.close((id) => id === notice.notification.id);
      await new Promise((done) => setTimeout(done, pause));
    }
    this.isBusy = false;
  }

  async put(tag, { notification, isSilent }) {
    if (!notification.present.banner || !isFresh(notification) || !mayNotify()) return;
    const shown = await ask("GET", `notifications/${notification.id}?surface=lock`);
    const registration = await this.registered();
    const app = this.act.app(notification.app);
    const { title, subtitle, body } = toldTexts(shown);
    // Whoever stands at a locked screen may not authenticate.
    const actions = (shown.actions ?? []).filter(({ options }) => !options.includes("authenticationRequired"))
      .slice(0, Notification.maxActions ?? 0);
    const heading = [app.name ?? app.app, title].filter((text) => text !== "").join(" · ");
    await registration.showNotification(short(heading), {
      tag,
      renotify: true,
      silent: isSilent || !notification.present.sound,
      requireInteraction: ["time-sensitive", "critical"].includes(notification.level),
      timestamp: Date.parse(notification.date),
      icon: app.icon,
      body: short([subtitle, body].filter((text) => text !== "").join("\n")),
      actions: actions.map(({ identifier, title }) => ({ action: identifier, title: short(title || identifier) })),
      data: {
        id: notification.id,
        stack: tag,
        writes: actions.filter(({ text }) => text !== undefined).map(({ identifier }) => identifier),
      },
    });
  }

  // The worker, which the page has only once somebody has let it show notices.
  async registered() {
    await navigator.serviceWorker.register(policy === undefined ? "/sw.js" : policy.createScriptURL("/sw.js"));
    return navigator.serviceWorker.ready;
  }

  // Takes those away whose ids a test says: what was answered, removed or seen elsewhere.
  async close(isGone) {
    for (const [tag, { notification }] of this.waiting) if (isGone(notification.id)) this.waiting.delete(tag);
    if (this.current !== undefined && isGone(this.current.notification.id)) this.current.isGone = true;
    if (!canNotify()) return;
    this.gone.push(isGone);
    await this.clean();
  }

  async closeGone() {
    const gone = this.gone.splice(0);
    try {
      const registration = await navigator.serviceWorker.getRegistration();
      const notices = await registration?.getNotifications() ?? [];
      for (const notice of notices) if (gone.some((isGone) => isGone(notice.data.id))) notice.close();
    } catch { /* A browser that gives none has none to take away. */ }
    return true;
  }
}
