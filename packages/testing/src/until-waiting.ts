// Waits until transactions of a test database wait for a lock, so that a test can order two of them.
import type { Sql } from "postgres";

/**
 * Resolves when `count` connections wait, or when `over` has settled because it did not have to wait. `sql` is a
 * connection that does not wait itself.
 */
export async function untilWaiting(
  sql: Sql,
  { count = 1, over }: { readonly count?: number; readonly over?: Promise<unknown> } = {},
): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  over?.then(end, end);
  while (!isOver) {
    const waiting = await sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting.length >= count) return;
  }
}
