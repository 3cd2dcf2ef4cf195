// Internet addresses as numbers: whether one is in a range, and which network it belongs to.
// IPv4 is kept in its IPv6-mapped form, so both spellings of one address are the same address.

/** An address as 128 bits. */
type AddressBits = bigint;

export type AddressRange = { readonly first: AddressBits; readonly last: AddressBits };

const mappedPrefix = 0xffffn << 32n;
const allOnes = (1n << 128n) - 1n;

/** Reads `203.0.113.7`, `2001:db8::1`, `10.0.0.0/8` or `2001:db8::/32`; undefined for others. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = "", prefix, ...rest] = text.trim().split("/");
  const bits = parseAddress(address);
  if (bits === undefined || rest.length > 0) return undefined;
  if (prefix === undefined) return { first: bits, last: bits };
  const width = address.includes(":") ? 128 : 32;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > width) return undefined;
  return networkOf(bits, width - Number(prefix));
}

/** Whether the address, as text, is in one of the ranges. False for text that is not an address. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const bits = parseAddress(address);
  if (bits === undefined) return false;
  return ranges.some(({ first, last }) => first <= bits && bits <= last);
}

/** How many IPv4 and how many IPv6 addresses are in at least one of the ranges. */
export function countAddresses(ranges: readonly AddressRange[]): { v4: bigint; v6: bigint } {
  const all = sizeOfUnion(ranges, 0n, allOnes);
  const v4 = sizeOfUnion(ranges, mappedPrefix, mappedPrefix | 0xffffffffn);
  return { v4, v6: all - v4 };
}

/** How many addresses there are between `first` and `last`, both included. */
function sizeOfUnion(ranges: readonly AddressRange[], first: bigint, last: bigint): bigint {
  let size = 0n;
  let next = first;
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    if (range.first > next) next = range.first;
    const end = range.last < last ? range.last + 1n : last + 1n;
    if (end <= next) continue;
    size += end - next;
    next = end;
  }
  return size;
}

/** The canonical text of an address: dotted for IPv4, else full lower-case hexadecimal groups. */
export function normalizeAddress(text: string): string | undefined {
  const bits = parseAddress(text);
  return bits === undefined ? undefined : writeAddress(bits);
}

/** What a client is counted by: one IPv4 address, or the IPv6 network of one customer. */
export function customerNetwork(address: string): string {
  return networkText(address, 32, 64);
}

/** The wider network, for clients that own more than one address. */
export function neighborhood(address: string): string {
  return networkText(address, 24, 48);
}

/**
 * The network an address belongs to, as a counter key: its first `v4Bits` or `v6Bits` bits.
 * Text that is not an address is returned unchanged.
 */
export function networkText(address: string, v4Bits: number, v6Bits: number): string {
  const bits = parseAddress(address);
  if (bits === undefined) return address;
  const free = isMapped(bits) ? 32 - v4Bits : 128 - v6Bits;
  return writeAddress(networkOf(bits, free).first);
}

function networkOf(bits: AddressBits, freeBits: number): AddressRange {
  const free = (1n << BigInt(freeBits)) - 1n;
  return { first: bits & (allOnes ^ free), last: bits | free };
}

function isMapped(bits: AddressBits): boolean {
  return bits >> 32n === 0xffffn;
}

function parseAddress(text: string): AddressBits | undefined {
  if (!text.includes(":")) {
    const v4 = parseV4(text);
    return v4 === undefined ? undefined : mappedPrefix | v4;
  }
  const [head = "", tail, ...rest] = withoutDots(text).split("::");
  if (rest.length > 0) return undefined;
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...Array<string>(missing).fill("0"), ...right];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** Rewrites the dotted end of `::ffff:203.0.113.7` as two groups, so that it parses like any other. */
function withoutDots(text: string): string {
  const at = text.lastIndexOf(":") + 1;
  const v4 = parseV4(text.slice(at));
  if (v4 === undefined) return text;
  return `${text.slice(0, at)}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
}

/** Without leading zeros: some read `010` as eight. */
function parseV4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) {
    return undefined;
  }
  if (parts.some((part) => Number(part) > 255)) return undefined;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function writeAddress(bits: AddressBits): string {
  if (isMapped(bits)) {
    return [24n, 16n, 8n, 0n].map((shift) => ((bits >> shift) & 0xffn).toString()).join(".");
  }
  const hex = bits.toString(16).padStart(32, "0");
  return (hex.match(/.{4}/g) ?? []).map((group) => group.replace(/^0{1,3}/, "")).join(":");
}
