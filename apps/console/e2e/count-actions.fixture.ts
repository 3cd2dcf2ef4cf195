// Counts clicks and filled fields: the effort of a new user.
import type { Locator } from "playwright-core";

export type ActionCounter = {
  readonly click: (target: Locator) => Promise<void>;
  readonly fill: (field: Locator, text: string) => Promise<void>;
  readonly count: () => number;
};

export function countActions(): ActionCounter {
  let count = 0;
  return {
    async click(target) {
      count += 1;
      await target.click();
    },
    async fill(field, text) {
      count += 1;
      await field.fill(text);
    },
    count: () => count,
  };
}
