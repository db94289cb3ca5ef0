// SPDX-License-Identifier: Apache-2.0

const languages = ["en", "es", "pt"];

// The first language of the reader that the page has, as the summaries of the centre.
export const language = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => languages.includes(tag)) ?? "en";
// The words of it alone are loaded.
export const { words } = await import(`./words-${language}.js`);
