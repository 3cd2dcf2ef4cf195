// Which of the betas that callers may use a cloud takes: each refuses a request that names any other one. What a
// cloud refuses nevertheless, because it depends on the model, is asked without its betas, then and later.
import { editJsonObject, findMembers, memberText } from "@turnpike/wire";
import type { AnthropicProvider, DialectRequest } from "../../provider.ts";
import { parseErrorBody } from "../../refusals/parse-error-body.ts";
import { rememberRefused, wasRefused } from "../../refused-parts.ts";

type Cloud = NonNullable<AnthropicProvider["cloud"]>;

/** Anthropic's own name for it is another. */
const toolSearch = ["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"] as const;

/** In both clouds. */
const common = [
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-management-2025-06-27",
  "interleaved-thinking-2025-05-14",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18",
];

/**
 * The cloud's name by Anthropic's. Sources: "anthropic_beta" on
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html,
 * and what LiteLLM (`anthropic_beta_headers_config.json`) has found each to take.
 */
const taken: Readonly<Record<Cloud, ReadonlyMap<string, string>>> = {
  vertex: names([...common, "per-turn-control-2026-07-01"]),
  bedrock: names([
    ...common,
    "computer-use-2024-10-22",
    "dev-full-thinking-2025-05-14",
    "effort-2025-11-24",
    "fine-grained-tool-streaming-2025-05-14",
    "mid-conversation-output-config-2026-07-01",
    "mid-conversation-tool-changes-2026-07-01",
    "output-128k-2025-02-19",
    "token-efficient-tools-2025-02-19",
  ]),
};

function names(same: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...same.map((name) => [name, name] as const), toolSearch]);
}

type Called = { readonly provider: AnthropicProvider; readonly upstreamModel: string };

/** Those of the header `betas` that the call's cloud takes, by its names. */
export function betasFor(
  { provider, upstreamModel }: Called,
  cloud: Cloud,
  betas: string | undefined,
): readonly string[] {
  if (betas === undefined) return [];
  const asked = betas.split(",").flatMap((name) => taken[cloud].get(name.trim()) ?? []);
  const isRefused = wasRefused(provider, () => refusedName(upstreamModel, asked));
  return isRefused ? [] : asked;
}

function refusedName(upstreamModel: string, betas: readonly string[]): string {
  return `betas of ${upstreamModel}: ${betas.join()}`;
}

/** The field of a beta, without which clouds refuse it. */
export const betaOfField: Readonly<Record<string, string>> = {
  context_management: "context-management-2025-06-27",
};

/** What Bedrock puts before the refusal of a model, which may be JSON. */
const preamble = "The model returned the following errors: ";
/**
 * How the clouds refuse a beta. From the beginning: other refusals repeat words of a request, so a caller
 * could otherwise turn off the betas of all callers.
 */
const refusesBeta = /^(?:invalid beta flag|Unexpected value\(s\) .*`anthropic-beta` header)/;
const header = "anthropic-beta";

/** Undefined for any other refusal, and for a request without betas. */
export function retryWithoutBetas(
  { provider, upstreamModel }: Called,
  asked: DialectRequest,
  status: number,
  refusal: string,
): DialectRequest | undefined {
  // To Anthropic itself callers send betas of their own choice.
  if (provider.cloud === undefined || status !== 400 || !refusesBeta.test(messageOf(refusal)))
    return;
  const { [header]: named, ...headers } = asked.headers ?? {};
  const members = findMembers(asked.body);
  const inBody = memberText(asked.body, members, "anthropic_beta");
  const betas = inBody === undefined ? named?.split(",") : namesIn(inBody);
  if (betas === undefined) return undefined;
  rememberRefused(provider, [refusedName(upstreamModel, betas)]);
  const remove = ["anthropic_beta", ...Object.keys(betaOfField)];
  return { ...asked, headers, body: editJsonObject(asked.body, members, { remove }) };
}

/** What a provider says of a refusal, without what a cloud puts before it. */
export function messageOf(refusal: string): string {
  const { message = "" } = parseErrorBody(refusal);
  if (!message.startsWith(preamble)) return message;
  const inner = message.slice(preamble.length);
  return parseErrorBody(inner).message ?? inner;
}

function namesIn(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
}
