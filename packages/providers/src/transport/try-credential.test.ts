// Whether a key is accepted is asked at an address that is free and that nobody without a key may read.
import { afterAll, expect, test } from "bun:test";
import type { Provider } from "../provider.ts";
import { tryCredential } from "./try-credential.ts";

const asked: string[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    const { headers } = request;
    const key = headers.get("xi-api-key") ?? headers.get("authorization");
    asked.push(`${pathname} ${key}`);
    const isOpen = pathname === "/v1/models" && !headers.has("xi-api-key");
    return Response.json({}, { status: isOpen || key?.endsWith("good") ? 200 : 401 });
  },
});
afterAll(() => server.stop(true));

const shared = {
  baseUrl: `http://127.0.0.1:${server.port}/v1`,
  cancelledStream: "billed_as_written",
} as const;
const elevenlabs = (secret: string): Provider => ({
  ...shared,
  id: "elevenlabs",
  kind: "elevenlabs",
  credential: { scheme: "xi-api-key", secret },
});
const deepgram = (secret: string): Provider => ({
  ...shared,
  id: "deepgram",
  kind: "deepgram",
  credential: { scheme: "token", secret },
});

test.each([
  ["ElevenLabs", elevenlabs("good"), "accepted", "/v1/models good"],
  ["ElevenLabs", elevenlabs("bad"), "refused", "/v1/models bad"],
  // Its models are listed for everyone.
  ["Deepgram", deepgram("good"), "accepted", "/v1/projects Token good"],
  ["Deepgram", deepgram("bad"), "refused", "/v1/projects Token bad"],
])("%s: a key is tried where it is needed", async (_, provider, result, request) => {
  const trial = await tryCredential(provider, { allowPrivate: true });
  expect<string>(trial.result).toBe(result);
  expect(asked.at(-1)).toBe(request);
});
