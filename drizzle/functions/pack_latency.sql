-- pack_latency: a duration in milliseconds as a histogram with one entry, so that sum() adds histograms up: twelve
-- decimal digits for each slot, slot 0 last. 24 slots for each power of ten, from 1 ms to 1000 s. What it returns is
-- stored in sums, and may be computed in another way but never changed. Only immutable functions, so that it is inlined.
CREATE OR REPLACE FUNCTION pack_latency(p_ms real) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('1e' || (12 * least(143, floor(24 * log(greatest(p_ms, 1)::float8))::integer))::text)::numeric
$$;
