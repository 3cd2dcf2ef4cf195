// How the checks of an installation open a database, and say that it cannot be used.
import { type Connection, connectForChecks } from "@turnpike/db";
import { DatabaseFailure, describeStartFailure } from "../describe-start-failure.ts";
import { error, type Finding } from "./finding.ts";

export const openForDoctor = (url: string): Connection => connectForChecks(url, "turnpike doctor");

/** `setting` is the variable that names the database. */
export function describeFailure(check: string, setting: string, thrown: unknown): Finding {
  return error(check, `${setting}: ${describeStartFailure(new DatabaseFailure(setting, thrown))}`);
}
