// The bounds of `/openapi.json` are those of the server: for every field of a request that calls a model, the value at
// each described bound is taken and the next one beyond it is refused, and nothing is enforced that is not described.
import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "@turnpike/base";
import { type Bounds, requestBounds } from "@turnpike/wire";
import { readJson, scripted, startTestServer, testModels, useServer } from "../harness/index.ts";
import { boundCasesOf, type Components, resolve } from "./bound-cases.fixture.ts";
import { readProblems } from "./expect-described.fixture.ts";

const { server, account } = await useServer(startTestServer());
const openapi = JSON.parse(
  JSON.stringify(await readJson(await fetch(`${server.url}/openapi.json`))),
);
const components: Components = openapi.components.schemas;

const messages = [scripted({ deltas: 1 })];
const bodies: Readonly<Record<string, JsonObject>> = {
  "/chat/completions": { model: testModels.cheap, messages, logprobs: true },
  "/responses": { model: testModels.cheap, input: "hello" },
  "/messages": { model: testModels.anthropic, max_tokens: 50, messages },
  "/messages/count_tokens": { model: testModels.anthropic, messages },
  "/completions": { model: testModels.cheap, prompt: "hello", max_tokens: 20 },
  "/embeddings": { model: testModels.embeddings, input: ["one", "two"] },
};

const schemaOf = (path: string): JsonObject =>
  openapi.paths[`/v1${path}`].post.requestBody.content["application/json"].schema;

const findProblems = await readProblems(server);
const inRequest = ["requestBody", "content", "application/json"];

type Refusal = { readonly message: string; readonly param: string | undefined };

/** Why the server refuses a body because of the field at `param`, or of something in it. */
async function reasonOf(path: string, body: unknown, param: string): Promise<string | undefined> {
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 400) return undefined;
  const { message, param: named }: Refusal = JSON.parse(text).error;
  // Anthropic's errors name the field in their message.
  const dotted = param.replaceAll(/\[(\d+)\]/g, ".$1");
  const isNamed = named === undefined ? message.includes(dotted) : named.startsWith(param);
  return isNamed ? message.replace(/, but got .*|^Invalid value: '[^']*'/, "") : undefined;
}

for (const [path, body] of Object.entries(bodies)) {
  const cases = boundCasesOf(schemaOf(path), body, components).filter(
    // Not those of one form beside another one that takes the value.
    ({ refused }) => findProblems(`POST /v1${path}`, inRequest, refused)?.length !== 0,
  );

  test(`POST ${path} describes bounds`, () => expect(cases.length).toBeGreaterThan(5));

  test.each(cases.map((one) => [one.name, one] as const))(`POST ${path}: %s`, async (_, one) => {
    const reason = await reasonOf(path, one.refused, one.param);
    expect(reason).toBeDefined();
    // What a model or another field allows may be less.
    expect(await reasonOf(path, one.accepted, one.param)).not.toBe(reason);
  });
}

type Words = { readonly [word: string]: unknown };

/** Everything that the rules enforce, and `nodes` do not say. */
function unsaid(bounds: Bounds, nodes: readonly JsonObject[], at: string): readonly string[] {
  const all = nodes.flatMap(withParts);
  const { text, number, list, object, kinds, forms } = bounds;
  const { items, ...sizes } = list ?? {};
  const { properties = {}, values, ...pairs } = object ?? {};
  const words: Words = { ...text, ...number, ...sizes, ...pairs };
  const missing = Object.entries(words).filter(
    ([word, bound]) => !all.some((node) => isSaid(word, bound, node)),
  );
  return [
    ...missing.map(([word, bound]) => `${at} ${word} ${JSON.stringify(bound)}`),
    ...(items === undefined ? [] : unsaid(items, inside(all, "items"), `${at}[]`)),
    ...(values === undefined ? [] : unsaid(values, valuesIn(all), `${at}.*`)),
    ...Object.entries(properties).flatMap(([name, field]) =>
      unsaid(field, inside(propertiesOf(all), name), `${at}.${name}`),
    ),
    ...Object.entries(kinds?.shapes ?? {}).flatMap(([kind, shape]) =>
      unsaid(shape, ofKind(all, kinds?.tag ?? "", kind), `${at}<${kind}>`),
    ),
    ...(forms ?? []).flatMap((form, index) => unsaid(form, all, `${at}(${index})`)),
  ];
}

function isSaid(word: string, bound: unknown, node: JsonObject): boolean {
  const said = node[word];
  const listed = Array.isArray(said) ? said.filter((value) => value !== null) : said;
  return Bun.deepEquals(listed, bound);
}

function withParts(written: JsonObject): readonly JsonObject[] {
  const node = resolve(written, components);
  const parts = [node.anyOf, node.oneOf, node.allOf].flat().filter(isObject);
  const then = isObject(node.then) ? [{ ...node.then, if: node.if }] : [];
  return [node, ...[...parts, ...then].flatMap(withParts)];
}

function inside(nodes: readonly JsonObject[], name: string): readonly JsonObject[] {
  return nodes.map((node) => node[name]).filter(isObject);
}

const propertiesOf = (nodes: readonly JsonObject[]) => inside(nodes, "properties");

function valuesIn(nodes: readonly JsonObject[]): readonly JsonObject[] {
  const named = propertiesOf(nodes).flatMap((properties) => Object.values(properties));
  return [...inside(nodes, "additionalProperties"), ...named.filter(isObject)];
}

/** Without those of another kind. */
function ofKind(nodes: readonly JsonObject[], tag: string, kind: string): readonly JsonObject[] {
  return nodes.filter((node) => {
    const [field] = inside(propertiesOf([...inside([node], "if"), node]), tag);
    const names = [field?.const ?? field?.enum ?? kind].flat();
    return names.includes(kind);
  });
}

test.each(Object.entries(requestBounds))("%s describes all that is enforced", (name, fields) => {
  const properties = Object.entries(fields);
  expect(
    properties.flatMap(([field, bounds]) => {
      const nodes = inside(propertiesOf(withParts(components[name] ?? {})), field);
      return unsaid(bounds, nodes, field);
    }),
  ).toEqual([]);
});
