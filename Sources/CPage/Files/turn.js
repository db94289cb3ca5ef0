// SPDX-License-Identifier: Apache-2.0

// Makes a function that does something once at a time. Whoever calls it meanwhile waits for one more time behind it,
// because what is wished of it may have come too late for the first. It returns what `body` returned last; undefined,
// by which `body` says that it failed, ends the repetition. Between two beginnings is a time in milliseconds, which `pause`
// tells.
export function inTurn(body, pause = () => 0) {
  let running;
  let isStale = false;
  let start = -Infinity;
  return () => {
    isStale = running !== undefined;
    running ??= (async () => {
      try {
        let result;
        do {
          const rest = start + pause() - performance.now();
          if (rest > 0) await new Promise((done) => setTimeout(done, rest));
          start = performance.now();
          isStale = false;
          result = await body();
        } while (isStale && result !== undefined);
        return result;
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
}
