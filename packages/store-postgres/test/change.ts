import type { Change } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"

/** What a commit of this charge, as it was read, changes: nothing but these parts. */
export const change = (charge: Charge, parts: Partial<Change>): Change => ({
  issuer: charge.issuer,
  id: charge.id,
  expectedVersion: charge.version,
  payments: [],
  returns: [],
  deliveries: [],
  ...parts,
})
