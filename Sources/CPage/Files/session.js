// SPDX-License-Identifier: Apache-2.0
import { ask } from "./feed.js";

// The channel on which the tabs of a browser tell each other of their one session: `begun` and `over`.
export const session = new BroadcastChannel("session");

// Takes what the address says behind its "#" out of the address: a code is in none that is kept.
export function takeTarget() {
  const target = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
  return target;
}

// Signs the browser in by a code, which is good once. Throws what the centre refuses it with.
export async function begin(code) {
  await ask("POST", "sessions", { code });
  session.postMessage("begun");
}

// True for a browser that is a lock view by its session, whatever it asks for; false where nothing answers.
export async function isLockView() {
  try { return (await ask("GET", "")).scopes?.includes("surface:lock") ?? false; } catch { return false; }
}
