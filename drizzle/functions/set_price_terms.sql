-- set_price_terms: agrees with an account what it pays beside list prices, in the name of an operator whose role moves
-- money and who has a second factor; the role that owns the tables needs no one's name. Null ends all terms. Under the
-- account's lock; a markup is between -100 % and +1000 %, in hundredths of a percent. Returns the former terms.
CREATE OR REPLACE FUNCTION set_price_terms(p_account uuid, p_terms jsonb, p_operator uuid) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_former jsonb;
BEGIN
  IF NOT EXISTS (SELECT FROM operators o WHERE o.person_id = p_operator AND o.role IN ('owner', 'finance')
                    AND EXISTS (SELECT FROM factors f WHERE f.person_id = p_operator AND f.confirmed_at IS NOT NULL))
     AND NOT pg_has_role(session_user,
       (SELECT relowner FROM pg_class WHERE oid = 'public.accounts'::regclass), 'MEMBER') THEN
    RAISE EXCEPTION 'only an operator whose role moves money may agree prices'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM jsonb_array_elements(p_terms) AS term
              WHERE ((term ->> 'markupBasisPoints')::integer BETWEEN -10000 AND 100000
                     AND term ->> 'models' <> '') IS NOT TRUE) THEN
    RAISE EXCEPTION 'price terms are out of range: %', p_terms USING ERRCODE = 'check_violation';
  END IF;
  SELECT price_terms INTO v_former FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  UPDATE accounts SET price_terms = p_terms WHERE id = p_account;
  RETURN v_former;
END $$;
