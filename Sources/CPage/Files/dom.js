// SPDX-License-Identifier: Apache-2.0

// Makes an element. Children that are texts stay texts: nothing of a sender becomes markup.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== ""));
  return element;
}

// Brings the children of an element in line with nodes. Whatever has the focus keeps it, though its card moves; when its
// card goes, the row that takes its place has it.
export function arrange(element, nodes) {
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  const place = [...element.children].findIndex((child) => child.contains(focused ?? null));
  const kept = new Set(nodes);
  for (const child of [...element.children]) if (!kept.has(child)) child.remove();
  nodes.forEach((node, index) => {
    if (element.children[index] !== node) element.insertBefore(node, element.children[index] ?? null);
  });
  if (focused === undefined || document.activeElement === focused) return;
  const shown = nodes.filter((node) => !node.hidden && !node.matches(".space"));
  const next = element.contains(focused) ? focused : shown[Math.min(place, shown.length - 1)];
  // Keys lead on from the row of a card; what takes no focus itself has something that does.
  const row = next === focused ? next : next?.querySelector(".notification, .question") ?? next;
  const taker = row?.matches("footer, .trial, details, li") ? row.querySelector("summary, button") : row;
  const preventScroll = element.contains(focused);
  taker?.focus({ preventScroll });
  // What is hidden takes no focus.
  if (document.activeElement !== taker) document.querySelector("h1")?.focus({ preventScroll });
}
