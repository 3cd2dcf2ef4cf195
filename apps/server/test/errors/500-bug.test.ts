// A bug is logged in full for the operator, and the answer reveals nothing of it; a refusal is not logged.
import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { formatGenerationId, type GenerationId, newId } from "@turnpike/base";
import { expectFault, getPath, openAccount, startTestServer } from "../harness/index.ts";

const server = await startTestServer();
const { key } = await openAccount(server);
const logged = spyOn(server.services.log, "error");
afterEach(() => {
  logged.mockClear();
});
afterAll(() => server.close());

const lookUp = () =>
  getPath(server, key, `/generation?id=${formatGenerationId(newId<GenerationId>())}`);

test("a bug is logged with the id of its request, and its text is not in the answer", async () => {
  const { sql } = server.owner;
  await sql`alter table requests rename to mislaid`;
  const answer = await lookUp().finally(() => sql`alter table mislaid rename to requests`);
  const requestId = answer.headers.get("x-request-id");
  const fault = { status: 500, type: "server_error", code: "internal_error" };
  const error = await expectFault(answer, fault);
  expect(JSON.stringify(error)).not.toContain("requests");
  const [facts, message] = logged.mock.calls.find(([, said]) => said === "bug") ?? [];
  expect(message).toBe("bug");
  expect(facts).toMatchObject({ requestId, err: expect.any(Error) });
});

test("a refusal is not logged as a bug", async () => {
  expect((await lookUp()).status).toBe(404);
  expect(logged).not.toHaveBeenCalled();
});
