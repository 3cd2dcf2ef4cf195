-- move_money: posts money in or out of an account that is not usage, once per idempotency key, under the account's
-- lock, for post_movement and post_adjustment, which decide who may. The database chooses its time, and the id from
-- that; p_transaction is ignored. If the key was used for another account,
-- amount, kind or book, nothing moves and no transaction is named (transaction_id is null). Freezes the account if
-- its balance and its credit no longer cover what is reserved, and unfreezes it if they do. Returns the balance as people read
-- it: what open leases have spent is spent.
CREATE OR REPLACE FUNCTION move_money(
  p_transaction uuid, p_kind text, p_key text, p_reason text, p_actor text,
  p_account uuid, p_amount bigint, p_book text
) RETURNS TABLE (posted boolean, transaction_id uuid, balance bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  v_house CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  v_balance bigint;
  v_now timestamptz;
  v_new uuid;
  v_transaction uuid;
  v_spent bigint;
BEGIN
  IF p_amount <> 0 IS NOT TRUE OR p_kind = 'top_up' AND p_amount < 0 THEN
    RAISE EXCEPTION 'a % of % nanos is no movement', p_kind, p_amount USING ERRCODE = 'check_violation';
  END IF;
  IF (p_kind, p_book) NOT IN (('top_up', 'stripe_clearing'), ('refund', 'refunds'),
      ('dispute', 'disputes'), ('adjustment', 'adjustments')) IS NOT FALSE THEN
    RAISE EXCEPTION 'a % is not posted to %', p_kind, p_book USING ERRCODE = 'check_violation';
  END IF;
  SELECT balance_nanos INTO v_balance FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % does not exist', p_account USING ERRCODE = 'no_data_found';
  END IF;
  -- Leases open and close under the account's lock: none can close between this sum and the balance.
  SELECT coalesce(sum(l.spent_nanos), 0) INTO v_spent FROM leases l
   WHERE l.account_id = p_account AND l.closed_at IS NULL;
  v_now := clock_timestamp();
  v_new := overlay(uuid7_floor(v_now)::text PLACING substr(gen_random_uuid()::text, 16) FROM 16)::uuid;
  INSERT INTO ledger_transactions (id, kind, idempotency_key, reason, actor, created_at)
    VALUES (v_new, p_kind, p_key, p_reason, p_actor, v_now)
    ON CONFLICT (idempotency_key) DO NOTHING;
  IF NOT FOUND THEN
    SELECT t.id INTO v_transaction FROM ledger_transactions t
      JOIN entries e ON e.account_id = p_account AND e.transaction_id = t.id
       AND e.book = 'account' AND e.amount_nanos = p_amount
      JOIN entries h ON h.account_id = v_house AND h.transaction_id = t.id AND h.book = p_book
     WHERE t.idempotency_key = p_key AND t.kind = p_kind;
    RETURN QUERY SELECT false, v_transaction, v_balance - v_spent;
    RETURN;
  END IF;
  INSERT INTO entries (account_id, transaction_id, book, amount_nanos) VALUES
    (p_account, v_new, 'account', p_amount),
    (v_house, v_new, p_book, -p_amount);
  UPDATE accounts SET
      balance_nanos = balance_nanos + p_amount,
      credited_nanos = credited_nanos + p_amount,
      frozen_at = CASE WHEN balance_nanos + credit_limit_nanos + p_amount - held_nanos < 0 THEN coalesce(frozen_at, now()) END
    WHERE id = p_account RETURNING balance_nanos INTO v_balance;
  PERFORM mark_automatic(p_account, p_amount);
  -- What leases of this account have reserved in advance must no longer be granted.
  IF p_amount < 0 THEN
    PERFORM pg_notify('lease_recalls', concat_ws(' ', 'recall', p_account, v_house));
  END IF;
  RETURN QUERY SELECT true, v_new, v_balance - v_spent;
END $$;
