// The names this server answers to. Another site can point its own name at this address (DNS
// rebinding), and its pages could then read our answers; a Host that is not on the list is refused.

export type HostCheck = {
  /** `url` is the parsed URL of a request. */
  readonly isAllowed: (url: URL) => boolean;
};

type HostConfig = {
  readonly NODE_ENV: "development" | "test" | "production";
  readonly HOST: string;
  readonly PUBLIC_URL: string;
  readonly allowedHosts: readonly string[];
};

/** The name of PUBLIC_URL, ALLOWED_HOSTS, and outside production loopback names and HOST itself. */
export function createHostCheck(config: HostConfig): HostCheck {
  const names = new Set([new URL(config.PUBLIC_URL).hostname, ...config.allowedHosts]);
  const isProduction = config.NODE_ENV === "production";
  if (!isProduction) names.add(config.HOST);
  return {
    isAllowed: ({ host, hostname }) =>
      names.has(hostname) || names.has(host) || (!isProduction && isLoopbackName(hostname)),
  };
}

/** Of a parsed URL, whose host is in canonical form: `127.example.com` is a name like any other. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** `name`, `name:port` or an address in canonical form; undefined for what is not a host. */
export function parseHost(text: string): string | undefined {
  const url = URL.parse(`http://${text}`);
  if (url === null || text === "" || /[/?#@\\*\s]/.test(text)) return undefined;
  return url.host;
}
