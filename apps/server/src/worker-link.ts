// The messages between a parent and its workers, over the channel between the two processes. When the
// parent ends, the channel closes and the worker drains: no worker outlives its parent for long.
import type { SharedPort } from "./claim-port.ts";

/** `drain` is the first signal to the parent, `end` a second one: answers end immediately. */
export type WorkerCommand = "drain" | "end" | "reload";

export type WorkerReport = { readonly listeningOn: number };

export type CommandHandlers = Readonly<Record<WorkerCommand | "orphaned", () => void>>;

/** How a serving process is connected with its parent. */
export type WorkerRole = {
  /** From 1; a replacement has the number of the worker it replaces. */
  readonly number: number;
  readonly sharedPort: SharedPort;
  readonly onCommand: (handlers: CommandHandlers) => void;
  readonly reportListening: (port: number) => void;
};

/** The arguments of `worker.ts`. */
export function writeWorkerArguments(number: number, { port, claim }: SharedPort): string[] {
  return [String(number), String(port), claim ? "claim" : "join"];
}

/** The worker's end of the channel, of a process that was started with `writeWorkerArguments`; `rest` is of its parent. */
export function createWorkerLink(words: readonly string[]): {
  readonly link: WorkerRole;
  readonly rest: readonly string[];
} {
  const [number, port, claim, ...rest] = words;
  let handlers: CommandHandlers | undefined;
  process.on("message", (message) => {
    if (isWorkerCommand(message)) handlers?.[message]();
  });
  process.on("disconnect", () => {
    if (handlers === undefined) process.exit(1);
    handlers.orphaned();
  });
  const link: WorkerRole = {
    number: Number(number),
    sharedPort: { port: Number(port), claim: claim === "claim" },
    onCommand(given) {
      handlers = given;
    },
    reportListening(listeningOn) {
      process.send?.({ listeningOn } satisfies WorkerReport);
    },
  };
  return { link, rest };
}

function isWorkerCommand(message: unknown): message is WorkerCommand {
  return message === "drain" || message === "end" || message === "reload";
}

export function isWorkerReport(message: unknown): message is WorkerReport {
  return (
    typeof message === "object" &&
    message !== null &&
    "listeningOn" in message &&
    typeof message.listeningOn === "number"
  );
}
