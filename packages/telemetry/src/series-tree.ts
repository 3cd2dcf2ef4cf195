// The series of a metric, found by the values of its labels one after the other: no text is built and nothing is
// allocated for an observation whose series exists.

type Node<Series> = {
  series: Series | undefined;
  readonly next: Map<string, Node<Series>>;
};

export class SeriesTree<Series> {
  readonly #open: () => Series;
  readonly #root: Node<Series> = newNode();

  /** `open` makes a series when it is first found. */
  constructor(open: () => Series) {
    this.#open = open;
  }

  /** The values of at most three labels, in their order. */
  find(first?: string, second?: string, third?: string): Series {
    let node = this.#root;
    if (first !== undefined) node = nextOf(node, first);
    if (second !== undefined) node = nextOf(node, second);
    if (third !== undefined) node = nextOf(node, third);
    node.series ??= this.#open();
    return node.series;
  }

  /** For a scrape. */
  *entries(): Generator<readonly [values: readonly string[], series: Series]> {
    yield* entriesOf(this.#root, []);
  }
}

function* entriesOf<Series>(
  { series, next }: Node<Series>,
  values: readonly string[],
): Generator<readonly [values: readonly string[], series: Series]> {
  if (series !== undefined) yield [values, series];
  for (const [value, node] of next) yield* entriesOf(node, [...values, value]);
}

function nextOf<Series>({ next }: Node<Series>, value: string): Node<Series> {
  let node = next.get(value);
  if (node === undefined) {
    node = newNode();
    next.set(value, node);
  }
  return node;
}

function newNode<Series>(): Node<Series> {
  return { series: undefined, next: new Map() };
}
