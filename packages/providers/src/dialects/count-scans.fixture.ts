// Counts the elements that searches and copies of lists look at, the characters that joining texts copies, and what is
// asked of maps and sets while a function runs: work that grows faster than its input is found without measuring time.

const byTest = [
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "filter",
  "some",
  "every",
] as const;
const byValue = ["indexOf", "lastIndexOf", "includes"] as const;

/** `run` must not wait: the methods of all lists are replaced until it returns. */
export function countScans(run: () => unknown): number {
  let scanned = 0;
  const restore: (() => void)[] = [];
  const replace = (holder: object, name: PropertyKey, method: (this: unknown) => unknown) => {
    const known = Object.getOwnPropertyDescriptor(holder, name);
    Object.defineProperty(holder, name, { ...known, value: method });
    restore.push(() => Object.defineProperty(holder, name, known ?? {}));
  };
  for (const name of byTest) {
    const search = Array.prototype[name];
    replace(Array.prototype, name, function (this: unknown, ...args: unknown[]) {
      const [test, self] = args;
      const counted = function (this: unknown, ...each: unknown[]): unknown {
        scanned += 1;
        return Reflect.apply(callable(test), this, each);
      };
      return Reflect.apply(search, this, [counted, self]);
    });
  }
  const { indexOf } = Array.prototype;
  for (const name of byValue) {
    const search = Array.prototype[name];
    replace(Array.prototype, name, function (this: unknown, ...args: unknown[]) {
      const at: number = Reflect.apply(indexOf, this, args);
      scanned += at === -1 && Array.isArray(this) ? this.length : at + 1;
      return Reflect.apply(search, this, args);
    });
  }
  const { join } = Array.prototype;
  replace(Array.prototype, "join", function (this: unknown, ...args: unknown[]) {
    const joined: string = Reflect.apply(join, this, args);
    scanned += joined.length;
    return joined;
  });
  for (const holder of [Map.prototype, Set.prototype]) {
    const { has } = holder;
    replace(holder, "has", function (this: unknown, ...args: unknown[]) {
      scanned += 1;
      return Reflect.apply(has, this, args);
    });
  }
  const { get } = Map.prototype;
  replace(Map.prototype, "get", function (this: unknown, ...args: unknown[]) {
    scanned += 1;
    return Reflect.apply(get, this, args);
  });
  for (const holder of [Array.prototype, Map.prototype, Set.prototype]) {
    const { [Symbol.iterator]: iterate } = holder;
    replace(holder, Symbol.iterator, function (this: unknown) {
      const items: Iterator<unknown> = Reflect.apply(iterate, this, []);
      return {
        next() {
          scanned += 1;
          return items.next();
        },
        return: (value: unknown) => ({ done: true, value }),
        [Symbol.iterator]() {
          return this;
        },
      };
    });
  }
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return scanned;
}

/** A method of lists that searches is called with a function; anything else is a mistake of its caller. */
function callable(test: unknown): (...args: unknown[]) => unknown {
  if (typeof test === "function") return (...args) => Reflect.apply(test, undefined, args);
  throw new TypeError("a search without a test");
}
