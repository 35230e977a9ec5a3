const tables = ["charges", "payments", "returns", "deliveries", "settled_deliveries", "queue_leases", "reconciliations"]

/**
 * Every commit takes a moment, at random up to 8 ms, as on a slow disk: its locks are held, and nobody else sees what it has
 * written yet. What a missing lock or version check lets through becomes likely by that.
 */
export const slowCommits = `
CREATE FUNCTION public.slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('simulation.slow', true) IS DISTINCT FROM 'done' THEN
    PERFORM set_config('simulation.slow', 'done', true), pg_sleep(random() * 0.008);
  END IF;
  RETURN NULL;
END $$;
${tables
  .map(
    (table) =>
      `CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT OR UPDATE OR DELETE ON pixcharge.${table}
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.slow_commit();`,
  )
  .join("\n")}`
