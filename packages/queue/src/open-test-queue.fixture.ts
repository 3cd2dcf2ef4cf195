// A queue with a table of its own, for the tests of this package and for the processes that they kill.
import { type Connection, connectDatabase } from "@turnpike/db";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, patientLimits, type TestDatabase } from "@turnpike/testing";
import { sql } from "drizzle-orm";
import { openWorker, type Worker } from "./open-worker.ts";
import type { Queue } from "./queue.ts";
import { attemptItem, type Ending } from "./settle-item.ts";

export type Task = { readonly id: string; readonly attempts: number };

const waits = sql`done_at is null and given_up_at is null`;

/** Three attempts. */
export const taskQueue: Queue<Task, { readonly id: string }> = {
  name: "mail",
  table: "tasks",
  key: ["id"],
  keyOf: ({ id }) => [id],
  createdAt: "created_at",
  dueAt: "due_at",
  waits,
  claim: { seconds: 60, order: sql`due_at, id`, item: sql`t.id` },
  retryAfterSeconds: [60, 3_600],
  done: sql`done_at = now(), error = null`,
  failed: (error) => sql`error = ${error}`,
  givenUp: sql`given_up_at = now()`,
  listed: {
    facts: sql`t.id`,
    error: sql`error`,
    order: sql`id`,
    givenUp: { is: sql`given_up_at is not null`, at: "given_up_at" },
  },
  changes: {
    open: waits,
    retried: sql`attempts = 0`,
    discarded: sql`given_up_at = now()`,
    absent: "No such task waits.",
  },
};

const silentLog = createLog({ level: "silent", name: "test" });

export type Run = (task: Task) => Promise<void>;

export type TestQueue = {
  readonly database: TestDatabase;
  readonly connection: Connection;
  readonly open: (run: Run, options?: TestWorkerOptions) => Worker;
  readonly add: (...ids: string[]) => Promise<void>;
  /** As if every claim and every pause were over. */
  readonly makeDue: () => Promise<void>;
  readonly rowOf: (id: string) => Promise<TaskRow>;
  readonly close: () => Promise<void>;
};

type TestWorkerOptions = {
  readonly queue?: typeof taskQueue;
  readonly atOnce?: number;
  readonly log?: typeof silentLog;
  readonly endings?: Ending[];
};

type TaskRow = {
  readonly attempts: number;
  readonly done: boolean;
  readonly givenUp: boolean;
  readonly error: string | null;
  /** Seconds until it is due. */
  readonly wait: number;
};

export function openTaskWorker(
  { db }: Pick<Connection, "db">,
  run: Run,
  { queue = taskQueue, atOnce = 5, log = silentLog, endings }: TestWorkerOptions = {},
): Worker {
  return openWorker(db, queue, {
    atOnce,
    log,
    async perform(task) {
      const { ending } = await attemptItem(db, queue, task, () => run(task));
      endings?.push(ending);
    },
  });
}

export async function openTestQueue(): Promise<TestQueue> {
  const database = await createTestDatabase();
  const connection = connectDatabase({ url: database.ownerUrl, ...patientLimits });
  const { sql: query } = connection;
  await query`create table tasks (
    id text primary key, created_at timestamptz not null default now(),
    due_at timestamptz not null default now(),
    attempts int not null default 0, done_at timestamptz, given_up_at timestamptz, error text)`;
  return {
    database,
    connection,
    open: (run, options) => openTaskWorker(connection, run, options),
    async add(...ids) {
      for (const id of ids) await query`insert into tasks (id) values (${id})`;
    },
    async makeDue() {
      await query`update tasks set due_at = now()`;
    },
    async rowOf(id) {
      const [row] = await query<TaskRow[]>`
        select attempts, done_at is not null as done, given_up_at is not null as "givenUp",
               error,
               extract(epoch from due_at - now())::float8 as wait
          from tasks where id = ${id}`;
      if (row === undefined) throw new Error(`there is no task ${id}`);
      return row;
    },
    async close() {
      await connection.close();
      await database.drop();
    },
  };
}
