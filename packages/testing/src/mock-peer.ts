// An independent mock OpenAI server from npm, set up to serve the plain cases. Code that works only
// against our own scripted upstream does not implement the format.
import { plainCases } from "./plain-cases.ts";

/** `baseUrl` ends in `/v1`, where it also serves Anthropic's API; Gemini's is at `url`, under `/v1beta`. */
export type MockPeer = { url: string; baseUrl: string; close(): Promise<void> };

/** Starts the peer on the loopback address; it answers 404 to everything except plain cases. */
export async function startMockPeer(): Promise<MockPeer> {
  // Loaded on demand: it is large, and most tests do not use it.
  const { LLMock } = await import("@copilotkit/aimock");
  const { text, tool, busy } = plainCases;
  // It reports these in each format's own terms; without them two of its formats report zeros.
  const usage = { prompt_tokens: 12, completion_tokens: 7 };
  const peer = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent" });
  peer
    .onMessage(text.message, { content: text.script.text, usage })
    .onMessage(tool.message, { toolCalls: [...tool.script.toolCalls], usage })
    .onMessage(busy.message, {
      error: { message: busy.script.error, type: "requests", code: "rate_limit_exceeded" },
      status: busy.script.status,
    });
  const url = await peer.start();
  return { url, baseUrl: `${url}/v1`, close: () => peer.stop() };
}
