// The environment in which a program that a test runs reaches this machine only: agents look for updates, plugins and
// lists of models, and all of it fails at once.

const unreachable = "http://127.0.0.1:1";

export const offline: Readonly<Record<string, string>> = {
  HTTP_PROXY: unreachable,
  HTTPS_PROXY: unreachable,
  NO_PROXY: "127.0.0.1",
  npm_config_registry: unreachable,
};
