// Refusals over an upstream of another language name the items that the caller of /v1/responses wrote.
import { expect, test } from "bun:test";
import { geminiCatalog } from "../dialects/gemini-catalog.ts";
import { asObject, readJson, startTestServer, useServer } from "../harness/index.ts";
import { postResponse } from "./post-responses.ts";

const { server, account } = await useServer(startTestServer({ catalog: geminiCatalog }));

test("arguments that Gemini cannot be sent are named by their item, in the message as well", async () => {
  const input = [
    { role: "user", content: "Hi" },
    { type: "reasoning", summary: [] },
    { type: "function_call", call_id: "c", name: "f", arguments: "no object" },
    { type: "function_call_output", call_id: "c", output: "ok" },
  ];
  const body = { model: "google/scripted", instructions: "Be brief.", input };
  const refused = await postResponse(server, account.key, { body });
  const { error } = await readJson(refused);
  const { code, param, message } = asObject(error);
  expect([refused.status, code, param]).toEqual([400, "unsupported_parameter", "input[2]"]);
  expect(message).toContain("'input[2]'");
  expect(message).not.toContain("messages");
});
