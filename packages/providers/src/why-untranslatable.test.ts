// What no route of a kind supports, regardless of its dialect.
import { expect, test } from "bun:test";
import {
  chatProtocol,
  completionsProtocol,
  embeddingsProtocol,
  messagesProtocol,
  type ParsedRequest,
  responsesProtocol,
} from "@turnpike/wire";
import { geminiCall } from "./dialects/gemini/sample-response.fixture.ts";
import { sampleProvider } from "./dialects/openai/sample-call.fixture.ts";
import { azureQuirks } from "./known-providers.ts";
import type { AnthropicProvider, Provider } from "./provider.ts";
import { whyUntranslatable } from "./why-untranslatable.ts";

const anthropic: AnthropicProvider = {
  id: "anthropic",
  kind: "anthropic",
  baseUrl: "https://api.example.com",
  credential: { scheme: "none" },
  cancelledStream: "billed_as_written",
};

const cached = { type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "1h" } };
const text = JSON.stringify({
  model: "m",
  max_tokens: 1,
  messages: [{ role: "user", content: [cached] }],
});
const ofAnthropic = messagesProtocol.parse(text, new Headers());
const ofOpenai = chatProtocol.parse(text, new Headers());

function whyFor(provider: Provider, request: ParsedRequest): string | undefined {
  return whyUntranslatable({ provider, upstreamModel: "m" }, request)?.message;
}

test("caching for an hour is requested only from Anthropic itself, not from clouds that serve Claude", () => {
  for (const request of [ofAnthropic, ofOpenai]) {
    expect(whyFor(anthropic, request)).toBeUndefined();
    for (const cloud of ["vertex", "bedrock"] as const) {
      expect(whyFor({ ...anthropic, cloud }, request)).toContain("only Anthropic's own API");
    }
  }
});

test("a mark that a translation leaves out is no reason to refuse a request; one that is passed on is", () => {
  const openai = sampleProvider("openai");
  const { quirks } = openai;
  const superset: Provider = { ...openai, quirks: { ...quirks, controlFields: "obeys" } };
  const responses: Provider = { ...openai, quirks: { ...quirks, responses: "only" } };
  const { provider: gemini } = geminiCall();
  for (const provider of [openai, responses, gemini]) {
    expect(whyFor(provider, ofAnthropic)).toBeUndefined();
  }
  for (const provider of [responses, gemini]) expect(whyFor(provider, ofOpenai)).toBeUndefined();
  expect(whyFor(superset, ofAnthropic)).toContain("only Anthropic's own API");
  for (const provider of [openai, superset]) {
    expect(whyFor(provider, ofOpenai)).toContain("only Anthropic's own API");
  }
});

const question = [{ role: "user", content: "Hello" }];
const protocols = {
  chat: { protocol: chatProtocol, body: { messages: question } },
  responses: { protocol: responsesProtocol, body: { input: "Hello" } },
  completions: { protocol: completionsProtocol, body: { prompt: "Hello" } },
  messages: { protocol: messagesProtocol, body: { messages: question, max_tokens: 9 } },
  embeddings: { protocol: embeddingsProtocol, body: { input: "Hello" } },
} as const;

function ask(name: keyof typeof protocols, fields: object): ParsedRequest {
  const { protocol, body } = protocols[name];
  const raw = JSON.stringify({ model: "m", ...body, ...fields });
  return protocol.parse(raw, new Headers());
}

const azure: Provider = {
  ...sampleProvider("openai"),
  quirks: azureQuirks({ form: "deployments", apiVersion: "2024-10-21" }),
};

