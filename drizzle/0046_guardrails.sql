CREATE TABLE "guardrails" (
	"account_id" uuid NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"allowed_models" text[],
	"allowed_providers" text[],
	"max_input_nanos" bigint,
	"max_output_nanos" bigint,
	"max_call_nanos" bigint,
	"deny_training" boolean DEFAULT false NOT NULL,
	"deny_retention" boolean DEFAULT false NOT NULL,
	"allowed_addresses" text[],
	"allowed_days" smallint[],
	"from_minute" smallint,
	"until_minute" smallint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "guardrails_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "guardrails_kind" CHECK ("guardrails"."kind" in ('account', 'project', 'key')),
	CONSTRAINT "guardrails_not_negative" CHECK (least("guardrails"."max_input_nanos", "guardrails"."max_output_nanos", "guardrails"."max_call_nanos") >= 0),
	CONSTRAINT "guardrails_hours" CHECK (num_nulls("guardrails"."allowed_days", "guardrails"."from_minute", "guardrails"."until_minute") in (0, 3)
        and "guardrails"."allowed_days" <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[]
        and "guardrails"."from_minute" between 0 and 1439 and "guardrails"."until_minute" between 1 and 1440)
);
--> statement-breakpoint
ALTER TABLE "guardrails" ADD CONSTRAINT "guardrails_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "guardrails_id" ON "guardrails" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "guardrails_subject" ON "guardrails" USING btree ("account_id","subject_id","kind");
--> statement-breakpoint
-- custom
-- The models and addresses of a key are rules of its guardrail. A version that knows only the key sets them, too.
CREATE FUNCTION keep_key_guardrail() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF num_nonnulls(NEW.allowed_models, NEW.allowed_addresses) > 0 THEN
    INSERT INTO guardrails (account_id, kind, subject_id, allowed_models, allowed_addresses)
      VALUES (NEW.account_id, 'key', NEW.id, NEW.allowed_models, NEW.allowed_addresses)
      ON CONFLICT (account_id, subject_id, kind) DO UPDATE
        SET allowed_models = NEW.allowed_models, allowed_addresses = NEW.allowed_addresses, changed_at = now();
    RETURN NULL;
  END IF;
  UPDATE guardrails SET allowed_models = NULL, allowed_addresses = NULL, changed_at = now()
   WHERE account_id = NEW.account_id AND subject_id = NEW.id AND kind = 'key';
  DELETE FROM guardrails
   WHERE account_id = NEW.account_id AND subject_id = NEW.id AND kind = 'key'
     AND NOT deny_training AND NOT deny_retention
     AND num_nonnulls(allowed_providers, max_input_nanos, max_output_nanos, max_call_nanos, allowed_days) = 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO guardrails (account_id, kind, subject_id, allowed_models, allowed_addresses)
  SELECT account_id, 'key', id, allowed_models, allowed_addresses FROM api_keys
   WHERE num_nonnulls(allowed_models, allowed_addresses) > 0;
--> statement-breakpoint
CREATE TRIGGER api_keys_open_guardrail AFTER INSERT ON api_keys FOR EACH ROW
  WHEN (num_nonnulls(NEW.allowed_models, NEW.allowed_addresses) > 0) EXECUTE FUNCTION keep_key_guardrail();
--> statement-breakpoint
CREATE TRIGGER api_keys_keep_guardrail AFTER UPDATE OF allowed_models, allowed_addresses ON api_keys FOR EACH ROW
  WHEN ((OLD.allowed_models, OLD.allowed_addresses) IS DISTINCT FROM (NEW.allowed_models, NEW.allowed_addresses))
  EXECUTE FUNCTION keep_key_guardrail();
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'turnpike_app') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON guardrails TO turnpike_app;
  END IF;
END $$;
