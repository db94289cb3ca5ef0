// SPDX-License-Identifier: Apache-2.0
import { ask } from "./feed.js";
import { mayNotify } from "./notices.js";
import { mayPlay } from "./sound.js";
import { winners } from "./surfaces.js";

// The centre takes two changes of a surface a second.
const pause = 550;
const nobody = { isShown: false, isPlayed: false, isLeft: false };

// The tabs of a browser, which are one surface of their owner: the tab that reads the events gathers what each says of
// itself, tells the centre, and tells all tabs which surfaces there are and which of the tabs shows banners.
export class Presence {
  constructor() {
    this.tab = crypto.randomUUID();
    // The other tabs and this one, by their names; of the tab that reads alone.
    this.tabs = new Map();
    // What all tabs know: the surfaces, the place of this browser among them, and the tab that shows banners.
    this.known = undefined;
    this.channel = new BroadcastChannel("presence");
    this.channel.addEventListener("message", ({ data }) => this.hear(data));
    // Other tabs wait for this lock, which goes with the tab, also when it crashes.
    navigator.locks.request("tab " + this.tab, () => new Promise(() => {}));
    document.addEventListener("visibilitychange", () => this.say());
    for (const name of ["focus", "blur", "pointerdown", "pointerup", "keydown", "keyup"]) {
      addEventListener(name, () => this.say());
    }
    this.say();
  }

  // What becomes of a notification in this tab: whether its banner is shown here, whether its sound is this browser's,
  // and whether no surface at all can play it.
  turn(isCritical) {
    if (this.known === undefined) return nobody;
    const { surfaces, own, shows } = this.known;
    const { banners, sounds } = winners(surfaces, isCritical);
    return {
      isShown: banners.includes(own) && shows === this.tab,
      isPlayed: sounds.includes(own),
      isLeft: sounds.length === 0,
    };
  }

  // True in the tab that reads.
  get reads() {
    return this.surface !== undefined;
  }

  // This tab reads, and is the surface of this name; without a name the browser is none.
  lead(surface) {
    this.surface = surface;
    this.said = undefined;
    this.list = undefined;
    this.tell();
    this.channel.postMessage({ asks: true });
    this.take(this.own());
  }

  // This tab reads no more, and knows nothing until whichever does tells it.
  rest() {
    this.surface = undefined;
    this.list = undefined;
    this.known = undefined;
    this.tabs.clear();
    this.say(true);
  }

  // The surfaces of the owner, as the centre tells the tab that reads.
  learn(list) {
    this.list = list;
    this.tell();
  }

  own() {
    return { tab: this.tab, visible: document.visibilityState === "visible", focused: document.hasFocus(),
      sound: mayPlay(), notices: mayNotify() };
  }

  // Says how this tab is, if it is otherwise than it said last.
  say(isAsked = false) {
    const state = this.own();
    const text = JSON.stringify(state);
    if (text === this.told && !isAsked) return;
    this.told = text;
    this.channel.postMessage({ state });
    this.take(state);
  }

  hear({ asks, state, known }) {
    if (asks) this.say(true);
    if (state !== undefined) this.take(state);
    // Another tab reads now.
    if (known !== undefined) {
      this.surface = undefined;
      this.tabs.clear();
      this.known = known.surfaces === undefined ? undefined : known;
    }
  }

  take(state) {
    if (this.surface === undefined) return;
    const { tab } = state;
    if (!this.tabs.has(tab) && tab !== this.tab) {
      navigator.locks.request("tab " + tab, () => {
        if (!this.tabs.delete(tab)) return;
        this.tell();
        this.report();
      }).catch(() => {});
    }
    this.tabs.set(tab, state);
    this.tell();
    this.report();
  }

  tell() {
    const all = [...this.tabs.values()];
    const shows = (all.find((tab) => tab.focused) ?? all.find((tab) => tab.visible) ?? { tab: this.tab }).tab;
    this.known = this.list === undefined ? undefined : { ...this.list, shows };
    this.channel.postMessage({ known: this.known ?? {} });
  }

  // Tells the centre how the browser is, at once and then at most every so often.
  report() {
    if (this.surface === undefined || this.timer !== undefined) return;
    const all = [...this.tabs.values()];
    const visible = all.some((tab) => tab.visible);
    // The browser shows what comes in the background, if it may.
    const banners = visible || all.some((tab) => tab.notices);
    const state = { visible, focused: all.some((tab) => tab.focused), banners,
      sound: all.some((tab) => tab.sound) };
    const text = JSON.stringify(state);
    if (text === this.said) return;
    this.said = text;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.report();
    }, pause);
    // Refused as too many, it is said again; what else fails ends the stream too, and begins anew with it.
    ask("PUT", "surfaces/" + this.surface, state).catch((error) => {
      if (error.status === 429) this.said = undefined;
    });
  }
}
