// A conversation of three turns by the AI SDK's OpenAI provider as it comes, over every dialect: it refers to
// earlier texts and reasoning by id, and the upstream reads all of them.
import { describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, type ModelMessage, streamText } from "ai";
import { answerWith, startTestServer, useServer } from "../../../harness/index.ts";
import { weather, weatherIn } from "./weather-tool.ts";

const providers = {
  chat: "",
  anthropic: "kind: anthropic,",
  gemini: "kind: google,",
  responses: "",
} as const;

const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) => `
providers:
${Object.entries(providers)
  .map(([name, kind]) => {
    const address = name === "gemini" ? `${baseUrl}beta` : baseUrl;
    const quirks = name === "responses" ? ", quirks: { responses: only }" : "";
    return `  - { id: ${name}-like, ${kind} baseUrl: "${address}", apiKey: k${quirks} }`;
  })
  .join("\n")}
models:
${Object.keys(providers)
  .map(
    (name) => `  - id: turns/${name}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, reasoning]
    routes: [{ provider: ${name}-like, model: upstream-model }]
    prices: { input: "0.10", output: "0.40" }`,
  )
  .join("\n")}
`,
  }),
);

/** The last body that the SDK sent. */
let sentBySdk = "";
const watchedFetch = Object.assign(
  (...[input, init]: Parameters<typeof fetch>) => {
    sentBySdk = String(init?.body);
    return fetch(input, init);
  },
  { preconnect: fetch.preconnect },
);
const openai = createOpenAI({
  apiKey: account.key,
  baseURL: server.baseUrl,
  fetch: watchedFetch,
});

type Options = Parameters<typeof generateText>[0];

/** The text of the answer and the messages to continue with. */
const ways = {
  whole: async (options: Options) => {
    const { text, responseMessages } = await generateText(options);
    return { text, messages: responseMessages };
  },
  streamed: async (options: Options) => {
    const errors: unknown[] = [];
    const stream = streamText({ ...options, onError: ({ error }) => void errors.push(error) });
    await stream.consumeStream();
    expect(errors).toEqual([]);
    return { text: await stream.text, messages: await stream.responseMessages };
  },
} as const;

/** As it comes, and as for a model whose name it knows to reason. */
const modes = {
  "by default": {},
  reasoning: {
    providerOptions: { openai: { forceReasoning: true, reasoningSummary: "auto" } },
  },
} as const;

const cases = Object.entries(ways).flatMap(([way, answer]) =>
  Object.entries(modes).map(([mode, options]) => ({ way, answer, mode, options })),
);

describe.each(Object.keys(providers))("over %s", (name) => {
  test.each(cases)("$way, $mode", async ({ answer, options }) => {
    const model = openai(`turns/${name}`);
    const messages: ModelMessage[] = [];
    const say = async (content: string) => {
      messages.push({ role: "user", content });
      const { text, messages: said } = await answer({
        model,
        messages,
        tools: { weather },
        stopWhen: isStepCount(3),
        ...options,
      });
      messages.push(...said);
      return text;
    };
    const thought = { reasoning: 2, signature: "sig==", redacted: "ciphertext" };
    const toolCalls = [weatherIn("Oslo")];
    answerWith(
      server,
      { ...thought, text: "Let me see.", toolCalls },
      { ...thought, text: "Oslo is clear." },
      { ...thought, text: "You are welcome." },
      { text: "Goodbye." },
    );
    expect(await say("How is the weather?")).toBe("Oslo is clear.");
    expect(await say("Thanks.")).toBe("You are welcome.");
    expect(await say("That is all.")).toBe("Goodbye.");
    for (const prefix of ["msg", "rs"]) {
      expect(sentBySdk).toContain(`{"type":"item_reference","id":"${prefix}_`);
    }
    expect(sentBySdk).not.toContain("Oslo is clear.");
    const sent = JSON.stringify(server.upstream.requests.at(-1)?.parsed);
    const inOrder = ["How is the weather?", "Let me see.", "sky", "Oslo is clear.", "Thanks."];
    inOrder.push("You are welcome.", "That is all.");
    const places = inOrder.map((text) => sent.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(sent).not.toContain("item_reference");
    if (name === "anthropic") expect(sent).toContain("sig==");
    if (name === "responses") expect(sent).toContain("ciphertext");
  });
});
