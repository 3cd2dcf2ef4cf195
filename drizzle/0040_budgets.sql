CREATE TABLE "budgets" (
	"account_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"period" text NOT NULL,
	"limit_nanos" bigint NOT NULL,
	"hard" boolean DEFAULT true NOT NULL,
	"period_start" date DEFAULT '1970-01-01' NOT NULL,
	"spent_nanos" bigint DEFAULT 0 NOT NULL,
	"held_nanos" bigint DEFAULT 0 NOT NULL,
	"reached_at" timestamp with time zone,
	"mailed_percent" smallint DEFAULT 0 NOT NULL,
	"mailed_start" date DEFAULT '1970-01-01' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budgets_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "budgets_kind" CHECK (kind in ('account', 'project', 'member', 'key')),
	CONSTRAINT "budgets_period" CHECK (period in ('day', 'week', 'month', 'total')),
	CONSTRAINT "budgets_limit_not_negative" CHECK ("budgets"."limit_nanos" >= 0),
	CONSTRAINT "budgets_counts" CHECK ("budgets"."spent_nanos" >= 0 and "budgets"."held_nanos" >= 0)
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp with time zone,
	CONSTRAINT "projects_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
-- custom
-- Counters are updated in place, as those of keys are.
ALTER TABLE "budgets" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "project_id" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "project_ids" uuid[];--> statement-breakpoint
ALTER TABLE "leases" ADD COLUMN "project_id" uuid;--> statement-breakpoint
ALTER TABLE "leases" ADD COLUMN "person_id" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "project_ids" uuid[];--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_id" ON "budgets" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_subject" ON "budgets" USING btree ("account_id","subject_id","kind","period");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_name" ON "projects" USING btree ("account_id",lower("name"));--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project" FOREIGN KEY ("account_id","project_id") REFERENCES "public"."projects"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- custom
-- Every account has a default project, which has its id: a version that knows no projects opens accounts, too.
CREATE FUNCTION open_default_project() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO projects (account_id, id, name) VALUES (NEW.id, NEW.id, 'Default');
  RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO projects (account_id, id, name, created_at) SELECT id, id, 'Default', created_at FROM accounts;
--> statement-breakpoint
CREATE TRIGGER accounts_open_default_project AFTER INSERT ON accounts
  FOR EACH ROW EXECUTE FUNCTION open_default_project();
--> statement-breakpoint
-- The first day of the period that a moment of local time is in.
CREATE FUNCTION budget_start(p_period text, p_local timestamp) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE p_period WHEN 'day' THEN p_local::date
                       WHEN 'week' THEN date_trunc('week', p_local)::date
                       WHEN 'month' THEN date_trunc('month', p_local)::date
                       ELSE date '1970-01-01' END
$$;
--> statement-breakpoint
-- What leases that began at or after p_from count for a budget of this subject, and what was spent before
-- there were leases. Leases of that time know no project and no member.
CREATE FUNCTION count_budget(p_account uuid, p_kind text, p_subject uuid, p_from timestamptz,
  OUT spent bigint, OUT held bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(sum(u.spent), 0)::bigint, coalesce(sum(u.held), 0)::bigint
    FROM (SELECT CASE WHEN l.closed_at IS NULL THEN 0 ELSE l.spent_nanos END AS spent,
                 CASE WHEN l.closed_at IS NULL THEN l.granted_nanos ELSE 0 END AS held,
                 l.key_id, coalesce(l.project_id, l.account_id) AS project_id, l.person_id
            FROM leases l
           WHERE l.account_id = p_account AND (p_from IS NULL OR l.hour >= p_from)
          UNION ALL
          SELECT r.charged_nanos, 0, r.key_id, r.account_id, NULL
            FROM requests r
           WHERE (p_from IS NULL OR p_from < leases_since()) AND r.account_id = p_account
             AND r.lease_id IS NULL AND r.charged_nanos > 0 AND (p_from IS NULL OR r.placed_at >= p_from)
             AND r.id < uuid7_floor(
                   least(greatest(leases_since(), timestamptz '2000-01-01'), now()) + interval '1 day')) u
   WHERE CASE p_kind WHEN 'account' THEN true
                     WHEN 'project' THEN u.project_id = p_subject
                     WHEN 'member' THEN u.person_id = p_subject
                     ELSE u.key_id = p_subject END
$$;
--> statement-breakpoint
-- When the current period of a budget began; NULL in total.
CREATE FUNCTION budget_from(p_period text, p_start date, p_zone text) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_period <> 'total' THEN p_start::timestamp AT TIME ZONE p_zone END
$$;
--> statement-breakpoint
-- A new budget counts what its period has already seen. Leases change under the locks of their account and
-- their key: the account's is taken here, the key's is held by the statement that sets its limits.
CREATE FUNCTION count_new_budget() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_zone text; v_count record;
BEGIN
  IF NEW.kind <> 'key' THEN
    PERFORM FROM accounts WHERE id = NEW.account_id FOR NO KEY UPDATE;
  END IF;
  SELECT time_zone INTO v_zone FROM accounts WHERE id = NEW.account_id;
  NEW.period_start := budget_start(NEW.period, clock_timestamp() AT TIME ZONE v_zone);
  IF NEW.kind = 'key' AND NEW.period = 'total' THEN
    SELECT total_spent_nanos AS spent, total_held_nanos AS held INTO v_count
      FROM api_keys WHERE account_id = NEW.account_id AND id = NEW.subject_id;
  ELSE
    SELECT * INTO v_count FROM count_budget(NEW.account_id, NEW.kind, NEW.subject_id,
      budget_from(NEW.period, NEW.period_start, v_zone));
  END IF;
  NEW.spent_nanos := coalesce(v_count.spent, 0);
  NEW.held_nanos := coalesce(v_count.held, 0);
  RETURN NEW;
END $$;
--> statement-breakpoint
-- The spend limits of a key are budgets of the key. A version that knows only the limits sets them, too.
CREATE FUNCTION keep_key_budgets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_period text; v_limit bigint;
BEGIN
  FOR v_period, v_limit IN VALUES ('day', NEW.day_limit_nanos), ('week', NEW.week_limit_nanos),
      ('month', NEW.month_limit_nanos), ('total', NEW.total_limit_nanos) LOOP
    IF v_limit IS NULL THEN
      DELETE FROM budgets WHERE account_id = NEW.account_id AND subject_id = NEW.id AND kind = 'key'
         AND period = v_period;
      CONTINUE;
    END IF;
    UPDATE budgets SET limit_nanos = v_limit, changed_at = now()
     WHERE account_id = NEW.account_id AND subject_id = NEW.id AND kind = 'key' AND period = v_period
       AND limit_nanos <> v_limit;
    INSERT INTO budgets (account_id, kind, subject_id, period, limit_nanos)
      SELECT NEW.account_id, 'key', NEW.id, v_period, v_limit
       WHERE NOT EXISTS (SELECT FROM budgets WHERE account_id = NEW.account_id AND subject_id = NEW.id
                           AND kind = 'key' AND period = v_period);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What counts for a budget depends on when its period begins. Refuses a time zone that PostgreSQL does not know.
CREATE FUNCTION recount_budgets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_local timestamp := clock_timestamp() AT TIME ZONE NEW.time_zone;
BEGIN
  UPDATE budgets b SET period_start = s.day, spent_nanos = c.spent, held_nanos = c.held
    FROM budgets o
    CROSS JOIN LATERAL (SELECT budget_start(o.period, v_local) AS day) s
    CROSS JOIN LATERAL count_budget(o.account_id, o.kind, o.subject_id,
      budget_from(o.period, s.day, NEW.time_zone)) c
   WHERE o.account_id = NEW.id AND o.period <> 'total' AND b.account_id = o.account_id AND b.id = o.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Before the trigger that counts: these counters also hold what keys spent before there were leases.
INSERT INTO budgets (account_id, kind, subject_id, period, limit_nanos, period_start, spent_nanos, held_nanos)
  SELECT k.account_id, 'key', k.id, p.period, p.limit_nanos, p.start, p.spent, p.held
    FROM api_keys k
    CROSS JOIN LATERAL (VALUES
      ('day', k.day_limit_nanos, k.day_start, k.day_spent_nanos, k.day_held_nanos),
      ('week', k.week_limit_nanos, k.week_start, k.week_spent_nanos, k.week_held_nanos),
      ('month', k.month_limit_nanos, k.month_start, k.month_spent_nanos, k.month_held_nanos),
      ('total', k.total_limit_nanos, date '1970-01-01', k.total_spent_nanos, k.total_held_nanos)
    ) p (period, limit_nanos, start, spent, held)
   WHERE p.limit_nanos IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER budgets_count_new BEFORE INSERT ON budgets
  FOR EACH ROW EXECUTE FUNCTION count_new_budget();
--> statement-breakpoint
CREATE TRIGGER api_keys_open_budgets AFTER INSERT ON api_keys FOR EACH ROW
  WHEN (num_nonnulls(NEW.day_limit_nanos, NEW.week_limit_nanos, NEW.month_limit_nanos, NEW.total_limit_nanos) > 0)
  EXECUTE FUNCTION keep_key_budgets();
--> statement-breakpoint
CREATE TRIGGER api_keys_keep_budgets
  AFTER UPDATE OF day_limit_nanos, week_limit_nanos, month_limit_nanos, total_limit_nanos ON api_keys FOR EACH ROW
  WHEN ((OLD.day_limit_nanos, OLD.week_limit_nanos, OLD.month_limit_nanos, OLD.total_limit_nanos)
    IS DISTINCT FROM (NEW.day_limit_nanos, NEW.week_limit_nanos, NEW.month_limit_nanos, NEW.total_limit_nanos))
  EXECUTE FUNCTION keep_key_budgets();
--> statement-breakpoint
CREATE TRIGGER accounts_recount_budgets AFTER UPDATE OF time_zone ON accounts FOR EACH ROW
  WHEN (OLD.time_zone <> NEW.time_zone) EXECUTE FUNCTION recount_budgets();
--> statement-breakpoint
-- Members of leases that a budget may still count: closed ones as well, for budgets that are set later.
UPDATE leases l SET person_id = k.created_by
  FROM api_keys k WHERE k.account_id = l.account_id AND k.id = l.key_id AND k.created_by IS NOT NULL;
--> statement-breakpoint
-- What a budget's open leases have spent counts as spent, and only what they have not as held; of a period
-- that is over, nothing.
CREATE VIEW budget_money AS
  SELECT b.account_id, b.id,
         CASE WHEN c.now THEN b.spent_nanos ELSE 0 END + coalesce(o.spent, 0) AS spent_nanos,
         CASE WHEN c.now THEN b.held_nanos ELSE 0 END - coalesce(o.spent, 0) AS held_nanos,
         c.day AS period_start, c.resets_at
    FROM budgets b
    JOIN accounts a ON a.id = b.account_id
    CROSS JOIN LATERAL (SELECT budget_start(b.period, now() AT TIME ZONE a.time_zone) AS day) d
    CROSS JOIN LATERAL (SELECT d.day, b.period_start = d.day AS now,
        CASE b.period WHEN 'day' THEN (d.day + 1)::timestamp AT TIME ZONE a.time_zone
                      WHEN 'week' THEN (d.day + 7)::timestamp AT TIME ZONE a.time_zone
                      WHEN 'month' THEN (d.day + interval '1 month') AT TIME ZONE a.time_zone END AS resets_at) c
    CROSS JOIN LATERAL (
      SELECT sum(l.spent_nanos)::bigint AS spent FROM leases l
       WHERE l.account_id = b.account_id AND l.closed_at IS NULL
         AND budget_start(b.period, l.hour AT TIME ZONE a.time_zone) = d.day
         AND CASE b.kind WHEN 'account' THEN true
                         WHEN 'project' THEN coalesce(l.project_id, l.account_id) = b.subject_id
                         WHEN 'member' THEN l.person_id = b.subject_id
                         ELSE l.key_id = b.subject_id END) o;
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT ON budgets, budget_money, projects TO turnpike_app;
    GRANT INSERT (account_id, id, kind, subject_id, period, limit_nanos, hard),
      UPDATE (limit_nanos, hard, mailed_percent, mailed_start, changed_at), DELETE ON budgets TO turnpike_app;
    GRANT INSERT, UPDATE (name, archived_at) ON projects TO turnpike_app;
    GRANT UPDATE (project_id) ON api_keys TO turnpike_app;
    GRANT UPDATE (time_zone) ON accounts TO turnpike_app;
  END IF;
END $$;
