// The machine the figures were measured on: without it they are meaningless.
import { availableParallelism, cpus } from "node:os";
import { connectDatabase } from "@turnpike/db";

export type Machine = {
  cores: number;
  processor: string;
  system: string;
  bun: string;
  postgres: string;
  fsync: string;
  synchronousCommit: string;
  /** The median of one durable commit of one row, alone on the machine. */
  commitMs: number;
};

const commits = 101;

/** Queries as the role that Turnpike runs as, so that the settings are those of its connections. */
export async function describeMachine(urls: {
  appUrl: string;
  ownerUrl: string;
}): Promise<Machine> {
  const connection = connectDatabase({ url: urls.appUrl, max: 1 });
  try {
    const show = async (setting: string) => {
      const [row] = await connection.sql<{ value: string }[]>`
        select current_setting(${setting}) as value`;
      return row?.value ?? "";
    };
    return {
      cores: availableParallelism(),
      processor: cpus()[0]?.model ?? "",
      system: `${process.platform} ${process.arch}`,
      bun: Bun.version,
      postgres: await show("server_version"),
      fsync: await show("fsync"),
      synchronousCommit: await show("synchronous_commit"),
      commitMs: await timeCommit(urls.ownerUrl),
    };
  } finally {
    await connection.close();
  }
}

async function timeCommit(ownerUrl: string): Promise<number> {
  const connection = connectDatabase({ url: ownerUrl, max: 1 });
  try {
    await connection.sql`create table if not exists bench_commits (n integer)`;
    const times: number[] = [];
    for (let n = 0; n < commits; n += 1) {
      const startedAt = performance.now();
      await connection.sql`insert into bench_commits (n) values (${n})`;
      times.push(performance.now() - startedAt);
    }
    await connection.sql`drop table bench_commits`;
    return times.sort((a, b) => a - b)[commits >> 1] ?? Number.NaN;
  } finally {
    await connection.close();
  }
}
