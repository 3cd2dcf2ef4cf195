// A busy upstream: its 429 and 503 keep their status, its 529 becomes a 503, and the wait it asks
// for is passed on within bounds, so that a client's own retries come when they help.
import { afterAll, afterEach, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  providerKey,
  readEvents,
  readMoney,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const limited = { status: 429, type: "requests", code: "rate_limit_exceeded" };
const overloaded = { status: 503, type: "server_error", code: "overloaded" };
const answers: readonly (readonly [number, typeof limited])[] = [
  [429, limited],
  [503, overloaded],
  [529, overloaded],
];

/** Posts the script, expects the fault at no cost, and returns its headers and message. */
async function refusal(script: Script, stream: boolean, fault: typeof limited) {
  const before = await readMoney(server, account.id);
  const response = await postChat(server, account.key, chatBody(script, { stream }));
  const error = await expectFault(response, fault);
  expect(await readMoney(server, account.id)).toEqual(before);
  expect(response.headers.get("x-should-retry")).toBe("true");
  return { headers: response.headers, message: String(error.message) };
}

for (const stream of [false, true]) {
  test.each(answers)(
    `stream ${stream}: its %i keeps its meaning and its wait, and costs nothing`,
    async (status, fault) => {
      const script = { status, error: "Busy.", headers: { "retry-after": "7" } };
      const { headers } = await refusal(script, stream, fault);
      expect(headers.get("retry-after")).toBe("7");
      expect(headers.get("retry-after-ms")).toBe("7000");
    },
  );

  test(`stream ${stream}: an overload reported inside a 200 is a 503`, async () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    const { headers } = await refusal({ error }, stream, overloaded);
    expect(headers.get("retry-after")).toBe("1");
  });
}

test("an overload before the first token of a stream is a 503", async () => {
  const error = { type: "overloaded_error", message: "Overloaded" };
  await refusal({ error, errorAfterDeltas: 0 }, true, overloaded);
});

test("an overload after the first token is the last event, a bad gateway that names it", async () => {
  const error = { type: "overloaded_error", message: "Overloaded" };
  const body = chatBody({ deltas: 9, error, errorAfterDeltas: 3 }, { stream: true });
  const response = await postChat(server, account.key, body);
  expect(response.status).toBe(200);
  const { events, done } = await readEvents(response);
  expect(done).toBe(false);
  expect(at(events.at(-1), "error.code")).toBe("bad_gateway");
  expect(at(events.at(-1), "error.message")).toContain("Overloaded");
});

test("its rate limit names the wait in the message as well", async () => {
  const script = { status: 429, headers: { "retry-after": "7" } };
  const { message } = await refusal(script, false, limited);
  expect(message).toContain("Please try again in 7s.");
});

test("a wait is passed on from seconds, milliseconds and dates, between 1 and 60 s", async () => {
  const inOneHour = new Date(Date.now() + 3_600_000).toUTCString();
  const waits: readonly (readonly [Record<string, string>, string])[] = [
    [{ "retry-after": "0.2" }, "1"],
    [{ "retry-after": "3600" }, "60"],
    [{ "retry-after": "soon" }, "1"],
    [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, "1"],
    [{ "retry-after": inOneHour }, "60"],
    [{ "retry-after-ms": "2500" }, "3"],
    [{}, "1"],
  ];
  for (const [headers, seconds] of waits) {
    for (const [status, fault] of answers) {
      const refused = await refusal({ status, headers }, false, fault);
      expect(refused.headers.get("retry-after")).toBe(seconds);
    }
  }
});

test("the message of an overloaded upstream is shown without our key", async () => {
  const script = { status: 503, error: `Loading the model for ${providerKey}` };
  const { message } = await refusal(script, false, overloaded);
  expect(message).toContain("Loading the model");
  expect(message).not.toContain(providerKey);
});
