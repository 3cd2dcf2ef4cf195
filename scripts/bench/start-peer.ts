// Runs one installed peer in front of the benchmark's upstream, on loopback, as its documentation
// says for production: no request logs, no database, one process.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@turnpike/testing";
import { modelId } from "./bill.ts";
import type { InstalledPeer } from "./install-peers.ts";
import { writeRequest } from "./write-request.ts";

export type RunningPeer = {
  pid: number;
  port: number;
  headers: readonly string[];
  stop(): Promise<void>;
};

type Launch = {
  command: readonly string[];
  environment: Readonly<Record<string, string>>;
  headers: readonly string[];
};

/** Python needs a while to import everything. */
const readyTimeoutMs = 180_000;
const pollMs = 250;
/** Long enough for LiteLLM to accept it. */
const accessKey = "sk-bench-0123456789abcdef0123456789abcdef";

/** Rejects, with its last output, when the peer does not answer one call as it should. */
export async function startPeer(
  peer: InstalledPeer,
  folder: string,
  upstreamBaseUrl: string,
): Promise<RunningPeer> {
  const port = await freePort();
  const launch = describeLaunch(peer, { folder, upstreamBaseUrl, port });
  const { PATH = "", HOME = "" } = process.env;
  const child = Bun.spawn([...launch.command], {
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: "production", ...launch.environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  // No watchdog of ours ends it when this process ends early.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let words = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      words = (words + decoder.decode(chunk, { stream: true })).slice(-2_000);
    }
  })();
  const stop = async () => {
    kill();
    process.off("exit", kill);
    await Promise.all([child.exited, reading]);
  };
  const { headers } = launch;
  const deadline = performance.now() + readyTimeoutMs;
  for (let answer = ""; ; await Bun.sleep(pollMs)) {
    answer = await tryCall(port, headers);
    if (answer === "ok") return { pid: child.pid, port, headers, stop };
    if (child.exitCode === null && performance.now() < deadline) continue;
    await stop();
    throw new Error(
      `it does not answer: ${answer} ${words.trim().split("\n").slice(-3).join(" ")}`,
    );
  }
}

/** `ok` if the upstream's answer is returned, else what came instead. */
async function tryCall(port: number, headers: readonly string[]): Promise<string> {
  const request = writeRequest({ port, key: accessKey, stream: false, headers }).toString();
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const pairs = head
    .split("\r\n")
    .slice(1)
    .filter((line) => !/^(host|content-length):/i.test(line))
    .map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""]);
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: "POST",
      headers: pairs,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    return response.ok && text.includes(" tok tok")
      ? "ok"
      : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}

function describeLaunch(
  { name, program }: InstalledPeer,
  { folder, upstreamBaseUrl, port }: { folder: string; upstreamBaseUrl: string; port: number },
): Launch {
  if (name === "portkey-node" || name === "portkey-bun") {
    const runtime = name === "portkey-node" ? (Bun.which("node") ?? "node") : process.execPath;
    return {
      command: [runtime, program, `--port=${port}`, "--headless"],
      environment: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
      headers: ["x-portkey-provider: openai", `x-portkey-custom-host: ${upstreamBaseUrl}`],
    };
  }
  if (name === "litellm") {
    const config = join(folder, "litellm.yaml");
    writeFileSync(config, describeLitellm(upstreamBaseUrl));
    return {
      command: [program, "--config", config, "--host", "127.0.0.1", "--port", String(port)],
      environment: {
        LITELLM_MASTER_KEY: accessKey,
        LITELLM_LOG: "ERROR",
        // Otherwise it reads a price list from the network at start.
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
      },
      headers: [`Authorization: Bearer ${accessKey}`],
    };
  }
  return {
    command: [program],
    environment: {
      PORT: String(port),
      OPENAI_API_KEY: accessKey,
      OPENAI_BASE_URL: upstreamBaseUrl,
      // It routes only to models that it knows; the upstream has no list of them.
      OPENAI_MODELS: modelId,
      // Nothing outside this machine is contacted.
      MODEL_LIST_URL: `${upstreamBaseUrl}/model-list`,
      GOMODEL_CACHE_DIR: join(folder, "gomodel-cache"),
      LOGGING_ENABLED: "false",
      // Its usage log holds 1,000 rows between two flushes, and prints a warning for each call that finds it full.
      USAGE_ENABLED: "false",
      BUDGETS_ENABLED: "false",
    },
    headers: [],
  };
}

function describeLitellm(upstreamBaseUrl: string): string {
  return `model_list:
  - model_name: ${modelId}
    litellm_params: { model: openai/fixed, api_base: "${upstreamBaseUrl}", api_key: bench }
litellm_settings: { telemetry: false, num_retries: 0, request_timeout: 600 }
`;
}
