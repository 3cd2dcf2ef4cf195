// Writes sealed prompts. The setting of their project decides once more: instances may remember another one for some
// seconds, and calls began before it was changed.
import type { AccountId, GenerationId, ProjectId } from "@turnpike/base";
import { arrayLiteral, type Sql } from "@turnpike/db";

export type PromptRow = {
  readonly accountId: AccountId;
  readonly generationId: GenerationId;
  readonly projectId: ProjectId;
  /** When the call arrived. */
  readonly at: Date;
  readonly isRedacted: boolean;
  readonly sealed: Uint8Array;
};

/** Returns how many were stored. */
export async function writePrompts(sql: Sql, rows: readonly PromptRow[]): Promise<number> {
  const list = (of: (row: PromptRow) => string | number | boolean) => arrayLiteral(rows.map(of));
  const starts: number[] = [];
  let start = 1;
  for (const { sealed } of rows) {
    starts.push(start);
    start += sealed.byteLength;
  }
  // One value for all of them: the statement stays the same for every number of rows.
  const all = Buffer.concat(rows.map(({ sealed }) => sealed));
  const { count } = await sql`
    insert into stored_prompts (account_id, generation_id, project_id, created_at, sealed)
    select p.account_id, w.generation_id, p.id, least(w.at, now()),
           substr(${all}::bytea, w.start_byte, w.bytes)
      from unnest(${list((row) => row.accountId)}::text::uuid[],
                  ${list((row) => row.generationId)}::text::uuid[],
                  ${list((row) => row.projectId)}::text::uuid[],
                  ${list((row) => row.at.toISOString())}::text::timestamptz[],
                  ${list((row) => row.isRedacted)}::text::bool[],
                  ${arrayLiteral(starts)}::text::int[],
                  ${list((row) => row.sealed.byteLength)}::text::int[])
           as w (account_id, generation_id, project_id, at, is_redacted, start_byte, bytes)
      join projects p on p.account_id = w.account_id and p.id = w.project_id
     where p.prompt_days is not null and w.at > coalesce(p.prompts_void_before, '-infinity')
       and (w.is_redacted or not p.redacts_prompts)
    on conflict do nothing`;
  return count;
}
