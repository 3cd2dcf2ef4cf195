// The Helm chart of deploy: what Kubernetes is told about health, drain, disruption, secrets and the network, and that
// Kubernetes' own schemas accept it.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preparePackages } from "@turnpike/testing";
import { readConfig } from "../../src/config.ts";
import { asObject, at, type JsonObject } from "../harness/index.ts";
import { chart, helm, readChart, render } from "./read-chart.ts";
import { root } from "./read-documented.ts";

if (helm === undefined) {
  console.log("skip: helm is not installed; templates are read without their directives");
}

const everything = [
  "settings.PUBLIC_URL=https://turnpike.example",
  "settings.TRUSTED_PROXIES=10.42.0.0/16",
  "catalog=models: []",
  "ingress.enabled=true",
  "ingress.className=nginx",
  "ingress.tlsSecret=turnpike-tls",
  "serviceMonitor.enabled=true",
  "retention.months=13",
  "retention.claim=exports",
  "files.claim=files",
  "imagePullSecrets[0].name=registry",
];
const objects = readChart(everything);

function find(kind: string, nth = 0): JsonObject {
  const found = objects.filter((object) => object.kind === kind)[nth];
  if (found === undefined) throw new Error(`the chart has no ${kind}`);
  return found;
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(asObject) : []);

const pod = "spec.template.spec";
const server = `${pod}.containers.0`;

test("pods start, stay and get traffic by their health, and are not restarted for the database", () => {
  const deployment = find("Deployment");
  for (const probe of ["startupProbe", "livenessProbe"]) {
    expect(at(deployment, `${server}.${probe}.httpGet.path`)).toBe("/livez");
  }
  expect(at(deployment, `${server}.readinessProbe.httpGet.path`)).toBe("/readyz");
  expect(at(deployment, "spec.strategy.rollingUpdate")).toEqual({ maxUnavailable: 0, maxSurge: 1 });
});

