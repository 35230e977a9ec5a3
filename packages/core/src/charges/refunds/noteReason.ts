/** What the audit log has of a reason: that one was given. The text may name a payer, and an erasure can't reach a record. */
export const noteReason = (reason: string | undefined): { readonly hasReason?: true } =>
  reason === undefined ? {} : { hasReason: true }
