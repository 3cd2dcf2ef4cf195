-- post_movement: posts a movement of money (see move_money). A top-up must credit an order, a refund or a dispute
-- must reverse one: `require_movement_of_order` compares them when the transaction commits. An adjustment has no
-- order; only a member of the role that owns the tables may post one without an operator's name. p_proof: see
-- require_proof.
CREATE OR REPLACE FUNCTION post_movement(
  p_transaction uuid, p_kind text, p_key text, p_reason text, p_actor text,
  p_account uuid, p_amount bigint, p_book text, p_proof bytea DEFAULT NULL
) RETURNS TABLE (posted boolean, transaction_id uuid, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT pg_has_role(session_user,
      (SELECT relowner FROM pg_class WHERE oid = 'public.accounts'::regclass), 'MEMBER') THEN
    IF p_kind = 'adjustment' THEN
      RAISE EXCEPTION 'only the role that owns the tables may post an adjustment'
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM require_proof(concat_ws(E'\n', 'movement', p_kind, p_key, p_account, p_amount, p_book), p_proof);
  END IF;
  RETURN QUERY SELECT m.posted, m.transaction_id, m.balance
    FROM move_money(p_transaction, p_kind, p_key, p_reason, p_actor, p_account, p_amount, p_book) m;
END $$;
