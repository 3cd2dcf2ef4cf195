CREATE TABLE "key_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "key_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"changes" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "key_changes" ADD CONSTRAINT "key_changes_account_id_key_id_api_keys_account_id_id_fk" FOREIGN KEY ("account_id","key_id") REFERENCES "public"."api_keys"("account_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_changes_key" ON "key_changes" USING btree ("key_id","id");--> statement-breakpoint
-- What changed of a key, before and after. Fires only for what its owner changes: holds and
-- settlements, which touch the row with every call, name none of these columns.
CREATE FUNCTION keep_key_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_old jsonb := to_jsonb(OLD);
  v_new jsonb := to_jsonb(NEW);
  v_changes jsonb;
BEGIN
  SELECT jsonb_object_agg(name, jsonb_build_array(v_old ->> name, v_new ->> name)) INTO v_changes
    FROM unnest(ARRAY['name', 'disabled_at', 'revoked_at', 'expires_at', 'previous_until',
      'requests_per_minute', 'tokens_per_minute', 'concurrency', 'allowed_models',
      'allowed_addresses', 'day_limit_nanos', 'week_limit_nanos', 'month_limit_nanos',
      'total_limit_nanos']) AS name
   WHERE v_old -> name IS DISTINCT FROM v_new -> name;
  IF OLD.hash <> NEW.hash THEN
    v_changes := coalesce(v_changes, '{}') || '{"secret": [null, null]}';
  END IF;
  IF v_changes IS NOT NULL THEN
    INSERT INTO key_changes (account_id, key_id, changes) VALUES (NEW.account_id, NEW.id, v_changes);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION keep_key_change FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER api_keys_keep_change AFTER UPDATE OF name, hash, disabled_at, revoked_at, expires_at,
  previous_until, requests_per_minute, tokens_per_minute, concurrency, allowed_models,
  allowed_addresses, day_limit_nanos, week_limit_nanos, month_limit_nanos, total_limit_nanos
  ON api_keys FOR EACH ROW EXECUTE FUNCTION keep_key_change();
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT ON key_changes TO turnpike_app;
  END IF;
END $$;
