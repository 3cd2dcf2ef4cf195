// DATABASE_URL as operators write it: several hosts, TLS with a CA, and a sentence for each way in which TLS
// or a pooler can be configured wrongly.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { freePort } from "@turnpike/testing";
import { readConfig } from "../../src/config.ts";
import { describeStartFailure } from "../../src/describe-start-failure.ts";
import { openStandby } from "./open-standby.ts";
import { type OwnCluster, openCluster } from "./own-cluster.ts";
import { findProgram } from "./read-documented.ts";

let cluster: OwnCluster;
beforeAll(async () => {
  cluster = await openCluster({ durable: false });
});
afterAll(() => cluster.close());

async function readRow(url: string) {
  const connection = connectDatabase({ url, max: 1 });
  try {
    const [row] = await connection.sql`
      select coalesce(ssl, false) as ssl, inet_server_port() as port,
             pg_is_in_recovery() as standby
        from pg_stat_ssl where pid = pg_backend_pid()`;
    return row;
  } finally {
    await connection.close();
  }
}

const ask = async (url: string): Promise<unknown> => (await readRow(url))?.ssl;

/** Files that PostgreSQL reads must belong to the user it runs as. */
function giveTo(folder: string, files: readonly string[]): void {
  const { uid, gid } = statSync(folder);
  for (const file of files) {
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }
}

const describeRefusal = (url: string) => ask(url).then(() => "no refusal", describeStartFailure);

describe("several hosts", () => {
  test("are accepted, and the next one is used when the first does not answer", async () => {
    const away = `127.0.0.1:${await freePort()}`;
    const { postgres, superuserUrl } = cluster;
    const url = superuserUrl.replace("@127.0.0.1", `@${away},127.0.0.1`);
    expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
    expect(await ask(url)).toBe(false);
    const reversed = superuserUrl.replace(`:${postgres.port}/`, `:${postgres.port},${away}/`);
    expect(await ask(reversed)).toBe(false);
  });

  test("FD8: of a primary and its standby, the primary is used, whichever is named first", async () => {
    const { postgres, superuserUrl } = cluster;
    const standby = await openStandby(cluster, { follows: false, durable: false });
    try {
      const hosts = (list: string) => superuserUrl.replace(/@[^/]+/, `@${list}`);
      const [first, second] = [standby, postgres].map(({ port }) => `127.0.0.1:${port}`);
      expect(await readRow(hosts(`${first}`))).toMatchObject({ standby: true });
      for (const list of [`${first},${second}`, `${second},${first}`]) {
        expect(await readRow(hosts(list))).toMatchObject({ standby: false, port: postgres.port });
      }
      const asked = `${hosts(`${second},${first}`)}?target_session_attrs=standby`;
      expect(await readRow(asked)).toMatchObject({ standby: true, port: standby.port });
    } finally {
      await standby.stop();
    }
  });

  test.each([
    "postgres://a:5432,:5432/turnpike",
    "postgres://a:5432,b:port/turnpike",
    "http://a/turnpike",
    "postgres://a/turnpike?sslmode=on",
    "postgres://a/turnpike?sslmode=verify-full&sslrootcert=/nowhere/ca.pem",
    "postgres://a/turnpike?sslmode=require&sslrootcert=/nowhere/ca.pem",
  ])("%s is a mistake of the configuration", (DATABASE_URL) => {
    expect(() => readConfig({ DATABASE_URL })).toThrow(/^DATABASE_URL: (must|sslmode|sslroot)/);
  });
});

test("a database without TLS is named as such", async () => {
  expect(await describeRefusal(`${cluster.superuserUrl}?sslmode=require`)).toStartWith(
    "the database does not accept TLS",
  );
});

test("a pooler that refuses our parameters names DATABASE_PREPARE", async () => {
  const said = "unsupported startup parameter: statement_timeout";
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${said}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeUInt32BE(fields.length + 4, 1);
  const pooler = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([head, fields])));
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  const address = pooler.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    expect(await describeRefusal(`postgres://a:b@127.0.0.1:${port}/c`)).toStartWith(
      "DATABASE_URL leads to a transaction pooler. Set DATABASE_PREPARE=false",
    );
  } finally {
    pooler.close();
  }
});

const openssl = findProgram("openssl");
if (openssl === undefined) console.log("skip: openssl is not installed; Debian has it");

describe.skipIf(openssl === undefined)("TLS", () => {
  let ca: string;
  beforeAll(async () => {
    const folder = join(cluster.postgres.home, "cluster");
    ca = join(folder, "server.crt");
    makeCertificate(folder, "localhost");
    await cluster.admin.sql`alter system set ssl = on`;
    await cluster.admin.sql`select pg_reload_conf()`;
    while (!(await ask(`${cluster.superuserUrl}?sslmode=prefer`))) await Bun.sleep(20);
  });

  /** Self-signed: its own CA. */
  function makeCertificate(folder: string, name: string): void {
    const key = join(folder, "server.key");
    const words = `req -x509 -nodes -days 2 -subj /CN=${name} -newkey rsa:2048 -addext`;
    const made = spawnSync(
      openssl ?? "",
      [...words.split(" "), `subjectAltName=DNS:${name}`, "-keyout", key, "-out", ca],
      { encoding: "utf8" },
    );
    expect(made.stderr).not.toContain("rror");
    giveTo(folder, [ca, key]);
  }

  const urlFor = (host: string, query: string) =>
    `${cluster.superuserUrl.replace("@127.0.0.1", `@${host}`)}?${query}`;

  test("is verified with the CA of sslrootcert", async () => {
    const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`;
    expect(await ask(urlFor("localhost", query))).toBe(true);
    const caOnly = `sslmode=verify-ca&sslrootcert=${encodeURIComponent(ca)}`;
    expect(await ask(urlFor("127.0.0.1", caOnly))).toBe(true);
  });

  test("with an unknown CA names sslrootcert", async () => {
    expect(await describeRefusal(urlFor("localhost", "sslmode=verify-full"))).toContain(
      "not signed by a known CA",
    );
  });

  test("with a certificate for another name says that the name is wrong", async () => {
    const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`;
    const wrong =
      "the certificate of the database is for another host name. Use the name in the certificate";
    expect(await describeRefusal(urlFor("127.0.0.1", query))).toStartWith(wrong);
    makeCertificate(join(cluster.postgres.home, "cluster"), "db.example.com");
    await cluster.admin.sql`select pg_reload_conf()`;
    let said = "";
    // Until it is reloaded, the certificate is not the one in the file.
    while (!said.startsWith(wrong)) {
      said = await describeRefusal(urlFor("localhost", query));
      expect(said).not.toBe("no refusal");
    }
    const anyName = query.replace("verify-full", "verify-ca");
    expect(await ask(urlFor("localhost", anyName))).toBe(true);
  });
});