test("a field that is not known reaches an account only where the provider's entry passes unknown fields", () => {
  const hosted = [
    ["chat", sampleProvider("openai")],
    ["chat", azure],
    ["responses", sampleProvider("openai")],
    ["responses", azure],
    ["completions", azure],
    ["embeddings", azure],
    ["messages", anthropic],
  ] as const;
  for (const [name, provider] of hosted) {
    for (const field of ["data_sources", "enhancements", "constructor", "vendor_field"]) {
      const request = ask(name, { [field]: [{ type: "azure_search" }] });
      expect(whyFor(provider, request)).toContain(`Unsupported parameter: '${field}'`);
      expect(whyFor({ ...provider, unknownFields: "passed" }, request)).toBeUndefined();
    }
    expect(whyFor(provider, ask(name, { vendor_field: null }))).toBeUndefined();
    const harmless = name === "messages" ? { top_k: 1 } : { user: "u" };
    expect(whyFor(provider, ask(name, harmless))).toBeUndefined();
  }
});

test("embeddings are refused what a chat completion has, even if it asks for nothing there", () => {
  const gemini = geminiCall().provider;
  const neutral = {
    n: 1,
    stop: [],
    tools: [],
    response_format: { type: "text" },
    logprobs: false,
  };
  for (const [name, value] of Object.entries(neutral)) {
    const request = ask("embeddings", { [name]: value });
    for (const provider of [gemini, sampleProvider("openai")]) {
      expect(whyFor(provider, request)).toContain(`Unsupported parameter: '${name}'`);
    }
    expect(whyFor(gemini, ask("embeddings", { [name]: null }))).toBeUndefined();
  }
  const ours = {
    session_id: "s",
    usage: { include: true },
    trace: {},
    transforms: [],
    plugins: [],
  };
  for (const provider of [gemini, sampleProvider("openai")]) {
    expect(whyFor(provider, ask("embeddings", ours))).toBeUndefined();
  }
});

const withResponses = { quirks: { ...azure.quirks, responses: "only" } } as const;

const uploaded = {
  chat: { type: "file", file: { file_id: "file-1" } },
  messages: { type: "document", source: { type: "file", file_id: "file_1" } },
} as const;

test("an uploaded file reaches an account only where the provider's entry passes unknown fields", () => {
  const asked = (name: keyof typeof uploaded, part: object) =>
    ask(name, { messages: [{ role: "user", content: [{ type: "text", text: "x" }, part] }] });
  for (const provider of [sampleProvider("openai"), azure]) {
    const request = asked("chat", uploaded.chat);
    expect(whyFor(provider, request)).toContain("'messages[0].content[1].file.file_id'");
    expect(whyFor({ ...provider, unknownFields: "passed" }, request)).toBeUndefined();
  }
  const upload = { type: "container_upload", file_id: "file_1" };
  const result = { type: "tool_result", tool_use_id: "t", content: [uploaded.messages] };
  for (const part of [uploaded.messages, upload]) {
    expect(whyFor(anthropic, asked("messages", part))).toContain("file_id'");
  }
  const called = { type: "tool_use", id: "t", name: "f", input: { file_id: "the caller's own" } };
  const turns = (content: object) => [
    { role: "assistant", content: [called] },
    { role: "user", content: [content] },
  ];
  const nested = ask("messages", { messages: turns(result) });
  expect(whyFor(anthropic, nested)).toContain("'messages[1].content[0].content[0].source.file_id'");
  const own = ask("messages", { messages: turns({ ...result, content: "file_id" }) });
  expect(whyFor(anthropic, own)).toBeUndefined();
  const escaped = `{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"file_\\u0069d":"f"}}]}]}`;
  expect(whyFor(azure, chatProtocol.parse(escaped, new Headers()))).toContain("file_id'");
});

const unlistedParts = {
  chat: [
    { messages: [{ role: "user", content: "x", attachments: [{ file_id: "file-1" }] }] },
    { messages: [{ role: "user", content: [{ type: "text", text: "x", container: "c" }] }] },
    { messages: [{ role: "user", content: [{ type: "file", file: { vector_store: "v" } }] }] },
    { tools: [{ type: "function", function: { name: "f" }, vector_store_ids: ["v"] }] },
    { tools: [{ type: "function", function: { name: "f", data_sources: [{}] } }] },
    { messages: [{ role: "user", content: "x", annotations: [{ container_id: "c" }] }] },
  ],
  responses: [
    { input: [{ role: "user", content: [{ type: "input_text", text: "x", file_ids: ["f"] }] }] },
    { input: [{ role: "user", content: "x", container: "c" }] },
    { tools: [{ type: "function", name: "f", vector_store_ids: ["v"] }] },
  ],
  messages: [
    { messages: [{ role: "user", content: [{ type: "container_upload", file_id: "f" }] }] },
    { messages: [{ role: "user", content: [{ type: "new_block", container: "c" }] }] },
    { system: [{ type: "text", text: "x", source_file: "f" }] },
    { tools: [{ name: "f", input_schema: {}, container: "c" }] },
  ],
} as const;

