-- refuse_unpaid_request: only `charge_calls` writes the row of a call that ran, and it names its lease. The server's
-- role itself may insert only refused calls and answers from the response cache.
CREATE OR REPLACE FUNCTION refuse_unpaid_request() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF pg_has_role(current_user,
      -- Of the table the row goes to, a shard perhaps: on a worker there are no other tables.
      (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a request that ran needs a lease' USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION refuse_unpaid_request FROM PUBLIC;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'requests_need_a_lease') THEN
    CREATE TRIGGER requests_need_a_lease BEFORE INSERT ON requests FOR EACH ROW
      WHEN (NEW.lease_id IS NULL AND NEW.state NOT IN ('refused', 'released'))
      EXECUTE FUNCTION refuse_unpaid_request();
  END IF;
END $$;
