// When the outbox worker retries a mail, and when it gives up.

import { describe, expect, test } from "bun:test";
import { openLog } from "@turnpike/telemetry";
import { type Mailer, RefusedMail } from "./open-mailer.ts";
import type { ClaimedMail, OutboxStore } from "./outbox-store.ts";
import { retryAfterMs, workOutbox } from "./work-outbox.ts";

const options = {
  brand: { productName: "Turnpike", publicUrl: "https://turnpike.example", supportEmail: "" },
  log: openLog({ level: "silent", name: "test" }),
};

function waiting(count: number, attempts = 1): ClaimedMail[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `mail-${n}`,
    recipient: `person-${n}@example.com`,
    message: { kind: "low_balance", balanceUsd: "1", alertUsd: "5", link: "https://t.example" },
    attempts,
  }));
}

/** Hands out the given mails once and records how each ended. */
function storeOf(mails: ClaimedMail[]) {
  const events: string[] = [];
  const store: OutboxStore = {
    claim: async (limit) => mails.splice(0, limit),
    noteSent: async (id) => void events.push(`sent ${id}`),
    noteRetry: async (id, _, afterMs) => void events.push(`retry ${id} ${afterMs}`),
    noteFailed: async (id, error) => void events.push(`failed ${id} ${error}`),
  };
  return { store, events };
}

function mailerThat(send: Mailer["send"]): Mailer {
  return { send, verify: async () => undefined, close: () => undefined };
}

describe("workOutbox", () => {
  test("sends everything that is due, and one bad mail stops none of the others", async () => {
    const { store, events } = storeOf(waiting(12));
    const mailer = mailerThat(async ({ id }) => {
      if (id === "mail-3") throw new Error("connection reset");
    });
    expect(await workOutbox(store, mailer, options)).toBe(11);
    expect(events).toHaveLength(12);
    expect(events).toContain("retry mail-3 60000");
  });

  test("sends at most 500 mails in a run, and the rest in the next one", async () => {
    const { store } = storeOf(waiting(507));
    const mailer = mailerThat(async () => undefined);
    expect(await workOutbox(store, mailer, options)).toBe(500);
    expect(await workOutbox(store, mailer, options)).toBe(7);
  });

  test("FS5: tries eight times within a day with growing pauses, then gives up", async () => {
    const mailer = mailerThat(async () => {
      throw new Error("ECONNREFUSED");
    });
    const outcomes: string[] = [];
    for (let attempts = 1; attempts <= 8; attempts += 1) {
      const { store, events } = storeOf(waiting(1, attempts));
      await workOutbox(store, mailer, options);
      outcomes.push(...events);
    }
    const waits = outcomes.slice(0, 7).map((event) => Number(event.split(" ")[2]));
    expect(waits).toEqual([...retryAfterMs]);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(24 * 3_600_000);
    expect(outcomes[7]).toBe("failed mail-0 ECONNREFUSED");
  });

  test("FS6: a refused mail is given up immediately", async () => {
    const { store, events } = storeOf(waiting(1));
    const mailer = mailerThat(async () => {
      throw new RefusedMail("550 no such user");
    });
    await workOutbox(store, mailer, options);
    expect(events).toEqual(["failed mail-0 550 no such user"]);
  });

  test("when stopped, it finishes the mails it has claimed and claims no more", async () => {
    const stopping = new AbortController();
    const { store, events } = storeOf(waiting(50));
    const mailer = mailerThat(async () => stopping.abort());
    await workOutbox(store, mailer, { ...options, signal: stopping.signal });
    expect(events.length).toBeLessThan(10);
    expect(events.length).toBeGreaterThan(0);
  });
});
