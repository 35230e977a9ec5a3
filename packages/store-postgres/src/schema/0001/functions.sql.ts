/** Keeps the audit log's triggers on even under `session_replication_role`, which switches off ordinary triggers. */
export const keepAppendOnly = `
ALTER TABLE @.audit_log ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE @.audit_log ENABLE ALWAYS TRIGGER never_truncated;`

/** If Citus distributes the payments, `citusStore` claims them instead of the trigger `claimed`. */
export const functions = `
-- A name as it is compared, like foldName of core, whatever the database's locale.
CREATE FUNCTION @.folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT translate(
    lower($1 COLLATE "C"),
    'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ',
    'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyy'
  )
$$;

-- Keeps a payment out of the books of every company but its owner. Who may record payments needs no right to the owners' table.
CREATE FUNCTION @.claim_payment() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO @.payment_owners (end_to_end_id, owner) VALUES (lower(NEW.end_to_end_id), NEW.issuer) ON CONFLICT DO NOTHING;
  IF FOUND OR EXISTS (
    SELECT FROM @.payment_owners o WHERE o.end_to_end_id = lower(NEW.end_to_end_id) AND o.owner = NEW.issuer
  ) THEN
    RETURN NEW;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER claimed BEFORE INSERT ON @.payments FOR EACH ROW EXECUTE FUNCTION @.claim_payment();

CREATE FUNCTION @.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON @.audit_log
  FOR EACH ROW EXECUTE FUNCTION @.refuse_audit_change();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON @.audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_audit_change();
${keepAppendOnly}

-- A role that may insert into the view, and not into the table, adds records and dates none: at and id are no columns of the view,
-- which has the rights of its owner. So have the functions of the triggers below.
CREATE VIEW @.audit_entries AS SELECT issuer, actor, kind, details FROM @.audit_log;

-- Records a change of the directory under the actor whom its statement names in pixcharge.actor.
CREATE FUNCTION @.record_change(issuer text, kind text, details json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO @.audit_log (issuer, actor, kind, details)
  VALUES ($1, nullif(current_setting('pixcharge.actor', true), ''), $2, $3)
$$;
REVOKE EXECUTE ON FUNCTION @.record_change(text, text, json) FROM PUBLIC;

-- The triggers below record every change of the directory, whatever statement makes it, and refuse TRUNCATE. They see the row that
-- a change found and the one that it left, also when two changes meet, and record nothing where both are the same.
CREATE FUNCTION @.record_registration() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- company or reseller
  kind_of text := TG_ARGV[0];
  new_row jsonb := to_jsonb(NEW);
  old_row jsonb := '{"wallet_active": true}';
  facts json;
  new_reseller text;
  old_reseller text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM @.record_change(OLD.cnpj, kind_of || 'Removed', '{}');
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM @.record_change(NEW.cnpj, kind_of || 'Registered', '{}');
  ELSE
    old_row := to_jsonb(OLD);
    SELECT json_agg(key ORDER BY key COLLATE "C") INTO facts
    FROM jsonb_each(new_row - ARRAY['cnpj', 'wallet_active', 'reseller', 'associated'])
    WHERE value IS DISTINCT FROM old_row -> key;
    IF facts IS NOT NULL THEN
      PERFORM @.record_change(NEW.cnpj, kind_of || 'Changed', json_build_object('facts', facts));
    END IF;
  END IF;
  IF new_row -> 'wallet_active' <> old_row -> 'wallet_active' THEN
    PERFORM @.record_change(
      NEW.cnpj, CASE WHEN NEW.wallet_active THEN 'walletActivated' ELSE 'walletDeactivated' END,
      json_build_object('of', kind_of)
    );
  END IF;
  new_reseller := CASE WHEN (new_row ->> 'associated')::boolean THEN new_row ->> 'reseller' END;
  old_reseller := CASE WHEN (old_row ->> 'associated')::boolean THEN old_row ->> 'reseller' END;
  IF new_reseller IS DISTINCT FROM old_reseller THEN
    IF old_reseller IS NOT NULL THEN
      PERFORM @.record_change(NEW.cnpj, 'associationEnded', json_build_object('reseller', old_reseller));
    END IF;
    IF new_reseller IS NOT NULL THEN
      PERFORM @.record_change(NEW.cnpj, 'associationBegun', json_build_object('reseller', new_reseller));
    END IF;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON @.companies
  FOR EACH ROW EXECUTE FUNCTION @.record_registration('company');
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON @.resellers
  FOR EACH ROW EXECUTE FUNCTION @.record_registration('reseller');

CREATE FUNCTION @.record_key() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM @.record_change(NEW.holder, 'keySet', '{}');
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM @.record_change(OLD.holder, 'keyRevoked', '{}');
  ELSIF NEW IS DISTINCT FROM OLD THEN
    PERFORM @.record_change(NEW.holder, 'keyReplaced', '{}');
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON @.credentials
  FOR EACH ROW EXECUTE FUNCTION @.record_key();

CREATE FUNCTION @.url_host(url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring($1 FROM '^https?://(?:[^/?#\\\\]*@)?([^/?#\\\\]*)')
$$;

CREATE FUNCTION @.record_endpoint() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM @.record_change(
      NEW.owner, 'endpointSet', json_build_object('endpointId', NEW.id, 'host', @.url_host(NEW.url))
    );
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM @.record_change(
      OLD.owner, 'endpointRemoved', json_build_object('endpointId', OLD.id, 'host', @.url_host(OLD.url))
    );
    RETURN NULL;
  END IF;
  IF to_jsonb(NEW) - 'status' <> to_jsonb(OLD) - 'status' THEN
    PERFORM @.record_change(NEW.owner, 'endpointReplaced', json_build_object(
      'endpointId', NEW.id, 'host', @.url_host(NEW.url), 'hostBefore', @.url_host(OLD.url)
    ));
  END IF;
  IF NEW.status <> OLD.status THEN
    PERFORM @.record_change(
      NEW.owner,
      CASE NEW.status WHEN 'enabled' THEN 'endpointResumed' WHEN 'paused' THEN 'endpointPaused' WHEN 'disabled' THEN 'endpointDisabled' END,
      json_build_object('endpointId', NEW.id)
    );
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER audited AFTER INSERT OR UPDATE OR DELETE ON @.endpoints
  FOR EACH ROW EXECUTE FUNCTION @.record_endpoint();

CREATE FUNCTION @.refuse_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log can''t tell whose rows a TRUNCATE of % removes: use DELETE', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON @.companies
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_truncation();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON @.resellers
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_truncation();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON @.credentials
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_truncation();
CREATE TRIGGER never_truncated BEFORE TRUNCATE ON @.endpoints
  FOR EACH STATEMENT EXECUTE FUNCTION @.refuse_truncation();

-- The functions with their owner's rights: a role that may call one can attach it to a table of its own, with rows and casts of its
-- own. The triggers above need no such right.
REVOKE EXECUTE ON FUNCTION @.claim_payment(), @.record_registration(), @.record_key(), @.record_endpoint() FROM PUBLIC;
`
