// Collects prompts and answers while calls run, and has them stored after they have ended. Nothing waits for it and nothing
// fails because of it: what does not fit into memory is dropped and counted.
import type { AccountId, GenerationId, Sealer } from "@turnpike/base";
import type { PromptStorage } from "@turnpike/keys";
import { HeldAnswer, type HeldMemory } from "./held-answer.ts";
import { createPromptStore, type EndedCall, type StoreOptions } from "./store-prompts.ts";

export type RecordedCall = {
  readonly accountId: AccountId;
  readonly generationId: GenerationId;
  readonly storage: PromptStorage;
  /** The body of its request. */
  readonly text: string;
};

/** Of one call that runs. */
export type PromptRecord = {
  /** The next bytes of its answer, which are copied. */
  readonly add: (bytes: Uint8Array) => void;
  /** It has ended with this answer. */
  readonly end: (answer: string) => void;
  /** It has ended: the events that were added are its answer. */
  readonly endStream: () => void;
  /** It has ended: the bytes that were added are audio, and `answer` says what it is. */
  readonly endAudio: (answer: string) => void;
  /** Nothing of it is stored. */
  readonly drop: () => void;
};

export type PromptLog = {
  /** Undefined if there is no room. */
  readonly begin: (call: RecordedCall) => PromptRecord | undefined;
  /** Resolves when what has ended so far was stored or dropped. */
  readonly settled: () => Promise<void>;
  /** The same, without further tries of what the database did not take. */
  readonly close: () => Promise<void>;
};

export type PromptLogOptions = Pick<StoreOptions, "runQuery" | "log" | "metrics"> & {
  /** Undefined: nothing is stored. */
  readonly sealer: Sealer | undefined;
  readonly bounds?: Partial<PromptBounds>;
};

export type PromptBounds = Pick<StoreOptions, "accountBytesMax" | "retryMs"> & {
  /** Of the calls that run and of those that wait to be stored. */
  readonly heldBytesMax: number;
  readonly waitingMax: number;
};

const defaultBounds: PromptBounds = {
  heldBytesMax: 64 * 1_048_576,
  waitingMax: 2_000,
  accountBytesMax: 1_073_741_824,
  retryMs: [250, 1_000, 4_000, 10_000],
};

export function openPromptLog({ sealer, bounds, ...options }: PromptLogOptions): PromptLog {
  const { heldBytesMax, waitingMax, ...limits } = { ...defaultBounds, ...bounds };
  const memory: HeldMemory = { bytes: 0, maxBytes: heldBytesMax };
  const waiting: EndedCall[] = [];
  let closing = false;
  let writing: Promise<void> | undefined;
  const store =
    sealer && createPromptStore({ ...options, ...limits, sealer, isClosing: () => closing });

  async function run(): Promise<void> {
    while (store !== undefined && waiting.length > 0) await store(waiting);
    writing = undefined;
  }

  function keep(ended: EndedCall): void {
    waiting.push(ended);
    // In a later turn, so that the answer is sent first.
    writing ??= Promise.resolve().then(run);
  }

  return {
    begin(call) {
      if (store === undefined || closing) return undefined;
      const isBusy = memory.bytes + call.text.length > memory.maxBytes;
      if (isBusy || waiting.length >= waitingMax) {
        options.metrics.promptsNotStored("busy", 1);
        return undefined;
      }
      const held = new HeldAnswer(memory, call.text.length);
      const common = { ...call, at: new Date(), release: () => held.release() };
      return {
        add(bytes) {
          if (!held.add(bytes)) options.metrics.promptsNotStored("busy", 1);
        },
        end(answer) {
          if (held.isOver) return;
          if (!held.holdWhole(answer.length)) {
            options.metrics.promptsNotStored("busy", 1);
            return;
          }
          held.end();
          keep({ ...common, answer, isStream: false, isCut: false });
        },
        endStream() {
          if (held.isOver) return;
          const answer = held.end().toString();
          keep({ ...common, answer, isStream: true, isCut: held.isCut });
        },
        endAudio(answer) {
          if (held.isOver) return;
          const audio = held.end();
          keep({ ...common, answer, audio, isStream: false, isCut: held.isCut });
        },
        drop() {
          if (!held.isOver) held.drop();
        },
      };
    },
    async settled() {
      await writing;
    },
    async close() {
      closing = true;
      await writing;
    },
  };
}
