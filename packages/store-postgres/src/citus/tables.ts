/** Tables by company, co-located: the first column of each is `issuer`. The others are co-located with the first. */
export const distributedTables = [
  "charges",
  "charge_texts",
  "payments",
  "returns",
  "partial_refunds",
  "recurrences",
  "reconciliations",
  "deliveries",
  "queue_leases",
  "settled_deliveries",
  "delivery_attempts",
  "audit_log",
] as const

/** Tables that span companies, in shards of their own by their first column. */
export const keyedTables = ["payment_owners"] as const

/** Small tables, of which every node holds a copy. */
export const referenceTables = [
  "companies",
  "resellers",
  "credentials",
  "endpoints",
  "revoked_tokens",
  "migrations",
] as const
