// Reads what a test gives a server beside its environment, as arguments of the process: shorter times, and the point at
// which the process kills itself, which production refuses.
import { parseArgs } from "node:util";
import { type FailpointName, failpoints } from "@turnpike/base";
import { z } from "zod";
import { type ServerTimes, serverTimes } from "./server-times.ts";

/** Which passage of it is the last one. */
export type FailpointSetting = { readonly name: FailpointName; readonly nth: number };

export type ServerArguments = {
  readonly times: ServerTimes;
  readonly failpoint: FailpointSetting | undefined;
};

const none: ServerArguments = { times: serverTimes, failpoint: undefined };

/** A timer with a longer delay would expire immediately. */
const delay = z.number().int().positive().max(2_147_483_647);
const timesSchema = z.partialRecord(z.enum(timeNames(serverTimes)), delay);

/**
 * Reads `--times={"reapEveryMs":100}` and `--failpoint=hold-sent:1`, both optional, and adds to `mistakes` what is
 * something else.
 */
export function readArguments(words: readonly string[], mistakes: string[]): ServerArguments {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { times: { type: "string" }, failpoint: { type: "string" } },
    });
    const times = { ...serverTimes, ...parseTimes(values.times, mistakes) };
    mistakes.push(...findDisorder(times));
    return { times, failpoint: parseFailpoint(values.failpoint, mistakes) };
  } catch (error) {
    mistakes.push(error instanceof Error ? error.message : String(error));
    return none;
  }
}

function parseTimes(text: string | undefined, mistakes: string[]): Partial<ServerTimes> {
  if (text === undefined) return {};
  const { data, error } = timesSchema.safeParse(parseJson(text));
  for (const { path, message } of error?.issues ?? []) {
    mistakes.push(`--times: ${[...path, message].join(": ")}`);
  }
  return data ?? {};
}

/** Text that is not JSON is returned as it is, for the schema to refuse. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Others may close the leases of an instance only after it has stopped admitting calls. */
function findDisorder({ heartbeatMs, heartbeatLapseMs, silentMs }: ServerTimes): string[] {
  const mistakes: string[] = [];
  if (heartbeatMs >= heartbeatLapseMs) {
    mistakes.push(
      `--times: heartbeatMs, ${heartbeatMs}, must be less than heartbeatLapseMs, ${heartbeatLapseMs}.`,
    );
  }
  if (heartbeatLapseMs >= silentMs) {
    mistakes.push(
      `--times: heartbeatLapseMs, ${heartbeatLapseMs}, must be less than silentMs, ${silentMs}.`,
    );
  }
  return mistakes;
}

function parseFailpoint(
  text: string | undefined,
  mistakes: string[],
): FailpointSetting | undefined {
  if (text === undefined) return undefined;
  const [, wanted, nth] = /^([a-z-]+):([1-9]\d*)$/.exec(text) ?? [];
  const name = failpoints.find((known) => known === wanted);
  if (name !== undefined) return { name, nth: Number(nth) };
  mistakes.push(`--failpoint: must be NAME:NTH, and NAME one of ${failpoints.join(", ")}.`);
  return undefined;
}

/** Guarantees the names of the table. */
function timeNames<Name extends string>(times: Readonly<Record<Name, number>>): Name[] {
  return Object.keys(times) as Name[];
}
