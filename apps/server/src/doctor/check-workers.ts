// The workers of a Citus cluster, as its coordinator reaches them: calls of the accounts on one that is away cannot be charged.
import { errorCodeOf, type Sql } from "@turnpike/db";
import { error, type Finding, messageOf, ok } from "./finding.ts";

type Worker = { host: string; port: number; active: boolean };

/** Nothing where the database has no Citus. */
export async function checkWorkers(sql: Sql): Promise<readonly Finding[]> {
  const [found] = await sql<{ citus: boolean }[]>`
    select exists (select from pg_extension where extname = 'citus') as citus`;
  if (found?.citus !== true) return [];
  const workers = await sql<Worker[]>`
    select nodename as host, nodeport as port, isactive as active
      from pg_dist_node where noderole = 'primary' and groupid <> 0 order by nodename, nodeport`;
  const findings: Finding[] = [];
  // One after the other: a statement that meets its limit names the worker that it waited for.
  for (const worker of workers) findings.push(await checkWorker(sql, worker));
  return findings;
}

async function checkWorker(sql: Sql, { host, port, active }: Worker): Promise<Finding> {
  const check = `worker ${host}:${port}`;
  if (!active) {
    return error(check, "Citus does not use it; run citus_activate_node as the superuser.");
  }
  const reason = await whyUnreachable(sql, host, port);
  if (reason === undefined) return ok(check, "The coordinator reaches it, as this role.");
  const advice = "start it, or its standby, and let the coordinator's roles log in there";
  return error(check, `The coordinator cannot reach it (${reason}); ${advice}.`);
}

async function whyUnreachable(sql: Sql, host: string, port: number): Promise<string | undefined> {
  try {
    const [row] = await sql<{ reached: boolean }[]>`
      select citus_check_connection_to_node(${host}, ${port}) as reached`;
    return row?.reached === true ? undefined : "no connection";
  } catch (thrown) {
    return errorCodeOf(thrown) === "57014" ? "no answer in time" : messageOf(thrown);
  }
}
