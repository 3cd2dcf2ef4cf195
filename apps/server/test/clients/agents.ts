// The coding agents that tests run from their command lines: where each is found or installed from, and the settings
// under which it contacts only this machine.

export type Agent = {
  /** Its common name. */
  readonly name: string;
  readonly command: string;
  /** The environment variable that may hold its path. */
  readonly variable: string;
  readonly npm: string;
  /** The version that the tests are run with. */
  readonly version: string;
  /**
   * The package that `npm` depends on for a platform such as `linux-x64`, which has the program ready to run, without
   * an install script.
   */
  readonly binary: (platform: string) => {
    readonly package: string;
    readonly version: string;
    /** A glob of its path in the package. */
    readonly path: string;
  };
  readonly environment: (home: string) => Readonly<Record<string, string>>;
};

export const claudeCode: Agent = {
  name: "Claude Code",
  command: "claude",
  variable: "CLAUDE_CODE_PROGRAM",
  npm: "@anthropic-ai/claude-code",
  version: "2.1.332",
  binary: (platform) => ({
    package: `@anthropic-ai/claude-code-${platform}`,
    version: claudeCode.version,
    path: "claude",
  }),
  environment: () => ({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
};

export const codex: Agent = {
  name: "Codex",
  command: "codex",
  variable: "CODEX_PROGRAM",
  npm: "@openai/codex",
  version: "0.171.0",
  binary: (platform) => ({
    package: codex.npm,
    version: `${codex.version}-${platform}`,
    path: "vendor/*/bin/codex",
  }),
  environment: (home) => ({ CODEX_HOME: home }),
};

export const opencode: Agent = {
  name: "opencode",
  command: "opencode",
  variable: "OPENCODE_PROGRAM",
  npm: "opencode-ai",
  version: "1.18.33",
  binary: (platform) => ({
    package: `opencode-${platform}`,
    version: opencode.version,
    path: "bin/opencode",
  }),
  environment: (home) => ({
    XDG_DATA_HOME: `${home}/data`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_STATE_HOME: `${home}/state`,
    XDG_CACHE_HOME: `${home}/cache`,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
};

/** A script for Node: skipped on machines without Node. */
export const geminiCli: Agent = {
  name: "Gemini CLI",
  command: "gemini",
  variable: "GEMINI_CLI_PROGRAM",
  npm: "@google/gemini-cli",
  version: "0.61.0",
  binary: () => ({
    package: geminiCli.npm,
    version: geminiCli.version,
    path: "bundle/gemini.js",
  }),
  environment: (home) => ({
    GEMINI_CLI_HOME: home,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
  }),
};
