-- set_credit_limit: lets an account owe up to p_limit nano-dollars, in the name of an operator whose role moves money
-- and who has a second factor; the role that owns the tables needs no one's name. Under the account's lock; at most
-- 100,000 dollars, and never less than what the account owes or has reserved of it. Unfreezes an account that the
-- limit covers. Returns the former limit. p_proof: see require_proof.
CREATE OR REPLACE FUNCTION set_credit_limit(
  p_account uuid, p_limit bigint, p_operator uuid, p_proof bytea DEFAULT NULL
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_former bigint;
BEGIN
  PERFORM require_money_operator(p_operator, 'set a credit limit');
  IF p_limit BETWEEN 0 AND 100000 * 1000000000::bigint IS NOT TRUE THEN
    RAISE EXCEPTION 'a credit limit of % nanos is out of range', p_limit USING ERRCODE = 'check_violation';
  END IF;
  PERFORM require_proof(concat_ws(E'\n', 'credit_limit', p_operator, p_account, p_limit), p_proof);
  SELECT credit_limit_nanos INTO v_former FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  UPDATE accounts SET
      credit_limit_nanos = p_limit,
      -- A higher limit is money that came in: the next fall is reported again.
      low_balance_alerted_at = CASE WHEN p_limit <= v_former THEN low_balance_alerted_at END,
      frozen_at = CASE WHEN balance_nanos + p_limit - held_nanos < 0 THEN frozen_at END
    WHERE id = p_account;
  PERFORM mark_automatic(p_account, p_limit - v_former);
  RETURN v_former;
END $$;
