// `/openapi.json` is valid, complete, and says of each operation what it needs.
import { expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { grantablePermissions } from "@turnpike/accounts";
import { managementRoutes } from "./management-routes.ts";
import { metaOfProcedure, writeOpenApi } from "./write-openapi.ts";

const written = writeOpenApi({ productName: "Turnpike", publicUrl: "https://api.turnpike.test" });

async function lint(document: unknown) {
  const config = await createConfig({ extends: ["recommended"] });
  const source = JSON.stringify(document);
  return lintFromString({ source, config, absoluteRef: "/openapi.json" });
}

/** What OpenAI's own schemas do, and what would only repeat the names of tags. */
const accepted = new Set([
  "tag-description",
  "no-illogical-composition-keywords",
  "no-ambiguous-paths",
]);

test("the linter of redocly finds nothing wrong", async () => {
  const problems = await lint(written);
  const found = problems.filter(({ ruleId }) => !accepted.has(ruleId));
  expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  // It would find something.
  expect(await lint({ ...written, paths: { "/v1/x": { get: {} } } })).not.toEqual(problems);
});

test("every reference leads to a component", () => {
  const text = JSON.stringify(written);
  const components = JSON.parse(text).components;
  for (const [, kind = "", name = ""] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    expect([name, name in components[kind]]).toEqual([name, true]);
  }
});

test.each(managementRoutes.map((route) => [route.method, route.path, route] as const))(
  "%s %s needs a permission that a management key can have",
  (method, path, route) => {
    const { permission } = metaOfProcedure(route.procedure);
    if (permission === undefined) throw new Error("no permission");
    expect(grantablePermissions).toContain(permission);
    const operation = JSON.parse(JSON.stringify(written)).paths[path][method.toLowerCase()];
    expect(operation.description).toContain(`\`${permission}\``);
  },
);

test("operations have ids of their own", () => {
  const { paths } = JSON.parse(JSON.stringify(written));
  const ids = Object.values(paths).flatMap((operations) =>
    Object.values(Object(operations)).map((operation) => Object(operation).operationId),
  );
  expect(ids.length).toBeGreaterThan(30);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ["/v1/chat/completions", "CreateChatCompletionRequest", true],
  ["/v1/completions", "CompletionsRequest", true],
  ["/v1/responses", "ResponsesRequest", false],
  ["/v1/messages", "MessagesRequest", false],
])("%s of a body with `models` alone", (path, name, isTaken) => {
  const { paths, components } = JSON.parse(JSON.stringify(written));
  const { allOf } = paths[path].post.requestBody.content["application/json"].schema;
  const either = [{ required: ["model"] }, { required: ["models"] }];
  const isEither = allOf.some(({ anyOf = [] }) => Bun.deepMatch(either, anyOf));
  expect(isEither).toBe(isTaken);
  const required = JSON.stringify(components.schemas[name]).match(/"required":\[[^\]]*"model"/);
  expect(required === null).toBe(isTaken);
});

/** Paths of all properties of schemas below `node` that nothing is said about. */
function undescribedIn(node: unknown, path: string): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([keyword, inner]) => {
    const isOfSchemas = keyword === "properties" && path.split("/").at(-1) !== "properties";
    const names = isOfSchemas ? Object.entries(Object(inner)) : [];
    const missing = names.filter(([, schema]) => !isSaid(Object(schema).description));
    return [
      ...missing.map(([name]) => `${path}/${name}`),
      ...undescribedIn(inner, `${path}/${keyword}`),
    ];
  });
}

function isSaid(description: unknown): boolean {
  return typeof description === "string" && description.trim() !== "";
}

test("every parameter, and every property of a request and a response, is described", () => {
  const { paths, components } = JSON.parse(JSON.stringify(written));
  expect(undescribedIn({ paths, components }, "")).toEqual([]);
  const operations = Object.values(paths).flatMap((methods) => Object.values(Object(methods)));
  const parameters = operations.flatMap((operation) => Object(operation).parameters ?? []);
  const unsaid = parameters.filter((one) => !("$ref" in one) && !isSaid(one.description));
  expect(unsaid).toEqual([]);
});
