// Prints Lighthouse's scores of pages, for phones and for desktops: PERF-2. Of five runs the middle one counts. Beside it
// is how fast Lighthouse found this machine: its phone is four times slower than a machine of about 1,500.
import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import { closeEnvironment, openEnvironment } from "./environment.fixture.ts";
import { joinAs, type Member } from "./member.fixture.ts";
import { memberRoutes, publicRoutes, type Route } from "./routes.fixture.ts";
import { seedHistory } from "./seed-history.fixture.ts";

type Report = {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: Readonly<Record<string, { readonly score: number }>>;
};

const measured = ["landing", "login", "models", "docs", "status", "overview", "keys", "usage"];
const port = 9_333;
const runs = 5;

/** Returns the exit code. */
async function measurePages(command: string, wanted: readonly string[]): Promise<number> {
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  try {
    const environment = await openEnvironment(browser);
    const member = await joinAs(environment);
    const history = await seedHistory(environment, member);
    const isWanted = ({ name }: Route) => (wanted.length === 0 ? measured : wanted).includes(name);
    for (const { name, path } of publicRoutes.filter(isWanted)) {
      await measure(command, name, environment.url + path);
    }
    for (const { name, path } of memberRoutes(history).filter(isWanted)) {
      await measure(command, name, environment.url + path, member);
    }
    return 0;
  } finally {
    await closeEnvironment();
  }
}

async function measure(command: string, name: string, url: string, member?: Member) {
  const cookie = member?.cookies().map((one) => `${one.name}=${one.value}`);
  const headers = cookie === undefined ? {} : { cookie: cookie.join("; ") };
  const options = [`--port=${port}`, "--quiet", "--output=json"];
  options.push(`--extra-headers=${JSON.stringify(headers)}`);
  for (const device of ["phone", "desktop"]) {
    const preset = device === "desktop" ? ["--preset=desktop"] : [];
    const reports: Report[] = [];
    for (let run = 0; run < runs; run += 1) {
      const child = Bun.spawn([command, url, ...options, ...preset], { stderr: "inherit" });
      reports.push(await new Response(child.stdout).json());
    }
    const speeds = reports.map((report) => [scoreOf(report, "performance"), report] as const);
    const [, middle] = speeds.sort(([one], [other]) => one - other)[Math.floor(runs / 2)] ?? [];
    if (middle === undefined) throw new Error("Lighthouse did not run.");
    const scores = Object.keys(middle.categories).map((id) => `${id} ${scoreOf(middle, id)}`);
    const all = speeds.map(([speed, { environment }]) => {
      return `${speed} at ${Math.round(environment.benchmarkIndex)}`;
    });
    console.log(`${name}, ${device}: ${scores.join(", ")} (performance ${all.join(", ")})`);
  }
}

function scoreOf({ categories }: Report, id: string): number {
  return Math.round((categories[id]?.score ?? 0) * 100);
}

const [, , command, ...wanted] = process.argv;
if (command === undefined) throw new Error("usage: bun run lighthouse COMMAND [page …]");
process.exit(await measurePages(command, wanted));
