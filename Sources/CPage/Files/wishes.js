// SPDX-License-Identifier: Apache-2.0

// Wishes that a person has switched off in this browser, by a name: all that the page keeps, and nothing of a notification.
const listeners = [];

export function isWished(name) {
  try { return localStorage.getItem(name) !== "off"; } catch { return true; }
}

export function wish(name, isOn) {
  // Everything stays on in a browser that keeps nothing.
  try {
    if (isOn) localStorage.removeItem(name);
    else localStorage.setItem(name, "off");
  } catch { return; }
  for (const listener of listeners) listener();
}

// Calls a function whenever a wish has changed, also in another tab.
export function onWish(listener) {
  listeners.push(listener);
  addEventListener("storage", listener);
}
