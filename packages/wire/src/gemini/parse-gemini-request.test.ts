// The chat completion that a request of Gemini's API becomes, and what of it is refused by name.
import { describe, expect, test } from "bun:test";
import { parseGeminiRequest } from "./parse-gemini-request.ts";
import { hello, parse, refusalOf } from "./sample-request.fixture.ts";

const pivotOf = (body: object) => parse(body).parsed;

test("its address says its model and whether it is streamed, or else its body", () => {
  expect(pivotOf({ model: "models/other", stream: true })).toMatchObject({
    model: "a/b",
    stream: false,
  });
  const own = parseGeminiRequest(JSON.stringify({ model: "models/x/y", contents: [hello] }));
  expect([own.model, own.stream]).toEqual(["x/y", false]);
});

describe("settings", () => {
  const config = (generationConfig: object) => pivotOf({ generationConfig });

  test.each<[object, object]>([
    [
      { temperature: 1, topP: 0.5, topK: 3 },
      { temperature: 1, top_p: 0.5, top_k: 3 },
    ],
    [
      { candidateCount: 2, maxOutputTokens: 5, seed: 7 },
      { n: 2, max_tokens: 5, seed: 7 },
    ],
    [{ stopSequences: ["a"] }, { stop: ["a"] }],
    [
      { responseLogprobs: true, logprobs: 3 },
      { logprobs: true, top_logprobs: 3 },
    ],
    [{ responseMimeType: "application/json" }, { response_format: { type: "json_object" } }],
    [{ responseMimeType: "text/plain", responseModalities: ["TEXT"] }, {}],
    [{ thinkingConfig: { thinkingBudget: 0 } }, { reasoning: { enabled: false } }],
    [{ thinkingConfig: { thinkingBudget: -1 } }, { reasoning: { enabled: true } }],
    [{ thinkingConfig: { thinkingBudget: 99 } }, { reasoning: { max_tokens: 99 } }],
    [{ thinkingConfig: { thinkingLevel: "HIGH" } }, { reasoning: { effort: "high" } }],
    [{ thinkingConfig: { includeThoughts: true } }, { include_reasoning: true }],
    [{ mediaResolution: "MEDIA_RESOLUTION_UNSPECIFIED", audioTimestamp: false }, {}],
  ])("%j", (generationConfig, expected) => {
    const { model: _, stream: __, messages: ___, ...rest } = config(generationConfig);
    expect(rest).toEqual({ ...expected });
  });

  test("fields of the gateway and preferences keep their names", () => {
    const own = { provider: { order: ["x"] }, max_cost: "1", user: "u", temperature: 0.1 };
    expect(pivotOf(own)).toMatchObject(own);
  });

  const tools = [{ functionDeclarations: [{ name: "f.one" }, { name: "g" }] }];
  const named = (name: string) => ({ type: "function", function: { name } });
  test.each<[object | undefined, unknown]>([
    [undefined, undefined],
    [{ mode: "MODE_UNSPECIFIED" }, undefined],
    [{ mode: "AUTO" }, "auto"],
    [{ mode: "VALIDATED" }, "auto"],
    [{ mode: "NONE" }, "none"],
    [{ mode: "ANY" }, "required"],
    [{ mode: "ANY", allowedFunctionNames: ["f.one"] }, named("f_one")],
    [
      { mode: "ANY", allowedFunctionNames: ["f.one", "g"] },
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [named("f_one"), named("g")] },
      },
    ],
    [
      { mode: "VALIDATED", allowedFunctionNames: ["g"] },
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [named("g")] } },
    ],
  ])("choosing functions by %j", (functionCallingConfig, choice) => {
    expect(pivotOf({ tools, toolConfig: { functionCallingConfig } }).tool_choice).toEqual(choice);
  });
});

describe("what other providers do not have", () => {
  const noted = (body: object) => parse(body).untranslatable.map(({ param }) => param);

  test.each<[object, string]>([
    [{ generationConfig: { imageConfig: { aspectRatio: "1:1" } } }, "generationConfig.imageConfig"],
    [
      { generationConfig: { responseMimeType: "text/x.enum" } },
      "generationConfig.responseMimeType",
    ],
    [{ someNewField: 1 }, "someNewField"],
    [
      { contents: [{ role: "model", parts: [{ executableCode: {} }] }, hello] },
      "contents[0].parts[0].executableCode",
    ],
  ])("%j is noted by its own name", (body, param) => {
    expect(noted(body)).toEqual([param]);
  });

  test("tools of Google's are refused by their price", () => {
    const tools = [{ functionDeclarations: [] }, { urlContext: {} }, { googleSearch: {} }];
    const request = parse({ tools });
    const names = request.priceChanging.map(({ name }) => request.callerParam?.(name));
    expect(names).toEqual(["tools[1].urlContext", "tools[2].googleSearch"]);
  });

  test.each<[object, string, string]>([
    [{ cachedContent: "c" }, "unsupported_parameter", "cachedContent"],
    [{ generationConfig: { topK: -1 } }, "integer_below_min_value", "generationConfig.topK"],
    [
      { tools: [{ functionDeclarations: [{}] }] },
      "missing_required_parameter",
      "tools[0].functionDeclarations[0].name",
    ],
    [{ generation_config: { top_k: 1, topK: 2 } }, "malformed_request", "generationConfig.topK"],
  ])("%j is refused", (body, code, param) => {
    expect(refusalOf(body)).toEqual([code, param]);
  });
});

test("names of the translation are the caller's own in a refusal", () => {
  const tools = [{ functionDeclarations: [{ name: "f" }] }];
  const { callerParam } = parse({ tools });
  for (const [param, own] of [
    ["max_tokens", "generationConfig.maxOutputTokens"],
    ["reasoning_effort", "generationConfig.thinkingConfig.thinkingLevel"],
    ["tools[0].function.parameters", "tools[0].functionDeclarations[0].parameters"],
    ["messages[0].content", "contents[0]"],
    ["model", "model"],
  ] as const) {
    expect(callerParam?.(param)).toBe(own);
  }
});
