// A soak: rounds of a minute with calls, faults and an operator's work, each followed by a pause in which all
// must settle and the books are proven. The exit code is 1 if one promise was not kept.
import { causeFaults } from "./cause-faults.ts";
import type { Instance } from "./instance.ts";
import { type Violation, violation } from "./judge-calls.ts";
import { makeCalls } from "./make-calls.ts";
import { openAccounts, renewKey, type SoakAccount } from "./open-accounts.ts";
import { openSite, type SoakSite } from "./open-site.ts";
import { operateAccounts } from "./operate-accounts.ts";
import { Random } from "./random.ts";
import {
  countOutcomes,
  describeRound,
  describeSoak,
  describeViolation,
  type Figures,
} from "./report.ts";
import type { SoakOptions } from "./soak-options.ts";
import { verifyAllReleased, verifyRound } from "./verify-books.ts";

const roundMs = 60_000;
/** In every tenth round the other server is killed. */
const otherVictimEvery = 10;

export async function runSoak(options: SoakOptions): Promise<number> {
  const site = await openSite(options);
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      interrupted = true;
      console.log("It ends after this round.");
    });
  }
  const figures: Figures = { calls: 0, outcomes: new Map(), faults: {}, violations: [] };
  const startedAtMs = Date.now();
  const isOver = () =>
    interrupted ||
    figures.calls >= options.calls ||
    Date.now() - startedAtMs >= options.minutes * 60_000;
  try {
    const accounts = await openAccounts(site.owner.db);
    for (let round = 1; !isOver(); round += 1) {
      const known = figures.violations.length;
      await runRound(site, accounts, { options, round, figures, isInterrupted: () => interrupted });
      console.log(describeRound(round, figures, site.instances));
      for (const each of figures.violations.slice(known)) console.log(describeViolation(each));
    }
    const last = await endServers(site);
    figures.violations.push(...last);
    for (const each of last) console.log(describeViolation(each));
    console.log(describeSoak(figures, (Date.now() - startedAtMs) / 1_000));
    return figures.violations.length === 0 ? 0 : 1;
  } finally {
    await site.close();
  }
}

type RoundTerms = {
  readonly options: SoakOptions;
  readonly round: number;
  readonly figures: Figures;
  readonly isInterrupted: () => boolean;
};

async function runRound(
  site: SoakSite,
  accounts: readonly SoakAccount[],
  { options, round, figures, isInterrupted }: RoundTerms,
): Promise<void> {
  const { db } = site.owner;
  for (const account of accounts) if (account.kind === "limited") await renewKey(db, account);
  // Each has choices of its own: how long one waits does not change what the others choose.
  const random = (part: number) => new Random(options.seed * 1_000_003 + round * 10 + part);
  const endsAtMs = Date.now() + Math.min(roundMs, options.minutes * 60_000);
  const isOver = () => isInterrupted() || Date.now() >= endsAtMs;
  const [first, second] = site.instances;
  const victim = round % otherVictimEvery === 0 ? second : first;
  const calling = { random: random(1), round, callers: options.callers };
  const [made] = await Promise.all([
    makeCalls(site, accounts, calling, isOver),
    causeFaults(site, { random: random(2), counts: figures.faults, victim }, isOver),
    operateAccounts(db, accounts, random(3), isOver),
  ]);
  countOutcomes(figures, made);
  figures.violations.push(...(await verifyRound(site, accounts, { made, round })));
  for (const instance of site.instances) {
    instance.sample();
    instance.readLog();
    figures.violations.push(...judgeInstance(instance));
  }
}

const growsByDescriptorsMax = 100;
const growsByBytesMax = 512 * 2 ** 20;

function judgeInstance(instance: Instance): Violation[] {
  const { name, samples } = instance;
  const wrong = instance.wrongLines
    .splice(0)
    .map((line) => violation("every error is handled", { name, line }));
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return wrong;
  if (last.descriptors > first.descriptors + growsByDescriptorsMax) {
    wrong.push(violation("descriptors are closed", { name, samples }));
  }
  if (last.rssBytes > first.rssBytes + growsByBytesMax) {
    wrong.push(violation("memory stays flat", { name, samples }));
  }
  return wrong;
}

async function endServers(site: SoakSite): Promise<readonly Violation[]> {
  const exits = await Promise.all(site.instances.map((instance) => instance.end("SIGTERM")));
  return [
    ...exits
      .filter(({ code }) => code !== 0)
      .map((exit) => violation("a server that is asked to ends properly", exit)),
    ...site.instances.flatMap(judgeInstance),
    ...(await verifyAllReleased(site)),
  ];
}
