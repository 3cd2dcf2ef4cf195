// Who decides whether the address of an image is one: Google is told the media type by us, so there its extension
// does. Every other provider fetches it and looks at what it finds, whatever the address ends in.
import { expect, test } from "bun:test";
import { type ChatRequest, messagesProtocol, parseChatRequest } from "@turnpike/wire";
import type { Provider, UpstreamCall } from "../provider.ts";
import { whyUntranslatable } from "../why-untranslatable.ts";
import { chatCall } from "./anthropic/sample-messages-call.fixture.ts";
import { dialectOf } from "./dialect-of.ts";
import { geminiCall } from "./gemini/sample-response.fixture.ts";
import { sampleCall, sampleProvider } from "./openai/sample-call.fixture.ts";

const endings = ["a.svg", "a.pdf", "a.mp4", "a.png?format=pdf", "a"];
const addressOf = (ending: string) => `https://x.example/${ending}`;

const openai = sampleProvider("openai");
const anthropic = chatCall().provider;
const providers: [string, Provider, string][] = [
  ["OpenAI's chat completions", openai, "model-1"],
  ["OpenAI's responses", { ...openai, quirks: { ...openai.quirks, responses: "only" } }, "model-1"],
  ["Anthropic", anthropic, "claude-sonnet-4-5"],
  ["Claude on Vertex AI", { ...anthropic, cloud: "vertex" }, "claude-sonnet-4-5@20250929"],
  ["Claude on Bedrock", { ...anthropic, cloud: "bedrock" }, "anthropic.claude-v2"],
];

function bodyWith(part: object): string {
  return JSON.stringify({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: [part] }],
  });
}

/** From callers of two protocols, so that no provider speaks the language of both. */
function callsWith(ending: string, provider: Provider, upstreamModel: string): UpstreamCall[] {
  const url = addressOf(ending);
  const requests: ChatRequest[] = [
    parseChatRequest(bodyWith({ type: "image_url", image_url: { url } })),
    messagesProtocol.parse(
      bodyWith({ type: "image", source: { type: "url", url } }),
      new Headers(),
    ),
  ];
  return requests.map((request) => ({ ...sampleCall(), provider, upstreamModel, request }));
}

test.each(providers)("%s is sent the address as it is", (_, provider, upstreamModel) => {
  for (const ending of endings) {
    for (const call of callsWith(ending, provider, upstreamModel)) {
      expect(whyUntranslatable(call, call.request)).toBeUndefined();
      expect(dialectOf(call).buildRequest(call).body).toContain(`"${addressOf(ending)}"`);
    }
  }
});

test("Gemini is sent an address whose extension names an image or nothing, and that is published", async () => {
  const { provider } = geminiCall();
  const sent = endings.filter((ending) =>
    callsWith(ending, provider, "gemini-2.5-flash").every(
      (call) => whyUntranslatable(call, call.request) === undefined,
    ),
  );
  expect(sent).toEqual(["a.svg", "a.png?format=pdf", "a"]);
  const page = await Bun.file(`${import.meta.dir}/../../../../docs/dialects.md`).text();
  expect(page).toContain("Only Google is told the media type of an address");
});
