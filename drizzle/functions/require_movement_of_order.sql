-- require_movement_of_order: a transaction that posts a top-up, a refund or a dispute commits only if the order
-- in top_ups agrees: the credit names its payment and has its amount, and what is reversed is the sum
-- of its entries. At commit, because billing posts first and then changes the order.
CREATE OR REPLACE FUNCTION require_movement_of_order() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_order top_ups;
  v_account uuid;
  v_amount bigint;
  v_refunded bigint;
  v_disputed bigint;
BEGIN
  SELECT account_id, amount_nanos INTO v_account, v_amount FROM entries
   WHERE transaction_id = NEW.id AND book = 'account';
  IF NEW.kind = 'top_up' THEN
    IF NEW.idempotency_key LIKE 'stripe:%' THEN
      SELECT * INTO v_order FROM top_ups
       WHERE payment_intent_id = substr(NEW.idempotency_key, 8) AND processor = 'stripe';
    ELSIF NEW.idempotency_key ~ '^sandbox:[0-9a-f-]{36}$' THEN
      SELECT * INTO v_order FROM top_ups
       WHERE id = substr(NEW.idempotency_key, 9)::uuid AND processor = 'sandbox';
    END IF;
    IF (v_order.account_id, v_order.amount_nanos, v_order.credited_nanos, v_order.state)
       IS NOT DISTINCT FROM (v_account, v_amount, v_amount, 'paid') THEN
      RETURN NULL;
    END IF;
  ELSIF NEW.idempotency_key ~ ('^' || NEW.kind || ':[0-9a-f-]{36}:[0-9]+$') THEN
    SELECT * INTO v_order FROM top_ups WHERE id = split_part(NEW.idempotency_key, ':', 2)::uuid;
    SELECT refunded, disputed INTO v_refunded, v_disputed FROM reversed_of_order(v_account, v_order.id);
    IF (v_order.account_id, v_order.reversed_nanos - v_order.disputed_nanos, v_order.disputed_nanos)
       IS NOT DISTINCT FROM (v_account, v_refunded, v_disputed) THEN
      RETURN NULL;
    END IF;
  END IF;
  RAISE EXCEPTION 'the % % is not that of an order', NEW.kind, NEW.idempotency_key
    USING ERRCODE = 'check_violation';
END $$;
REVOKE ALL ON FUNCTION require_movement_of_order FROM PUBLIC;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'ledger_transactions_of_orders') THEN
    CREATE CONSTRAINT TRIGGER ledger_transactions_of_orders AFTER INSERT ON ledger_transactions
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.kind IN ('top_up', 'refund', 'dispute'))
      EXECUTE FUNCTION require_movement_of_order();
  END IF;
END $$;
