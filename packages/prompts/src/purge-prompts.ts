// Deletes stored prompts that their project no longer keeps, in slices, so that no lock is held for long.
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

const sliceRows = 500;
const slicesMax = 200;

/** Returns how many were deleted; what is left after 200 slices is for the next run. */
export async function purgePrompts(db: Db, slice = sliceRows): Promise<number> {
  let deleted = 0;
  for (let count = 0; count < slicesMax; count += 1) {
    const now = await purgeSlice(db, slice);
    deleted += now;
    if (now < slice) break;
  }
  // What a call stores that began before the switch is void as well, so the mark stays for longer than calls run.
  await db.execute(sql`
    update projects p set prompts_void_before = null
     where p.prompts_void_before < now() - interval '1 day'
       and not exists (
             select from stored_prompts s
              where s.account_id = p.account_id and s.project_id = p.id
                and s.created_at <= p.prompts_void_before)`);
  return deleted;
}

async function purgeSlice(db: Db, slice: number): Promise<number> {
  const [row] = await db.execute<{ deleted: number }>(sql`
    with old as (
      select o.account_id, o.generation_id
        from projects p
       cross join lateral (
               select s.account_id, s.generation_id
                 from stored_prompts s
                where s.account_id = p.account_id and s.project_id = p.id
                  and s.created_at <= greatest(
                        p.prompts_void_before, now() - make_interval(days => p.prompt_days))
                order by s.created_at limit ${slice}::int) o
       where p.prompt_days is not null or p.prompts_void_before is not null
       limit ${slice}::int),
    deleted as (
      delete from stored_prompts s using old
       where s.account_id = old.account_id and s.generation_id = old.generation_id
      returning 1)
    select count(*)::int as deleted from deleted`);
  return row?.deleted ?? 0;
}
