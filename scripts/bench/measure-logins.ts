// What logins cost the calls of `/v1`: the same load of `/v1` alone, and while a thousand logins go
// through the real procedure, including argon2. The throttles are raised for it, because otherwise the
// twenty-first login from one address would be refused unhashed.
import { createAccount } from "@turnpike/accounts";
import { openPasswordHasher } from "@turnpike/auth";
import { connectDatabase, type Db, persons } from "@turnpike/db";
import { eq } from "drizzle-orm";
import { connect } from "./connect-http.ts";
import {
  describeFailures,
  type LoadContext,
  percentile,
  sendLoadTo,
  turnpikeOf,
} from "./measure-load.ts";
import type { LoadResult } from "./send-load.ts";

export type Latency = { requestsPerSecond: number; p50Ms: number; p99Ms: number };

export type LoginComparison = {
  alone: Latency;
  besideLogins: Latency;
  logins: number;
  atOnce: number;
  loginsPerSecond: number;
  /** How many calls of `/v1` failed and why, if few did: the figures are those of the others. */
  failures?: string | undefined;
};

const logins = 1_000;
/** Below the queue limit of the hasher (64): each of them is hashed. */
const signingInAtOnce = 32;
const load = { connections: 16, stream: false };
const sliceSeconds = 1;
const retryMs = 1_000;
const password = "correct horse battery staple";

/** The time without logins is measured half before and half after them. */
export async function compareLogins(
  loadContext: LoadContext,
  ownerUrl: string,
  seconds: number,
): Promise<LoginComparison> {
  const turnpike = turnpikeOf(loadContext);
  const url = `http://127.0.0.1:${turnpike.port}`;
  const requests = await prepareLogins(ownerUrl, url);
  const send = (lastSeconds: number) =>
    sendLoadTo(loadContext, turnpike, { ...load, seconds: lastSeconds });
  const before = await send(seconds / 2);
  const signingIn = startLogins(url, requests);
  const beside: LoadResult[] = [];
  const all = [before];
  while (!signingIn.isDone()) {
    const slice = await send(sliceSeconds);
    all.push(slice);
    // A load that outlasted the logins does not measure them.
    if (!signingIn.isDone()) beside.push(slice);
  }
  const loginSeconds = await signingIn.seconds;
  const after = await send(seconds / 2);
  return {
    alone: sumUp([before, after]),
    besideLogins: sumUp(beside),
    logins,
    atOnce: signingInAtOnce,
    loginsPerSecond: logins / loginSeconds,
    failures: describeFailures([...all, after]),
  };
}

/** Verified people with a password, one for each connection; the login request of each. */
async function prepareLogins(ownerUrl: string, url: string): Promise<readonly Buffer[]> {
  const connection = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    const passwordHash = await openPasswordHasher().hash(password);
    const requests: Buffer[] = [];
    for (let number = 0; number < signingInAtOnce; number += 1) {
      const email = `login-${number}@turnpike.local`;
      await createPerson(connection.db, email, passwordHash);
      requests.push(writeLogin(new URL(url).host, email, number));
    }
    return requests;
  } finally {
    await connection.close();
  }
}

async function createPerson(db: Db, email: string, passwordHash: string): Promise<void> {
  const { personId } = await createAccount(db, { email, passwordHash });
  await db.update(persons).set({ emailVerifiedAt: new Date() }).where(eq(persons.id, personId));
}

/** As the console sends it, from a known browser: no mail about a new device. */
function writeLogin(host: string, email: string, device: number): Buffer {
  const body = JSON.stringify({ email, password });
  const head = [
    "POST /trpc/auth.login HTTP/1.1",
    `Host: ${host}`,
    "Sec-Fetch-Site: same-origin",
    "Content-Type: application/json",
    "User-Agent: bench/1.0",
    `Cookie: turnpike_device=bench-${device}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function startLogins(url: string, requests: readonly Buffer[]) {
  const port = Number(new URL(url).port);
  const startedAt = performance.now();
  let started = 0;
  let done = false;
  const signIn = async (request: Buffer) => {
    const connection = await connect(port, (status) => status === 200 || status === 503);
    while (started < logins) {
      started += 1;
      // On a busy machine the hasher may refuse a login, which is then repeated as a person would.
      while ((await connection.ask(request)).status === 503) await Bun.sleep(retryMs);
    }
    connection.close();
  };
  const seconds = Promise.all(requests.map(signIn))
    .finally(() => {
      done = true;
    })
    .then(() => (performance.now() - startedAt) / 1000);
  // Awaited only after the load; this keeps its failure from being unhandled until then.
  seconds.catch(() => undefined);
  return { seconds, isDone: () => done };
}

function sumUp(results: readonly LoadResult[]): Latency {
  const latencies = results.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  const seconds = results.reduce((total, result) => total + result.seconds, 0);
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}
