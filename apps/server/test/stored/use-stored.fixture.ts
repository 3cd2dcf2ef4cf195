// Responses and conversations as a client keeps, reads and deletes them.
import { operator } from "@turnpike/db";
import { createProject, mintApiKey, noLimits } from "@turnpike/keys";
import {
  answerWith,
  asObject,
  at,
  type JsonObject,
  type TestAccount,
  type TestServer,
  testModels,
} from "../harness/index.ts";
import { parseNamedEvents, postResponse } from "../responses/post-responses.ts";

export const storedEnvironment = { SEALING_KEY: "the-sealing-key-of-the-tests-of-responses" };

export function useStored(server: TestServer, own: TestAccount) {
  const ask = (path: string, init: RequestInit = {}, key = own.key) =>
    fetch(server.baseUrl + path, {
      ...init,
      headers: {
        ...(typeof init.body === "string" && { "content-type": "application/json" }),
        ...init.headers,
        authorization: `Bearer ${key}`,
      },
    });
  /** The response object of an answer, whole or streamed. */
  async function responseOf(answer: Response): Promise<JsonObject> {
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    if (text.startsWith("{")) return asObject(JSON.parse(text));
    return asObject(parseNamedEvents(text).at(-1)?.response);
  }
  const create = (fields: JsonObject, key = own.key) =>
    postResponse(server, key, { body: { model: testModels.cheap, ...fields } });
  return {
    ask,
    create,
    responseOf,
    post: (path: string, body: unknown, key?: string) =>
      ask(path, { method: "POST", body: JSON.stringify(body) }, key),
    /** The upstream answers with `text`. */
    async say(text: string, fields: JsonObject, key?: string): Promise<JsonObject> {
      answerWith(server, { text });
      return responseOf(await create({ store: true, ...fields }, key));
    },
    /** What the upstream was sent last. */
    lastMessages: () => at(server.upstream.requests.at(-1)?.parsed, "messages"),
    /** A key of another project of the account. */
    async openOtherProject({ id: accountId, personId }: TestAccount): Promise<string> {
      const { db } = server.owner;
      const projectId = await createProject(db, { accountId, by: operator }, { name: "Other" });
      const owner = { accountId, createdBy: personId, projectId };
      return (await mintApiKey(db, { ...owner, name: "other", limits: noLimits })).key;
    },
    async countRows(kind: string): Promise<number> {
      const [row] = await server.owner.sql<{ rows: number }[]>`
        select count(*)::int as rows from objects
         where account_id = ${own.id} and kind = ${kind} and state = 'ready'`;
      return row?.rows ?? 0;
    },
  };
}

export const user = (content: string) => ({ role: "user", content });
export const assistant = (content: string) => ({ role: "assistant", content });
