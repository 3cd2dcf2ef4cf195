// The rows of docs/billing.md in which the client disconnects from a call whose cost can be seen: it is
// cut off, and billed for what was delivered. The other calls are in exits-in-the-background.test.ts.
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Script, UpstreamRequest } from "@turnpike/testing";
import {
  at,
  expectCleanBooks,
  getPath,
  type JsonObject,
  openAccount,
  readJson,
  scripted,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { oddCatalog, oddModel, openModel, priceOf } from "./odd-prices.ts";
import { awaitRequest, eventually, findRequest } from "./read-requests.ts";

setDefaultTimeout(180_000);

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer({
    catalog: oddCatalog,
    times: { commitStreamMs: 200 },
    environment: { BACKGROUND_PER_ACCOUNT_MAX: "1" },
  });
  account = await openAccount(server);
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

type Leaving = {
  readonly name: string;
  readonly model?: string;
  readonly script: Script;
  readonly fields?: JsonObject;
  /** What the model is to read before its script. */
  readonly prompt?: string;
  readonly when: (sent: UpstreamRequest, text: string) => boolean | Promise<boolean>;
};

/**
 * Sends a call and disconnects as soon as `when` is true: checked at the upstream's start and after
 * each read.
 */
async function askAndLeave(leaving: Leaving) {
  const { name, model = oddModel, script, fields, prompt, when } = leaving;
  const controller = new AbortController();
  const seen = server.upstream.waitFor((request) => request.tag === name);
  const classify = async (text: string) => {
    if (await when(await seen, text)) controller.abort();
  };
  const before = prompt === undefined ? [] : [{ role: "system", content: prompt }];
  const messages = [...before, scripted({ tag: name, ...script })];
  const asked = askChat(server, {
    key: account.key,
    name,
    body: { model, messages, ...fields },
    signal: controller.signal,
    onText: (text) => void classify(text),
  });
  await classify("");
  const received = await asked;
  return { received, sent: await seen, row: await awaitRequest(server, name) };
}

/** Disconnects before the status line, which the upstream sends when the gateway has noticed. */
async function leaveBeforeHead(leaving: Omit<Leaving, "when">, when: Leaving["when"]) {
  const { background } = server.services.gateway;
  const left = askAndLeave({
    ...leaving,
    script: { headGate: true, ...leaving.script },
    fields: { stream: true },
    when,
  });
  await eventually("it to continue", async () => background.running === 1);
  expect((await findRequest(server, leaving.name))?.state).toBeUndefined();
  server.upstream.open(leaving.name);
  const { sent, row } = await left;
  expect(background.running).toBe(0);
  return { ending: await sent.ended, row };
}

test.each<[string, Leaving["when"]]>([
  ["before anything was sent to it", () => true],
  ["after a comment", (_sent, text) => text.length > 0],
])(
  "FC1: a client that disconnects %s pays for the prompt of a stream that is then accepted, and the upstream is cut",
  async (how, when) => {
    const name = `accepted later, left ${how}`;
    const text = "Tell me more. ".repeat(2_000);
    const { ending, row } = await leaveBeforeHead({ name, script: { endless: true, text } }, when);
    expect(ending).toBe("gone");
    expect(row).toMatchObject({ state: "settled", outcome: "client_closed", status: 499 });
    expect(row).toMatchObject({ usageSource: "counted", completionTokens: 0, shortfallNanos: 0n });
    expect(row.promptTokens).toBeGreaterThan(5_000);
    expect(row.chargedNanos).toBe(priceOf({ prompt: row.promptTokens, completion: 0 }));
  },
);

test.each<[string, Script]>([
  ["with a status of 500", { status: 500 }],
  ["with a status of 429", { status: 429 }],
  ["with an error in a 200", { status: 200, error: "no" }],
  ["by closing the connection", { cutInHead: 0 }],
])(
  "FC1: a stream whose client disconnected first costs nothing if it is refused %s",
  async (how, script) => {
    const { row } = await leaveBeforeHead({ name: `refused later ${how}`, script }, () => true);
    expect(row).toMatchObject({ state: "released", outcome: "client_closed", chargedNanos: 0n });
    expect(row).toMatchObject({ usageSource: "none", status: 499 });
  },
);

test("FC1: a stream that may not continue to its status line is cut when its client disconnects, and its prompt is paid for", async () => {
  const first = "the one that may continue";
  const { background } = server.services.gateway;
  const leave = (name: string, headGate: boolean) =>
    askAndLeave({
      name,
      script: headGate ? { headGate } : { firstByteMs: 600_000 },
      fields: { stream: true },
      when: () => true,
    });
  const continued = leave(first, true);
  await eventually("it to continue", async () => background.running === 1);
  const { sent, row } = await leave("one too many", false);
  expect(await sent.ended).toBe("gone");
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", usageSource: "counted" });
  expect(row.promptTokens).toBeGreaterThan(10);
  expect(row.chargedNanos).toBe(priceOf({ prompt: row.promptTokens, completion: 0 }));
  server.upstream.open(first);
  await continued;
});

test("FC2: a client that disconnects from a stream whose tokens are all visible pays for the prompt and what was relayed", async () => {
  const { received, sent, row } = await askAndLeave({
    name: "left in the middle",
    script: { endless: true, paceMs: 2 },
    fields: { stream: true },
    when: (_sent, text) => text.length > 4_000,
  });
  expect(await sent.ended).toBe("gone");
  expect(row).toMatchObject({ state: "settled", outcome: "client_closed", usageSource: "counted" });
  expect(row.completionTokens).toBeGreaterThan(10);
  expect(row.completionTokens).toBeGreaterThanOrEqual(received.tokens);
  expect(row.completionTokens).toBeLessThanOrEqual(sent.delivered.tokens);
  const { promptTokens: prompt, completionTokens: completion } = row;
  expect(prompt).toBeGreaterThan(10);
  expect(row.chargedNanos).toBe(priceOf({ prompt, completion }));
  const generation = await getPath(server, account.key, `/generation?id=${row.id}`);
  expect(at(await readJson(generation), "data.cancelled")).toBe(true);
});

test.each([
  ["Georgian", "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით "],
  ["Malayalam", "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ് "],
  ["Burmese", "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း "],
  ["Khmer", "មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ "],
])(
  "a client that leaves at the last word pays for a prompt in %s by its bytes, and no more than was held",
  async (language, words) => {
    const name = `at the last word in ${language}`;
    const prompt = words.repeat(40);
    const { row } = await askAndLeave({
      name,
      script: { endless: true, paceMs: 2 },
      fields: { stream: true },
      prompt,
      when: (_sent, text) => text.length > 1_000,
    });
    expect(row).toMatchObject({
      state: "settled",
      outcome: "client_closed",
      usageSource: "counted",
    });
    expect(row.promptTokens).toBeGreaterThan(0.9 * Buffer.byteLength(prompt));
    const { promptTokens, completionTokens: completion } = row;
    expect(row.chargedNanos).toBe(priceOf({ prompt: promptTokens, completion }));
    expect(row.shortfallNanos).toBe(0n);
  },
);

test.each(["reasoning_content", "reasoning", "reasoning_details"] as const)(
  "visible %s in a stream is billed as it was relayed, like any other token",
  async (reasoningField) => {
    let received = "";
    const { sent, row } = await askAndLeave({
      name: `visible ${reasoningField}`,
      model: openModel,
      script: { reasoning: 100_000, reasoningField, paceMs: 2 },
      fields: { stream: true },
      when(_sent, text) {
        received = text;
        return text.length > 4_000;
      },
    });
    expect(await sent.ended).toBe("gone");
    const settled = { state: "settled", outcome: "client_closed", usageSource: "counted" };
    expect(row).toMatchObject(settled);
    expect(row.completionTokens).toBeGreaterThan(received.length / 1_000);
    expect(row.completionTokens).toBeLessThanOrEqual(sent.delivered.tokens);
  },
);

test("a client that has read [DONE] was billed before it arrived", async () => {
  const name = "read to the end";
  let chargedAtDone: Promise<unknown> | undefined;
  const received = await askChat(server, {
    key: account.key,
    name,
    body: { model: oddModel, messages: [scripted({ deltas: 5, tag: name })], stream: true },
    onText(text) {
      if (!text.endsWith("data: [DONE]\n\n")) return;
      chargedAtDone = server.owner.sql<{ state: string }[]>`
        select state from requests where user_agent = ${name}`.then(([row]) => row?.state);
    },
  });
  expect(received.complete).toBe(true);
  expect(await chargedAtDone).toBe("settled");
});