test("a pod that ends has time for all parts of its drain", () => {
  const deployment = find("Deployment");
  const [sleep] = JSON.stringify(at(deployment, `${server}.lifecycle.preStop`)).match(
    /(?<=sleep\()[\d_]+/,
  ) ?? ["0"];
  const config = readConfig({ DATABASE_URL: "postgres://a/b" });
  const { DRAIN_NOTICE_MS, DRAIN_STREAMS_MS, SETTLE_WAIT_MS } = config;
  const preStopMs = Number(sleep.replace("_", ""));
  expect(preStopMs).toBeGreaterThan(0);
  const neededMs = preStopMs + DRAIN_NOTICE_MS + DRAIN_STREAMS_MS + SETTLE_WAIT_MS;
  const graceMs = Number(at(deployment, `${pod}.terminationGracePeriodSeconds`)) * 1_000;
  expect(graceMs).toBeGreaterThan(neededMs);
});

test("pods are spread over nodes and zones, and one may be evicted at a time", () => {
  const spread = at(find("Deployment"), `${pod}.topologySpreadConstraints`);
  expect(Array.isArray(spread) && spread.length > 0).toBe(true);
  if (helm !== undefined) expect(spread).toHaveLength(2);
  expect(at(find("PodDisruptionBudget"), "spec.maxUnavailable")).toBe(1);
});

test.each(["Deployment", "Job"])("the containers of the %s have no privilege", (kind) => {
  const object = find(kind);
  if (helm !== undefined) {
    expect(at(object, `${pod}.securityContext.runAsNonRoot`)).toBe(true);
    const { securityContext } = asObject(at(object, server));
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
  expect(at(object, `${pod}.automountServiceAccountToken`)).toBe(false);
});

test("the migration runs before each version, and only it has the owner's secret", () => {
  const job = find("Job");
  const annotations = asObject(at(job, "metadata.annotations"));
  expect(annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
  expect(at(job, `${server}.command`)).toEqual(["bun", "run", "admin", "migrate"]);
  if (helm === undefined) return;
  expect(at(job, `${server}.envFrom`)).toEqual([{ secretRef: { name: "turnpike-migration" } }]);
  const sources = JSON.stringify(at(find("Deployment"), `${server}.envFrom`));
  expect(sources).not.toContain("migration");
  expect(sources).toContain('"secretRef":{"name":"turnpike"}');
});

test("old months are exported to a volume each month, by what is no server", () => {
  const cron = find("CronJob");
  const pod = "spec.jobTemplate.spec.template.spec";
  expect(at(cron, "spec.concurrencyPolicy")).toBe("Forbid");
  const command = at(cron, `${pod}.containers.0.command`);
  expect(command).toEqual(expect.arrayContaining(["requests", "retire", "--folder", "/exports"]));
  expect(at(cron, `${pod}.containers.0.volumeMounts.1.mountPath`)).toBe("/exports");
  if (helm === undefined) return;
  expect(command).toEqual(expect.arrayContaining(["--months", "13"]));
  expect(at(cron, `${pod}.volumes.1.persistentVolumeClaim.claimName`)).toBe("exports");
  const kept = readChart(["settings.PUBLIC_URL=https://turnpike.example"]);
  expect(kept.map(({ kind }) => kind)).not.toContain("CronJob");
});

test("files that callers keep are in the volume that is named, which the pods' group may write", () => {
  const deployment = find("Deployment");
  const [, mount] = listOf(at(deployment, `${server}.volumeMounts`));
  expect(asObject(at(find("ConfigMap"), "data")).OBJECTS_FOLDER).toBe(String(mount?.mountPath));
  if (helm === undefined) return;
  const [, volume] = listOf(at(deployment, `${pod}.volumes`));
  expect(volume).toEqual({ name: "files", persistentVolumeClaim: { claimName: "files" } });
  const { runAsGroup, fsGroup } = asObject(at(deployment, `${pod}.securityContext`));
  expect(fsGroup).toBe(runAsGroup);
  const none = JSON.stringify(readChart(["settings.PUBLIC_URL=https://turnpike.example"]));
  expect(none).not.toContain("/var/lib/turnpike/objects");
});

test("the network policy allows the database, providers and mail, and no address of the cluster beside", () => {
  const policy = find("NetworkPolicy");
  expect(at(policy, "spec.policyTypes")).toEqual(["Ingress", "Egress"]);
  const except = at(policy, "spec.egress.2.to.0.ipBlock.except");
  expect(except).toEqual(expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16"]));
  const service = asObject(at(find("ServiceMonitor"), "spec.endpoints.0"));
  expect(service.path).toBe("/metrics");
});

test("the chart runs the image of this version", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { appVersion } = asObject(Bun.YAML.parse(readFileSync(join(chart, "Chart.yaml"), "utf8")));
  expect(appVersion).toBe(version);
});

test.skipIf(helm === undefined)("without PUBLIC_URL nothing is rendered, and it is named", () => {
  expect(() => render(helm ?? "", [])).toThrow("settings.PUBLIC_URL is where customers reach it");
});

test.skipIf(helm === undefined)(
  "the schemas of Kubernetes accept what is rendered",
  async () => {
    const python = await preparePackages("kubernetes-validate-1.37.0", [
      "kubernetes-validate==1.37.0",
    ]);
    if (python.kind === "absent") {
      console.log(`skip: ${python.reason}`);
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), "turnpike-chart-"));
    try {
      const file = join(folder, "chart.yaml");
      writeFileSync(file, render(helm ?? "", everything));
      const checked = Bun.spawnSync([
        python.path,
        "-m",
        "kubernetes_validate",
        "--strict",
        "--no-warn",
        "--kubernetes-version",
        "1.31",
        file,
      ]);
      const said = `${checked.stdout}${checked.stderr}`;
      expect([checked.exitCode, said]).toEqual([0, expect.not.stringMatching(/ERROR|FAIL/)]);
      // The ServiceMonitor is a type of the Prometheus operator, without a schema there.
      expect(said.match(/ passed for resource /g)).toHaveLength(objects.length - 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
