// Which hosts a process behind an HTTP proxy calls directly, by Bun's own reading of the environment.
import { afterAll, expect, test } from "bun:test";
import { bypassProxy } from "./bypass-proxy.ts";

const direct = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("direct") });
const proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("proxied") });
afterAll(() => Promise.all([direct.stop(true), proxy.stop(true)]));
const proxyUrl = `http://127.0.0.1:${proxy.port}`;

async function fetchWith(environment: Record<string, string>, url: string): Promise<string> {
  const script = `console.log(await (await fetch(${JSON.stringify(url)})).text())`;
  const child = Bun.spawn([process.execPath, "-e", script], { env: environment, stdout: "pipe" });
  return (await new Response(child.stdout).text()).trim();
}

const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
for (const name of names) {
  test(`${name} gets calls to other hosts but none to this machine`, async () => {
    const environment = { [name]: proxyUrl };
    const bypassing = { ...environment, ...bypassProxy(environment) };
    const here = `http://127.0.0.1:${direct.port}/`;
    expect(await fetchWith(environment, here)).toBe("proxied");
    expect(await fetchWith(bypassing, here)).toBe("direct");
    expect(await fetchWith(bypassing, here.replace("127.0.0.1", "localhost"))).toBe("direct");
    expect(await fetchWith(bypassing, "http://provider.example/")).toBe("proxied");
  });
}

test("hosts that NO_PROXY or no_proxy already lists stay listed", () => {
  const lists = { HTTPS_PROXY: proxyUrl, NO_PROXY: "a.example, b.example", no_proxy: "c.example" };
  const hosts = "a.example,b.example,c.example,localhost,127.0.0.1,::1,[::1]";
  expect(bypassProxy(lists)).toEqual({ NO_PROXY: hosts, no_proxy: hosts });
  expect(bypassProxy({ ...lists, https_proxy: proxyUrl }).NO_PROXY).toBe(hosts);
});

test("without a proxy nothing is added", () => {
  expect(bypassProxy({ PATH: "/bin", HTTP_PROXY: "" })).toEqual({});
});
