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
