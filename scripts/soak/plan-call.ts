// One call of the load: its protocol, its model, what the scripted upstream does with it, and whether its
// client leaves. The upstream is asked by the call's name, so the gateway cannot change what happens.
import type { Script } from "@turnpike/testing";
import type { SoakAccount } from "./open-accounts.ts";
import type { Random } from "./random.ts";
import { models } from "./soak-catalog.ts";

export type Protocol = "chat" | "responses" | "messages" | "gemini" | "embeddings";

/** How exactly the price is known from outside. */
export type Billing =
  /** What the upstream reported, at the model's prices. */
  | "reported"
  /** Its usage was unusable: the row's own counts at the model's prices. */
  | "counted"
  | "free"
  /** At most what was held. */
  | "bounded";

export type Call = {
  /** Its user agent, and the first word of its prompt. */
  readonly name: string;
  readonly account: SoakAccount;
  readonly key: string;
  readonly protocol: Protocol;
  readonly model: (typeof models)[number];
  readonly streamed: boolean;
  readonly body: string;
  /** By attempt; the last one is for all later ones. */
  readonly scripts: readonly [Script, ...Script[]];
  readonly billing: Billing;
  readonly leaveAfterMs: number | undefined;
  /** What the upstream saw last: its own count of the prompt, and the output it sends at most. */
  seen: { attempts: number; promptTokens: number; outputTokens: number };
};

const oddUsages = ["missing", "null", "negative", "float", "string"] as const;

/** Failures before an answer, after which another attempt may be made. */
const refusals: readonly [Script, ...Script[]] = [
  { status: 429, headers: { "retry-after": "1" } },
  { status: 503 },
  { status: 500 },
  { status: 200, error: "The engine is overloaded." },
  { garbage: "status-line", firstByteMs: 5, cutInHead: 0 },
  { cutInHead: 12 },
];

const breaks: readonly [Script, ...Script[]] = [
  { cutAfterDeltas: 2 },
  { resetAfterDeltas: 2 },
  { errorAfterDeltas: 2 },
  { garbage: "chunk-size", keepAlive: true },
  { cutAfterBytes: 150 },
];

export function planCall(random: Random, name: string, account: SoakAccount): Call {
  const model = random.pick(models);
  const protocol =
    model.operation === "embeddings"
      ? "embeddings"
      : random.pick(["chat", "responses", "messages", "gemini"] as const);
  const streamed = protocol !== "embeddings" && random.chance(0.6);
  const { scripts, billing } = planUpstream(random, protocol);
  const leaves = random.chance(0.12);
  return {
    name,
    account,
    key: account.key,
    protocol,
    model,
    streamed,
    scripts,
    billing,
    body: writeBody(random, { name, protocol, model: model.id, streamed }),
    leaveAfterMs: leaves ? random.between(0, 400) : undefined,
    seen: { attempts: 0, promptTokens: 0, outputTokens: 0 },
  };
}

function planUpstream(random: Random, protocol: Protocol): Pick<Call, "scripts" | "billing"> {
  const good: Script = {
    deltas: protocol === "embeddings" ? 0 : random.between(1, 20),
    ...(random.chance(0.3) && { paceMs: random.between(1, 20) }),
    ...(random.chance(0.15) && { firstByteMs: random.between(10, 800) }),
  };
  const die = random.next();
  if (die < 0.8) return { scripts: [good], billing: "reported" };
  if (die < 0.86) {
    return { scripts: [random.pick(refusals), good], billing: "reported" };
  }
  if (die < 0.91) {
    return { scripts: [{ ...good, ...random.pick(breaks) }], billing: "bounded" };
  }
  if (die < 0.96) {
    return { scripts: [{ ...good, usage: random.pick(oddUsages) }], billing: "counted" };
  }
  if (die < 0.97) return { scripts: [{ ...good, usage: "zero" }], billing: "free" };
  if (die < 0.985) return { scripts: [{ ...good, usage: "twice" }], billing: "reported" };
  return { scripts: [{ ...good, usage: "huge" }], billing: "bounded" };
}

type BodyTerms = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly model: string;
  readonly streamed: boolean;
};

const outputTokensMax = 64;

function writeBody(random: Random, { name, protocol, model, streamed }: BodyTerms): string {
  const text = `${name}${" and more".repeat(random.between(0, 40))}`;
  const messages = [{ role: "user", content: text }];
  const stream = streamed;
  switch (protocol) {
    case "embeddings":
      return JSON.stringify({ model, input: text });
    case "responses":
      return JSON.stringify({ model, input: text, stream, max_output_tokens: outputTokensMax });
    case "messages":
      return JSON.stringify({ model, messages, stream, max_tokens: outputTokensMax });
    case "gemini": {
      const generationConfig = { maxOutputTokens: outputTokensMax };
      return JSON.stringify({ contents: [{ parts: [{ text }] }], generationConfig });
    }
    case "chat":
      return JSON.stringify({ model, messages, stream, max_tokens: outputTokensMax });
  }
}

/** What a call costs whose usage was reported. */
export function priceOf({ model, seen }: Pick<Call, "model" | "seen">): bigint {
  const { inputNanos, outputNanos } = model;
  return BigInt(seen.promptTokens) * inputNanos + BigInt(seen.outputTokens) * outputNanos;
}
