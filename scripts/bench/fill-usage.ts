// An account with many calls and others beside it, as a busy installation has after three months: refused calls in the
// eyes of the ledger, which moved no money, with tokens and durations as real ones.
import { createAccount } from "@turnpike/accounts";
import type { AccountId, ApiKeyId, PersonId } from "@turnpike/base";
import type { Connection } from "@turnpike/db";
import { mintApiKey } from "@turnpike/keys";

export type LargeAccount = {
  readonly accountId: AccountId;
  readonly personId: PersonId;
  readonly keyId: ApiKeyId;
};

const batch = 200_000;
const keys = 12;
const others = 20;
/** Of the calls, those of the other accounts. */
const otherPart = 10;

/** `owner` must not limit how long a statement takes. */
export async function fillUsage(owner: Connection, calls: number): Promise<LargeAccount> {
  const { sql } = owner;
  const large = await newAccount(owner, "large", keys);
  for (let number = 0; number < others; number += 1) await newAccount(owner, `other-${number}`, 1);
  await makePastPartitions(owner);
  await sql`alter table requests disable trigger user`;
  for (let from = 0; from < calls; from += batch) {
    const count = Math.min(batch, calls - from);
    await writeBatch(owner, sql`id = ${large.accountId}`, { from, count, calls });
    const few = Math.ceil(count / otherPart);
    await writeBatch(owner, sql`name like 'other-%'`, {
      from,
      count: few,
      calls,
      apart: batch / few,
    });
  }
  await sql`alter table requests enable trigger user`;
  await sql`analyze`;
  await sql`update usage_progress set rolled_from = at, rolled_to = at
              from (select date_bin('15 minutes', now() - interval '30 minutes', '2000-01-01 00:00:00+00') as at) n`;
  return large;
}

async function newAccount(
  owner: Connection,
  name: string,
  keyCount: number,
): Promise<LargeAccount> {
  const email = `${name}@turnpike.local`;
  const { accountId, personId } = await createAccount(owner.db, { email });
  await owner.sql`update accounts set name = ${name} where id = ${accountId}`;
  let keyId: ApiKeyId | undefined;
  for (let number = 0; number < keyCount; number += 1) {
    const minted = { accountId, createdBy: personId, name: `Key ${number}` };
    keyId = (await mintApiKey(owner.db, minted)).id;
  }
  if (keyId === undefined) throw new Error("an account of the benchmark has a key");
  return { accountId, personId, keyId };
}

/** As if the installation had run then. */
async function makePastPartitions({ sql }: Connection): Promise<void> {
  await sql.unsafe(`do $$ declare v_month timestamp; v_name text; begin
    for i in 1 .. 3 loop
      v_month := date_trunc('month', now() at time zone 'utc') - make_interval(months => i);
      v_name := 'requests_' || to_char(v_month, 'YYYY_MM');
      execute format('create table %I partition of requests for values from (%L) to (%L) with (fillfactor = 70)',
        v_name, uuid7_floor(v_month at time zone 'utc'),
        uuid7_floor((v_month + interval '1 month') at time zone 'utc'));
    end loop; end $$`);
}

/** Beside them: people with an account, a key and a payment each. */
export async function fillAccounts({ sql }: Connection, count: number): Promise<void> {
  await sql`
    with people as (
      insert into persons (id, email, name)
      select gen_random_uuid(), 'person-' || n || '@example.com', 'Person ' || n
        from generate_series(1, ${count}::int) n returning id, email, name
    ), opened as (
      insert into accounts (id, kind, name) select id, 'personal', name from people returning id
    ), joined as (
      insert into memberships (account_id, person_id) select o.id, o.id from opened o
    )
    insert into api_keys (account_id, id, name, hash, masked, created_by)
    select o.id, gen_random_uuid(), 'key', uuid_send(gen_random_uuid()),
           'sk-tp-' || substr(md5(o.id::text), 1, 4) || '…' || substr(md5(o.id::text), 5, 4), o.id
      from opened o`;
  await sql`
    insert into top_ups (id, account_id, amount_nanos, processor, payment_intent_id)
    select gen_random_uuid(), id, (1000000000 * (5 + random() * 95))::bigint, 'sandbox', 'pi_' || md5(id::text)
      from accounts where name like 'Person %'`;
}

type Batch = {
  readonly from: number;
  readonly count: number;
  readonly calls: number;
  readonly apart?: number;
};

/** Evenly over 90 days, in order of time as calls are written; a few keys and models have most of them. */
async function writeBatch(
  { sql }: Connection,
  which: ReturnType<Connection["sql"]>,
  { from, count, calls, apart = 1 }: Batch,
): Promise<void> {
  await sql`
    insert into requests (account_id, id, key_id, state, trace_id, model, provider, held_nanos, cost_nanos,
        charged_nanos, prompt_tokens, completion_tokens, cached_tokens, usage_details, usage_source, status, outcome,
        error_code, finish_reason, upstream_id, user_agent, attempts, placed_at, ended_at, first_byte_ms,
        overhead_ms, total_ms)
    select p.id,
           encode(overlay(uuid_send(uuid7_floor(at)) placing substring(uuid_send(gen_random_uuid()) from 9 for 8)
             from 9 for 8), 'hex')::uuid,
           p.keys[1 + floor(power(a, 3) * cardinality(p.keys))::int], 'refused', 'req_' || encode(overlay(uuid_send(uuid7_floor(at)) placing
             substring(uuid_send(gen_random_uuid()) from 9 for 8) from 9 for 8), 'hex'),
           'vendor/model-' || floor(power(b, 3) * 8)::int, 'provider-' || floor(power(b, 3) * 8)::int % 3,
           cost, cost, cost, (a * 4000)::int, (b * 900)::int, (a * 1000)::int,
           jsonb_build_object('operatorCostNanos', (cost * 4 / 5)::text), 'upstream',
           case when b > 0.97 then 502 else 200 end, case when b > 0.97 then 'upstream_failed' else 'completed' end,
           case when b > 0.97 then 'bad_gateway' end, 'stop', 'chatcmpl-' || md5(n::text), 'OpenAI/Python 1.99.0',
           jsonb_build_array(jsonb_build_object('provider', 'provider-1', 'model', 'model', 'status', 200,
             'firstByteMs', 212.5, 'error', null)),
           at, at + interval '1 second', 100 + a * 900, 1.5, 400 + b * 9000
      from (select n, random() as a, random() as b, (1000 + random() * 20000)::bigint as cost,
                   now() - interval '90 days' * (1 - (${from}::float8 + (n - 1) * ${apart}::float8) / ${calls}::float8) as at
              from generate_series(1, ${count}::int) n) c
      join (select i.id, row_number() over () - 1 as place, count(*) over () as places,
                   array(select k.id from api_keys k where k.account_id = i.id) as keys
              from accounts i where ${which}) p on p.place = n % p.places`;
}
