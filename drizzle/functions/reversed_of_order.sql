-- reversed_of_order: what the entries of an account say was refunded of one of its orders and is disputed,
-- reinstatements netted.
CREATE OR REPLACE FUNCTION reversed_of_order(
  p_account uuid, p_order uuid, OUT refunded bigint, OUT disputed bigint
) LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(-sum(e.amount_nanos) FILTER (WHERE t.kind = 'refund'), 0),
         coalesce(-sum(e.amount_nanos) FILTER (WHERE t.kind = 'dispute'), 0)
    FROM entries e JOIN ledger_transactions t ON t.id = e.transaction_id
   WHERE e.account_id = p_account AND e.book = 'account'
     AND t.idempotency_key ~ ('^(refund|dispute):' || p_order || ':[0-9]+$')
$$;
REVOKE ALL ON FUNCTION reversed_of_order FROM PUBLIC;
