// What is stored of a prompt: known secrets and addresses replaced, data left out, everything bounded.
import { describe, expect, test } from "bun:test";
import { describePrompt, type PromptContent } from "./prompt-content.ts";
import { type Redactions, redactText } from "./redact-text.ts";

const raw = { answer: undefined, isStream: false, isCut: false, redacts: true };

async function describeRequest(request: unknown, redacts = true): Promise<PromptContent> {
  const described = await describePrompt({ ...raw, request: JSON.stringify(request), redacts });
  if (typeof described === "string") throw new Error(described);
  return described;
}

const base62 = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
// In parts, so that no file has what looks like a key.
const title = "OPENSSH PRIVATE KEY";
const privateKey = `-----BEGIN ${title}-----\nb3BlbnNza\n${base62}\n-----END ${title}-----`;

describe("redacted", () => {
  test.each([
    ["secret", `sk-tp-${base62.slice(0, 49)}`],
    ["secret", `sk-tpm-${base62.slice(0, 49)}`],
    ["secret", `sk-proj-${base62.slice(0, 40)}`],
    ["secret", `sk-ant-api03-${base62.slice(0, 40)}_-AA`],
    ["secret", `sk_live_${base62.slice(0, 24)}`],
    ["secret", "AKIAIOSFODNN7EXAMPLE"],
    ["secret", `ghp_${base62.slice(0, 36)}`],
    ["secret", `github_pat_${base62.slice(0, 30)}`],
    ["secret", "glpat-abcdefghijklmnopqrst"],
    ["secret", `xoxb-${"1234567890".repeat(2)}-abcdefghijkl`],
    ["secret", `AIza${base62.slice(0, 35)}`],
    ["secret", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0xx.${base62.slice(0, 43)}`],
    ["secret", privateKey],
    ["email", "ada.lovelace+news@mail.example.co.uk"],
    ["email", "jürgen@exämple.de"],
    ["phone", "+1 (555) 010-9999"],
    ["phone", "555-010-9999"],
    ["ip", "192.168.10.254"],
    ["ip", "2001:db8::8a2e:370:7334"],
    ["card", "4111111111111111"],
    ["card", "5500-0000-0000-0004"],
  ])("%s: %s", (kind, text) => {
    const counts: Redactions = {};
    expect(redactText(`before ${text}, behind`, counts)).toBe(`before [redacted ${kind}], behind`);
    expect(counts).toEqual({ [kind]: 1 });
  });

  test.each([
    ["authorization: Bearer abcdefghijklmnop", "authorization: Bearer [redacted secret]"],
    ["postgres://app:hunter22@db/x", "postgres://app:[redacted secret]@db/x"],
    [`aws_secret_access_key = ${base62.slice(0, 40)}`, "aws_secret_access_key = [redacted secret]"],
    [`x\n${privateKey.slice(0, 90)}`, "x\n[redacted secret]"],
  ])("only the secret of %j", (text, redacted) => {
    expect(redactText(text, {})).toBe(redacted);
  });

  test.each([
    ["secret", `sk-proj-${base62.slice(0, 40)}`],
    ["secret", "AKIAIOSFODNN7EXAMPLE"],
    ["email", "ada@example.org"],
    ["phone", "+1 (555) 010-9999"],
    ["ip", "192.168.10.254"],
    ["card", "4111111111111111"],
  ])("%s behind the escapes of JSON within JSON: %s", (kind, text) => {
    for (const behind of ["\\n", "\\t", "\\u000a", "\\\\n"]) {
      const args = (secret: string) => `{"file":"A=1${behind}${secret}${behind}"}`;
      const counts: Redactions = {};
      expect(redactText(args(text), counts)).toBe(args(`[redacted ${kind}]`));
      expect(counts).toEqual({ [kind]: 1 });
    }
  });

  test.each([
    [`{"to":"ada\\u0040example.org"}`, `{"to":"[redacted email]"}`],
    ["https://example.org/?to=ada%40example.org&x", "https://example.org/?to=[redacted email]&x"],
    [
      `{"url":"postgres:\\/\\/app:hunter22@db"}`,
      `{"url":"postgres:\\/\\/app:[redacted secret]@db"}`,
    ],
    [
      `{\\"aws_secret_access_key\\": \\"${base62.slice(0, 40)}\\"}`,
      `{\\"aws_secret_access_key\\": \\"[redacted secret]\\"}`,
    ],
    [`{"h":"x\\nBearer abcdefghijklmnop"}`, `{"h":"x\\nBearer [redacted secret]"}`],
  ])("in the spelling of another format: %j", (text, redacted) => {
    expect(redactText(text, {})).toBe(redacted);
  });

  test.each([
    "at 12:30:45 we met",
    "C:\\new\\table and \\u0041",
    "std::vector<int> a::b",
    "version 1.2.3",
    "order 4111111111111112",
    "1763000000000",
    "sk-short",
    "a bearer of news",
    "-----BEGIN CERTIFICATE-----",
    "x@y",
  ])("not what only looks like it: %s", (text) => {
    expect(redactText(text, {})).toBe(text);
  });
});

test("names of members and numbers are redacted like texts", async () => {
  const { request, redactions } = await describeRequest({
    "ada@example.com": { card: 4111111111111111, count: 41 },
  });
  expect(request).toEqual({ "[redacted email]": { card: "[redacted card]", count: 41 } });
  expect(redactions).toEqual({ email: 1, card: 1 });
});

test("a request is cut at a mebibyte, after its secrets were replaced", async () => {
  const filler = "word ".repeat(209_000);
  const key = `sk-tp-${base62.slice(0, 49)}`;
  const { request, truncated } = await describeRequest({
    messages: [{ content: `${filler}${key}${filler}` }, { content: "never stored" }],
  });
  const text = JSON.stringify(request);
  expect(truncated).toEqual({ request: true, answer: false });
  expect(text.length).toBeLessThan(1_048_576 + 200);
  expect(text).not.toContain("sk-tp-");
  expect(text).not.toContain("never stored");
});

test("what is too large or unreadable is not stored at all", async () => {
  const request = JSON.stringify({ prompt: "a b ".repeat(1_500_000) });
  expect(await describePrompt({ ...raw, request })).toBe("too_large");
  expect(await describePrompt({ ...raw, request: "{broken" })).toBe("unreadable");
});

test.each([
  [{ store: false }],
  [{ provider: { data_collection: "deny" } }],
  [{ provider: { zdr: true } }],
  [{ providerOptions: { gateway: { zeroDataRetention: true } } }],
  [{ providerOptions: { gateway: { disallowPromptTraining: true } } }],
  [{ providerOptions: { openai: { store: false } } }],
])("%j declines", async (fields) => {
  const request = JSON.stringify({ messages: [], ...fields });
  expect(await describePrompt({ ...raw, request })).toBe("declined");
});

const data = Buffer.alloc(30_000, 7).toString("base64");

test.each([
  [{ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }],
  [{ type: "image_url", image_url: { url: "data:image/gif;base64,R0lGODlhAQABAAAAACw=" } }],
  [{ type: "image", source: { type: "base64", media_type: "image/png", data } }],
  [
    {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgoAAAANSUhEUg==" },
    },
  ],
  [{ type: "input_audio", input_audio: { data, format: "wav" } }],
  [{ type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` } }],
  [{ type: "input_image", image_url: `data:image/webp;base64,${data}` }],
])("data is replaced by a note: %#", async (part) => {
  const { request } = await describeRequest({ messages: [{ role: "user", content: [part] }] });
  const text = JSON.stringify(request);
  expect(text).toMatch(/\[[\w./-]+, about \d+ bytes, not stored\]/);
  expect(text.length).toBeLessThan(250);
});

