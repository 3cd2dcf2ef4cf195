// Responses in the background and streams that can be resumed, as a client starts, polls and resumes them.

import {
  asObject,
  type JsonObject,
  readJson,
  type TestAccount,
  type TestServer,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { postResponse, responseBody } from "../responses/post-responses.ts";

export const runsEnvironment = { SEALING_KEY: "the-sealing-key-of-the-tests-of-runs" };

type Site = Pick<TestSite, "owner">;

/** `baseUrl` ends in `/v1`. */
export function useRuns({ owner }: Site, baseUrl: () => string) {
  const ask = (path: string, key: string, init: RequestInit = {}) =>
    fetch(baseUrl() + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
    });
  const retrieve = async (id: unknown, key: string) =>
    asObject(await readJson(await ask(`/responses/${id}`, key)));
  return {
    ask,
    retrieve,
    async create(
      script: Parameters<typeof responseBody>[0],
      key: string,
      fields: JsonObject = {},
    ): Promise<JsonObject> {
      const body = responseBody(script, { background: true, ...fields });
      return asObject(await readJson(await postResponse({ baseUrl: baseUrl() }, key, { body })));
    },
    cancel: (id: unknown, key: string) =>
      ask(`/responses/${id}/cancel`, key, { method: "POST" }).then(readJson).then(asObject),
    /** The response once it neither waits nor runs. */
    async awaitEnded(id: unknown, key: string): Promise<JsonObject> {
      let found: JsonObject = {};
      await eventually(`response ${id} to end`, async () => {
        found = await retrieve(id, key);
        return found.status !== "queued" && found.status !== "in_progress";
      });
      return found;
    },
    /** All its events, or those behind a number, as they are sent. */
    async readStream(id: unknown, key: string, after?: number): Promise<string> {
      const from = after === undefined ? "" : `&starting_after=${after}`;
      const answer = await ask(`/responses/${id}?stream=true${from}`, key);
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
      return text.replaceAll(": keep-alive\n", "");
    },
    async countRows({ id }: TestAccount): Promise<{ runs: number; events: number }> {
      const [row] = await owner.sql<{ runs: number; events: number }[]>`
        select (select count(*)::int from runs where account_id = ${id}) as runs,
               (select count(*)::int from run_events where account_id = ${id}) as events`;
      return row ?? { runs: -1, events: -1 };
    },
  };
}

export const baseUrlOf =
  ({ baseUrl }: Pick<TestServer, "baseUrl">) =>
  () =>
    baseUrl;
