// SPDX-License-Identifier: Apache-2.0
import { isFresh } from "./clock.js";
import { isWished } from "./wishes.js";

// A critical sound is played anew behind this pause, in milliseconds, and so many times at most.
const repeatPause = 5000;
const mostRepeats = 60;
// The timers of those that nobody has seen, by the ids of their notifications.
const ringing = new Map();
// The file that was played last.
let playing;

// Browsers let a tab play once a person has done something in it.
export const mayPlay = () => isWished("sound") && (navigator.userActivation?.hasBeenActive ?? false);
let context;

// The page's own sound: two short tones.
async function playDefault(volume) {
  context ??= new AudioContext();
  await context.resume();
  const gain = context.createGain();
  gain.connect(context.destination);
  const start = context.currentTime;
  gain.gain.setValueAtTime(volume * 0.25, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
  for (const [index, frequency] of [784, 1047].entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(gain);
    tone.start(start + index * 0.12);
    tone.stop(start + 0.5);
  }
}

// A sound of the app; one that this browser cannot play, or that is longer than 30 s, is the default one.
async function playFile(href, volume) {
  const audio = new Audio(href);
  audio.volume = volume;
  await new Promise((done, failed) => {
    audio.addEventListener("loadedmetadata", done, { once: true });
    audio.addEventListener("error", failed, { once: true });
    setTimeout(() => failed(new RangeError("not there within 3 s")), 3000);
  }).catch((error) => {
    audio.removeAttribute("src");
    throw error;
  });
  if (audio.duration > 30) throw new RangeError("longer than 30 s");
  playing = audio;
  await audio.play();
}

async function play({ href, volume }) {
  if (href === undefined) return playDefault(volume);
  try { await playFile(href, volume); } catch { await playDefault(volume); }
}

// Ends the repetition in this tab for those whose ids a test says, or for all.
export function hush(isOver = () => true) {
  for (const [id, timer] of ringing) {
    if (!isOver(id)) continue;
    clearTimeout(timer);
    ringing.delete(id);
    playing?.pause();
  }
}

const channel = new BroadcastChannel("sound");
channel.addEventListener("message", () => hush());

// Ends the repetition in all tabs: a person is at one of them.
export function hushAll() {
  hush();
  channel.postMessage("hush");
}

function repeat(id, sound, count = 1) {
  ringing.set(id, setTimeout(() => {
    ringing.delete(id);
    if (!isWished("sound")) return;
    start(sound);
    if (count < mostRepeats) repeat(id, sound, count + 1);
  }, repeatPause));
}

// Plays a sound, unless another tab plays one, or this one has within a second.
function start(sound) {
  navigator.locks.request("sound", { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    const second = new Promise((done) => setTimeout(done, 1000));
    await play(sound);
    await second;
  }).catch(() => {});
}

// Plays the sound of a notification that has just come, if it has one; a critical one again and again, until `hush`.
// Calls `silent` where nobody has done anything in this tab, which so may not play.
export function ring(notification, silent) {
  const { sound } = notification.present;
  if (!sound || !isFresh(notification) || !isWished("sound")) return;
  if (!mayPlay()) return silent();
  start(sound);
  if (sound.critical === true) repeat(notification.id, sound);
}
