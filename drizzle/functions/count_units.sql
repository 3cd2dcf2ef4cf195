-- count_units: how many of a unit a call was billed for, of every variant together; null if none.
CREATE OR REPLACE FUNCTION count_units(p_details jsonb, p_unit text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sum((counted ->> 'count')::bigint)::bigint FROM jsonb_array_elements(p_details -> 'units') counted
   WHERE counted ->> 'unit' = p_unit
$$;