test("a member of messages or tools that is not known reaches no account either", () => {
  const hosted = { chat: azure, responses: azure, messages: anthropic } as const;
  for (const name of ["chat", "responses", "messages"] as const) {
    const provider = { ...hosted[name], ...(name === "responses" && withResponses) };
    for (const fields of unlistedParts[name]) {
      const request = ask(name, fields);
      expect(whyFor(provider, request)).toContain("it is not known here");
      expect(whyFor({ ...provider, unknownFields: "passed" }, request)).toBeUndefined();
    }
  }
});

test("what is the caller's own, and what an answer contained, is sent to hosted services", () => {
  const own = { file_id: "f", container: "c", data_sources: [] };
  const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
  const answered = {
    role: "assistant",
    content: null,
    refusal: null,
    audio: null,
    annotations: [],
    reasoning_content: "x",
    reasoning_details: [own],
    tool_calls: [{ ...call, index: 0 }],
  };
  const chat = {
    messages: [...question, answered, { role: "tool", tool_call_id: "c", content: "x" }],
    tools: [{ type: "function", function: { name: "f", parameters: own, strict: true } }],
  };
  expect(whyFor(azure, ask("chat", chat))).toBeUndefined();
  const messages = {
    messages: [
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: own }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", is_error: true }] },
    ],
    tools: [{ name: "f", input_schema: own, cache_control: { type: "ephemeral" } }],
  };
  expect(whyFor(anthropic, ask("messages", messages))).toBeUndefined();
  const input = [
    { type: "function_call", call_id: "c", name: "f", arguments: "{}", status: "completed" },
    { type: "function_call_output", call_id: "c", output: "x" },
    { type: "reasoning", id: "r", summary: [], encrypted_content: "x" },
  ];
  const tools = [{ type: "function", name: "f", parameters: own, strict: false }];
  expect(
    whyFor({ ...azure, ...withResponses }, ask("responses", { input, tools })),
  ).toBeUndefined();
});

/** A few of each service, as published: OpenAI, OpenRouter, vLLM, Groq, Mistral, Fireworks, Z.ai, Voyage. */
const published = {
  chat: {
    user: "u",
    verbosity: "low",
    prompt_cache_key: "k",
    safety_identifier: "s",
    transforms: [],
    session_id: "s",
    trace: {},
    include_reasoning: false,
    top_a: 0.1,
    length_penalty: 1,
    allowed_token_ids: [1],
    return_token_ids: true,
    cache_salt: "s",
    citation_options: "enabled",
    safe_prompt: true,
    random_seed: 1,
    request_id: "r",
    prompt_truncate_len: 9,
    mirostat_lr: 0.1,
    do_sample: true,
    clear_thinking: false,
  },
  messages: {
    metadata: { user_id: "u" },
    stop_sequences: ["x"],
    service_tier: "auto",
    anthropic_version: "bedrock-2023-05-31",
    anthropic_beta: ["x"],
  },
  embeddings: {
    input_type: "query",
    output_dtype: "int8",
    embedding_types: ["float"],
    task: "t",
  },
} as const;

test("published fields that reach nothing of an account are sent to hosted services", () => {
  const asked = [
    ["chat", sampleProvider("openai")],
    ["chat", azure],
    ["embeddings", azure],
    ["messages", anthropic],
  ] as const;
  for (const [name, provider] of asked) {
    for (const [field, value] of Object.entries(published[name])) {
      expect([field, whyFor(provider, ask(name, { [field]: value }))]).toEqual([field, undefined]);
    }
  }
});
