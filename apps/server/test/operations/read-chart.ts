// The Helm chart of deploy as Kubernetes objects: rendered by helm where it is installed, else with every directive
// left out, which is enough for what the templates say literally.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asObject, type JsonObject } from "../harness/index.ts";
import { findProgram, root } from "./read-documented.ts";

export const chart = join(root, "deploy/helm/turnpike");
const templates = ["settings", "deployment", "migrate", "retire", "network"];

export const helm = findProgram("helm");

/** Every object of the chart with these `--set` values. Without helm the values change nothing. */
export function readChart(values: readonly string[] = []): readonly JsonObject[] {
  const texts = helm === undefined ? templates.map(strip) : [render(helm, values)];
  return texts
    .flatMap((text) => text.split(/^---$/m))
    .map((text) => Bun.YAML.parse(text))
    .filter((parsed) => parsed !== null)
    .map(asObject);
}

/** Throws with what helm says. */
export function render(program: string, values: readonly string[]): string {
  const set = values.flatMap((value) => ["--set", value]);
  const args = [
    "template",
    "turnpike",
    chart,
    "--namespace",
    "default",
    "--kube-version",
    "1.31.0",
    ...set,
  ];
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

function strip(name: string): string {
  return readFileSync(join(chart, `templates/${name}.yaml`), "utf8")
    .replace(/^ *\{\{.*\}\}$\n/gm, "")
    .replace(/\{\{.*?\}\}/g, "x");
}
