// Stored interactions over every dialect: the upstream gets all steps before the new ones, with what it needs back of its thoughts, also
// from a model behind another one.
import { afterEach, describe, expect, test } from "bun:test";
import { dialectCatalog, dialects } from "../clients/over-dialects.ts";
import { expectCleanBooks, readJson, startTestServer, useServer } from "../harness/index.ts";
import { interactionOf, useInteractions } from "./use-interactions.fixture.ts";
import { storedEnvironment } from "./use-stored.fixture.ts";

const { server, account } = await useServer(
  startTestServer({ environment: storedEnvironment, catalog: dialectCatalog }),
);
const { ask, create, say } = useInteractions(server, account);
afterEach(() => expectCleanBooks(server));

const lastBody = () => JSON.stringify(server.upstream.requests.at(-1)?.parsed);

function expectInOrder(texts: readonly string[]) {
  const places = texts.map((text) => lastBody().indexOf(text));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}

describe.each(dialects.map((name) => `over/${name}`))("%s", (model) => {
  test.each([false, true])("is continued with all before it, stream: %p", async (stream) => {
    const first = await say("The answer one.", { model, input: "Question one.", stream });
    expect(first.store).toBe(true);
    const fields = { previous_interaction_id: first.id, stream };
    const second = await say("Two.", { model, input: "Question two.", ...fields });
    expect(second.previous_interaction_id).toBe(first.id);
    expectInOrder(["Question one.", "The answer one.", "Question two."]);
    expect(lastBody()).not.toContain(first.id);
    expect(lastBody()).not.toContain('"store":true');
  });

  test.each([false, true])(
    "gets back its thoughts and calls, and so does every other one, stream: %p",
    async (stream) => {
      const tools = [{ type: "function", name: "find", parameters: { type: "object" } }];
      const generation_config = { thinking_level: "low", thinking_summaries: "auto" };
      const asked = { tools, generation_config, store: true, stream };
      server.upstream.script(() => ({
        reasoning: 2,
        signature: "c2lnbmF0dXJl",
        toolCalls: [{ name: "find", arguments: '{"city":"Oslo"}' }],
      }));
      const first = await interactionOf(await create({ model, input: "Where?", ...asked }));
      expect(first.status).toBe("requires_action");
      const { steps } = await readJson(await ask(`/${first.id}`));
      const call = (Array.isArray(steps) ? steps : []).find(({ type }) => type === "function_call");
      const input = [{ type: "function_result", call_id: call.id, result: "In Norway." }];
      const next = { ...asked, input, previous_interaction_id: first.id };
      for (const other of dialects.map((name) => `over/${name}`)) {
        expect((await say("There.", { model: other, ...next })).status).toBe("completed");
        expectInOrder(["Where?", "Oslo", "In Norway."]);
        const isOwn = other === model && /anthropic|gemini/.test(model);
        if (isOwn) expect(lastBody()).toContain("c2lnbmF0dXJl");
      }
    },
  );
});
