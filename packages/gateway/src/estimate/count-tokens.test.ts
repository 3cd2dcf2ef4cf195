// How long a prompt may be to be counted: as long as the largest context, and no longer.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import { chatModel, parseStreamed } from "../chat-model.fixture.ts";
import { createGateway } from "../completion.fixture.ts";
import { countTokens } from "./count-tokens.ts";

const most = 2_000_000;
const model = { ...chatModel, contextTokens: 10_000_000, templateTokens: 0 };
const current = { version: "test", models: new Map([[model.id, model]]) };
const principal = {
  accountId: newId<AccountId>(),
  keyId: null,
  limits: noLimits,
  origin: "api",
} as const;

function count(chars: number): Promise<number> {
  const gateway = createGateway({
    ledger: { charge: () => Promise.reject(), hold: () => Promise.reject() },
    catalog: { current },
  });
  const request = parseStreamed({ messages: [{ role: "user", content: "a ".repeat(chars / 2) }] });
  const { signal } = new AbortController();
  return countTokens({ gateway, principal, request, signal }).then(
    ({ promptTokens }) => promptTokens,
  );
}

test("prompts are counted up to 2,000,000 tokens, and refused beyond", async () => {
  // One token for each "a ", and those of the frame of the message.
  const frame = (await count(1_000)) - 500;
  expect(await count(2 * (most - frame))).toBe(most);
  const refused = await count(2 * (most - frame) + 2).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({
    code: "context_length_exceeded",
    message: "Prompts are counted up to 2,000,000 tokens, and this one has more.",
  });
}, 120_000);
