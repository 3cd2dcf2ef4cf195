// Prints Lighthouse's scores of pages, for phones and for desktops: PERF-2. Each is measured once; scores of speed differ
// by a few points between runs.
import sparticuz from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import { closeEnvironment, openEnvironment } from "./environment.fixture.ts";
import { joinAs, type Member } from "./member.fixture.ts";
import { memberRoutes, publicRoutes, type Route } from "./routes.fixture.ts";
import { seedHistory } from "./seed-history.fixture.ts";

type Report = {
  readonly categories: Readonly<Record<string, { readonly id: string; readonly score: number }>>;
};

const measured = ["landing", "login", "models", "docs", "status", "overview", "keys", "usage"];
const port = 9_333;

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
  for (const [device, preset] of [["phone"], ["desktop", "--preset=desktop"]] as const) {
    const child = Bun.spawn([command, url, ...options, ...(preset === undefined ? [] : [preset])], {
      stderr: "inherit",
    });
    const report: Report = await new Response(child.stdout).json();
    const scores = Object.values(report.categories).map(({ id, score }) => {
      return `${id} ${Math.round(score * 100)}`;
    });
    console.log(`${name}, ${device}: ${scores.join(", ")}`);
  }
}

const [, , command, ...wanted] = process.argv;
if (command === undefined) throw new Error("usage: bun run lighthouse COMMAND [page …]");
process.exit(await measurePages(command, wanted));
