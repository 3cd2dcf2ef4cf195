// One model with prices that never divide evenly, and its bill calculated by the test itself: from
// the numbers written here, in bigint, without the server's own arithmetic.

export const oddModel = "money/odd";
/** The same, at an upstream that does not exist. */
export const deadModel = "money/dead";
/** The same; it reasons, and its streams do not show it. */
export const hiddenModel = "money/hidden";
/** The same; it reasons, and its streams show every token of it. */
export const openModel = "money/open";
/** The same; it reads images and files. */
export const visionModel = "money/vision";
/** The same, at a provider that bills a cancelled stream in full. */
export const wholeModel = "money/billed-whole";

/** The context of both. */
export const contextTokens = 32_768;

/** Nano-dollars per million tokens. */
const rates = {
  input: 333_333_333n,
  cachedInput: 77_777_777n,
  cacheWrite: 410_000_001n,
  output: 1_999_999_999n,
} as const;

/** `catalog.yaml`; `baseUrl` ends in `/v1`. Small limits keep holds small and readable. */
export function oddCatalog(baseUrl: string): string {
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
  - { id: dead, baseUrl: "http://127.0.0.1:1/v1" }
  - { id: lasting, baseUrl: "${baseUrl}", quirks: { cancelledStream: billed_whole } }
models:
${modelEntry(oddModel, "scripted")}
${modelEntry(deadModel, "dead")}
${modelEntry(hiddenModel, "scripted", "capabilities: [reasoning]")}
${modelEntry(openModel, "scripted", "capabilities: [reasoning], reasoning: visible")}
${modelEntry(visionModel, "scripted", "capabilities: [vision, files]")}
${modelEntry(wholeModel, "lasting")}
`;
}

function modelEntry(id: string, provider: string, nature = "capabilities: [tools]"): string {
  return `  - id: ${id}
    ${nature.replace(", reasoning:", "\n    reasoning:")}
    created: "2026-01-01"
    contextTokens: ${contextTokens}
    maxOutputTokens: 4096
    routes: [{ provider: ${provider}, model: upstream-odd }]
    prices:
      { input: "0.333333333", cachedInput: "0.077777777", cacheWrite: "0.410000001", output: "1.999999999" }`;
}

export type Tokens = {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
};

/** The cost of these tokens, in nano-dollars. */
export function priceOf({ prompt, completion, cached = 0, cacheWrite = 0 }: Tokens): bigint {
  const millionths =
    BigInt(prompt - cached - cacheWrite) * rates.input +
    BigInt(cached) * rates.cachedInput +
    BigInt(cacheWrite) * rates.cacheWrite +
    BigInt(completion) * rates.output;
  const whole = millionths / 1_000_000n;
  return whole * 1_000_000n === millionths ? whole : whole + 1n;
}

/** The most a call can cost whose prompt is bounded by `promptBound` tokens. */
export function worstCaseOf(promptBound: number, outputTokens: number): bigint {
  return priceOf({ prompt: promptBound, cacheWrite: promptBound, completion: outputTokens });
}

/** A USD amount of JSON or of a decimal string, as nano-dollars. */
export function nanosOf(usd: unknown): bigint {
  return BigInt(Math.round(Number(usd) * 1e9));
}

/** Nano-dollars as the decimal string with which accounts are opened. */
export function usdOf(nanos: bigint): string {
  const text = nanos.toString().padStart(10, "0");
  return `${text.slice(0, -9)}.${text.slice(-9)}`;
}