test("an upload of many megabytes is stored as its note, beside what was asked", async () => {
  const large = Buffer.alloc(12 * 1_048_576, 9).toString("base64");
  const { request } = await describeRequest({
    messages: [
      { content: [{ image_url: { url: `data:image/png;base64,${large}` } }, { text: "what?" }] },
    ],
  });
  expect(request).toEqual({
    messages: [
      {
        content: [
          { image_url: { url: "[image/png, about 12582912 bytes, not stored]" } },
          { text: "what?" },
        ],
      },
    ],
  });
});

test("the tool calls of a stream are joined", async () => {
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const call = (more: object) => chunk({ tool_calls: [{ index: 0, ...more }] });
  const answer = [
    chunk({ role: "assistant", content: "" }),
    call({ id: "call_1", function: { name: "mail", arguments: "" } }),
    call({ function: { arguments: '{"to":"ada@exa' } }),
    call({ function: { arguments: 'mple.org"}' } }),
    ": keep-alive\n\n",
    "data: [DONE]\n\n",
  ].join("");
  const described = await describePrompt({ ...raw, request: "{}", answer, isStream: true });
  expect(described).toMatchObject({
    answer: {
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            tool_calls: [
              { id: "call_1", function: { name: "mail", arguments: '{"to":"[redacted email]"}' } },
            ],
          },
        },
      ],
    },
  });
});

