/**
 * Whether the return `n` is not recorded yet: processors write ids in either case. A count is no join, so that it is looked up
 * for each return by itself.
 */
export const isNewReturn = `(
    SELECT count(*) FROM @.returns known
    WHERE known.issuer = n.issuer AND known.end_to_end_id = n.end_to_end_id AND lower(known.id) = lower(n.id)
  ) = 0`
