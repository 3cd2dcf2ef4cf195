// Whether the client of a call has left, and what happens to its upstream call then. Decided once: a
// call whose cost can be seen is cut, every other runs to its end within the bounds.
import type { BackgroundUsage } from "@turnpike/telemetry";
import type { BackgroundCalls, LeaveBackground } from "./background-calls.ts";
import { isBilledAsDelivered } from "./bill-ending.ts";
import type { Exchange } from "./completion.ts";

export class ClientDeparture {
  readonly #background: BackgroundCalls;
  #decision: "cut" | "runs_on" | undefined;
  #leaveBackground: LeaveBackground | undefined;

  constructor(background: BackgroundCalls) {
    this.#background = background;
  }

  /** Undefined while the client is there. */
  get decision(): "cut" | "runs_on" | undefined {
    return this.#decision;
  }

  /**
   * The client is gone. `running` says whether the upstream works on something whose usage is not
   * known yet. Where too many calls run on already, this one is cut and billed by the estimate.
   */
  decide({ spender, model, chat }: Exchange["story"], running: boolean): "cut" | "runs_on" {
    if (this.#decision !== undefined) return this.#decision;
    if (running && !isBilledAsDelivered(model, chat)) {
      this.#leaveBackground = this.#background.enter(spender.accountId, chat.raw.length);
    }
    this.#decision = this.#leaveBackground === undefined ? "cut" : "runs_on";
    return this.#decision;
  }

  /** The call has ended and was billed by `usage`; only the first call counts. */
  ended(usage: BackgroundUsage): void {
    this.#leaveBackground?.(usage);
  }
}
