// The load of one round: callers that make one call after the other, on whichever server runs, and what came
// of each call.
import { ask, type Outcome } from "./ask.ts";
import type { SoakAccount } from "./open-accounts.ts";
import type { SoakSite } from "./open-site.ts";
import { type Call, planCall } from "./plan-call.ts";
import type { Random } from "./random.ts";

export type MadeCall = { readonly call: Call; readonly outcome: Outcome };

const pauseAfterFailureMs = 50;

/** Calls until `isOver`; resolves when every call has ended for its client. */
export async function makeCalls(
  { upstream, instances }: SoakSite,
  accounts: readonly SoakAccount[],
  { random, round, callers }: { random: Random; round: number; callers: number },
  isOver: () => boolean,
): Promise<readonly MadeCall[]> {
  const running = new Map<string, Call>();
  const made: MadeCall[] = [];
  let count = 0;
  upstream.script(({ chat }) => {
    const call = running.get(/^\S+/.exec(chat.lastUserText)?.[0] ?? "");
    if (call === undefined) return undefined;
    const script = call.scripts[call.seen.attempts] ?? call.scripts.at(-1) ?? call.scripts[0];
    const outputTokens = Math.min(script.deltas ?? 0, chat.maxTokens ?? Number.POSITIVE_INFINITY);
    const { promptTokens } = chat;
    call.seen = { attempts: call.seen.attempts + 1, promptTokens, outputTokens };
    return script;
  });
  const keepCalling = async () => {
    while (!isOver()) {
      const account = accounts[random.between(0, accounts.length - 1)];
      const url = random.pick(instances).url ?? instances.find((each) => each.url)?.url;
      if (account === undefined || url === undefined) {
        await Bun.sleep(pauseAfterFailureMs);
        continue;
      }
      count += 1;
      const call = planCall(random, `soak-${round}-${count}`, account);
      running.set(call.name, call);
      const outcome = await ask(url, call);
      made.push({ call, outcome });
      const failed = outcome.kind === "refused" && outcome.status >= 429;
      if (failed || outcome.kind === "cut") await Bun.sleep(pauseAfterFailureMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, keepCalling));
  return made;
}
