// SPDX-License-Identifier: Apache-2.0

// Makes a function that does something once at a time. Whoever calls it meanwhile waits for one more time behind it,
// because what is wished of it may have come too late for the first. It returns what `body` returned last; undefined,
// by which `body` says that it failed, ends the repetition.
export function inTurn(body) {
  let running;
  let isStale = false;
  return () => {
    isStale = running !== undefined;
    running ??= (async () => {
      try {
        let result;
        do {
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
