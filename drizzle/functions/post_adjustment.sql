-- post_adjustment: an adjustment (see move_money) in the name of an operator whose role moves money and who has a
-- second factor, of at most 100,000 dollars. Anyone else has no reason to move money that nobody paid. p_proof: see
-- require_proof.

-- The signature of the versions before p_proof: left beside this one, it would make the name ambiguous.
DROP FUNCTION IF EXISTS post_adjustment(uuid, text, text, uuid, uuid, bigint);
CREATE OR REPLACE FUNCTION post_adjustment(
  p_transaction uuid, p_key text, p_reason text, p_operator uuid, p_account uuid, p_amount bigint,
  p_proof bytea DEFAULT NULL
) RETURNS TABLE (posted boolean, transaction_id uuid, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_email text;
BEGIN
  SELECT p.email INTO v_email FROM operators o JOIN persons p ON p.id = o.person_id
   WHERE o.person_id = p_operator AND o.role IN ('owner', 'finance')
     AND EXISTS (SELECT FROM factors f WHERE f.person_id = p_operator AND f.confirmed_at IS NOT NULL);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'only an operator whose role moves money may post an adjustment'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF abs(p_amount) > 100000 * 1000000000::bigint THEN
    RAISE EXCEPTION 'an adjustment of % nanos is too large', p_amount USING ERRCODE = 'check_violation';
  END IF;
  PERFORM require_proof(concat_ws(E'\n', 'adjustment', p_operator, p_key, p_account, p_amount), p_proof);
  RETURN QUERY SELECT m.posted, m.transaction_id, m.balance
    FROM move_money(p_transaction, 'adjustment', p_key, p_reason, 'operator ' || v_email, p_account, p_amount,
      'adjustments') m;
END $$;
