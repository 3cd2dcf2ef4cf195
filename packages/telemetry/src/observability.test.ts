// The dashboards and alert rules of deploy/observability ask only for metrics and labels that a process exports, and
// every alert has a runbook. Where promtool is installed, it checks every expression and runs the tests of the rules.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob, YAML } from "bun";
import { createMetrics } from "./metrics.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "deploy/observability");

const metrics = createMetrics();
afterAll(() => metrics.close());

/** The labels of each series name that a scrape can return. */
const exported = new Map<string, readonly string[]>([["up", []]]);
for (const { name, type, labels } of metrics.describe()) {
  if (type !== "histogram") exported.set(name, labels);
  else {
    exported.set(`${name}_bucket`, [...labels, "le"]);
    for (const suffix of ["sum", "count"]) exported.set(`${name}_${suffix}`, labels);
  }
}
/** What Prometheus adds to every series. */
const targetLabels = ["instance", "job"];

type Alert = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
};
type Target = { readonly expr: string; readonly legendFormat: string };
type Panel = {
  readonly id: number;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets: readonly Target[];
};
type Dashboard = { readonly uid: string; readonly panels: readonly Panel[] };

/** The file is one of ours, and what is missing in it fails a test. */
async function readAlerts(): Promise<readonly Alert[]> {
  const read = YAML.parse(await Bun.file(join(folder, "alerts.yml")).text()) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  return read.groups.flatMap(({ rules }) => rules);
}

/** The same for the dashboards. */
async function readDashboards(): Promise<readonly Dashboard[]> {
  const files = [...new Glob("*.json").scanSync(join(folder, "dashboards"))].sort();
  return Promise.all(
    files.map(
      async (file) => (await Bun.file(join(folder, "dashboards", file)).json()) as Dashboard,
    ),
  );
}

const alerts = await readAlerts();
const dashboards = await readDashboards();
const targets = dashboards.flatMap(({ panels }) => panels.flatMap((panel) => panel.targets));
const expressions = [...alerts, ...targets].map(({ expr }) => expr);

const operators = new Set(["and", "or", "unless", "bool", "offset"]);
const grouping = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;

/** The series an expression asks for, each with the labels it selects by, and the labels it groups by. */
function parseExpression(expr: string) {
  const grouped = [...expr.matchAll(grouping)].flatMap(([, list = ""]) =>
    list.split(",").map((label) => label.trim()),
  );
  const bare = expr.replaceAll(grouping, " ").replaceAll(/\[[^\]]*\]/g, " ");
  const series = [...bare.matchAll(/\b([a-zA-Z_][\w:]*)\s*(\(|\{[^}]*\})?/g)].flatMap(
    ([, name = "", rest = ""]) => {
      if (rest === "(" || operators.has(name)) return [];
      const selected = [...rest.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label);
      return [{ name, selected }];
    },
  );
  return { series, grouped };
}

test("every metric and label of a dashboard or an alert is exported", () => {
  expect(expressions.length).toBeGreaterThan(80);
  const wrong = expressions.flatMap((expr) => {
    const { series, grouped } = parseExpression(expr);
    return series.flatMap(({ name, selected }) => {
      const labels = exported.get(name);
      if (labels === undefined) return [`${name} is not exported: ${expr}`];
      return [...selected, ...grouped]
        .filter((label) => !labels.includes(label) && !targetLabels.includes(label))
        .map((label) => `${name} has no label ${label}: ${expr}`);
    });
  });
  expect(wrong).toEqual([]);
});

test("an unknown metric and an unknown label would be noticed", () => {
  const { series, grouped } = parseExpression(
    'sum by (no_label) (rate(turnpike_no_metric{wrong="1"}[5m])) / time() > 1e9',
  );
  expect(series).toEqual([{ name: "turnpike_no_metric", selected: ["wrong"] }]);
  expect(grouped).toEqual(["no_label"]);
});

test("legends and summaries name labels that are left in the result", () => {
  const wrong = [
    ...targets.map(({ expr, legendFormat }) => ({
      expr,
      named: [...legendFormat.matchAll(/\{\{\s*(\w+)/g)],
    })),
    ...alerts.map(({ expr, annotations }) => ({
      expr,
      named: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)],
    })),
  ].flatMap(({ expr, named }) => {
    const { series, grouped } = parseExpression(expr);
    const isAggregated = /\b(?:sum|max|min|avg|count)\b/.test(expr);
    const own = series.flatMap(({ name }) => [...(exported.get(name) ?? []), ...targetLabels]);
    const left = isAggregated ? grouped : own;
    return named
      .map(([, label = ""]) => label)
      .filter((label) => !left.includes(label))
      .map((label) => `${label} is not a label of ${expr}`);
  });
  expect(wrong).toEqual([]);
});

test("every metric of ours is on a dashboard or in an alert", () => {
  const asked = new Set(
    expressions.flatMap((expr) => parseExpression(expr).series).map((s) => s.name),
  );
  const unseen = metrics
    .describe()
    .map(({ name }) => name)
    .filter((name) => name.startsWith("turnpike_"))
    .filter((name) => !["", "_bucket", "_sum", "_count"].some((end) => asked.has(name + end)));
  expect(unseen).toEqual([]);
});

test("every alert has a runbook, and every runbook an alert", async () => {
  const text = await Bun.file(join(root, "docs/runbooks.md")).text();
  const sections = [...text.matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name);
  expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  for (const { alert, annotations } of alerts) {
    expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  }
});

test("panels fill a grid of 24 columns and do not overlap", () => {
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  for (const { uid, panels } of dashboards) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(`${uid} ${x} ${y}: ${taken.get(`${x} ${y}`) ?? ""}`).toBe(`${uid} ${x} ${y}: `);
          taken.set(`${x} ${y}`, title);
        }
      }
    }
  }
});

const promtool = Bun.which("promtool");
if (promtool === null) console.log("skipped: promtool is not installed, so no rule is run");

function runPromtool(args: readonly string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([promtool ?? "promtool", ...args], { cwd });
  return exitCode === 0 ? "passed" : `${stdout}${stderr}`;
}

test.skipIf(promtool === null)("the rules pass their own tests under promtool", () => {
  expect(runPromtool(["check", "rules", "alerts.yml"], folder)).toBe("passed");
  expect(runPromtool(["test", "rules", "alerts.test.yml"], folder)).toBe("passed");
});

test.skipIf(promtool === null)("promtool accepts every expression of the dashboards", () => {
  const rules = targets.map(({ expr }, index) => ({
    record: `panel_${index}`,
    expr: expr.replaceAll("$__rate_interval", "5m"),
  }));
  const scratch = mkdtempSync(join(tmpdir(), "turnpike-rules-"));
  try {
    writeFileSync(
      join(scratch, "rules.yml"),
      YAML.stringify({ groups: [{ name: "panels", rules }] }),
    );
    expect(runPromtool(["check", "rules", "rules.yml"], scratch)).toBe("passed");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
