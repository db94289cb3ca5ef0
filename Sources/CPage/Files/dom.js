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

// Brings the children of an element in line with nodes, and moves none that has its place already, so that whatever has
// the focus keeps it.
export function arrange(element, nodes) {
  nodes.forEach((node, index) => {
    if (element.children[index] !== node) element.insertBefore(node, element.children[index] ?? null);
  });
  while (element.children.length > nodes.length) element.lastElementChild.remove();
}
