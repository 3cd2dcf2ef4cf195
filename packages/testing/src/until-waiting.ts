// Waits until transactions of a test database wait for a lock: what makes two of them meet in the order that a test needs.
import type { Sql } from "postgres";

/**
 * Resolves when `count` connections wait, which is asked on another one, or when `over` has ended, as something does
 * that does not wait.
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
