// Every operation asked for at one point of a sweep, and what each costs if nothing disturbs it: the price that a sweep expects,
// or nothing, and never anything in between that the exit table does not know.
import type { Script, UpstreamRequest } from "@turnpike/testing";
import { openAccount, type TestAccount, type TestServer, type TestSite } from "../harness/index.ts";
import {
  type AskingOperation,
  askOperation,
  type OperationName,
  type OperationReceived,
  operationNames,
  scriptOperations,
} from "./ask-operation.ts";
import { type OperationCase, operationCases } from "./operation-cases.ts";
import { awaitRequest } from "./read-requests.ts";

type Server = Pick<TestServer, "url">;
type Fields = Partial<Pick<AskingOperation, "idempotencyKey" | "signal" | "onText">>;

export type Sweep = {
  /** What the upstream does from now on with every call, each with the name that it has at this point as its tag. */
  readonly script: (point: string, script: Script | ((operation: OperationName) => Script)) => void;
  readonly askAll: (
    server: Server,
    account: TestAccount,
    point: string,
    fieldsOf?: (operation: OperationName, name: string) => Fields,
  ) => Promise<OperationReceived>[];
  /** The first request of each to its upstream. */
  readonly seenAt: (point: string) => Promise<readonly UpstreamRequest[]>;
  readonly priceOf: (operation: OperationName) => bigint;
};

/** The name of an operation's client. */
export const nameAt = (point: string, operation: OperationName) => `${point}: ${operation}`;

export const namesAt = (point: string) =>
  operationNames.map((operation) => nameAt(point, operation));

export const caseOf = (operation: OperationName): OperationCase => operationCases[operation];

export async function openSweep(
  site: Pick<TestSite, "owner" | "upstream">,
  server: Server,
): Promise<Sweep> {
  const scripts = scriptOperations(site.upstream);
  const script: Sweep["script"] = (point, given) => {
    for (const operation of operationNames) {
      const own = typeof given === "function" ? given(operation) : given;
      scripts.set(operation, { tag: nameAt(point, operation), ...own });
    }
  };
  const askAll: Sweep["askAll"] = (asked, { key }, point, fieldsOf) =>
    operationNames.map((operation) => {
      const name = nameAt(point, operation);
      return askOperation(asked, { operation, key, name, ...fieldsOf?.(operation, name) });
    });
  script("honest", {});
  await Promise.all(askAll(server, await openAccount(site), "honest"));
  const rows = await Promise.all(namesAt("honest").map((name) => awaitRequest(site, name)));
  const prices = new Map(operationNames.map((name, index) => [name, rows[index]?.chargedNanos]));
  return {
    script,
    askAll,
    seenAt: (point) =>
      Promise.all(namesAt(point).map((name) => site.upstream.waitFor(({ tag }) => tag === name))),
    priceOf(operation) {
      const price = prices.get(operation) ?? 0n;
      if (price > 0n === (caseOf(operation).isFree === true))
        throw new Error(`${operation} cost ${price}`);
      return price;
    },
  };
}
