// Character references of Markdown (`&amp;`, `&#39;`) as the characters they represent. The result
// only ever becomes a text node.

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  times: "×",
  rarr: "→",
  larr: "←",
};

/** Unknown references stay as they were written. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups;
    if (typeof decimal === "string") return character(Number.parseInt(decimal, 10)) ?? whole;
    if (typeof hex === "string") return character(Number.parseInt(hex, 16)) ?? whole;
    return (Object.hasOwn(named, name) ? named[name] : undefined) ?? whole;
  });
}

function character(codePoint: number): string | undefined {
  const isText =
    codePoint >= 32 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint < 0xe000);
  return isText ? String.fromCodePoint(codePoint) : undefined;
}
