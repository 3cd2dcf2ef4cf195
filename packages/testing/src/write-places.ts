// Writes a database of places in the format of MaxMind (MMDB) for tests: the operator's own are large, and licensed.

/** Names in English, as in GeoLite2 City. */
type TestPlace = { readonly city?: string; readonly country?: string };

const recordBits = 24;
const metadataMarker = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");

/** Places by IPv4 network, e.g. `203.0.113.0/24`. */
export function writePlaces(places: Readonly<Record<string, TestPlace>>): Buffer {
  const data: Buffer[] = [];
  let dataBytes = 0;
  const tree: Node[] = [[undefined, undefined]];
  for (const [network, place] of Object.entries(places)) {
    insert(tree, bitsOf(network), { dataAt: dataBytes });
    const encoded = encode(recordOf(place));
    data.push(encoded);
    dataBytes += encoded.length;
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: "GeoLite2-City",
    description: { en: "A few places for tests" },
    ip_version: 4,
    languages: ["en"],
    node_count: tree.length,
    record_size: recordBits,
  });
  return Buffer.concat([writeTree(tree), Buffer.alloc(16), ...data, metadataMarker, metadata]);
}

type Leaf = { readonly dataAt: number };
/** What a zero and a one lead to: another node by its number, a place, or nothing. */
type Node = [number | Leaf | undefined, number | Leaf | undefined];

function bitsOf(network: string): readonly number[] {
  const [address = "", length = "32"] = network.split("/");
  const bits = address.split(".").flatMap((byte) => [...Number(byte).toString(2).padStart(8, "0")]);
  return bits.slice(0, Number(length)).map(Number);
}

function insert(tree: Node[], bits: readonly number[], leaf: Leaf): void {
  let node = tree[0];
  for (const [depth, bit] of bits.entries()) {
    if (node === undefined) throw new Error("A network is inside another one.");
    const side = bit === 0 ? 0 : 1;
    if (depth === bits.length - 1) {
      node[side] = leaf;
      return;
    }
    node[side] ??= tree.push([undefined, undefined]) - 1;
    const next: number | Leaf | undefined = node[side];
    node = typeof next === "number" ? tree[next] : undefined;
  }
}

function writeTree(tree: readonly Node[]): Buffer {
  const bytes = Buffer.alloc(tree.length * 6);
  for (const [index, node] of tree.entries()) {
    for (const [side, target] of node.entries()) {
      // Beyond the nodes: "nothing", a separator of 16, and then the data.
      const beyond = typeof target === "object" ? tree.length + 16 + target.dataAt : tree.length;
      bytes.writeUIntBE(typeof target === "number" ? target : beyond, index * 6 + side * 3, 3);
    }
  }
  return bytes;
}

function recordOf({ city, country }: TestPlace): Value {
  return {
    ...(city !== undefined && { city: { names: { en: city } } }),
    ...(country !== undefined && { country: { names: { en: country } } }),
  };
}

type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

function encode(value: Value): Buffer {
  if (typeof value === "string")
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  const parts = entries.flatMap(([name, one]) => [encode(name), encode(one)]);
  return Buffer.concat([head(7, entries.length), ...parts]);
}

/** The byte before a value: its type and its size, of which no more than 28 are needed here. */
function head(type: number, size: number): Buffer {
  if (size > 28) throw new Error(`${size} is too long for a test.`);
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size]);
}
