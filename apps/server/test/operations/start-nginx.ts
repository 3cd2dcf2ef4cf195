// nginx as deploy/nginx configures it, for one server or for two, with a certificate for localhost made for this
// run. Its configuration is checked by `nginx -t` first.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../money/read-requests.ts";
import { adapt, root } from "./read-documented.ts";

const readConf = (name: string) => readFileSync(join(root, `deploy/nginx/${name}.conf`), "utf8");

/** Resolves when it answers; `readTimeout` is how long it waits for a server. */
export async function startNginx(
  programs: { nginx: string; openssl: string },
  ports: { plain: number; tls: number },
  serverUrls: readonly string[],
  readTimeout = "930s",
) {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-nginx-"));
  chmodSync(folder, 0o755); // Its workers run as another user where we are root.
  const { certificate, privateKey } = makeCertificate(programs.openssl, folder);
  const [site, main, upstream] = [readConf("turnpike"), readConf("main"), readConf("two-servers")];
  const [first = "", second] = serverUrls.map((server) => new URL(server).host);
  const upstreamOfOne = /^upstream turnpike \{[^}]*\}\n.*\nmap [^}]*\}\n/m.exec(site)?.[0] ?? "";
  const servers = adapt(site, {
    // Longer than any answer; here for a server that does not answer at all.
    "proxy_read_timeout 930s;": `proxy_read_timeout ${readTimeout};`,
    [upstreamOfOne]:
      second === undefined
        ? adapt(upstreamOfOne, { "127.0.0.1:3000": first })
        : adapt(upstream, {
            "10.0.0.1:3000": first,
            "10.0.0.2:3000": second,
            "10\\.0\\.0\\.1:3000": first.replaceAll(".", "\\."),
            "10\\.0\\.0\\.2:3000": second.replaceAll(".", "\\."),
          }),
    "turnpike_addresses 500;": "turnpike_addresses 100;",
    "listen 80;": `listen 127.0.0.1:${ports.plain};`,
    "listen 443": `listen 127.0.0.1:${ports.tls}`,
    "turnpike.example;": "localhost;",
    "/etc/ssl/turnpike/fullchain.pem": certificate,
    "/etc/ssl/turnpike/privkey.pem": privateKey,
  });
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${join(folder, name)};\n`)
    .join("");
  mkdirSync(join(folder, "logs"));
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `daemon off;\npid ${join(folder, "pid")};\nerror_log stderr;\n` +
      // With one server the defaults, which a test above exhausts.
      `${second === undefined ? "events {}" : main}\n` +
      `http {\n  access_log off;\n${places}${servers}}\n`,
  );
  const checked = Bun.spawnSync([programs.nginx, "-t", "-p", folder, "-c", file]);
  if (checked.exitCode !== 0) throw new Error(`nginx -t: ${checked.stderr.toString()}`);
  const child = Bun.spawn([programs.nginx, "-p", folder, "-c", file], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = new Response(child.stderr).text();
  const ca = readFileSync(certificate, "utf8");
  const url = `https://localhost:${ports.tls}`;
  await eventually("nginx to answer", async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await said}`);
    return fetch(`${url}/livez`, { tls: { ca } }).then(
      (answer) => answer.ok,
      () => false,
    );
  });
  return {
    url,
    plainUrl: `http://localhost:${ports.plain}`,
    certificate: ca,
    async close() {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** For `localhost`, for two days; returns the paths of both files in the folder. */
function makeCertificate(openssl: string, folder: string) {
  const [certificate, privateKey] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const made = Bun.spawnSync([
    openssl,
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost",
    "-keyout",
    privateKey,
    "-out",
    certificate,
  ]);
  if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr.toString()}`);
  return { certificate, privateKey };
}
