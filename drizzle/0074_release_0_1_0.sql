-- The schema of release 0.1.0, from which an empty database begins. What is not here is in `functions/`: each function with
-- the triggers that only it serves. A database of migration 73 has all of this and is adopted (`adopt-release.ts`).

-- The role the server runs as. Where the migrating role may not create roles, an administrator creates turnpike_app first, or
-- the server runs as the owner and the triggers alone protect.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    BEGIN
      CREATE ROLE turnpike_app NOLOGIN;
    EXCEPTION
      WHEN insufficient_privilege THEN RAISE NOTICE 'role turnpike_app not created';
      WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
END $$;
--> statement-breakpoint
-- When the current period of a budget began; NULL in total.
CREATE FUNCTION budget_from(p_period text, p_start date, p_zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN p_period <> 'total' THEN p_start::timestamp AT TIME ZONE p_zone END
$$;
--> statement-breakpoint
-- The first day of the period that a moment of local time is in.
CREATE FUNCTION budget_start(p_period text, p_local timestamp without time zone) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE p_period WHEN 'day' THEN p_local::date
                       WHEN 'week' THEN date_trunc('week', p_local)::date
                       WHEN 'month' THEN date_trunc('month', p_local)::date
                       ELSE date '1970-01-01' END
$$;
--> statement-breakpoint
-- Late charges above the hold may exist only before this moment: never in a database that begins here, and in adopted ones
-- before the migration that capped them. Constraints name no schema, because PostgreSQL repeats them for each partition.
CREATE FUNCTION late_charges_capped_since() RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$SELECT timestamptz '-infinity'$$;
--> statement-breakpoint
-- The moment from which every call is paid by a lease: what a key spent before it is in its requests.
CREATE FUNCTION leases_since() RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$SELECT timestamptz '-infinity'$$;
--> statement-breakpoint
-- Every account has a default project, which has its id.
CREATE FUNCTION open_default_project() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO projects (account_id, id, name) VALUES (NEW.id, NEW.id, 'Default');
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Replaced by the text in `functions/`; a view needs it to exist.
CREATE FUNCTION pack_latency(p_ms real) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT ('1e' || (12 * least(143, floor(24 * log(greatest(p_ms, 1)::float8))::integer))::text)::numeric
$$;
--> statement-breakpoint
-- Under the locks of the account's keys, in the order of acquire_leases: a limit that another transaction gives to a key at the
-- same time would be counted for a period that begins by the former clock, or lock budgets in another order.
CREATE FUNCTION recount_budgets() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  v_local timestamp;
BEGIN
  PERFORM FROM api_keys WHERE account_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
  v_local := clock_timestamp() AT TIME ZONE NEW.time_zone;
  UPDATE budgets b SET period_start = s.day, spent_nanos = c.spent, held_nanos = c.held
    FROM budgets o
    CROSS JOIN LATERAL (SELECT budget_start(o.period, v_local) AS day) s
    CROSS JOIN LATERAL count_budget(o.account_id, o.kind, o.subject_id,
      budget_from(o.period, s.day, NEW.time_zone)) c
   WHERE o.account_id = NEW.id AND o.period <> 'total' AND b.account_id = o.account_id AND b.id = o.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
-- Nobody can delete a row that its account still keeps, not even the owner of the tables.
CREATE FUNCTION refuse_kept_audit() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF EXISTS (SELECT FROM accounts a WHERE a.id = OLD.account_id
              AND OLD.at < now() - make_interval(days => a.audit_retention_days)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'audit_log is append-only: its account keeps this row' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_kept_person_event() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF OLD.at < now() - interval '400 days'
     OR EXISTS (SELECT FROM persons p WHERE p.id = OLD.person_id AND p.deleted_at IS NOT NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'person_events is append-only for 400 days' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
-- Every statement that writes entries writes whole transactions that exist: their sum is zero or it fails. A foreign key
-- would ask once per row what is asked here once per transaction, and those are never deleted. A scalar subquery, because
-- NOT EXISTS may be planned as a hash of the whole table.
CREATE FUNCTION refuse_unbalanced() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (SELECT FROM written w GROUP BY w.transaction_id
             HAVING sum(w.amount_nanos) <> 0
                 OR (SELECT t.id FROM ledger_transactions t WHERE t.id = w.transaction_id) IS NULL) THEN
    RAISE EXCEPTION 'entries need a transaction and must sum to zero in it'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Checked at commit, under the account's lock: whatever happens at the same time, an account that is not closed has an owner.
CREATE FUNCTION require_owner() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM accounts WHERE id = OLD.account_id AND closed_at IS NULL FOR NO KEY UPDATE;
  IF FOUND AND NOT EXISTS (
      SELECT FROM memberships WHERE account_id = OLD.account_id AND role = 'owner') THEN
    RAISE EXCEPTION 'account % would have no owner', OLD.account_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The smallest UUIDv7 that can be made at an instant: 48 bits of milliseconds, then zeros.
CREATE FUNCTION uuid7_floor(p_at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
--> statement-breakpoint
CREATE TABLE requests (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    key_id uuid,
    instance_id uuid,
    state text NOT NULL,
    origin text DEFAULT 'api'::text NOT NULL,
    trace_id text DEFAULT ''::text NOT NULL,
    model text DEFAULT ''::text NOT NULL,
    provider text DEFAULT ''::text NOT NULL,
    price_id uuid,
    streamed boolean DEFAULT false NOT NULL,
    max_tokens integer,
    held_nanos bigint DEFAULT 0 NOT NULL,
    cost_nanos bigint DEFAULT 0 NOT NULL,
    charged_nanos bigint DEFAULT 0 NOT NULL,
    shortfall_nanos bigint DEFAULT 0 NOT NULL,
    transaction_id uuid,
    prompt_tokens integer DEFAULT 0 NOT NULL,
    completion_tokens integer DEFAULT 0 NOT NULL,
    cached_tokens integer DEFAULT 0 NOT NULL,
    cache_write_tokens integer DEFAULT 0 NOT NULL,
    reasoning_tokens integer DEFAULT 0 NOT NULL,
    usage_source text DEFAULT 'none'::text NOT NULL,
    status integer DEFAULT 0 NOT NULL,
    outcome text DEFAULT ''::text NOT NULL,
    error_code text,
    finish_reason text,
    native_finish_reason text,
    upstream_id text,
    user_agent text,
    attempts jsonb,
    placed_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    first_byte_ms real,
    overhead_ms real,
    total_ms real,
    lease_id uuid,
    operation text DEFAULT 'chat'::text NOT NULL,
    cache_write_1h_tokens integer DEFAULT 0 NOT NULL,
    usage_details jsonb,
    app text,
    end_user text,
    CONSTRAINT requests_charge_within_cost CHECK (((charged_nanos >= 0) AND (shortfall_nanos >= 0) AND ((charged_nanos + shortfall_nanos) = cost_nanos))),
    CONSTRAINT requests_charge_within_hold CHECK (((charged_nanos <= held_nanos) OR (((state = 'late_settled'::text) AND (ended_at < late_charges_capped_since())) IS TRUE))),
    CONSTRAINT requests_state CHECK ((state = ANY (ARRAY['settled'::text, 'released'::text, 'expired'::text, 'late_settled'::text, 'refused'::text])))
)
PARTITION BY RANGE (id);
--> statement-breakpoint
CREATE TABLE accounts (
    id uuid NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    balance_nanos bigint DEFAULT 0 NOT NULL,
    held_nanos bigint DEFAULT 0 NOT NULL,
    frozen_at timestamp with time zone,
    suspended_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    stripe_customer_id text,
    low_balance_alert_nanos bigint,
    low_balance_alerted_at timestamp with time zone,
    credited_nanos bigint DEFAULT 0 NOT NULL,
    recalled_until timestamp with time zone,
    kind text DEFAULT 'personal'::text NOT NULL,
    slug text DEFAULT ('u-'::text || "right"(replace((gen_random_uuid())::text, '-'::text, ''::text), 16)) NOT NULL,
    closed_at timestamp with time zone,
    audit_retention_days integer,
    revokes_leaked_keys boolean DEFAULT true NOT NULL,
    factors_required_from timestamp with time zone,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    requests_per_minute integer,
    tokens_per_minute integer,
    concurrency integer,
    credit_limit_nanos bigint DEFAULT 0 NOT NULL,
    price_terms jsonb,
    company jsonb,
    tells_unusual_spend boolean DEFAULT true NOT NULL,
    unusual_spend_told_on date,
    low_balance_mailed_at timestamp with time zone,
    CONSTRAINT accounts_audit_retention CHECK (((audit_retention_days >= 90) AND (audit_retention_days <= 36500))),
    CONSTRAINT accounts_company CHECK ((jsonb_typeof(company) = 'object'::text)),
    CONSTRAINT accounts_credit_not_negative CHECK ((credit_limit_nanos >= 0)),
    CONSTRAINT accounts_held_not_negative CHECK ((held_nanos >= 0)),
    CONSTRAINT accounts_kind CHECK ((kind = ANY (ARRAY['personal'::text, 'organization'::text]))),
    CONSTRAINT accounts_never_overdrawn CHECK (((((balance_nanos + credit_limit_nanos) - held_nanos) >= 0) OR (frozen_at IS NOT NULL))),
    CONSTRAINT accounts_price_terms CHECK (((jsonb_typeof(price_terms) = 'array'::text) AND (jsonb_array_length(price_terms) <= 100)))
)
WITH (fillfactor='50');
--> statement-breakpoint
CREATE TABLE leases (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    key_id uuid,
    instance_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    granted_nanos bigint DEFAULT 0 NOT NULL,
    spent_nanos bigint DEFAULT 0 NOT NULL,
    shortfall_nanos bigint DEFAULT 0 NOT NULL,
    calls integer DEFAULT 0 NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    transaction_id uuid,
    checked_at timestamp with time zone,
    project_id uuid,
    person_id uuid,
    CONSTRAINT leases_counts CHECK (((shortfall_nanos >= 0) AND (calls >= 0))),
    CONSTRAINT leases_spent_within_grant CHECK (((spent_nanos >= 0) AND (spent_nanos <= granted_nanos)))
)
WITH (fillfactor='50');
--> statement-breakpoint
CREATE TABLE account_notes (
    account_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamp with time zone DEFAULT now() NOT NULL,
    author text NOT NULL,
    text text NOT NULL
);
--> statement-breakpoint
CREATE TABLE account_slugs (
    slug text NOT NULL,
    account_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE account_views (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE api_keys (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    masked text NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    revoked_at timestamp with time zone,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    requests_per_minute integer,
    tokens_per_minute integer,
    concurrency integer,
    day_start date DEFAULT '1970-01-01'::date NOT NULL,
    day_spent_nanos bigint DEFAULT 0 NOT NULL,
    day_held_nanos bigint DEFAULT 0 NOT NULL,
    week_start date DEFAULT '1970-01-01'::date NOT NULL,
    week_spent_nanos bigint DEFAULT 0 NOT NULL,
    week_held_nanos bigint DEFAULT 0 NOT NULL,
    month_start date DEFAULT '1970-01-01'::date NOT NULL,
    month_spent_nanos bigint DEFAULT 0 NOT NULL,
    month_held_nanos bigint DEFAULT 0 NOT NULL,
    total_spent_nanos bigint DEFAULT 0 NOT NULL,
    total_held_nanos bigint DEFAULT 0 NOT NULL,
    previous_hash bytea,
    previous_until timestamp with time zone,
    project_id uuid,
    shown_to uuid,
    previous_shown_to uuid
)
WITH (fillfactor='50');
--> statement-breakpoint
CREATE TABLE applied_catalogs (
    id bigint GENERATED ALWAYS AS IDENTITY,
    version text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE audit_log (
    account_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    action text NOT NULL,
    object_id text,
    object_name text DEFAULT ''::text NOT NULL,
    changes jsonb,
    address text DEFAULT ''::text NOT NULL
);
--> statement-breakpoint
CREATE TABLE auto_top_ups (
    account_id uuid NOT NULL,
    enabled boolean DEFAULT false NOT NULL,
    threshold_nanos bigint,
    amount_nanos bigint,
    ceiling_nanos bigint,
    payment_method_id text,
    card_brand text,
    card_last4 text,
    card_exp_month integer,
    card_exp_year integer,
    state text DEFAULT 'ok'::text NOT NULL,
    last_failure text,
    failures integer DEFAULT 0 NOT NULL,
    ceiling_told_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    card_person_id uuid,
    due_spent_nanos bigint,
    charged_spent_nanos bigint,
    CONSTRAINT auto_top_ups_amounts CHECK (((threshold_nanos > 0) AND (amount_nanos > 0) AND (ceiling_nanos >= amount_nanos))),
    CONSTRAINT auto_top_ups_complete CHECK (((NOT enabled) OR (num_nulls(threshold_nanos, amount_nanos, ceiling_nanos, payment_method_id) = 0)))
);
--> statement-breakpoint
CREATE TABLE book_checks (
    account_id uuid NOT NULL,
    through timestamp with time zone NOT NULL,
    balance_nanos bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE budgets (
    account_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    period text NOT NULL,
    limit_nanos bigint NOT NULL,
    hard boolean DEFAULT true NOT NULL,
    period_start date DEFAULT '1970-01-01'::date NOT NULL,
    spent_nanos bigint DEFAULT 0 NOT NULL,
    held_nanos bigint DEFAULT 0 NOT NULL,
    reached_at timestamp with time zone,
    mailed_percent smallint DEFAULT 0 NOT NULL,
    mailed_start date DEFAULT '1970-01-01'::date NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT budgets_counts CHECK (((spent_nanos >= 0) AND (held_nanos >= 0))),
    CONSTRAINT budgets_kind CHECK ((kind = ANY (ARRAY['account'::text, 'project'::text, 'member'::text, 'key'::text]))),
    CONSTRAINT budgets_limit_not_negative CHECK ((limit_nanos >= 0)),
    CONSTRAINT budgets_period CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'total'::text])))
)
WITH (fillfactor='50');
--> statement-breakpoint
CREATE TABLE catalog_texts (
    id bigint GENERATED ALWAYS AS IDENTITY,
    based_on bigint NOT NULL,
    text text,
    version text NOT NULL,
    applied_by text NOT NULL,
    reason text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE devices (
    person_id uuid NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE domains (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    domain text NOT NULL,
    token text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    proven_at timestamp with time zone,
    proven_by text,
    provider text,
    CONSTRAINT domains_provider CHECK (((provider IS NULL) OR (proven_at IS NOT NULL)))
);
--> statement-breakpoint
CREATE TABLE email_tokens (
    hash bytea NOT NULL,
    person_id uuid NOT NULL,
    purpose text NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE entries (
    account_id uuid NOT NULL,
    transaction_id uuid NOT NULL,
    book text NOT NULL,
    amount_nanos bigint NOT NULL,
    CONSTRAINT entries_book CHECK ((book = ANY (ARRAY['account'::text, 'usage_revenue'::text, 'shortfall'::text, 'stripe_clearing'::text, 'refunds'::text, 'disputes'::text, 'adjustments'::text]))),
    CONSTRAINT entries_house_books_have_no_account CHECK (((book = 'account'::text) = (account_id <> '00000000-0000-0000-0000-000000000000'::uuid)))
);
--> statement-breakpoint
CREATE TABLE factor_challenges (
    hash bytea NOT NULL,
    person_id uuid,
    purpose text NOT NULL,
    provider text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE factor_recoveries (
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    ready_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    cancel_hash bytea NOT NULL,
    finish_hash bytea,
    canceled_at timestamp with time zone,
    finished_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE factors (
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    last_used_at timestamp with time zone,
    secret bytea,
    last_period bigint,
    credential_id text,
    public_key bytea,
    use_count bigint,
    transports text,
    is_backed_up boolean,
    CONSTRAINT factors_kind CHECK ((((kind = 'totp'::text) AND (secret IS NOT NULL)) OR ((kind = 'passkey'::text) AND (credential_id IS NOT NULL) AND (public_key IS NOT NULL))))
);
--> statement-breakpoint
CREATE TABLE guardrails (
    account_id uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    allowed_models text[],
    allowed_providers text[],
    max_input_nanos bigint,
    max_output_nanos bigint,
    max_call_nanos bigint,
    deny_training boolean DEFAULT false NOT NULL,
    deny_retention boolean DEFAULT false NOT NULL,
    allowed_addresses text[],
    allowed_days smallint[],
    from_minute smallint,
    until_minute smallint,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT guardrails_hours CHECK (((num_nulls(allowed_days, from_minute, until_minute) = ANY (ARRAY[0, 3])) AND (allowed_days <@ ARRAY[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint, (6)::smallint, (7)::smallint]) AND ((from_minute >= 0) AND (from_minute <= 1439)) AND ((until_minute >= 1) AND (until_minute <= 1440)))),
    CONSTRAINT guardrails_kind CHECK ((kind = ANY (ARRAY['account'::text, 'project'::text, 'key'::text]))),
    CONSTRAINT guardrails_not_negative CHECK ((LEAST(max_input_nanos, max_output_nanos, max_call_nanos) >= 0))
);
--> statement-breakpoint
CREATE TABLE identities (
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    provider text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE incident_updates (
    incident_id integer NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    state text NOT NULL,
    text text NOT NULL,
    CONSTRAINT incident_updates_state CHECK ((state = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text])))
);
--> statement-breakpoint
CREATE TABLE incidents (
    id integer GENERATED ALWAYS AS IDENTITY,
    title text NOT NULL,
    impact text NOT NULL,
    model text DEFAULT ''::text NOT NULL,
    provider text DEFAULT ''::text NOT NULL,
    state text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    resolved_at timestamp with time zone,
    CONSTRAINT incidents_impact CHECK ((impact = ANY (ARRAY['maintenance'::text, 'degraded'::text, 'outage'::text]))),
    CONSTRAINT incidents_resolved CHECK (((state = 'resolved'::text) = (resolved_at IS NOT NULL))),
    CONSTRAINT incidents_state CHECK ((state = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text])))
);
--> statement-breakpoint
CREATE TABLE instances (
    id uuid NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    heartbeat_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    schema_version integer,
    draining_at timestamp with time zone,
    facts jsonb
);
--> statement-breakpoint
CREATE TABLE invitations (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    hash bytea NOT NULL,
    invited_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    claimed_by uuid,
    accepted_at timestamp with time zone,
    accepted_by uuid,
    revoked_at timestamp with time zone,
    project_ids uuid[],
    CONSTRAINT invitations_role CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'billing'::text, 'developer'::text, 'viewer'::text])))
);
--> statement-breakpoint
CREATE TABLE job_runs (
    name text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    result jsonb,
    instance_id uuid,
    every_ms bigint,
    requested_at timestamp with time zone,
    failed_at timestamp with time zone,
    error text
);
--> statement-breakpoint
CREATE TABLE key_changes (
    id bigint GENERATED ALWAYS AS IDENTITY,
    account_id uuid NOT NULL,
    key_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    changes jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE ledger_keys (
    inner_pad bytea NOT NULL,
    outer_pad bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE ledger_transactions (
    id uuid NOT NULL,
    kind text NOT NULL,
    idempotency_key text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    actor text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE management_keys (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    masked text NOT NULL,
    permissions text[] NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE memberships (
    account_id uuid NOT NULL,
    person_id uuid NOT NULL,
    role text DEFAULT 'owner'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ownership_offered_by uuid,
    project_ids uuid[]
);
--> statement-breakpoint
CREATE TABLE operator_log (
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_name text NOT NULL,
    action text NOT NULL,
    object text DEFAULT ''::text NOT NULL,
    reason text NOT NULL,
    changes jsonb
);
--> statement-breakpoint
CREATE TABLE operators (
    person_id uuid NOT NULL,
    role text NOT NULL,
    granted_by text NOT NULL,
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT operators_role CHECK ((role = ANY (ARRAY['owner'::text, 'support'::text, 'finance'::text, 'read_only'::text])))
);
--> statement-breakpoint
CREATE TABLE outbox (
    id uuid NOT NULL,
    recipient text NOT NULL,
    message jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    send_after timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone,
    failed_at timestamp with time zone,
    last_error text
);
--> statement-breakpoint
CREATE TABLE person_events (
    person_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    user_agent text DEFAULT ''::text NOT NULL
);
--> statement-breakpoint
CREATE TABLE persons (
    id uuid NOT NULL,
    email text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    password_hash text,
    email_verified_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    password_changed_at timestamp with time zone,
    time_zone text DEFAULT ''::text NOT NULL,
    deletion_due_at timestamp with time zone,
    deleted_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE prices (
    id uuid NOT NULL,
    model text NOT NULL,
    input_nanos bigint NOT NULL,
    cached_input_nanos bigint NOT NULL,
    cache_write_nanos bigint NOT NULL,
    output_nanos bigint NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    route text DEFAULT ''::text NOT NULL,
    cache_write_1h_nanos bigint,
    tier text DEFAULT ''::text NOT NULL,
    audio_input_nanos bigint,
    audio_output_nanos bigint,
    web_search_nanos bigint,
    above_prompt_tokens integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE projects (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    prompt_days smallint,
    redacts_prompts boolean DEFAULT true NOT NULL,
    prompts_void_before timestamp with time zone,
    requests_per_minute integer,
    tokens_per_minute integer,
    concurrency integer,
    CONSTRAINT projects_prompt_days CHECK (((prompt_days >= 1) AND (prompt_days <= 90)))
);
--> statement-breakpoint
CREATE TABLE provider_attempts (
    hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    provider text NOT NULL,
    session_id text,
    next text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    consumed_at timestamp with time zone
);
--> statement-breakpoint
CREATE UNLOGGED TABLE rate_buckets (
    account_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    name text NOT NULL,
    used double precision DEFAULT 0 NOT NULL,
    counted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    slots jsonb DEFAULT '{}'::jsonb NOT NULL,
    counted_limit double precision
)
WITH (fillfactor='50');
--> statement-breakpoint
CREATE TABLE recovery_codes (
    person_id uuid NOT NULL,
    hash bytea NOT NULL,
    used_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE requests_default PARTITION OF requests DEFAULT WITH (fillfactor='70');
--> statement-breakpoint
CREATE TABLE retired_requests (
    name text NOT NULL,
    calls bigint NOT NULL,
    leased_calls bigint NOT NULL,
    charged_nanos bigint NOT NULL,
    shortfall_nanos bigint NOT NULL,
    detached_at timestamp with time zone DEFAULT now() NOT NULL,
    file text,
    sha256 text,
    dropped_at timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE route_health (
    provider text NOT NULL,
    upstream_model text NOT NULL,
    open_until timestamp with time zone,
    next_open_ms integer NOT NULL,
    credentials_refused boolean NOT NULL,
    first_byte_ms real,
    tokens_per_second real,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    model_refused boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE schema_state (
    singleton boolean DEFAULT true NOT NULL,
    oldest_served integer NOT NULL,
    sandbox_refused_since timestamp with time zone DEFAULT now(),
    functions_version integer,
    functions_sha256 text,
    CONSTRAINT schema_state_is_one_row CHECK (singleton)
);
--> statement-breakpoint
CREATE TABLE sessions (
    hash bytea NOT NULL,
    public_id text NOT NULL,
    person_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    password_at timestamp with time zone DEFAULT now() NOT NULL,
    address text DEFAULT ''::text NOT NULL,
    user_agent text DEFAULT ''::text NOT NULL,
    provider text
);
--> statement-breakpoint
CREATE TABLE shared_conversations (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sealed_title bytea NOT NULL,
    sealed bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE signing_keys (
    id text NOT NULL,
    public_key jsonb NOT NULL,
    sealed_private bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT signing_keys_private_part CHECK (((retired_at IS NULL) = (sealed_private IS NOT NULL)))
);
--> statement-breakpoint
CREATE TABLE status_days (
    day date NOT NULL,
    model text NOT NULL,
    provider text NOT NULL,
    answered bigint NOT NULL,
    failed bigint NOT NULL,
    first_tokens bigint[] NOT NULL,
    answered_by_hour bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    failed_by_hour bigint[] DEFAULT '{}'::bigint[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE stored_answers (
    id bytea NOT NULL,
    account_id uuid NOT NULL,
    request_hash bytea NOT NULL,
    generation_id uuid NOT NULL,
    instance_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    sealed bytea
);
--> statement-breakpoint
CREATE TABLE stored_prompts (
    account_id uuid NOT NULL,
    generation_id uuid NOT NULL,
    project_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sealed bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE stripe_inbox (
    event_id text NOT NULL,
    type text NOT NULL,
    created timestamp with time zone NOT NULL,
    payload jsonb NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    done_at timestamp with time zone,
    dead_at timestamp with time zone,
    last_error text
);
--> statement-breakpoint
CREATE TABLE switched_off (
    model text DEFAULT ''::text NOT NULL,
    provider text DEFAULT ''::text NOT NULL,
    upstream_model text DEFAULT ''::text NOT NULL,
    reason text NOT NULL,
    message text DEFAULT ''::text NOT NULL,
    retry_after_seconds integer,
    by text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT switched_off_upstream CHECK (((upstream_model = ''::text) OR (provider <> ''::text))),
    CONSTRAINT switched_off_wait CHECK (((retry_after_seconds >= 1) AND (retry_after_seconds <= 86400)))
);
--> statement-breakpoint
CREATE TABLE throttles (
    bucket text NOT NULL,
    count integer NOT NULL,
    since timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE top_ups (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    person_id uuid,
    amount_nanos bigint NOT NULL,
    state text DEFAULT 'created'::text NOT NULL,
    processor text NOT NULL,
    livemode boolean DEFAULT false NOT NULL,
    checkout_session_id text,
    checkout_url text,
    payment_intent_id text,
    receipt_url text,
    failure_reason text,
    credited_nanos bigint DEFAULT 0 NOT NULL,
    reversed_nanos bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    paid_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    disputed_nanos bigint DEFAULT 0 NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    evidence_due_at timestamp with time zone,
    saves_card boolean DEFAULT false NOT NULL,
    payment_method_id text,
    refund_claimed_nanos bigint DEFAULT 0 NOT NULL,
    CONSTRAINT top_ups_amount CHECK ((amount_nanos > 0)),
    CONSTRAINT top_ups_disputed_within_reversed CHECK (((disputed_nanos >= 0) AND (disputed_nanos <= reversed_nanos))),
    CONSTRAINT top_ups_reversed_within_credit CHECK (((reversed_nanos >= 0) AND (reversed_nanos <= credited_nanos)))
);
--> statement-breakpoint
CREATE TABLE usage_blocks (
    account_id uuid NOT NULL,
    quarter timestamp with time zone NOT NULL,
    key_id uuid,
    model text NOT NULL,
    provider text NOT NULL,
    origin text NOT NULL,
    operation text NOT NULL,
    class text NOT NULL,
    error_code text NOT NULL,
    calls bigint NOT NULL,
    free_calls bigint NOT NULL,
    charged_nanos bigint NOT NULL,
    shortfall_nanos bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    cache_write_tokens bigint NOT NULL,
    reasoning_tokens bigint NOT NULL,
    costed_calls bigint NOT NULL,
    known_calls bigint NOT NULL,
    known_charged_nanos bigint NOT NULL,
    operator_cost_nanos bigint NOT NULL,
    total_ms_counts numeric,
    first_byte_ms_counts numeric,
    minutes integer NOT NULL,
    ordinal integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE usage_changes (
    account_id uuid NOT NULL,
    quarter timestamp with time zone NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
CREATE TABLE usage_progress (
    singleton boolean DEFAULT true NOT NULL,
    rolled_from timestamp with time zone NOT NULL,
    rolled_to timestamp with time zone NOT NULL,
    sealed_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE usage_quarter_hours (
    account_id uuid NOT NULL,
    quarter timestamp with time zone NOT NULL,
    key_id uuid,
    model text NOT NULL,
    provider text NOT NULL,
    origin text NOT NULL,
    operation text NOT NULL,
    class text NOT NULL,
    error_code text NOT NULL,
    calls bigint NOT NULL,
    free_calls bigint NOT NULL,
    charged_nanos bigint NOT NULL,
    shortfall_nanos bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    completion_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    cache_write_tokens bigint NOT NULL,
    reasoning_tokens bigint NOT NULL,
    costed_calls bigint NOT NULL,
    known_calls bigint NOT NULL,
    known_charged_nanos bigint NOT NULL,
    operator_cost_nanos bigint NOT NULL,
    total_ms_counts numeric,
    first_byte_ms_counts numeric,
    ordinal integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE webhook_attempts (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    number smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status smallint,
    answer text DEFAULT ''::text NOT NULL,
    error text
);
--> statement-breakpoint
CREATE TABLE webhook_endpoints (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    event_types text[],
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    disabled_by text,
    accepted_at timestamp with time zone,
    failing_since timestamp with time zone,
    url_set_by uuid,
    CONSTRAINT webhook_endpoints_disabled CHECK (((disabled_at IS NULL) = (disabled_by IS NULL)))
);
--> statement-breakpoint
CREATE TABLE webhook_events (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE webhook_messages (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    send_after timestamp with time zone DEFAULT now() NOT NULL,
    claimed_until timestamp with time zone,
    attempts smallint DEFAULT 0 NOT NULL,
    attempts_max smallint NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT webhook_messages_state CHECK ((state = ANY (ARRAY['waiting'::text, 'accepted'::text, 'failed'::text, 'canceled'::text])))
);
--> statement-breakpoint
CREATE TABLE write_proofs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    instance_id uuid NOT NULL,
    filler text NOT NULL
);
ALTER TABLE ONLY write_proofs ALTER COLUMN filler SET STORAGE PLAIN;
--> statement-breakpoint
ALTER TABLE account_notes ADD CONSTRAINT account_notes_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE account_slugs ADD CONSTRAINT account_slugs_pkey PRIMARY KEY (slug);
ALTER TABLE account_views ADD CONSTRAINT account_views_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE accounts ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE accounts ADD CONSTRAINT accounts_slug_unique UNIQUE (slug);
ALTER TABLE accounts ADD CONSTRAINT accounts_stripe_customer_id_unique UNIQUE (stripe_customer_id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE applied_catalogs ADD CONSTRAINT applied_catalogs_pkey PRIMARY KEY (id);
ALTER TABLE audit_log ADD CONSTRAINT audit_log_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE auto_top_ups ADD CONSTRAINT auto_top_ups_pkey PRIMARY KEY (account_id);
ALTER TABLE book_checks ADD CONSTRAINT book_checks_pkey PRIMARY KEY (account_id);
ALTER TABLE budgets ADD CONSTRAINT budgets_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE catalog_texts ADD CONSTRAINT catalog_texts_based_on UNIQUE (based_on);
ALTER TABLE catalog_texts ADD CONSTRAINT catalog_texts_pkey PRIMARY KEY (id);
ALTER TABLE devices ADD CONSTRAINT devices_person_id_hash_pk PRIMARY KEY (person_id, hash);
ALTER TABLE domains ADD CONSTRAINT domains_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_pkey PRIMARY KEY (hash);
ALTER TABLE entries ADD CONSTRAINT entries_account_id_transaction_id_book_pk PRIMARY KEY (account_id, transaction_id, book);
ALTER TABLE factor_challenges ADD CONSTRAINT factor_challenges_pkey PRIMARY KEY (hash);
ALTER TABLE factor_recoveries ADD CONSTRAINT factor_recoveries_pkey PRIMARY KEY (id);
ALTER TABLE factors ADD CONSTRAINT factors_pkey PRIMARY KEY (id);
ALTER TABLE guardrails ADD CONSTRAINT guardrails_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE identities ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
ALTER TABLE incident_updates ADD CONSTRAINT incident_updates_incident_id_number_pk PRIMARY KEY (incident_id, number);
ALTER TABLE incidents ADD CONSTRAINT incidents_pkey PRIMARY KEY (id);
ALTER TABLE instances ADD CONSTRAINT instances_pkey PRIMARY KEY (id);
ALTER TABLE invitations ADD CONSTRAINT invitations_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE job_runs ADD CONSTRAINT job_runs_pkey PRIMARY KEY (name);
ALTER TABLE key_changes ADD CONSTRAINT key_changes_pkey PRIMARY KEY (id);
ALTER TABLE leases ADD CONSTRAINT leases_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE ledger_keys ADD CONSTRAINT ledger_keys_pkey PRIMARY KEY (inner_pad);
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_idempotency_key_unique UNIQUE (idempotency_key);
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_pkey PRIMARY KEY (id);
ALTER TABLE management_keys ADD CONSTRAINT management_keys_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE memberships ADD CONSTRAINT memberships_account_id_person_id_pk PRIMARY KEY (account_id, person_id);
ALTER TABLE operator_log ADD CONSTRAINT operator_log_pkey PRIMARY KEY (id);
ALTER TABLE operators ADD CONSTRAINT operators_pkey PRIMARY KEY (person_id);
ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE person_events ADD CONSTRAINT person_events_person_id_id_pk PRIMARY KEY (person_id, id);
ALTER TABLE persons ADD CONSTRAINT persons_email_unique UNIQUE (email);
ALTER TABLE persons ADD CONSTRAINT persons_pkey PRIMARY KEY (id);
ALTER TABLE prices ADD CONSTRAINT prices_pkey PRIMARY KEY (id);
ALTER TABLE projects ADD CONSTRAINT projects_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE provider_attempts ADD CONSTRAINT provider_attempts_pkey PRIMARY KEY (hash);
ALTER TABLE rate_buckets ADD CONSTRAINT rate_buckets_account_id_subject_id_name_pk PRIMARY KEY (account_id, subject_id, name);
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_person_id_hash_pk PRIMARY KEY (person_id, hash);
ALTER TABLE requests ADD CONSTRAINT requests_account_id_id_pk PRIMARY KEY (account_id, id);
-- A new operation replaces this constraint by a longer list as NOT VALID: rows that satisfied a shorter list satisfy it, so
-- that there is nothing to read through under the table's lock.
ALTER TABLE requests ADD CONSTRAINT requests_operation CHECK ((operation = ANY (ARRAY['chat'::text, 'embeddings'::text])));
ALTER TABLE retired_requests ADD CONSTRAINT retired_requests_pkey PRIMARY KEY (name);
ALTER TABLE route_health ADD CONSTRAINT route_health_provider_upstream_model_pk PRIMARY KEY (provider, upstream_model);
ALTER TABLE schema_state ADD CONSTRAINT schema_state_pkey PRIMARY KEY (singleton);
ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);
ALTER TABLE sessions ADD CONSTRAINT sessions_public_id_unique UNIQUE (public_id);
ALTER TABLE shared_conversations ADD CONSTRAINT shared_conversations_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE signing_keys ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);
ALTER TABLE status_days ADD CONSTRAINT status_days_day_model_provider_pk PRIMARY KEY (day, model, provider);
ALTER TABLE stored_answers ADD CONSTRAINT stored_answers_pkey PRIMARY KEY (id);
ALTER TABLE stored_prompts ADD CONSTRAINT stored_prompts_account_id_generation_id_pk PRIMARY KEY (account_id, generation_id);
ALTER TABLE stripe_inbox ADD CONSTRAINT stripe_inbox_pkey PRIMARY KEY (event_id);
ALTER TABLE switched_off ADD CONSTRAINT switched_off_model_provider_upstream_model_pk PRIMARY KEY (model, provider, upstream_model);
ALTER TABLE throttles ADD CONSTRAINT throttles_pkey PRIMARY KEY (bucket);
ALTER TABLE top_ups ADD CONSTRAINT top_ups_checkout_session_id_unique UNIQUE (checkout_session_id);
ALTER TABLE top_ups ADD CONSTRAINT top_ups_payment_intent_id_unique UNIQUE (payment_intent_id);
ALTER TABLE top_ups ADD CONSTRAINT top_ups_pkey PRIMARY KEY (id);
ALTER TABLE usage_blocks ADD CONSTRAINT usage_blocks_account_id_minutes_quarter_ordinal_pk PRIMARY KEY (account_id, minutes, quarter, ordinal);
ALTER TABLE usage_changes ADD CONSTRAINT usage_changes_account_id_quarter_id_pk PRIMARY KEY (account_id, quarter, id);
ALTER TABLE usage_progress ADD CONSTRAINT usage_progress_pkey PRIMARY KEY (singleton);
ALTER TABLE usage_quarter_hours ADD CONSTRAINT usage_quarter_hours_account_id_quarter_ordinal_pk PRIMARY KEY (account_id, quarter, ordinal);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_account_id_message_id_number_pk PRIMARY KEY (account_id, message_id, number);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE webhook_messages ADD CONSTRAINT webhook_messages_account_id_id_pk PRIMARY KEY (account_id, id);
ALTER TABLE write_proofs ADD CONSTRAINT write_proofs_pkey PRIMARY KEY (id);
--> statement-breakpoint
CREATE INDEX account_slugs_account ON account_slugs USING btree (account_id);
CREATE INDEX account_views_person ON account_views USING btree (person_id, expires_at);
CREATE INDEX accounts_name_begins ON accounts USING btree (lower(name) text_pattern_ops);
CREATE INDEX accounts_stopped ON accounts USING btree (id) WHERE ((frozen_at IS NOT NULL) OR (suspended_at IS NOT NULL));
CREATE INDEX api_keys_changed ON api_keys USING btree (changed_at);
CREATE INDEX api_keys_created_by ON api_keys USING btree (created_by);
CREATE UNIQUE INDEX api_keys_hash ON api_keys USING btree (hash);
CREATE UNIQUE INDEX api_keys_id ON api_keys USING btree (id);
CREATE INDEX api_keys_last_four ON api_keys USING btree ("right"(masked, 4));
CREATE INDEX api_keys_masked_begins ON api_keys USING btree (masked text_pattern_ops);
CREATE UNIQUE INDEX api_keys_previous_hash ON api_keys USING btree (previous_hash);
CREATE INDEX audit_log_action ON audit_log USING btree (account_id, action, id);
CREATE UNIQUE INDEX budgets_id ON budgets USING btree (id);
CREATE UNIQUE INDEX budgets_subject ON budgets USING btree (account_id, subject_id, kind, period);
CREATE INDEX devices_hash ON devices USING btree (hash);
CREATE UNIQUE INDEX domains_domain ON domains USING btree (account_id, domain);
CREATE UNIQUE INDEX domains_proven ON domains USING btree (domain) WHERE (proven_at IS NOT NULL);
CREATE INDEX email_tokens_person ON email_tokens USING btree (person_id, purpose);
CREATE INDEX email_tokens_undo ON email_tokens USING btree (email) WHERE (purpose = 'undo'::text);
CREATE INDEX entries_movements ON entries USING btree (amount_nanos) WHERE (book = ANY (ARRAY['stripe_clearing'::text, 'refunds'::text, 'disputes'::text, 'adjustments'::text]));
CREATE INDEX entries_transaction ON entries USING btree (transaction_id);
CREATE INDEX factor_challenges_expiry ON factor_challenges USING btree (expires_at);
CREATE INDEX factor_challenges_person ON factor_challenges USING btree (person_id);
CREATE UNIQUE INDEX factor_recoveries_cancel ON factor_recoveries USING btree (cancel_hash);
CREATE UNIQUE INDEX factor_recoveries_finish ON factor_recoveries USING btree (finish_hash);
CREATE UNIQUE INDEX factor_recoveries_pending ON factor_recoveries USING btree (person_id) WHERE ((canceled_at IS NULL) AND (finished_at IS NULL));
CREATE UNIQUE INDEX factors_credential ON factors USING btree (credential_id);
CREATE INDEX factors_person ON factors USING btree (person_id);
CREATE UNIQUE INDEX guardrails_id ON guardrails USING btree (id);
CREATE UNIQUE INDEX guardrails_subject ON guardrails USING btree (account_id, subject_id, kind);
CREATE INDEX identities_person ON identities USING btree (person_id);
CREATE UNIQUE INDEX identities_subject ON identities USING btree (issuer, subject);
CREATE INDEX incidents_started ON incidents USING btree (started_at);
CREATE UNIQUE INDEX invitations_hash ON invitations USING btree (hash);
CREATE UNIQUE INDEX invitations_pending ON invitations USING btree (account_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX key_changes_key ON key_changes USING btree (key_id, id);
CREATE INDEX leases_account_hour ON leases USING btree (account_id, hour);
CREATE UNIQUE INDEX leases_id ON leases USING btree (id);
CREATE INDEX leases_open ON leases USING btree (account_id) WHERE (closed_at IS NULL);
CREATE INDEX leases_open_instance ON leases USING btree (instance_id) WHERE (closed_at IS NULL);
CREATE INDEX leases_unchecked ON leases USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (checked_at IS NULL));
CREATE INDEX management_keys_created_by ON management_keys USING btree (created_by);
CREATE UNIQUE INDEX management_keys_hash ON management_keys USING btree (hash);
CREATE UNIQUE INDEX management_keys_id ON management_keys USING btree (id);
CREATE INDEX memberships_person ON memberships USING btree (person_id);
CREATE INDEX outbox_due ON outbox USING btree (send_after) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX outbox_recipient ON outbox USING btree (recipient, created_at);
CREATE INDEX person_events_at ON person_events USING btree (at);
CREATE INDEX persons_deleted ON persons USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX persons_deletion_due ON persons USING btree (deletion_due_at) WHERE (deletion_due_at IS NOT NULL);
CREATE INDEX persons_email_begins ON persons USING btree (email text_pattern_ops);
CREATE INDEX persons_name_begins ON persons USING btree (lower(name) text_pattern_ops);
CREATE INDEX prices_tier_since ON prices USING btree (model, route, tier, since DESC NULLS LAST);
CREATE UNIQUE INDEX projects_name ON projects USING btree (account_id, lower(name));
CREATE INDEX projects_with_prompts ON projects USING btree (account_id, id) WHERE ((prompt_days IS NOT NULL) OR (prompts_void_before IS NOT NULL));
CREATE INDEX provider_attempts_expires ON provider_attempts USING btree (expires_at);
CREATE INDEX requests_by_time ON requests USING brin (id) WITH (pages_per_range='32', autosummarize='true');
CREATE INDEX sessions_person ON sessions USING btree (person_id);
CREATE UNIQUE INDEX signing_keys_current ON signing_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE INDEX stored_answers_account ON stored_answers USING btree (account_id);
CREATE INDEX stored_answers_expiry ON stored_answers USING btree (expires_at);
CREATE INDEX stored_prompts_age ON stored_prompts USING btree (account_id, project_id, created_at);
CREATE INDEX stripe_inbox_due ON stripe_inbox USING btree (next_attempt_at) WHERE ((done_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX throttles_since ON throttles USING btree (since);
CREATE INDEX top_ups_account ON top_ups USING btree (account_id, created_at);
CREATE INDEX top_ups_amount ON top_ups USING btree (amount_nanos);
CREATE UNIQUE INDEX top_ups_one_automatic ON top_ups USING btree (account_id) WHERE ((payment_method_id IS NOT NULL) AND (state = ANY (ARRAY['created'::text, 'pending'::text, 'processing'::text])));
CREATE INDEX top_ups_person ON top_ups USING btree (person_id);
CREATE INDEX top_ups_refunding ON top_ups USING btree (id) WHERE (refund_claimed_nanos > 0);
CREATE INDEX usage_blocks_days ON usage_blocks USING btree (quarter) WHERE (minutes = 1440);
CREATE INDEX usage_blocks_quarter ON usage_blocks USING brin (quarter);
CREATE INDEX usage_quarter_hours_quarter ON usage_quarter_hours USING brin (quarter);
CREATE INDEX webhook_events_created ON webhook_events USING btree (created_at);
CREATE INDEX webhook_messages_endpoint ON webhook_messages USING btree (account_id, endpoint_id, id);
CREATE INDEX webhook_messages_event ON webhook_messages USING btree (account_id, event_id);
CREATE INDEX webhook_messages_waiting ON webhook_messages USING btree (account_id, endpoint_id, send_after) WHERE (state = 'waiting'::text);
--> statement-breakpoint
-- Money as people read it: what open leases have spent is spent, whether it is posted yet or not.
CREATE VIEW account_money AS
 SELECT a.id AS account_id,
    (a.balance_nanos - o.spent_nanos) AS balance_nanos,
    (a.held_nanos - o.spent_nanos) AS held_nanos,
    a.credited_nanos
   FROM (accounts a
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(l.spent_nanos), (0)::numeric))::bigint AS spent_nanos
           FROM leases l
          WHERE ((l.account_id = a.id) AND (l.closed_at IS NULL))) o);
--> statement-breakpoint
-- What a budget's open leases have spent counts as spent, and only what they have not as held; of a period that is over,
-- nothing.
CREATE VIEW budget_money AS
 SELECT b.account_id,
    b.id,
    (
        CASE
            WHEN c.now THEN b.spent_nanos
            ELSE (0)::bigint
        END + COALESCE(o.spent, (0)::bigint)) AS spent_nanos,
    (
        CASE
            WHEN c.now THEN b.held_nanos
            ELSE (0)::bigint
        END - COALESCE(o.spent, (0)::bigint)) AS held_nanos,
    c.day AS period_start,
    c.resets_at
   FROM ((((budgets b
     JOIN accounts a ON ((a.id = b.account_id)))
     CROSS JOIN LATERAL ( SELECT budget_start(b.period, (now() AT TIME ZONE a.time_zone)) AS day) d)
     CROSS JOIN LATERAL ( SELECT d.day,
            (b.period_start = d.day) AS now,
                CASE b.period
                    WHEN 'day'::text THEN (((d.day + 1))::timestamp without time zone AT TIME ZONE a.time_zone)
                    WHEN 'week'::text THEN (((d.day + 7))::timestamp without time zone AT TIME ZONE a.time_zone)
                    WHEN 'month'::text THEN ((d.day + '1 mon'::interval) AT TIME ZONE a.time_zone)
                    ELSE NULL::timestamp with time zone
                END AS resets_at) c)
     CROSS JOIN LATERAL ( SELECT (sum(l.spent_nanos))::bigint AS spent
           FROM leases l
          WHERE ((l.account_id = b.account_id) AND (l.closed_at IS NULL) AND (budget_start(b.period, (l.hour AT TIME ZONE a.time_zone)) = d.day) AND
                CASE b.kind
                    WHEN 'account'::text THEN true
                    WHEN 'project'::text THEN (COALESCE(l.project_id, l.account_id) = b.subject_id)
                    WHEN 'member'::text THEN (l.person_id = b.subject_id)
                    ELSE (l.key_id = b.subject_id)
                END)) o);
--> statement-breakpoint
-- What a key may spend are its budgets, and what it may call is its guardrail, in one row.
CREATE VIEW key_limits AS
 SELECT k.account_id,
    k.id AS key_id,
    b.day_limit_nanos,
    b.week_limit_nanos,
    b.month_limit_nanos,
    b.total_limit_nanos,
    g.allowed_models,
    g.allowed_addresses
   FROM ((api_keys k
     CROSS JOIN LATERAL ( SELECT max(y.limit_nanos) FILTER (WHERE (y.period = 'day'::text)) AS day_limit_nanos,
            max(y.limit_nanos) FILTER (WHERE (y.period = 'week'::text)) AS week_limit_nanos,
            max(y.limit_nanos) FILTER (WHERE (y.period = 'month'::text)) AS month_limit_nanos,
            max(y.limit_nanos) FILTER (WHERE (y.period = 'total'::text)) AS total_limit_nanos
           FROM budgets y
          WHERE ((y.account_id = k.account_id) AND (y.subject_id = k.id) AND (y.kind = 'key'::text))) b)
     LEFT JOIN guardrails g ON (((g.account_id = k.account_id) AND (g.subject_id = k.id) AND (g.kind = 'key'::text))));
--> statement-breakpoint
-- What a key spent and holds per day, week, month and in all. A period with a limit is counted in the time zone of the account,
-- as its budget is, and one without in UTC. A counter of an earlier period counts zero.
CREATE VIEW key_money AS
 SELECT k.account_id,
    k.id AS key_id,
    COALESCE(b.day_spent, (c.day_spent + COALESCE(o.day, (0)::bigint))) AS day_spent_nanos,
    COALESCE(b.day_held, (c.day_held - COALESCE(o.day, (0)::bigint))) AS day_held_nanos,
    COALESCE(b.week_spent, (c.week_spent + COALESCE(o.week, (0)::bigint))) AS week_spent_nanos,
    COALESCE(b.week_held, (c.week_held - COALESCE(o.week, (0)::bigint))) AS week_held_nanos,
    COALESCE(b.month_spent, (c.month_spent + COALESCE(o.month, (0)::bigint))) AS month_spent_nanos,
    COALESCE(b.month_held, (c.month_held - COALESCE(o.month, (0)::bigint))) AS month_held_nanos,
    (k.total_spent_nanos + COALESCE(o.total, (0)::bigint)) AS total_spent_nanos,
    (k.total_held_nanos - COALESCE(o.total, (0)::bigint)) AS total_held_nanos
   FROM ((((api_keys k
     CROSS JOIN LATERAL ( SELECT max(m.spent_nanos) FILTER (WHERE (y.period = 'day'::text)) AS day_spent,
            max(m.held_nanos) FILTER (WHERE (y.period = 'day'::text)) AS day_held,
            max(m.spent_nanos) FILTER (WHERE (y.period = 'week'::text)) AS week_spent,
            max(m.held_nanos) FILTER (WHERE (y.period = 'week'::text)) AS week_held,
            max(m.spent_nanos) FILTER (WHERE (y.period = 'month'::text)) AS month_spent,
            max(m.held_nanos) FILTER (WHERE (y.period = 'month'::text)) AS month_held
           FROM (budgets y
             JOIN budget_money m ON (((m.account_id = y.account_id) AND (m.id = y.id))))
          WHERE ((y.account_id = k.account_id) AND (y.subject_id = k.id) AND (y.kind = 'key'::text) AND (y.period <> 'total'::text))) b)
     CROSS JOIN LATERAL ( SELECT ((now() AT TIME ZONE 'utc'::text))::date AS day,
            (date_trunc('week'::text, (now() AT TIME ZONE 'utc'::text)))::date AS week,
            (date_trunc('month'::text, (now() AT TIME ZONE 'utc'::text)))::date AS month) p)
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (k.day_start = p.day) THEN k.day_spent_nanos
                    ELSE (0)::bigint
                END AS day_spent,
                CASE
                    WHEN (k.day_start = p.day) THEN k.day_held_nanos
                    ELSE (0)::bigint
                END AS day_held,
                CASE
                    WHEN (k.week_start = p.week) THEN k.week_spent_nanos
                    ELSE (0)::bigint
                END AS week_spent,
                CASE
                    WHEN (k.week_start = p.week) THEN k.week_held_nanos
                    ELSE (0)::bigint
                END AS week_held,
                CASE
                    WHEN (k.month_start = p.month) THEN k.month_spent_nanos
                    ELSE (0)::bigint
                END AS month_spent,
                CASE
                    WHEN (k.month_start = p.month) THEN k.month_held_nanos
                    ELSE (0)::bigint
                END AS month_held) c)
     CROSS JOIN LATERAL ( SELECT (sum(l.spent_nanos) FILTER (WHERE (((l.hour AT TIME ZONE 'utc'::text))::date = p.day)))::bigint AS day,
            (sum(l.spent_nanos) FILTER (WHERE ((date_trunc('week'::text, (l.hour AT TIME ZONE 'utc'::text)))::date = p.week)))::bigint AS week,
            (sum(l.spent_nanos) FILTER (WHERE ((date_trunc('month'::text, (l.hour AT TIME ZONE 'utc'::text)))::date = p.month)))::bigint AS month,
            (sum(l.spent_nanos))::bigint AS total
           FROM leases l
          WHERE ((l.account_id = k.account_id) AND (l.key_id = k.id) AND (l.closed_at IS NULL))) o);
--> statement-breakpoint
-- One row per call, with the columns of usage_quarter_hours. `class` is how the call ended, in the console's terms.
CREATE VIEW usage_of_requests AS
 SELECT requests.account_id,
    requests.id,
    requests.placed_at,
    date_bin('00:15:00'::interval, requests.placed_at, '2000-01-01 00:00:00+00'::timestamp with time zone) AS quarter,
    requests.key_id,
    requests.model,
    requests.provider,
    requests.origin,
    requests.operation,
        CASE
            WHEN (requests.outcome = 'completed'::text) THEN 'ok'::text
            WHEN (requests.outcome = 'client_closed'::text) THEN 'canceled'::text
            WHEN ((requests.status >= 400) AND (requests.status <= 499)) THEN 'client_error'::text
            ELSE 'server_error'::text
        END AS class,
    COALESCE(requests.error_code, ''::text) AS error_code,
    (1)::bigint AS calls,
    ((((requests.outcome = 'completed'::text) AND (requests.cost_nanos = 0)))::integer)::bigint AS free_calls,
    requests.charged_nanos,
    requests.shortfall_nanos,
    (requests.prompt_tokens)::bigint AS prompt_tokens,
    (requests.completion_tokens)::bigint AS completion_tokens,
    (requests.cached_tokens)::bigint AS cached_tokens,
    (requests.cache_write_tokens)::bigint AS cache_write_tokens,
    (requests.reasoning_tokens)::bigint AS reasoning_tokens,
    ((((requests.cost_nanos > 0) OR ((requests.usage_details ->> 'operatorCostNanos'::text) IS NOT NULL)))::integer)::bigint AS costed_calls,
    ((((requests.usage_details ->> 'operatorCostNanos'::text) IS NOT NULL))::integer)::bigint AS known_calls,
        CASE
            WHEN ((requests.usage_details ->> 'operatorCostNanos'::text) IS NOT NULL) THEN requests.charged_nanos
            ELSE (0)::bigint
        END AS known_charged_nanos,
    COALESCE(((requests.usage_details ->> 'operatorCostNanos'::text))::bigint, (0)::bigint) AS operator_cost_nanos,
        CASE
            WHEN (requests.outcome = 'completed'::text) THEN pack_latency(requests.total_ms)
            ELSE NULL::numeric
        END AS total_ms_counts,
        CASE
            WHEN (requests.outcome = 'completed'::text) THEN pack_latency(requests.first_byte_ms)
            ELSE NULL::numeric
        END AS first_byte_ms_counts,
    requests.total_ms,
    requests.first_byte_ms,
    COALESCE(requests.app, ''::text) AS app,
    COALESCE(requests.end_user, ''::text) AS end_user
   FROM requests;
--> statement-breakpoint
ALTER TABLE account_notes ADD CONSTRAINT account_notes_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE account_slugs ADD CONSTRAINT account_slugs_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE account_views ADD CONSTRAINT account_views_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE account_views ADD CONSTRAINT account_views_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_created_by_persons_id_fk FOREIGN KEY (created_by) REFERENCES persons(id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_project FOREIGN KEY (account_id, project_id) REFERENCES projects(account_id, id);
ALTER TABLE audit_log ADD CONSTRAINT audit_log_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE auto_top_ups ADD CONSTRAINT auto_top_ups_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE auto_top_ups ADD CONSTRAINT auto_top_ups_card_person_id_persons_id_fk FOREIGN KEY (card_person_id) REFERENCES persons(id);
ALTER TABLE budgets ADD CONSTRAINT budgets_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE devices ADD CONSTRAINT devices_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE domains ADD CONSTRAINT domains_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE email_tokens ADD CONSTRAINT email_tokens_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE factor_challenges ADD CONSTRAINT factor_challenges_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE;
ALTER TABLE factor_recoveries ADD CONSTRAINT factor_recoveries_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE;
ALTER TABLE factors ADD CONSTRAINT factors_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE;
ALTER TABLE guardrails ADD CONSTRAINT guardrails_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE identities ADD CONSTRAINT identities_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE incident_updates ADD CONSTRAINT incident_updates_incident_fk FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE;
ALTER TABLE invitations ADD CONSTRAINT invitations_accepted_by_persons_id_fk FOREIGN KEY (accepted_by) REFERENCES persons(id);
ALTER TABLE invitations ADD CONSTRAINT invitations_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE invitations ADD CONSTRAINT invitations_claimed_by_persons_id_fk FOREIGN KEY (claimed_by) REFERENCES persons(id);
ALTER TABLE invitations ADD CONSTRAINT invitations_invited_by_persons_id_fk FOREIGN KEY (invited_by) REFERENCES persons(id);
ALTER TABLE key_changes ADD CONSTRAINT key_changes_account_id_key_id_api_keys_account_id_id_fk FOREIGN KEY (account_id, key_id) REFERENCES api_keys(account_id, id);
ALTER TABLE leases ADD CONSTRAINT leases_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE management_keys ADD CONSTRAINT management_keys_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE management_keys ADD CONSTRAINT management_keys_created_by_persons_id_fk FOREIGN KEY (created_by) REFERENCES persons(id);
ALTER TABLE memberships ADD CONSTRAINT memberships_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE memberships ADD CONSTRAINT memberships_ownership_offered_by_persons_id_fk FOREIGN KEY (ownership_offered_by) REFERENCES persons(id);
ALTER TABLE memberships ADD CONSTRAINT memberships_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE operators ADD CONSTRAINT operators_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE person_events ADD CONSTRAINT person_events_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE projects ADD CONSTRAINT projects_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE;
ALTER TABLE sessions ADD CONSTRAINT sessions_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE shared_conversations ADD CONSTRAINT shared_conversations_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE shared_conversations ADD CONSTRAINT shared_conversations_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE stored_answers ADD CONSTRAINT stored_answers_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;
ALTER TABLE stored_prompts ADD CONSTRAINT stored_prompts_account_id_project_id_projects_account_id_id_fk FOREIGN KEY (account_id, project_id) REFERENCES projects(account_id, id) ON DELETE CASCADE;
ALTER TABLE top_ups ADD CONSTRAINT top_ups_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE top_ups ADD CONSTRAINT top_ups_person_id_persons_id_fk FOREIGN KEY (person_id) REFERENCES persons(id);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_message_fk FOREIGN KEY (account_id, message_id) REFERENCES webhook_messages(account_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_account_id_accounts_id_fk FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE webhook_messages ADD CONSTRAINT webhook_messages_endpoint_fk FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_messages ADD CONSTRAINT webhook_messages_event_fk FOREIGN KEY (account_id, event_id) REFERENCES webhook_events(account_id, id) ON DELETE CASCADE;
--> statement-breakpoint
CREATE TRIGGER accounts_open_default_project AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION open_default_project();
CREATE TRIGGER accounts_recount_budgets AFTER UPDATE OF time_zone ON accounts FOR EACH ROW WHEN ((old.time_zone <> new.time_zone)) EXECUTE FUNCTION recount_budgets();
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_kept_audit();
CREATE TRIGGER catalog_texts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON catalog_texts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_balanced AFTER INSERT ON entries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced();
CREATE TRIGGER ledger_transactions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE CONSTRAINT TRIGGER memberships_require_owner AFTER DELETE OR UPDATE ON memberships DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_owner();
CREATE TRIGGER operator_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER person_events_append_only BEFORE UPDATE OR TRUNCATE ON person_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER person_events_kept BEFORE DELETE ON person_events FOR EACH ROW EXECUTE FUNCTION refuse_kept_person_event();
CREATE TRIGGER prices_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON prices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER requests_written_once BEFORE UPDATE ON requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- A receipt can be verified as long as its key is published: a published key never changes and is never deleted.
CREATE TRIGGER signing_keys_stay_published BEFORE DELETE OR UPDATE OF id, public_key, created_at OR TRUNCATE ON signing_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The sums of usage begin with the quarter of an hour in which the database was made.
INSERT INTO usage_progress (rolled_from, rolled_to)
  SELECT q, q FROM (SELECT date_bin('15 minutes', now(), '2000-01-01 00:00:00+00') AS q) n;
