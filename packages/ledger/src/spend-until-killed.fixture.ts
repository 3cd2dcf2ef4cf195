// A program that spends until it is killed: `spend-until-killed.fixture.ts URL INSTANCE PRINCIPAL...`, a
// principal being `account:key`. After a line that says that it begins, it prints the id and the cost of every
// call whose charge is durable, as a client that reads the end of its answer would see it. It ends with its
// parent, when its stdin closes.
import { writeSync } from "node:fs";
import { type AnyId, type InstanceId, parseId } from "@turnpike/base";
import { createMetrics } from "@turnpike/telemetry";
import { openLedger } from "./open-ledger.ts";
import { chargeOf, holdOf, type Principal, silentLog } from "./open-test-books.fixture.ts";

const callersPerPrincipal = 2;

const [url = "", instance, ...names] = process.argv.slice(2);
const ledger = openLedger({
  url,
  instanceId: requireId<InstanceId>(instance),
  log: silentLog,
  metrics: createMetrics(),
  admitting: () => true,
});

function requireId<Kind extends AnyId>(text = ""): Kind {
  const id = parseId<Kind>(text);
  if (id === undefined) throw new Error(`not an id: ${text}`);
  return id;
}

function parsePrincipal(name: string): Principal {
  const [accountId, keyId] = name.split(":");
  return { accountId: requireId(accountId), keyId: requireId(keyId) };
}

async function spend(principal: Principal): Promise<void> {
  for (;;) {
    const want = BigInt(1 + Math.floor(Math.random() * 50));
    const decision = await ledger.hold(holdOf(principal, want));
    if (decision.verdict !== "held") {
      await Bun.sleep(5);
      continue;
    }
    await Bun.sleep(Math.random() * 4);
    const cost = BigInt(Math.floor(Math.random() * Number(want + 1n)));
    await ledger.charge(chargeOf(decision.hold, cost));
    writeSync(1, `${decision.hold.request.facts.id} ${cost}\n`);
  }
}

process.stdin.on("end", () => process.exit(0)).resume();
writeSync(1, "spending\n");
for (const principal of names.map(parsePrincipal)) {
  for (let caller = 0; caller < callersPerPrincipal; caller += 1) void spend(principal);
}
