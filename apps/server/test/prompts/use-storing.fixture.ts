// Accounts whose project stores prompts and answers, and what is stored of their newest request.
import { expect } from "bun:test";
import { at, type JsonObject, type TestServer } from "../harness/index.ts";
import { ask, type Managed, openManaged } from "../management/open-management.fixture.ts";
import { eventually } from "../money/read-requests.ts";

type Setting = { readonly days: number | null; readonly redacts?: boolean };

/** The first of these instances is asked. */
export function useStoring(servers: readonly [TestServer, ...TestServer[]]) {
  const [server] = servers;

  async function setPrompts({ id, managementKey }: Managed, setting: Setting): Promise<void> {
    const path = `POST /management/projects/${id}/prompts`;
    const { status } = await ask(server, managementKey, path, setting);
    expect(status).toBe(200);
  }

  async function openStoring(setting: Setting = { days: 30 }): Promise<Managed> {
    const account = await openManaged(server);
    await setPrompts(account, setting);
    return account;
  }

  const settle = () => Promise.all(servers.map(({ services }) => services.promptLog.settled()));

  /** What is stored of the newest request, which must be stored. */
  const lastOf = ({ managementKey }: Managed): Promise<JsonObject> =>
    eventually("a stored prompt", async () => {
      const { body } = await ask(server, managementKey, "GET /management/requests?limit=1");
      const newest = at(body, "data.0.id");
      if (newest === undefined) return undefined;
      await settle();
      const stored = await ask(server, managementKey, `GET /management/requests/${newest}/prompt`);
      return stored.status === 200 ? stored.body : undefined;
    });

  const post = (account: Managed, path: string, body: object, headers = {}) =>
    fetch(`${server.baseUrl}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });

  return { setPrompts, openStoring, settle, lastOf, post };
}
