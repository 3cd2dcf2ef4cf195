// Which refusals are worth storing a prompt for: those that a provider may have caused, and no others.
import { expect, test } from "bun:test";
import { type AccountId, Fault, type GenerationId, newId } from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import { noLimits } from "@turnpike/keys";
import { recordPrompt } from "./record-prompt.ts";

async function endOf(thrown: unknown): Promise<string> {
  const seen = Promise.withResolvers<string>();
  const record = { end: seen.resolve, drop: () => seen.resolve("dropped") };
  const log = { begin: () => ({ ...record, add() {}, endStream() {} }) };
  const principal = { accountId: newId<AccountId>(), keyId: null, limits: noLimits } as const;
  const prompts = { projectId: newId(), days: 1, redacts: false } as never;
  const call = {
    principal: { ...principal, origin: "api", prompts },
    generationId: newId<GenerationId>(),
    text: "{}",
  } as const;
  const answering = recordPrompt(log as never, call, Promise.reject(thrown));
  expect(await answering.catch((error: unknown) => error)).toBe(thrown);
  return seen.promise;
}

test("a call that a database which is away refuses is not stored, a provider's failure is", async () => {
  const away = connectDatabase({ url: "postgres://turnpike@127.0.0.1:1/turnpike" });
  const thrown = await away.sql`select 1`.catch((error: unknown) => error);
  await away.close();
  expect(await endOf(thrown)).toBe("dropped");
  expect(await endOf(new Fault("bad_gateway", "The provider broke off."))).toContain("bad_gateway");
});
