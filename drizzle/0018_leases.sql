CREATE TABLE "leases" (
	"account_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key_id" uuid,
	"instance_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"granted_nanos" bigint DEFAULT 0 NOT NULL,
	"spent_nanos" bigint DEFAULT 0 NOT NULL,
	"shortfall_nanos" bigint DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	"transaction_id" uuid,
	"checked_at" timestamp with time zone,
	CONSTRAINT "leases_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "leases_spent_within_grant" CHECK ("leases"."spent_nanos" >= 0 and "leases"."spent_nanos" <= "leases"."granted_nanos"),
	CONSTRAINT "leases_counts" CHECK ("leases"."shortfall_nanos" >= 0 and "leases"."calls" >= 0)
);
--> statement-breakpoint
ALTER TABLE "leases" SET (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE "book_checks" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"through" timestamp with time zone NOT NULL,
	"balance_nanos" bigint NOT NULL
);
--> statement-breakpoint
-- Calls that were running when the gateway was stopped for this change ended with it: nobody pays for
-- them, and what they held goes back. Stop every instance before migrating.
UPDATE requests SET state = 'expired', status = 500, outcome = 'expired', error_code = 'internal_error',
  ended_at = now() WHERE state = 'open';
--> statement-breakpoint
UPDATE accounts SET held_nanos = 0, frozen_at = CASE WHEN balance_nanos < 0 THEN frozen_at END
 WHERE held_nanos <> 0;
--> statement-breakpoint
UPDATE api_keys SET day_held_nanos = 0, week_held_nanos = 0, month_held_nanos = 0, total_held_nanos = 0
 WHERE total_held_nanos <> 0 OR month_held_nanos <> 0 OR week_held_nanos <> 0 OR day_held_nanos <> 0;
--> statement-breakpoint
DROP FUNCTION place_holds;--> statement-breakpoint
DROP FUNCTION settle_holds;--> statement-breakpoint
DROP TRIGGER requests_end_once ON requests;--> statement-breakpoint
DROP FUNCTION refuse_reopening;--> statement-breakpoint
ALTER TABLE "requests" DROP CONSTRAINT "requests_state";--> statement-breakpoint
DROP INDEX "requests_open";--> statement-breakpoint
ALTER TABLE "requests" DROP COLUMN "expires_at";--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "lease_id" uuid;--> statement-breakpoint
ALTER TABLE "leases" ADD CONSTRAINT "leases_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_stopped" ON "accounts" USING btree ("id") WHERE "accounts"."frozen_at" is not null or "accounts"."suspended_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "leases_id" ON "leases" USING btree ("id");--> statement-breakpoint
CREATE INDEX "leases_account_hour" ON "leases" USING btree ("account_id","hour");--> statement-breakpoint
CREATE INDEX "leases_open" ON "leases" USING btree ("account_id") WHERE "leases"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "leases_open_instance" ON "leases" USING btree ("instance_id") WHERE "leases"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "leases_unchecked" ON "leases" USING btree ("closed_at") WHERE "leases"."closed_at" is not null and "leases"."checked_at" is null;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_state" CHECK (state in ('settled', 'released', 'expired', 'late_settled', 'refused'));--> statement-breakpoint
-- A request is written once, finished.
CREATE TRIGGER requests_written_once BEFORE UPDATE ON requests
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Money as people read it: what open leases have spent is spent, whether it is posted yet or not.
CREATE VIEW account_money AS
  SELECT a.id AS account_id, a.balance_nanos - o.spent_nanos AS balance_nanos,
         a.held_nanos - o.spent_nanos AS held_nanos, a.credited_nanos
    FROM accounts a
    CROSS JOIN LATERAL (SELECT coalesce(sum(l.spent_nanos), 0)::bigint AS spent_nanos FROM leases l
                         WHERE l.account_id = a.id AND l.closed_at IS NULL) o;
--> statement-breakpoint
-- The same for a key, per UTC day, week, month and in all. A counter of an earlier period counts zero.
CREATE VIEW key_money AS
  SELECT k.account_id, k.id AS key_id,
         c.day_spent + coalesce(o.day, 0) AS day_spent_nanos,
         c.day_held - coalesce(o.day, 0) AS day_held_nanos,
         c.week_spent + coalesce(o.week, 0) AS week_spent_nanos,
         c.week_held - coalesce(o.week, 0) AS week_held_nanos,
         c.month_spent + coalesce(o.month, 0) AS month_spent_nanos,
         c.month_held - coalesce(o.month, 0) AS month_held_nanos,
         k.total_spent_nanos + coalesce(o.total, 0) AS total_spent_nanos,
         k.total_held_nanos - coalesce(o.total, 0) AS total_held_nanos
    FROM api_keys k
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE 'utc')::date AS day,
        date_trunc('week', now() AT TIME ZONE 'utc')::date AS week,
        date_trunc('month', now() AT TIME ZONE 'utc')::date AS month) p
    CROSS JOIN LATERAL (SELECT
        CASE WHEN k.day_start = p.day THEN k.day_spent_nanos ELSE 0 END AS day_spent,
        CASE WHEN k.day_start = p.day THEN k.day_held_nanos ELSE 0 END AS day_held,
        CASE WHEN k.week_start = p.week THEN k.week_spent_nanos ELSE 0 END AS week_spent,
        CASE WHEN k.week_start = p.week THEN k.week_held_nanos ELSE 0 END AS week_held,
        CASE WHEN k.month_start = p.month THEN k.month_spent_nanos ELSE 0 END AS month_spent,
        CASE WHEN k.month_start = p.month THEN k.month_held_nanos ELSE 0 END AS month_held) c
    CROSS JOIN LATERAL (SELECT
        (sum(l.spent_nanos) FILTER (WHERE (l.hour AT TIME ZONE 'utc')::date = p.day))::bigint AS day,
        (sum(l.spent_nanos) FILTER (WHERE date_trunc('week', l.hour AT TIME ZONE 'utc')::date = p.week))::bigint AS week,
        (sum(l.spent_nanos) FILTER (WHERE date_trunc('month', l.hour AT TIME ZONE 'utc')::date = p.month))::bigint AS month,
        sum(l.spent_nanos)::bigint AS total
      FROM leases l WHERE l.account_id = k.account_id AND l.key_id = k.id AND l.closed_at IS NULL) o;
--> statement-breakpoint
-- The moment from which every call is paid by a lease: what a key spent before it is in its requests.
DO $$
BEGIN
  EXECUTE format('CREATE FUNCTION leases_since() RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $since$SELECT timestamptz %L$since$',
    CASE WHEN EXISTS (SELECT FROM requests) THEN to_char(clock_timestamp() AT TIME ZONE 'utc',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE '-infinity' END);
END $$;
