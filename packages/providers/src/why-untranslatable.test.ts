// What no route of a kind can be asked, whatever its dialect says.
import { expect, test } from "bun:test";
import { messagesProtocol } from "@turnpike/wire";
import type { AnthropicProvider, Provider } from "./provider.ts";
import { whyUntranslatable } from "./why-untranslatable.ts";

const anthropic: AnthropicProvider = {
  id: "anthropic",
  kind: "anthropic",
  baseUrl: "https://api.example.com",
  credential: { scheme: "none" },
  cancelledStream: "billed_as_written",
};

function whyFor(provider: Provider): string | undefined {
  const cached = { type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "1h" } };
  const messages = [{ role: "user", content: [cached] }];
  const text = JSON.stringify({ model: "m", max_tokens: 1, messages });
  const request = messagesProtocol.parse(text, new Headers());
  return whyUntranslatable({ provider, upstreamModel: "m" }, request)?.message;
}

test("what is cached for an hour is asked of Anthropic itself, and of no cloud that serves Claude", () => {
  expect(whyFor(anthropic)).toBeUndefined();
  for (const cloud of ["vertex", "bedrock"] as const) {
    expect(whyFor({ ...anthropic, cloud })).toContain("only Anthropic's own API");
  }
});
