// What is pasted into tools names this gateway, a model and the key, and nothing is left to guess.
import { expect, test } from "bun:test";
import { toolSetups } from "./tool-setups.ts";

const facts = { baseUrl: "https://ai.example/v1", model: "acme/large", product: "Acme" };
const names =
  "Cursor, Cline, Continue, Claude Code, Codex, opencode, Gemini CLI, Aider, Open WebUI, LangChain, AI SDK, AI SDK Gateway, n8n";

test("each of the thirteen tools has a setup", () => {
  const all = toolSetups(facts).map(({ name }) => name);
  expect(all.join(", ")).toBe(names);
});

for (const setup of toolSetups({ ...facts, apiKey: "sk-tp-secret" })) {
  test(`the setup of ${setup.name} names the gateway, the model and the key`, () => {
    const { code } = setup.snippet;
    // The clients of Anthropic and Google append the version themselves.
    const isBare = ["claude-code", "gemini-cli"].includes(setup.id);
    const ofGateway = setup.id === "ai-sdk-gateway" ? "https://ai.example/v4/ai" : facts.baseUrl;
    expect(code).toContain(isBare ? '"https://ai.example"' : ofGateway);
    // Open WebUI lists all models.
    if (setup.id !== "open-webui") expect(code).toContain(facts.model);
    if (setup.id === "codex") expect(setup.step).toContain("GATEWAY_KEY=");
    else expect(code).toContain("sk-tp-secret");
    expect(code).not.toContain("sk-tp-...");
    expect(code).not.toContain("undefined");
  });
}

test("opencode's setup is JSON", () => {
  const setup = toolSetups(facts).find(({ id }) => id === "opencode");
  expect(JSON.parse(setup?.snippet.code ?? "")).toMatchObject({ model: "gateway/acme/large" });
});
