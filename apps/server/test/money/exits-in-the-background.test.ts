// The rows of docs/billing.md in which the client disconnects from a call whose cost cannot be seen: it
// continues to its end without its client, within bounds, and is billed as reported, or by the upper
// estimate.
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { gatewayLimits } from "@turnpike/gateway";
import { mintApiKey, noLimits } from "@turnpike/keys";
import {
  at,
  expectCleanBooks,
  expectFault,
  getPath,
  type JsonObject,
  openAccount,
  postChat,
  readJson,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { type Leaving, leaveBehind, leaveInTheMiddle } from "./leave-in-the-middle.ts";
import {
  hiddenModel,
  oddCatalog,
  oddModel,
  openModel,
  priceOf,
  visionModel,
  wholeModel,
} from "./odd-prices.ts";
import { awaitRequest, eventually, type RequestRow } from "./read-requests.ts";

setDefaultTimeout(180_000);

const accountBound = 3;
const processBound = 4;
/** How long a whole answer may be silent once it has begun. */
const silentMs = 500;

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer({
    catalog: oddCatalog,
    environment: {
      BACKGROUND_CALLS_MAX: String(processBound),
      BACKGROUND_PER_ACCOUNT_MAX: String(accountBound),
    },
    limits: {
      stream: gatewayLimits.stream,
      whole: { ...gatewayLimits.whole, interChunkMs: silentMs },
    },
  });
  account = await openAccount(server);
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** Far more than is visible of any answer here, like hidden reasoning. */
const reported = { prompt_tokens: 57, completion_tokens: 1_310, total_tokens: 1_367 };
const reportedNanos = priceOf({ prompt: 57, completion: 1_310 });
const stream = { stream: true };

function leave(name: string, rest: Omit<Leaving, "name" | "key">) {
  return leaveInTheMiddle(server, { name, key: account.key, ...rest });
}

function expectReported(row: RequestRow): void {
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", status: 499 });
  expect(row).toMatchObject({ usageSource: "upstream", chargedNanos: reportedNanos });
  expect(row).toMatchObject({ promptTokens: 57, completionTokens: 1_310, shortfallNanos: 0n });
}

/** The prompt counted upwards and every token of the output limit, and no more than was held. */
function expectEstimated(row: RequestRow, outputLimit: number): void {
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", status: 499 });
  expect(row).toMatchObject({ usageSource: "estimated", completionTokens: outputLimit });
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(prompt).toBeGreaterThan(10);
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  expect(row.chargedNanos).toBeLessThanOrEqual(row.heldNanos);
  expect(row.shortfallNanos).toBe(0n);
}

const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const file = {
  type: "file",
  file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
};

describe("a client disconnects, and the call continues to its end and is billed as the upstream reports:", () => {
  const rows: readonly (Omit<Leaving, "name" | "key"> & { readonly what: string })[] = [
    { what: "a whole answer", model: oddModel },
    { what: "a whole answer of a model with hidden reasoning", model: hiddenModel },
    { what: "a stream of a model with hidden reasoning", model: hiddenModel, fields: stream },
    {
      what: "a stream with an image in its prompt",
      model: visionModel,
      fields: stream,
      parts: [image],
    },
    {
      what: "a stream with a file in its prompt",
      model: visionModel,
      fields: stream,
      parts: [file],
    },
    {
      what: "a stream whose caller had reasoning hidden",
      model: openModel,
      fields: { ...stream, include_reasoning: false },
    },
    {
      what: "a stream of a provider that bills a cancelled one in full",
      model: wholeModel,
      fields: stream,
    },
  ];
  test.each([...rows])("$what", async ({ what, ...rest }) => {
    const { sent, row } = await leave(what, { ...rest, script: { usage: reported } });
    expect(await sent.ended).toBe("answered");
    expectReported(row);
    const generation = await getPath(server, account.key, `/generation?id=${row.id}`);
    expect(at(await readJson(generation), "data.usage_source")).toBe("upstream");
  });

  test("a stream of a model with hidden reasoning, abandoned before its first token", async () => {
    const name = "before the first token";
    const controller = new AbortController();
    const messages = [scripted({ tag: name, deltas: 0, gate: true, usage: reported })];
    const body = { model: hiddenModel, messages, stream: true };
    const headers = { "user-agent": name };
    const asked = postChat(server, account.key, body, { headers, signal: controller.signal });
    const sent = await server.upstream.waitFor((request) => request.tag === name);
    controller.abort();
    await asked.catch(() => undefined);
    await eventually("it to run on", async () => server.services.gateway.background.running === 1);
    server.upstream.open(name);
    expect(await sent.ended).toBe("answered");
    expectReported(await awaitRequest(server, name));
  });
});

describe("a client disconnects, the upstream continues and reports nothing: the upper estimate,", () => {
  const fields = { max_tokens: 300 };
  const rows: readonly { what: string; leaving: Omit<Leaving, "name" | "key"> }[] = [
    {
      what: "of a whole answer",
      leaving: { model: oddModel, fields, script: { usage: "missing" } },
    },
    {
      what: "of a whole answer whose usage is not a number",
      leaving: { model: oddModel, fields, script: { usage: "float" } },
    },
    {
      what: "of a whole answer that breaks off halfway",
      leaving: { model: oddModel, fields, script: { ending: "cut" } },
    },
    {
      what: "of a whole answer that goes silent halfway",
      leaving: { model: oddModel, fields, script: { ending: "stall" } },
    },
    {
      what: "of a stream with hidden reasoning",
      leaving: {
        model: hiddenModel,
        fields: { ...fields, ...stream },
        script: { usage: "missing" },
      },
    },
    {
      what: "of a stream with hidden reasoning that breaks off",
      leaving: {
        model: hiddenModel,
        fields: { ...fields, ...stream },
        script: { ending: "reset" },
      },
    },
    {
      what: "of a stream with hidden reasoning that ends with an error",
      leaving: {
        model: hiddenModel,
        fields: { ...fields, ...stream },
        script: { errorAfterDeltas: 1, deltas: 1 },
      },
    },
  ];
  test.each([...rows])("$what", async ({ what, leaving }) => {
    const { row } = await leave(what, leaving);
    expectEstimated(row, 300);
  });

  test("and not a token more if the upstream ignores its limit: it is cut off", async () => {
    const name = "ignores its limit";
    const fields = { stream: true, max_tokens: 20 };
    const script = { ignoreLimit: true, endless: true, paceMs: 20 };
    const controller = new AbortController();
    const messages = [scripted({ tag: name, ...script })];
    const headers = { "user-agent": name };
    const response = await postChat(
      server,
      account.key,
      { model: hiddenModel, messages, ...fields },
      { headers, signal: controller.signal },
    );
    await response.body?.getReader().read();
    controller.abort();
    const sent = await server.upstream.waitFor((request) => request.tag === name);
    expect(await sent.ended).toBe("gone");
    expectEstimated(await awaitRequest(server, name), 20);
  });
});

describe("a client disconnects from a whole answer, and the upstream refuses: nothing is charged when it", () => {
  const rows: readonly { what: string; script: Leaving["script"] & object }[] = [
    { what: "answers with a status of 500", script: { status: 500 } },
    { what: "answers with a status of 429", script: { status: 429 } },
    { what: "answers 200 with an error", script: { status: 200, error: "no" } },
    { what: "breaks the connection before its status line", script: { cutInHead: 0 } },
  ];
  test.each([...rows])("$what", async ({ what, script }) => {
    const { row } = await leave(what, { model: oddModel, script });
    expect(row).toMatchObject({ state: "released", outcome: "client_closed", chargedNanos: 0n });
    expect(row).toMatchObject({ usageSource: "none", status: 499 });
  });
});

describe("the bounds of calls that continue:", () => {
  async function fill(count: number, key: string, name: string): Promise<readonly string[]> {
    const names = Array.from({ length: count }, (_, index) => `${name} ${index}`);
    for (const each of names) {
      await leaveBehind(server, { name: each, key, model: oddModel, script: { usage: reported } });
    }
    return names;
  }

  async function empty(names: readonly string[]): Promise<void> {
    for (const name of names) server.upstream.open(name);
    for (const name of names) expectReported(await awaitRequest(server, name));
  }

  /** Disconnects from a call that exceeds the bound. */
  async function expectCut(key: string, name: string): Promise<void> {
    const controller = new AbortController();
    const messages = [scripted({ tag: name, gate: true })];
    const headers = { "user-agent": name };
    const body: JsonObject = { model: oddModel, messages, max_tokens: 300 };
    const asked = postChat(server, key, body, { headers, signal: controller.signal });
    const sent = await server.upstream.waitFor((request) => request.tag === name);
    controller.abort();
    await asked.catch(() => undefined);
    expect(await sent.ended).toBe("gone");
    expectEstimated(await awaitRequest(server, name), 300);
  }

  test("one more of an account is cut off and billed by the upper estimate, another account's continues", async () => {
    const names = await fill(accountBound, account.key, "of one account");
    await expectCut(account.key, "one too many of an account");
    const other = await openAccount(server);
    const others = await fill(1, other.key, "of another account");
    await empty([...names, ...others]);
  });

  test("one more of the process is cut off and billed by the upper estimate, whatever its account", async () => {
    const names = await fill(accountBound, account.key, "of the process");
    const other = await openAccount(server);
    const others = await fill(processBound - accountBound, other.key, "rest of the process");
    await expectCut(other.key, "one too many of the process");
    await empty([...names, ...others]);
    const { body } = await server.services.metrics.expose();
    expect(body).toContain("turnpike_background_calls 0");
    expect(body).toMatch(/turnpike_background_calls_ended_total\{usage="upstream"\} \d/);
    expect(body).toMatch(/turnpike_background_calls_refused_total\{bound="account"\} \d/);
    expect(body).toMatch(/turnpike_background_calls_refused_total\{bound="process"\} \d/);
  });

  test("a call that continues counts as one of its key's concurrent calls until it is billed", async () => {
    const { key } = await mintApiKey(server.owner.db, {
      accountId: account.id,
      createdBy: account.personId,
      name: "one at a time",
      limits: { ...noLimits, concurrency: 1 },
    });
    const names = await fill(1, key, "one at a time");
    const next = () => postChat(server, key, { model: oddModel, messages: [scripted({})] });
    const refused = { status: 429, type: "requests", code: "rate_limit_exceeded" };
    await expectFault(await next(), refused);
    await empty(names);
    expect((await next()).status).toBe(200);
  });
});
