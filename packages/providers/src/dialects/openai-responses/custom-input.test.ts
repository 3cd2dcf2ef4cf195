// A function that represents a custom tool: its arguments become the input of the tool, and never silently
// an empty input.
import { describe, expect, test } from "bun:test";
import { sampleCall } from "../openai/sample-call.fixture.ts";
import { sample } from "./recorded-items.fixture.ts";
import { namedSseBytes } from "./sample-response.fixture.ts";
import { translatedResponsesDialect } from "./translated-dialect.ts";

const { provider } = sample(true);

describe("the input of a function that represents a custom tool", () => {
  const quirks = { ...provider.quirks, customTools: "as_functions" } as const;
  const tools = [{ type: "custom", custom: { name: "patch" } }];
  const call = { ...sampleCall({ body: { tools } }), provider: { ...provider, quirks } };
  const read = (spelled: string, status = "completed") => {
    const item = { type: "function_call", call_id: "c", name: "patch", arguments: spelled, status };
    const text = JSON.stringify({ status, output: [item] });
    return translatedResponsesDialect.parseWhole(call, text, new Headers()).content;
  };
  test.each([
    ['{"input":"*** Begin"}', "*** Begin"],
    ['{"input":""}', ""],
    ["{}", ""],
    ["", ""],
    ['{"patch":"*** Begin"}', '{"patch":"*** Begin"}'],
  ])("%s", (spelled, input) => {
    expect(read(spelled)).toMatchObject({ deltas: [{ isCustom: true, arguments: input }, {}] });
  });
  test("broken JSON is a broken answer, but is kept if a limit has cut it", () => {
    const broken = '{"input":"*** Beg';
    expect(() => read(broken)).toThrow(expect.objectContaining({ code: "bad_gateway" }));
    expect(read(broken, "incomplete")).toMatchObject({ deltas: [{ arguments: broken }, {}] });
  });
  test("deltas that lost a part are replaced by what the item has at its end", () => {
    const events = [
      { type: "response.created", response: { status: "in_progress" } },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "function_call", call_id: "c", name: "patch", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"input":' },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { type: "function_call", call_id: "c", name: "patch", arguments: '{"input":"x"}' },
      },
      { type: "response.completed", response: { status: "completed", output: [] } },
    ];
    const options = { maxEventBytes: 1024 * 1024, headers: new Headers() };
    const stream = translatedResponsesDialect.openStream?.(call, options);
    const deltas = (stream?.push(namedSseBytes(events)) ?? []).flatMap((event) =>
      event.kind === "deltas" ? event.deltas : [],
    );
    expect(stream?.fault).toBeUndefined();
    expect(deltas).toMatchObject([{ isCustom: true, arguments: "x" }, { kind: "finish" }]);
  });
  test("what waits for the end of an input is bounded", () => {
    const options = { maxEventBytes: 2 * 1024 * 1024, headers: new Headers() };
    const stream = translatedResponsesDialect.openStream?.(call, options);
    const item = { type: "function_call", call_id: "c", name: "patch", arguments: "" };
    const begun = [
      { type: "response.created", response: { status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item },
    ];
    const delta = "x".repeat(1024 * 1024);
    const type = "response.function_call_arguments.delta";
    const fragment = namedSseBytes([{ type, output_index: 0, delta }]);
    stream?.push(namedSseBytes(begun));
    for (let count = 0; count < 32; count += 1) stream?.push(fragment);
    expect(stream?.fault).toBeUndefined();
    stream?.push(fragment);
    expect(stream?.fault?.code).toBe("bad_gateway");
  });
});
