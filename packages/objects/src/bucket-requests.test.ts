// Requests to a bucket whose service is slow, away, wrongly set up or does less than others: they end in time, and say what happened.
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { BucketFailure, createBucketRequests, type RequestTimes } from "./bucket-requests.ts";
import { openS3Blobs } from "./s3-blobs.ts";

type Answer = (request: Request, number: number) => Response | Promise<Response>;

const account = {
  bucket: "files",
  region: "us-east-1",
  accessKeyId: "the-id-of-a-key",
  secretAccessKey: "the-secret-of-a-key",
};

/** A service that answers as a test says, and what it was asked. */
function serve(answer: Answer) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { method, url, headers } = request;
      const { pathname, search } = new URL(url);
      const body = await request.bytes();
      const condition = headers.get("if-none-match") === null ? "" : " if none";
      asked.push(`${method} ${pathname}${search} ${body.byteLength}${condition}`);
      return answer(request, asked.length);
    },
  });
  const settings = { ...account, endpoint: server.url.href };
  return { asked, settings, [Symbol.asyncDispose]: () => server.stop(true) };
}

const error = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, {
    status,
    headers: { location: "/elsewhere" },
  });
const fast: Partial<RequestTimes> = { attemptMs: 1_000, pausesMs: [1, 1] };
/** For answers that come, however busy the machine is. */
const patient: Partial<RequestTimes> = { attemptMs: 60_000, pausesMs: [1, 1] };
const body = Buffer.from("contents");

test.each([
  [500, "InternalError"],
  [503, "SlowDown"],
  [429, "TooManyRequests"],
  [409, "ConditionalRequestConflict"],
  [400, "RequestTimeout"],
])(
  "%d %s is tried again, without the condition that the first attempt may have broken",
  async (status, code) => {
    await using service = serve((_, number) =>
      number < 3 ? error(status, code) : new Response(null, { status: 200 }),
    );
    const requests = createBucketRequests(service.settings, patient);
    expect(await requests.put("a", body, { isNew: true })).toBe(true);
    expect(service.asked).toEqual(["PUT /files/a 8 if none", "PUT /files/a 8", "PUT /files/a 8"]);
  },
);

test.each([
  [403, "AccessDenied"],
  [403, "SignatureDoesNotMatch"],
  [404, "NoSuchBucket"],
  [301, "PermanentRedirect"],
])("%d %s is a refusal: it is not tried again, and the failure names it", async (status, code) => {
  await using service = serve(() => error(status, code));
  const { put, get, remove, list } = createBucketRequests(service.settings, patient);
  for (const [method, ask] of [
    ["PUT", () => put("a", body)],
    ["GET", () => get("a")],
    ["DELETE", () => remove("a")],
    ["GET", () => list("a/")],
  ] as const) {
    const message = `${method}: the service answered ${status} ${code}`;
    await expect(ask()).rejects.toMatchObject({ name: "BucketFailure", message, isRefusal: true });
  }
  expect(service.asked).toHaveLength(4);
});

test("a service that does not know the condition is asked without it", async () => {
  await using service = serve((request) =>
    request.headers.has("if-none-match")
      ? error(501, "NotImplemented")
      : new Response(null, { status: 200 }),
  );
  const requests = createBucketRequests(service.settings, patient);
  expect(await requests.put("a", body, { isNew: true })).toBe(true);
  expect(service.asked).toEqual(["PUT /files/a 8 if none", "PUT /files/a 8"]);
});

test("a service that does not answer is given up, and its connections are closed", async () => {
  const ended: Promise<void>[] = [];
  await using service = serve((request) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    request.signal.addEventListener("abort", () => resolve());
    ended.push(promise);
    return new Promise<Response>(() => undefined);
  });
  const failure = await createBucketRequests(service.settings, fast)
    .get("a")
    .catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ message: "GET: no answer within 1 s", isRefusal: false });
  await Promise.all(ended);
});

