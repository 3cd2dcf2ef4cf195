// The counted prompt is an upper bound in every language: compared with what the tokenizers return for
// the whole text. If the count were too low, the operator would pay for the rest of the prompt.
import { expect, setDefaultTimeout, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { runsOf, searchTimeoutMs } from "@turnpike/testing";
import { parseChatRequest } from "@turnpike/wire";
import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens as countP50k } from "gpt-tokenizer/encoding/p50k_base";
import { countTokens as countR50k } from "gpt-tokenizer/encoding/r50k_base";
import type { Encoding } from "./count-in-turns.ts";
import { countPrompt } from "./count-prompt.ts";
import { sandboxModels } from "./file/sandbox-models.ts";
import { type ChatModel, type Tokenizer, tokenizers } from "./model.ts";

setDefaultTimeout(searchTimeoutMs);

const asText = { disallowedSpecial: new Set<string>() };
const counters: Record<Encoding, (text: string) => number> = {
  o200k_base: (text) => countO200k(text, asText),
  cl100k_base: (text) => countCl100k(text, asText),
  p50k_base: (text) => countP50k(text, asText),
  r50k_base: (text) => countR50k(text, asText),
};
const encodings = tokenizers.filter((tokenizer) => tokenizer !== "bytes");

const [entry] = sandboxModels("http://127.0.0.1:1/v1");
if (entry?.operation !== "chat") throw new Error("there is no sandbox model to chat with");
const price = {
  ...entry.rates,
  tiers: {},
  longPrompts: [],
  id: newId<PriceId>(),
  since: new Date(0),
};
/** With only one token of fixed amounts, so that the bound comes from the text. */
const base: ChatModel = { ...entry, price, contextTokens: 10_000_000, templateTokens: 1 };

/** The tokens held for a prompt of `text` with this tokenizer. */
function countFor(tokenizer: Tokenizer, text: string): Promise<number> {
  const messages = [{ role: "user", content: text }];
  const chat = parseChatRequest(JSON.stringify({ model: base.id, messages }));
  return countPrompt({ operation: "chat", model: { ...base, tokenizer }, request: chat }, {});
}

const texts = {
  English: "The ferryman counted twelve lamps, and paid for the last one himself. ",
  Georgian: "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით. ",
  Malayalam: "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ്. ",
  Thai: "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
  Amharic: "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው። ",
  Burmese: "လူတိုင်းသည် တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်လည်းကောင်း၊ ",
  Armenian: "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։ ",
  Arabic: "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. ",
  Chinese: "人人生而自由，在尊严和权利上一律平等。",
  Vietnamese: "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. ",
  emoji: "👩‍👩‍👧‍👦🧿🏴‍☠️🇬🇪✨🫠",
  "rare characters": "𓀀𓂀𝔘𝕏﷽ꙮ\u{10ffff}\u{e0041}",
  code: "function add(a: number, b: number) {\n\treturn a + b; // sum\n}\n\n",
  JSON: '{"id":"c0ffee","values":[1,2.5,-3e8,null,true],"nested":{"a":{"b":[[]]}}}',
  base64:
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  hexadecimal: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  digits: "31415926535897932384626433832795028841971693993751058209749445923078164",
  spaces: "    \t\t  \n \n\n      ",
  "control tokens": "<|endoftext|><|im_start|>system<|im_sep|><|fim_prefix|>",
  rules: "=================================================----------------________",
};

test.each(Object.keys(texts))(
  "no tokenizer produces more tokens of a text than are held for it: %s",
  async (name) => {
    const text = Reflect.get(texts, name);
    for (const long of [text, text.repeat(3), text.repeat(40)]) {
      for (const encoding of encodings) {
        const tokens = counters[encoding](long);
        expect(await countFor(encoding, long), encoding).toBeGreaterThan(tokens);
        expect(await countFor("bytes", long), `bytes, against ${encoding}`).toBeGreaterThan(tokens);
      }
    }
  },
);

test("no tokenizer produces more tokens of any mixture of scripts than are held for it", async () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.values(texts)),
    fc.string({ maxLength: 60 }),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc
      .tuple(fc.constantFrom(" ", "=", "a", "0", "\n", "ა", "ം", "👩"), fc.nat({ max: 300 }))
      .map(([character, times]) => character.repeat(times)),
  );
  const property = fc.asyncProperty(
    fc.array(piece, { minLength: 1, maxLength: 12 }),
    async (pieces) => {
      const text = pieces.join("").toWellFormed().replaceAll("\0", "0");
      for (const encoding of encodings) {
        const tokens = counters[encoding](text);
        expect(await countFor(encoding, text)).toBeGreaterThan(tokens);
        expect(await countFor("bytes", text)).toBeGreaterThan(tokens);
      }
    },
  );
  await fc.assert(property, { numRuns: runsOf({ short: 100, long: 5_000 }) });
});

test("ids of tool calls are included in the hold: a template may show them to the model", async () => {
  const id = texts.hexadecimal;
  const calls = Array.from({ length: 200 }, () => ({
    id,
    type: "function",
    function: { name: "f", arguments: "{}" },
  }));
  const messages = [
    { role: "assistant", tool_calls: calls },
    ...calls.map(() => ({ role: "tool", tool_call_id: id, content: "" })),
  ];
  const chat = parseChatRequest(JSON.stringify({ model: base.id, messages }));
  const shown = calls.map((call) => `${call.id} f {} ${id}`).join("\n");
  for (const encoding of encodings) {
    const held = await countPrompt(
      {
        operation: "chat",
        model: { ...base, tokenizer: encoding },
        request: chat,
      },
      {},
    );
    expect(held, encoding).toBeGreaterThan(counters[encoding](shown));
  }
});

test("if no tokenizer is known, the byte bound applies", async () => {
  for (const text of Object.values(texts)) {
    expect(await countFor("bytes", text)).toBeGreaterThan(Buffer.byteLength(text));
  }
});

test("an older tokenizer is not mistaken for the newest: it needs several times more tokens for Georgian", async () => {
  const text = texts.Georgian.repeat(10);
  const [newest, oldest] = [await countFor("o200k_base", text), await countFor("r50k_base", text)];
  expect(oldest).toBeGreaterThan(3 * newest);
});
