// Streams as Vertex AI sends them: Gemini's with additional members, and Anthropic's unchanged.
import { messagesStreams } from "./anthropic/recorded-messages.fixture.ts";
import {
  counts,
  geminiCall,
  known,
  plainUsage,
  sse,
  stop,
} from "./gemini/sample-response.fixture.ts";
import type { RecordedAnswer } from "./recorded-answer.fixture.ts";

const head = {
  modelVersion: "gemini-2.5-flash",
  createTime: "2026-10-20T10:00:00.000000Z",
  responseId: "rEsp0nse_1d",
};
const said = (text: string, more: object = {}) => [
  { content: { role: "model", parts: [{ text }] }, ...more },
];
const call = geminiCall({ stream: true }, "gemini-2.5-flash");
const gemini: RecordedAnswer = {
  name: "vertex: Gemini",
  call: { ...call, provider: { ...call.provider, cloud: "vertex" } },
  body: sse(
    { candidates: said("Grüße, "), usageMetadata: { trafficType: "ON_DEMAND" }, ...head },
    {
      candidates: said("Welt", { finishReason: "STOP", avgLogprobs: -0.1 }),
      usageMetadata: { ...counts, trafficType: "ON_DEMAND" },
      ...head,
    },
  ),
  says: { ...known, text: "Grüße, Welt", finishes: stop(), usage: plainUsage },
};

/** Anthropic's own, under the address of the cloud. */
const claude = messagesStreams
  .filter(({ name }) => /thinking|parallel|cache|error/.test(name))
  .map((recorded): RecordedAnswer => {
    const { provider } = recorded.call;
    if (provider.kind !== "anthropic") throw new Error("a stream of another dialect");
    return {
      ...recorded,
      name: recorded.name.replace("anthropic", "vertex"),
      call: { ...recorded.call, provider: { ...provider, cloud: "vertex" } },
    };
  });

export const vertexStreams: readonly RecordedAnswer[] = [gemini, ...claude];
