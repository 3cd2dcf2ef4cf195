// The Interactions API over HTTP: whole answers and streams, billed like any other call, in the shapes of @google/genai.
import { describe, expect, test } from "bun:test";
import { postGemini } from "../gemini/ask-gemini.fixture.ts";
import {
  at,
  countCalls,
  readJson,
  readLastCharge,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../harness/index.ts";
import { asking, eventsOf, postInteraction } from "./ask-interactions.fixture.ts";

const { server, account } = await useServer(startTestServer());
const model = testModels.cheap;
const post = postInteraction(server, account);
const lastCharge = () => readLastCharge(server, account);

describe("a whole answer", () => {
  test("has its steps, its usage and its cost, and says that it is not stored", async () => {
    const answer = await post(asking(model, { deltas: 3 }, { store: true }));
    expect(answer.headers.get("content-type")).toBe("application/json");
    const body = await readJson(answer);
    const prompt = Number(at(body, "usage.total_input_tokens"));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(body).toEqual({
      id: answer.headers.get("x-generation-id"),
      object: "interaction",
      model,
      status: "completed",
      created: time,
      updated: time,
      store: false,
      usage: {
        total_input_tokens: prompt,
        input_tokens_by_modality: [{ modality: "text", tokens: prompt }],
        total_cached_tokens: 0,
        total_output_tokens: 3,
        output_tokens_by_modality: [{ modality: "text", tokens: 3 }],
        total_thought_tokens: 0,
        total_tool_use_tokens: 0,
        total_tokens: prompt + 3,
        cost: usdNumber(await lastCharge()),
      },
      steps: [{ type: "model_output", content: [{ type: "text", text: " tok tok tok" }] }],
    });
  });

  test.each(["/v1beta", "/v1", "/v1/v1", "/v1/v1beta", "/v1alpha"])(
    "is served under %s",
    async (base) => {
      const answer = await postGemini(server, account)(`${base}/interactions`, asking(model, {}));
      expect([answer.status, at(await readJson(answer), "model")]).toEqual([200, model]);
    },
  );

  test("the key may be in the address or a bearer token", async () => {
    const ask = postGemini(server, account);
    const path = "/v1beta/interactions";
    expect((await ask(`${path}?key=${account.key}`, asking(model, {}), {})).status).toBe(200);
    const bearer = { authorization: `Bearer ${account.key}` };
    expect((await ask(path, asking(model, {}), bearer)).status).toBe(200);
    for (const key of ["sk-wrong", "%00", "a%0D%0Ab", "%E2%82%AC"]) {
      expect((await ask(`${path}?key=${key}`, asking(model, {}), {})).status).toBe(401);
    }
  });

  test("the limit of its length is an incomplete status", async () => {
    const answer = await post(
      asking(model, { deltas: 5 }, { generation_config: { max_output_tokens: 2 } }),
    );
    expect(at(await readJson(answer), "status")).toBe("incomplete");
  });
});

describe("a stream", () => {
  test("begins with its creation, announces each step, and ends with the usage", async () => {
    const { calls } = await countCalls(server, account, async () => {
      const answer = await post(asking(model, { deltas: 3 }, { stream: true }));
      expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
      const events = eventsOf(await answer.text());
      const { id } = { id: answer.headers.get("x-generation-id") };
      expect(events[0]).toMatchObject({
        event_type: "interaction.created",
        interaction: { id, object: "interaction", model, status: "in_progress", store: false },
      });
      expect(at(events[0], "interaction.usage")).toBeUndefined();
      expect(events.slice(1, -1)).toEqual([
        { event_type: "step.start", index: 0, step: { type: "model_output" } },
        ...Array.from({ length: 3 }, () => {
          return { event_type: "step.delta", index: 0, delta: { type: "text", text: " tok" } };
        }),
        { event_type: "step.stop", index: 0 },
      ]);
      expect(events.at(-1)).toMatchObject({
        event_type: "interaction.completed",
        interaction: { id, status: "completed", usage: { total_output_tokens: 3 } },
      });
      expect(at(events.at(-1), "interaction.usage.cost")).toBe(usdNumber(await lastCharge()));
    });
    expect(calls).toBe(1);
  });

  test("of a model of the sandbox has the text of its whole answer", async () => {
    const asked = { model: testModels.cheap, input: "Hello" };
    const whole = await readJson(await post(asked));
    const events = eventsOf(await (await post({ ...asked, stream: true })).text());
    const texts = events.map((event) => at(event, "delta.text")).join("");
    expect(texts).toBe(String(at(whole, "steps.0.content.0.text")));
  });
});
