// The lengths that `/openapi.json` gives for names and descriptions in the management API are those that are enforced:
// a text at each of them is taken, one more character is refused by the name of the field.
import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import { readJson, startTestServer, useServer } from "../harness/index.ts";
import { openManaged } from "./open-management.fixture.ts";

const { server } = await useServer(
  startTestServer({
    environment: {
      SEALING_KEY: "a-key-that-only-this-test-seals-with",
      ALLOW_PRIVATE_WEBHOOKS: "true",
    },
  }),
);
const { managementKey } = await openManaged(server);
const openapi = JSON.parse(
  JSON.stringify(await readJson(await fetch(`${server.url}/openapi.json`))),
);

const webhook = { url: "http://127.0.0.1:9/hook", description: "", event_types: null };
const bodies = [
  ["/keys", "name", { name: "ci" }],
  ["/projects", "name", { name: "ci" }],
  ["/webhooks", "description", webhook],
] as const;

async function paramRefused(path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${server.baseUrl}/management${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${managementKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status === 201) return undefined;
  const { error } = JSON.parse(text);
  return isObject(error) ? error.param : text;
}

const describedField = (path: string, field: string) =>
  openapi.paths[`/v1/management${path}`].post.requestBody.content["application/json"].schema
    .properties[field];

test.each(bodies)(
  "POST /management%s takes a %s as long as described",
  async (path, field, body) => {
    const { minLength, maxLength } = describedField(path, field);
    expect(await paramRefused(path, { ...body, [field]: "a".repeat(maxLength) })).toBeUndefined();
    expect(await paramRefused(path, { ...body, [field]: "a".repeat(maxLength + 1) })).toBe(field);
    expect(await paramRefused(path, { ...body, [field]: "" })).toBe(
      minLength > 0 ? field : undefined,
    );
  },
);

test("a webhook endpoint without any event is refused, as described", async () => {
  const [list] = describedField("/webhooks", "event_types").anyOf;
  expect(list.minItems).toBe(1);
  expect(await paramRefused("/webhooks", { ...webhook, event_types: [] })).toBe("event_types");
});