test("an answer that stops in the middle is not taken for a whole one", async () => {
  let answers = 0;
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        answers += 1;
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n${answers < 3 ? "who" : "whole"}`);
      },
    },
  });
  const endpoint = `http://127.0.0.1:${listener.port}`;
  const requests = createBucketRequests({ ...account, endpoint }, patient);
  expect(Buffer.from((await requests.get("a")) ?? []).toString()).toBe("whole");
  expect(answers).toBe(3);
  listener.stop(true);
});

test("what fails is told to the operator and asked of the caller again, without address and key", async () => {
  const told: BucketFailure[] = [];
  await using service = serve(() => error(403, "AccessDenied"));
  const blobs = openS3Blobs(service.settings, {
    times: patient,
    onFailure: (failure) => told.push(failure),
  });
  const address = randomBytes(16).toString("hex");
  const write = async () => (await blobs.create(address)).end();
  const tries = [write, () => Array.fromAsync(blobs.read(address)), () => blobs.remove(address)];
  for (const attempt of tries) {
    await expect(attempt()).rejects.toMatchObject({ name: "Fault", code: "overloaded" });
  }
  expect(told.map(({ message }) => message)).toEqual([
    "PUT: the service answered 403 AccessDenied",
    "GET: the service answered 403 AccessDenied",
    "GET: the service answered 403 AccessDenied",
  ]);
});

test("a service that is not there is no refusal, and its failure names neither address nor key", async () => {
  const service = serve(() => new Response(null));
  await service[Symbol.asyncDispose]();
  const failure = await createBucketRequests(service.settings, patient)
    .get("a")
    .catch((thrown: unknown) => thrown);
  if (!(failure instanceof BucketFailure)) throw new Error("it did not fail as a bucket does");
  expect(failure.isRefusal).toBe(false);
  const shown = Bun.inspect(failure);
  for (const secret of ["127.0.0.1", "the-id", "the-secret"]) expect(shown).not.toContain(secret);
});

test("a list of several pages is read to its end", async () => {
  const keys = Array.from({ length: 5 }, (_, number) => `a/${number}`);
  await using service = serve(({ url }) => {
    const after = new URL(url).searchParams.get("start-after") ?? "";
    const page = keys.filter((key) => key > after).slice(0, 2);
    const isCut = page.at(-1) !== keys.at(-1);
    const entries = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    return new Response(`<L><IsTruncated>${isCut}</IsTruncated>${entries}</L>`);
  });
  expect(await createBucketRequests(service.settings, patient).list("a/")).toEqual(keys);
  expect(service.asked.at(-1)).toBe("GET /files/?list-type=2&prefix=a%2F&start-after=a%2F3 0");
});

test("a sink takes no more than a segment while the service is slow, and ends when all is stored", async () => {
  const held: PromiseWithResolvers<void>[] = [];
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using service = serve(async (_, number) => {
    const hold = Promise.withResolvers<void>();
    held.push(hold);
    arrived[number - 1]?.resolve();
    await hold.promise;
    return new Response(null, { status: 200 });
  });
  const done: string[] = [];
  const blobs = openS3Blobs(service.settings, { segmentBytes: 1_000, times: patient });
  const sink = await blobs.create("0".repeat(32));
  await sink.write(randomBytes(999));
  const writing = sink.write(randomBytes(3)).then(() => done.push("written"));
  await arrived[0]?.promise;
  expect(done).toEqual([]);
  held[0]?.resolve();
  await writing;
  const ending = sink.end().then(() => done.push("ended"));
  await arrived[1]?.promise;
  expect(done).toEqual(["written"]);
  held[1]?.resolve();
  await ending;
  const key = `/files/${"0".repeat(32)}`;
  expect(service.asked).toEqual([`PUT ${key}/000000 1000 if none`, `PUT ${key}/000001 2`]);
});

test("a blob that lacks a segment is not read to its end", async () => {
  await using service = serve(({ url }) =>
    url.endsWith("/000000") ? new Response(new Uint8Array(1_000)) : error(404, "NoSuchKey"),
  );
  const blobs = openS3Blobs(service.settings, { segmentBytes: 1_000, times: patient });
  await expect(Array.fromAsync(blobs.read("0".repeat(32)))).rejects.toThrow("segment 1 is missing");
});
