// What a test does instead of waiting until others consider a process dead. How long they wait is a setting;
// that they close its leases, and nobody else's, is what the tests are about.
import type { AccountId } from "@turnpike/base";
import { recallHeld } from "./expect-clean-books.ts";
import type { TestSite } from "./start-test-server.ts";

type Site = Pick<TestSite, "owner">;
type Process = { readonly pid: number };

/**
 * As if the process, which has ended or is cut off from the database, had been silent for an hour: the others
 * notice in their next round. Repeat it while waiting, in case a beat was still on its way.
 */
export async function declareSilent({ owner }: Site, { pid }: Process): Promise<void> {
  await owner.sql`
    update instances set heartbeat_at = now() - interval '1 hour'
     where (facts->>'pid')::int = ${pid} and ended_at is null`;
}

/** Waits until others have closed the leases of such a process, and nothing is held for the account. */
export async function awaitReaped(site: Site, dead: Process, accountId: AccountId): Promise<void> {
  await declareSilent(site, dead);
  while ((await recallHeld(site.owner)).includes(accountId)) {
    await Bun.sleep(20);
    await declareSilent(site, dead);
  }
}
