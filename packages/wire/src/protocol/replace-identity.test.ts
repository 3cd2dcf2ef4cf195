// Times and members that a test over HTTP cannot see move: the clock stands still there, and providers send
// members nobody expected.
import { expect, spyOn, test } from "bun:test";
import { replaceIdentity } from "./replace-identity.ts";

const identity = { id: "new", created: 1_800_000_000 };

test("a whole answer gets the new id and time, and a usage of zeros; every other byte stays", async () => {
  const body = (id: string, created: number, count: number, cost: number) =>
    `{ "id":"${id}", "object":"chat.completion","created":${created},"big":12345678901234567890,` +
    `"choices":[{"id":"kept","message":{"id":"kept","usage":{"a":1}}}],` +
    `"usage":{"prompt_tokens":${count},"details":{"audio":${count},"tier":"x","none":null},"is_byok":false,"cost":${cost}} }`;
  expect(await replaceIdentity(body("old", 1, 7, 0.25), false, identity)).toBe(
    body("new", identity.created, 0, 0),
  );
});

test("what an answer does not have is not added", async () => {
  for (const body of ['{"object":"list","data":[]}', '{"usage":null}', "not JSON", "[1]"]) {
    expect(await replaceIdentity(body, false, identity)).toBe(body);
  }
});

test("the answer inside an event is the one that is named and timed; items keep their ids", async () => {
  const stream = (id: string, at: number, count: number) =>
    `: keep-alive\nevent: response.completed\ndata: {"type":"response.completed","sequence_number":9,` +
    `"response":{"id":"${id}","created_at":${at},"completed_at":${at},"output":[{"id":"msg_1"}],"usage":{"total_tokens":${count}}}}\n\n` +
    `event: response.output_item.done\ndata: {"item_id":"msg_1","item":{"id":"msg_1","usage":{"a":3}}}\n\n` +
    `event: message_start\ndata: {"type":"message_start","message":{"id":"${id}","usage":{"input_tokens":${count}}}}\n\n` +
    `event: message_delta\ndata: {"type":"message_delta","usage":{"output_tokens":${count}}}\n\n` +
    `data: {"id":"${id}","created":${at},"choices":[{"delta":{"content":"\\ndata: {\u2028}"}}],"usage":null}\n\ndata: [DONE]\n\n`;
  expect(await replaceIdentity(stream("old", 5, 4), true, identity)).toBe(
    stream("new", identity.created, 0),
  );
});

test("events without an id, a time or a usage stay as they are, and are not parsed", async () => {
  const deltas = [
    '{"type":"response.output_text.delta","item_id":"msg_1","delta":"a"}',
    '{ "type":"content_block_delta","delta":{"text":"\\"id\\": 1","big":12345678901234567890} }',
  ];
  const last = (count: number) => `{"type":"message_delta","usage":{"output_tokens":${count}}}`;
  const stream = (count: number) =>
    [...deltas, last(count)].map((event) => `data: ${event}\n\n`).join("");
  const parse = spyOn(JSON, "parse");
  try {
    expect(await replaceIdentity(stream(4), true, identity)).toBe(stream(0));
    const parsed = parse.mock.calls.map(([text]) => text);
    expect(parsed).toContain(last(4));
    expect(parsed.filter((text) => deltas.includes(text))).toEqual([]);
  } finally {
    parse.mockRestore();
  }
});

test("an interaction gets the new id and times and a usage of zeros, whole and in the events of its stream", async () => {
  const interaction = (id: string, time: string, count: number) =>
    `{"id":"${id}","created":"${time}","updated":"${time}","usage":{"total_tokens":${count},"cost":${count}},"steps":[{"id":"c"}]}`;
  const was = "2026-01-02T03:04:05Z";
  const now = "2027-01-15T08:00:00Z";
  expect(await replaceIdentity(interaction("old", was, 3), false, identity)).toBe(
    interaction("new", now, 0),
  );
  const stream = (id: string, time: string, count: number) =>
    `event: step.start\ndata: {"event_type":"step.start","index":0,"step":{"id":"c"}}\n\n` +
    `event: interaction.completed\ndata: {"event_type":"interaction.completed","interaction":${interaction(id, time, count)}}\n\n`;
  expect(await replaceIdentity(stream("old", was, 3), true, identity)).toBe(stream("new", now, 0));
});

test("an answer to the AI SDK is named and free, and its parts keep their ids", async () => {
  const metadata = (id: string, cost: string) =>
    `{"gateway":{"generationId":"${id}","cost":"${cost}"}}`;
  const whole = (id: string, time: string, cost: string, count: number) =>
    `{"content":[],"usage":{"inputTokens":{"total":${count}}},"providerMetadata":${metadata(id, cost)},` +
    `"response":{"id":"${id}","timestamp":"${time}","modelId":"m"}}`;
  const stream = (id: string, time: string, cost: string, count: number) =>
    [
      `{"type":"response-metadata","id":"${id}","timestamp":"${time}","modelId":"m"}`,
      `{"type":"text-start","id":"0"}`,
      `{"type":"tool-input-start","id":"call_1","toolName":"f"}`,
      `{"type":"tool-call","toolCallId":"call_1","providerMetadata":{"gateway":{"callExtras":{}}}}`,
      `{"type":"finish","usage":{"inputTokens":${count}},"providerMetadata":${metadata(id, cost)}}`,
    ]
      .map((part) => `data: ${part}\n\n`)
      .join("");
  const [was, now] = ["2026-01-02T03:04:05.000Z", "2027-01-15T08:00:00Z"];
  expect(await replaceIdentity(whole("old", was, "0.25", 3), false, identity)).toBe(
    whole("new", now, "0", 0),
  );
  expect(await replaceIdentity(stream("old", was, "0.25", 3), true, identity)).toBe(
    stream("new", now, "0", 0),
  );
});

test("a long stream gets its identity in many turns of the event loop, whole", async () => {
  const event = (id: string, created: number, index: number) =>
    `data: {"id":"${id}","created":${created},"choices":[{"index":0,"delta":{"content":"${index}"}}]}\n\n`;
  const stream = (id: string, created: number) =>
    `${Array.from({ length: 10_000 }, (_, index) => event(id, created, index)).join("")}data: [DONE]\n\n`;
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  try {
    expect(await replaceIdentity(stream("old", 5), true, identity)).toBe(
      stream("new", identity.created),
    );
  } finally {
    clearImmediate(timer);
  }
  expect(turns).toBeGreaterThan(5);
});
