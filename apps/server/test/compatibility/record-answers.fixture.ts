// Valid answers of every dialect, whole and streamed, as the scripted upstream sends them: the input of a
// fuzz test.
import type { Script, ScriptedUpstream } from "@turnpike/testing";

export const dialects = ["openai", "anthropic", "gemini", "openai-responses"] as const;
export type DialectName = (typeof dialects)[number];

export type Recorded = {
  readonly dialect: DialectName;
  readonly stream: boolean;
  readonly body: string;
};

const calls = [
  { name: "get_weather", arguments: '{"city":"Oslo","at":1}' },
  { name: "get_time", arguments: "{}" },
];
const scripts: readonly Script[] = [
  { text: "Grüße aus Oslo 😀!" },
  { reasoning: 2, signature: "signed", redacted: "sealed", text: "so it is" },
  { deltas: 2, toolCalls: calls },
  { text: "cut short", finish: "length", cachedTokens: 2 },
  { text: "no count of tokens", usage: "missing" },
  { text: "held", finish: "content_filter" },
];

/** How the end of a complete answer can be recognized from the outside. */
export const endMarks: Readonly<Record<DialectName, RegExp>> = {
  openai: /"finish_reason":"/,
  anthropic: /"type":"message_stop"/,
  gemini: /"finishReason"/,
  "openai-responses": /"type":"response\.(?:completed|incomplete)"/,
};

export async function recordAnswers(upstream: ScriptedUpstream): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  for (const dialect of dialects) {
    for (const stream of [false, true]) {
      for (const script of scripts) {
        const { path, body } = requestOf(dialect, stream, `hi #script ${JSON.stringify(script)}`);
        const answer = await fetch(`${upstream.url}${path}`, {
          method: "POST",
          body: JSON.stringify(body),
        });
        if (answer.status !== 200) throw new Error(`${dialect}: ${await answer.text()}`);
        recorded.push({ dialect, stream, body: await answer.text() });
      }
    }
  }
  return recorded;
}

function requestOf(dialect: DialectName, stream: boolean, text: string) {
  const messages = [{ role: "user", content: text }];
  const asked = { model: "m", stream };
  switch (dialect) {
    case "openai": {
      const options = stream ? { stream_options: { include_usage: true } } : {};
      return { path: "/v1/chat/completions", body: { ...asked, ...options, messages } };
    }
    case "anthropic":
      return { path: "/v1/messages", body: { ...asked, max_tokens: 99, messages } };
    case "openai-responses":
      return { path: "/v1/responses", body: { ...asked, input: text } };
    case "gemini": {
      const method = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      const contents = [{ role: "user", parts: [{ text }] }];
      return { path: `/v1beta/models/m:${method}`, body: { contents } };
    }
  }
}
