// The peers of the benchmark at pinned versions. They are installed into a cache folder on request
// and are not dependencies of the repository.
export const peerVersions = {
  /** npm, runs under Node and under Bun. */
  portkey: { package: "@portkey-ai/gateway", version: "1.15.2" },
  /** PyPI, with its extra `proxy`. */
  litellm: { package: "litellm", version: "1.106.2" },
  /** A Go module with a command. */
  gomodel: { package: "github.com/enterpilot/gomodel/cmd/gomodel", version: "v0.1.55" },
} as const;

/** In the order of the table's columns. */
export const peerNames = ["portkey-node", "portkey-bun", "litellm", "gomodel"] as const;

export type PeerName = (typeof peerNames)[number];