test("a stream of an interaction is joined, without what its provider needs back", async () => {
  const delta = (index: number, content: object) => ({
    event_type: "step.delta",
    index,
    delta: content,
  });
  const events = [
    { event_type: "interaction.created", interaction: { id: "gen-1", status: "in_progress" } },
    { event_type: "step.start", index: 0, step: { type: "thought" } },
    delta(0, { type: "thought_summary", content: { type: "text", text: "Hm." } }),
    delta(0, { type: "thought_signature", signature: "c2lnbmF0dXJlIG9mIHRoaXM=" }),
    { event_type: "step.start", index: 1, step: { type: "model_output" } },
    delta(1, { type: "text", text: "ada@exam" }),
    delta(1, { type: "text", text: "ple.org" }),
    { event_type: "step.start", index: 2, step: { type: "function_call", id: "c", name: "f" } },
    delta(2, { type: "arguments_delta", arguments: "{}" }),
    { event_type: "interaction.completed", interaction: { id: "gen-1", status: "completed" } },
  ];
  const answer = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const described = await describePrompt({ ...raw, request: "{}", answer, isStream: true });
  expect(described).toMatchObject({
    answer: {
      id: "gen-1",
      status: "completed",
      steps: [
        { type: "thought", text: "Hm." },
        { type: "model_output", text: "[redacted email]" },
        { type: "function_call", id: "c", name: "f", arguments: "{}" },
      ],
    },
  });
  expect(JSON.stringify(described)).not.toContain("c2lnbmF0dXJl");
});

test.each([
  ["events", "data: ", "\n\n", ""],
  ["a list", ",", "\n", "]\n"],
])(
  "a stream of Gemini's as %s is joined, without what its provider needs back",
  async (_, before, after, end) => {
    const pieces = [
      { text: "Hm", thought: true },
      { text: ".", thought: true, thoughtSignature: "c2lnbmF0dXJlIG9mIHRoaXM=" },
      { text: "ada@exam" },
      { text: "ple.org" },
      { functionCall: { name: "f", args: { a: 1 } } },
    ];
    const responses = pieces.map((part, index) => ({
      candidates: [{ index: 0, content: { role: "model", parts: [part] } }],
      responseId: "gen-1",
      ...(index === pieces.length - 1 && { usageMetadata: { totalTokenCount: 3 } }),
    }));
    const lines = responses.map((response) => before + JSON.stringify(response) + after).join("");
    const answer = (before === "," ? `[${lines.slice(1)}` : lines) + end;
    const described = await describePrompt({ ...raw, request: "{}", answer, isStream: true });
    expect(described).toMatchObject({
      answer: {
        responseId: "gen-1",
        usageMetadata: { totalTokenCount: 3 },
        candidates: [
          {
            index: 0,
            content: {
              parts: [
                { text: "Hm.", thought: true },
                { text: "[redacted email]" },
                { functionCall: { name: "f", args: { a: 1 } } },
              ],
            },
          },
        ],
      },
    });
    expect(JSON.stringify(described)).not.toContain("c2lnbmF0dXJl");
  },
);
