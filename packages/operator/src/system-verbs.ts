// What an operator asks about the processes, jobs and tables of this installation, and does to its jobs.
import { requestRun } from "@turnpike/db";
import {
  type InstanceRow,
  type JobRow,
  queryDatabaseSize,
  queryInstances,
  queryJobs,
  queryNewestFacts,
} from "@turnpike/reports";
import { formatUsd } from "@turnpike/terms";
import { line } from "./inputs.ts";
import { recordAction } from "./record-action.ts";
import { command, everyone, query, support } from "./verb.ts";

export const systemVerbs = {
  instances: query({
    roles: everyone,
    summary: "the processes that serve, with version, state and open leases",
    input: {},
    run: async ({ db }) => ({ instances: (await queryInstances(db)).map(presentInstance) }),
  }),
  tables: query({
    roles: everyone,
    summary: "the sizes of the tables, and of requests by month",
    input: {},
    run: ({ db }) => queryDatabaseSize(db),
  }),
  replica: query({
    roles: everyone,
    summary: "how far the replica is behind that this server reads reports from, in milliseconds",
    input: {},
    async run({ replicaLagMs }) {
      const lagMs = replicaLagMs?.();
      return { lagMs: lagMs === undefined ? null : Math.round(lagMs) };
    },
  }),
  settings: query({
    roles: everyone,
    summary: "the configuration of the process that started last, without secrets",
    input: {},
    async run({ db }) {
      const facts = await queryNewestFacts(db);
      const settings = Object.entries(facts?.settings ?? {});
      return {
        version: facts?.version ?? "",
        features: facts?.features ?? [],
        settings: settings.map(([name, value]) => ({ name, value })),
      };
    },
  }),
};

export const jobVerbs = {
  list: query({
    roles: everyone,
    summary: "the jobs that instances share, with their last results",
    input: {},
    run: async ({ db }) => ({ jobs: (await queryJobs(db)).map(presentJob) }),
  }),
  run: command({
    roles: support,
    summary: "runs a shared job now, once, in one of the instances",
    input: { name: line(100) },
    async run({ db }, by, { name, reason }) {
      await db.transaction(async (tx) => {
        await recordAction(tx, by, { action: "job.run", object: name, reason });
        await requestRun(tx, name);
      });
      return { name };
    },
  }),
};

function presentInstance({ facts, grantedNanos, ...row }: InstanceRow) {
  return {
    id: row.id,
    state: row.state,
    version: facts?.version ?? null,
    host: facts?.host ?? null,
    pid: facts?.pid ?? null,
    worker: facts?.worker ?? null,
    schemaVersion: row.schemaVersion,
    openLeases: row.openLeases,
    grantedUsd: formatUsd(grantedNanos),
    startedAt: row.startedAt.toISOString(),
    heartbeatAt: row.heartbeatAt.toISOString(),
    drainingAt: row.drainingAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

function presentJob({ startedAt, finishedAt, failedAt, ...row }: JobRow) {
  return {
    name: row.name,
    state: row.state,
    everyMs: row.everyMs,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
    error: row.error,
    result: JSON.stringify(row.result ?? null),
    isRequested: row.isRequested,
    instanceId: row.instanceId,
  };
}
