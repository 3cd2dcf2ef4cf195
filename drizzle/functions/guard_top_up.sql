-- guard_top_up: an order that the server's role writes begins unpaid, keeps its account, amount and payment, and
-- says that it is paid or reversed only once the ledger has exactly those entries, from when these say. Together with
-- require_movement_of_order, neither an order nor a movement can exist without the other. An order of the sandbox
-- checkout is credited only where the owner of the tables allows that (schema_state).
CREATE OR REPLACE FUNCTION guard_top_up() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  v_posted_at timestamptz;
  v_refunded bigint;
  v_disputed bigint;
BEGIN
  IF pg_has_role(current_user,
      (SELECT relowner FROM pg_class WHERE oid = 'public.accounts'::regclass), 'MEMBER') THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state IN ('created', 'pending') AND NEW.version = 0 AND NEW.credited_nanos = 0
       AND num_nonnulls(NEW.payment_intent_id, NEW.paid_at, NEW.receipt_url) = 0 THEN
      NEW.created_at := now();
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a top-up begins unpaid' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF (OLD.id, OLD.account_id, OLD.person_id, OLD.amount_nanos, OLD.processor, OLD.livemode, OLD.created_at,
      coalesce(OLD.checkout_session_id, NEW.checkout_session_id),
      coalesce(OLD.payment_intent_id, NEW.payment_intent_id))
     IS DISTINCT FROM
     (NEW.id, NEW.account_id, NEW.person_id, NEW.amount_nanos, NEW.processor, NEW.livemode, NEW.created_at,
      NEW.checkout_session_id, NEW.payment_intent_id) OR NEW.version < OLD.version THEN
    RAISE EXCEPTION 'a top-up keeps its account, amount and payment' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.processor = 'sandbox' AND NEW.credited_nanos > OLD.credited_nanos
     AND NOT EXISTS (SELECT FROM schema_state WHERE sandbox_refused_since IS NULL) THEN
    RAISE EXCEPTION 'sandbox payments are refused by this database; SANDBOX=true allows them when it is migrated'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.credited_nanos <> OLD.credited_nanos THEN
    SELECT t.created_at INTO v_posted_at FROM ledger_transactions t
      JOIN entries e ON e.transaction_id = t.id AND e.account_id = NEW.account_id AND e.book = 'account'
     WHERE t.kind = 'top_up' AND e.amount_nanos = NEW.amount_nanos
       AND t.idempotency_key = CASE NEW.processor
         WHEN 'sandbox' THEN 'sandbox:' || NEW.id ELSE 'stripe:' || NEW.payment_intent_id END;
  END IF;
  IF (NEW.state = 'paid') <> (NEW.credited_nanos > 0) OR NEW.credited_nanos <> OLD.credited_nanos AND NOT (
      OLD.credited_nanos = 0 AND NEW.credited_nanos = NEW.amount_nanos
      AND (NEW.processor = 'sandbox' OR num_nulls(NEW.checkout_session_id, NEW.payment_intent_id) = 0)
      AND v_posted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a top-up is paid once its credit is posted' USING ERRCODE = 'insufficient_privilege';
  END IF;
  NEW.paid_at := coalesce(v_posted_at, OLD.paid_at);
  IF (NEW.reversed_nanos, NEW.disputed_nanos) <> (OLD.reversed_nanos, OLD.disputed_nanos) THEN
    SELECT refunded, disputed INTO v_refunded, v_disputed FROM reversed_of_order(NEW.account_id, NEW.id);
    IF (NEW.reversed_nanos - NEW.disputed_nanos, NEW.disputed_nanos) <> (v_refunded, v_disputed) THEN
      RAISE EXCEPTION 'a top-up is reversed once that is posted' USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION guard_top_up FROM PUBLIC;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'top_ups_guarded') THEN
    CREATE TRIGGER top_ups_guarded BEFORE INSERT OR UPDATE ON top_ups FOR EACH ROW
      EXECUTE FUNCTION guard_top_up();
  END IF;
END $$;
