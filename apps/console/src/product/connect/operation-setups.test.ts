// What is pasted into tools for images, audio and ranking names this gateway, a model of the operation and the key; where an
// installation has no such model, no such setup is offered.
import { expect, test } from "bun:test";
import { operationSetups } from "./operation-setups.ts";

const baseUrl = "https://ai.example/v1";
const facts = { baseUrl, apiKey: "sk-tp-secret", voice: "alloy" };
const modelFor = (operation: string) => `acme/${operation}`;

test("every tool that has settings for an operation has a setup", () => {
  const names = operationSetups({ ...facts, modelFor }).map(({ name }) => name);
  expect(names).toEqual([
    "Open WebUI: Images",
    "Open WebUI: Speech",
    "Open WebUI: Transcription",
    "Open WebUI: Rerank",
    "AI SDK: Images",
    "AI SDK: Speech",
    "AI SDK: Transcription",
    "Cohere SDK: Rerank",
    "LangChain: Rerank",
  ]);
});

for (const setup of operationSetups({ ...facts, modelFor })) {
  test(`the setup of ${setup.name} names the gateway, the model and the key`, () => {
    const { code } = setup.snippet;
    expect(code).toContain(baseUrl);
    expect(code).toContain(`acme/${setup.operation}`);
    expect(code).toContain("sk-tp-secret");
    expect(code).not.toContain("undefined");
  });
}

test("an operation without a model has no setup", () => {
  const onlyRerank = (operation: string) => (operation === "rerank" ? "acme/rerank" : undefined);
  const setups = operationSetups({ ...facts, modelFor: onlyRerank });
  expect(new Set(setups.map(({ operation }) => operation))).toEqual(new Set(["rerank"]));
});
