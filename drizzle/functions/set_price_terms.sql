-- set_price_terms: agrees with an account what it pays beside list prices, in the name of an operator whose role moves
-- money and who has a second factor; the role that owns the tables needs no one's name. Null ends all terms. Under the
-- account's lock; a markup is between -100 % and +1000 %, in hundredths of a percent. Returns the former terms.
-- p_proof: see require_proof; p_text is the text of the terms that it proves.
CREATE OR REPLACE FUNCTION set_price_terms(
  p_account uuid, p_terms jsonb, p_operator uuid, p_text text DEFAULT NULL, p_proof bytea DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_former jsonb;
BEGIN
  PERFORM require_money_operator(p_operator, 'agree prices');
  PERFORM require_proof(concat_ws(E'\n', 'price_terms', p_operator, p_account, p_text),
    CASE WHEN p_text::jsonb IS NOT DISTINCT FROM p_terms THEN p_proof END);
  IF EXISTS (SELECT FROM jsonb_array_elements(p_terms) AS term
              WHERE ((term ->> 'markupBasisPoints')::integer BETWEEN -10000 AND 100000
                     AND term ->> 'models' <> '') IS NOT TRUE) THEN
    RAISE EXCEPTION 'price terms are out of range: %', p_terms USING ERRCODE = 'check_violation';
  END IF;
  SELECT price_terms INTO v_former FROM accounts WHERE id = p_account FOR NO KEY UPDATE;
  UPDATE accounts SET price_terms = p_terms WHERE id = p_account;
  RETURN v_former;
END $$;
