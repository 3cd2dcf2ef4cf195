// Keeps calls to this machine away from an HTTP proxy. Bun sends every fetch to the proxy that the
// environment names, including those to 127.0.0.1, unless NO_PROXY lists the host.

const proxyNames = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
const loopbackHosts = ["localhost", "127.0.0.1", "::1", "[::1]"];

/**
 * What to add to `environment` so that a process started with it calls loopback hosts directly;
 * existing entries of NO_PROXY are kept. Empty if no proxy is set.
 */
export function bypassProxy(environment: NodeJS.ProcessEnv): Record<string, string> {
  if (!proxyNames.some((name) => environment[name] || environment[name.toLowerCase()])) return {};
  const listed = [environment.NO_PROXY, environment.no_proxy]
    .flatMap((hosts) => (hosts ?? "").split(","))
    .map((host) => host.trim())
    .filter((host) => host !== "");
  const hosts = [...new Set([...listed, ...loopbackHosts])].join(",");
  return { NO_PROXY: hosts, no_proxy: hosts };
}
