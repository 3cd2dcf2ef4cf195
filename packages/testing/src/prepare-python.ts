// Prepares virtual environments with Python packages. Returns the reason if Python or a package is not available.
import { join } from "node:path";
import { installOnce, runInstaller } from "./install-once.ts";

/** Packages of clients by `NAME-VERSION`, with those of which pip must not choose a newer version. */
const clients = {
  "openai-3.54.0": ["openai==3.54.0"],
  // Many still use it; its HTTP client got an incompatible successor.
  "openai-1.40.0": ["openai==1.40.0", "httpx==0.27.2"],
  "openai-agents-0.22.3": ["openai-agents==0.22.3"],
  "openrouter-1.3.84": ["openrouter==1.3.84"],
  "pydantic-ai-slim-2.68.0": ["pydantic-ai-slim[openrouter]==2.68.0"],
  "mistralai-3.7.0": ["mistralai==3.7.0"],
  "cohere-7.3.1": ["cohere==7.3.1"],
  "google-genai-3.6.1": ["google-genai==3.6.1"],
  "langchain-google-genai-4.4.3": ["langchain-google-genai==4.4.3"],
} as const satisfies Record<string, readonly string[]>;

export type PythonClient = keyof typeof clients;

export type Python =
  | { readonly kind: "ready"; readonly path: string }
  | { readonly kind: "absent"; readonly reason: string };

export async function preparePython(client: PythonClient = "openai-3.54.0"): Promise<Python> {
  return preparePackages(client, clients[client]);
}

/** `name` is that of the environment: other packages need another one. */
export async function preparePackages(name: string, packages: readonly string[]): Promise<Python> {
  const python = Bun.which("python3");
  if (python === null) return { kind: "absent", reason: "there is no python3" };
  // An environment works with the Python that made it.
  const version = Bun.spawnSync([python, "--version"]).stdout.toString().trim().split(" ").at(-1);
  const installed = await installOnce(`python-${version}-${name}`, async (draft) => {
    await runInstaller([python, "-m", "venv", draft], draft);
    const pip = [join(draft, "bin/python"), "-m", "pip", "install", "--quiet"];
    await runInstaller([...pip, "--disable-pip-version-check", ...packages], draft);
  });
  if (installed.kind === "absent") return installed;
  return { kind: "ready", path: join(installed.folder, "bin/python") };
}
