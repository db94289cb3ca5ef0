// SPDX-License-Identifier: Apache-2.0

// The page's worker, for presses on notices of the browser. It keeps nothing, and no request goes through it.
addEventListener("install", () => skipWaiting());

// Brings a tab of the page to the front, or a new one, at the row of a notice.
async function show(row) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  // A lock view has no rows.
  const tabs = windows.filter(({ url }) => new URL(url).pathname === "/");
  const tab = tabs.find(({ focused }) => focused) ?? tabs.find(({ visibilityState }) => visibilityState === "visible")
    ?? tabs[0];
  if (tab === undefined) return clients.openWindow("/#" + new URLSearchParams(row));
  tab.postMessage(row);
  return tab.focus();
}

// Answers a notification where that needs no page; a text is written at its row, and a refusal is told there.
async function answer({ id, stack, writes }, action) {
  if (action === "") return show({ id, stack });
  if (writes.includes(action)) return show({ id, stack, action });
  let answer;
  try {
    const response = await fetch(`/v1/notifications/${id}/responses`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ action }),
    });
    answer = response.status === 204 ? {} : await response.json();
    if (!response.ok) return show({ id, stack, reason: answer.reason });
  } catch {
    return show({ id, stack, reason: "lost" });
  }
  return answer.launch?.url === undefined ? undefined : clients.openWindow(answer.launch.url);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(answer(event.notification.data, event.action));
});
