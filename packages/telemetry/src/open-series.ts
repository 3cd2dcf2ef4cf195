// The series of a counter of three labels that every call increments. A series is found by its label values one
// after the other and is a number that a scrape reads: prom-client would build a text of all labels for each increment.
import { Counter, type Registry } from "prom-client";

type Node = { count: number; readonly next: Map<string, Node> };

export type SeriesOptions<Label extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly [Label, Label, Label];
};

/** Opens the counter; what it returns increments the series with these values of its labels, in their order. */
export function openSeries<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: SeriesOptions<Label>,
): (first: string, second: string, third: string) => void {
  const root = newNode();
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      const add = ({ count, next }: Node, values: readonly string[]) => {
        if (count > 0) this.labels(...values).inc(count);
        for (const [value, node] of next) add(node, [...values, value]);
      };
      add(root, []);
    },
  });
  return (first, second, third) => {
    nextOf(nextOf(nextOf(root, first), second), third).count += 1;
  };
}

function nextOf({ next }: Node, value: string): Node {
  let node = next.get(value);
  if (node === undefined) {
    node = newNode();
    next.set(value, node);
  }
  return node;
}

function newNode(): Node {
  return { count: 0, next: new Map() };
}
