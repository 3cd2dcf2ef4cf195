-- post_adjustment: an adjustment (see move_money) of at most 100,000 dollars, in the name of an operator whose role moves
-- money and who has a second factor; the role that owns the tables needs no one's name and says in p_name who asked.
-- Anyone else has no reason to move money that nobody paid. p_proof: see require_proof.
CREATE OR REPLACE FUNCTION post_adjustment(
  p_transaction uuid, p_key text, p_reason text, p_operator uuid, p_account uuid, p_amount bigint,
  p_proof bytea DEFAULT NULL, p_name text DEFAULT NULL
) RETURNS TABLE (posted boolean, transaction_id uuid, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_money_operator(p_operator, 'post an adjustment');
  IF abs(p_amount) > 100000 * 1000000000::bigint THEN
    RAISE EXCEPTION 'an adjustment of % nanos is too large', p_amount USING ERRCODE = 'check_violation';
  END IF;
  PERFORM require_proof(concat_ws(E'\n', 'adjustment', p_operator, p_key, p_account, p_amount), p_proof);
  RETURN QUERY SELECT m.posted, m.transaction_id, m.balance
    FROM move_money(p_transaction, 'adjustment', p_key, p_reason,
      'operator ' || coalesce((SELECT email FROM persons WHERE id = p_operator), p_name, ''),
      p_account, p_amount, 'adjustments') m;
END $$;
