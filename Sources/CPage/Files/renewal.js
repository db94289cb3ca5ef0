// SPDX-License-Identifier: Apache-2.0

import { hasDrafts } from "./answers.js";

// The folder from which the files of this page came.
const own = new URL(import.meta.url).pathname.split("/")[2];
// The name under which the tab keeps for which folder it was loaded anew.
const place = "renewed";
// The time after which it is looked again whether a text is being written, in milliseconds.
const pause = 5000;

// Loads the page anew when the centre has files of another program: once for each, and not while a text is being
// written.
export function renew(folder) {
  if (folder === undefined || folder === own) return;
  const isSeeking = (document.querySelector("input[type=search]")?.value ?? "") !== "";
  if (hasDrafts() || isSeeking || document.querySelector("textarea") !== null) {
    setTimeout(() => renew(folder), pause);
    return;
  }
  try {
    if (sessionStorage.getItem(place) === folder) return;
    sessionStorage.setItem(place, folder);
  } catch {
    // A browser that keeps nothing would do it again and again.
    return;
  }
  location.reload();
}
