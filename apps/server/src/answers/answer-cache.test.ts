// What the response cache does with the room of an account where the database fails.
import { expect, test } from "bun:test";
import { type AccountId, type GenerationId, type InstanceId, newId } from "@turnpike/base";
import { createLog } from "@turnpike/telemetry";
import { createAnswerCache } from "./answer-cache.ts";
import type { Room } from "./stored-room.ts";

test("an answer that could not be written gives its room back", async () => {
  const taken: Room[] = [];
  const givenBack: Room[] = [];
  const cache = createAnswerCache({
    database: { runQuery: () => Promise.reject(new Error("down")) },
    instanceId: newId<InstanceId>(),
    log: createLog({ level: "silent", name: "test" }),
    room: {
      take: async (_account, _share, wanted) => taken.push(wanted) > 0,
      giveBack: (_account, _share, room) => givenBack.push(room),
    },
  });
  const call = {
    accountId: newId<AccountId>(),
    apiKey: "sk",
    operation: "chat",
    language: "openai",
    text: "{}",
    headers: [],
  };
  const kept = { generationId: newId<GenerationId>(), ttlSeconds: 60 };
  await cache.keep(call, { headers: {}, body: "{}" }, kept);
  expect(taken).toHaveLength(1);
  expect(givenBack).toEqual(taken);
});
