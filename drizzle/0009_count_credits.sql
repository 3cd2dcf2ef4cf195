-- What was put into an account is kept beside its balance, because its entries grow with every call.
UPDATE accounts a SET credited_nanos = coalesce((
  SELECT sum(e.amount_nanos) FROM entries e JOIN ledger_transactions t ON t.id = e.transaction_id
   WHERE e.account_id = a.id AND t.kind <> 'usage'), 0);
--> statement-breakpoint
-- As before, and it counts what it moved.
CREATE OR REPLACE FUNCTION post_movement(
  p_transaction uuid, p_kind text, p_key text, p_reason text, p_actor text,
  p_account uuid, p_amount bigint, p_book text
) RETURNS TABLE (posted boolean, transaction_id uuid, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_balance bigint;
  v_transaction uuid;
BEGIN
  SELECT balance_nanos INTO v_balance FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % does not exist', p_account USING ERRCODE = 'no_data_found';
  END IF;
  INSERT INTO ledger_transactions (id, kind, idempotency_key, reason, actor)
    VALUES (p_transaction, p_kind, p_key, p_reason, p_actor)
    ON CONFLICT (idempotency_key) DO NOTHING;
  IF NOT FOUND THEN
    SELECT id INTO v_transaction FROM ledger_transactions WHERE idempotency_key = p_key;
    RETURN QUERY SELECT false, v_transaction, v_balance;
    RETURN;
  END IF;
  INSERT INTO entries (account_id, transaction_id, book, amount_nanos) VALUES
    (p_account, p_transaction, 'account', p_amount),
    ('00000000-0000-0000-0000-000000000000', p_transaction, p_book, -p_amount);
  UPDATE accounts SET
      balance_nanos = balance_nanos + p_amount,
      credited_nanos = credited_nanos + p_amount,
      frozen_at = CASE WHEN balance_nanos + p_amount - held_nanos < 0 THEN coalesce(frozen_at, now()) END
    WHERE id = p_account RETURNING balance_nanos INTO v_balance;
  RETURN QUERY SELECT true, p_transaction, v_balance;
END $$;
