// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { symbol } from "./scene-symbols.js";
import { number, textOf } from "./scene-values.js";
import { words } from "./words.js";

const fits = ["contain", "cover", "fill"];
// The longest film, in seconds.
const longest = 86400;
const seconds = (value) => Math.round(number(value, 0, longest) * 1000) / 1000;
// The time between two words on the place of a film, in milliseconds.
const beat = 1000;

// The film or sound of a node, which the browser plays as the node says, and of which the view hears.
class Player {
  constructor(part) {
    this.part = part;
    this.jump = 0;
    this.element = h("span", { class: "media" });
    this.sign = symbol("play.fill");
    this.video = h("video", { playsinline: "", preload: "metadata", hidden: true, loadedmetadata: () => this.ready(),
      play: () => this.heard(true), pause: () => this.heard(false), timeupdate: () => this.tellTime(),
      ended: () => this.tell("ended"), error: () => this.fail() });
    this.video.disablePictureInPicture = true;
    this.element.append(this.sign, this.video);
  }

  show(node) {
    const { video } = this;
    this.node = node;
    const address = this.part.scene.addressOf(node.src);
    if (address !== this.address) this.load(address);
    video.muted = node.muted === true;
    video.volume = number(node.volume, 0, 1, 1);
    video.loop = node.loop === true;
    video.controls = node.controls === true && !this.part.isDeadView;
    for (const fit of fits) this.element.classList.toggle(fit, (fits.includes(node.fit) ? node.fit : "contain") === fit);
    const label = textOf(node.label) || words.view.kinds.media;
    video.setAttribute("aria-label", label);
    this.sign.setAttribute("aria-label", label);
    this.follow();
  }

  load(address) {
    const { video } = this;
    this.address = address;
    this.isReady = false;
    video.hidden = address === undefined;
    this.sign.toggleAttribute("hidden", address !== undefined);
    if (address === undefined) video.removeAttribute("src");
    else video.src = address;
    video.load();
  }

  ready() {
    this.isReady = true;
    this.tell("ready", seconds(this.video.duration));
    this.follow();
  }

  // Has the film play, stop, or jump as the node says.
  follow() {
    const { node, video } = this;
    if (!this.isReady) return;
    const jump = number(node.jump, 0, 0xffffffff);
    if (jump !== this.jump) {
      this.jump = jump;
      video.currentTime = Math.min(seconds(node.at), seconds(video.duration));
    }
    if (node.playing !== true) return video.pause();
    // A film at its end begins again with a jump alone.
    if (!video.paused || video.ended) return undefined;
    // A browser may want a click of the person first: the player is paused then.
    return video.play().catch(({ name }) => {
      if (name === "NotAllowedError" && this.node.playing === true && video.paused) this.tell("paused");
    });
  }

  // The film began or stopped; the view knows what it has ordered itself, and that the end stops a film.
  heard(isPlaying) {
    if (isPlaying === (this.node.playing === true) || this.video.ended) return;
    this.tell(isPlaying ? "playing" : "paused");
  }

  tellTime() {
    const now = performance.now();
    if (now - (this.told ?? -beat) < beat) return;
    this.told = now;
    this.tell("time", seconds(this.video.currentTime));
  }

  fail() {
    // A film without an address has nothing to say.
    if (this.address === undefined) return;
    this.isReady = false;
    this.video.hidden = true;
    this.sign.toggleAttribute("hidden", false);
    this.tell("failed");
  }

  tell(event, value) {
    this.part.tell(event, value === undefined ? {} : { value });
  }
}

export const media = (part) => new Player(part);
