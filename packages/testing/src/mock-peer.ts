// A mock OpenAI server from npm that nobody here wrote, set up to serve the plain cases. What works
// only against our own scripted upstream does not speak the format.
import { plainCases } from "./plain-cases.ts";

export type MockPeer = { url: string; baseUrl: string; close(): Promise<void> };

/** Starts the peer on the loopback address; it answers 404 to what is no plain case. */
export async function startMockPeer(): Promise<MockPeer> {
  // Loaded only when asked for: it is large, and most tests never meet the peer.
  const { LLMock } = await import("@copilotkit/aimock");
  const { text, tool, busy } = plainCases;
  const peer = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent" });
  peer
    .onMessage(text.message, { content: text.script.text })
    .onMessage(tool.message, { toolCalls: [...tool.script.toolCalls] })
    .onMessage(busy.message, {
      error: { message: busy.script.error, type: "requests", code: "rate_limit_exceeded" },
      status: busy.script.status,
    });
  const url = await peer.start();
  return { url, baseUrl: `${url}/v1`, close: () => peer.stop() };
}
