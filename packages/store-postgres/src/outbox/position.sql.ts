/**
 * The position of the new delivery `n` about this version of its charge. Deliveries of one charge to one endpoint go in the order
 * of their positions. Events of exceptions follow the events of the charge's version, as of version 2 if it hasn't moved.
 */
export const positionAt = (version: string): string =>
  `greatest(${version}, 2) * 4 + CASE n.kind WHEN 'exception' THEN 1 WHEN 'exception-returned' THEN 2 ELSE 0 END`

/** No delivery of a charge comes before this position: a charge's first move is version 2. */
export const firstPosition = 8

/** Orders the deliveries of a payment without a charge, in the column of the charge's id. */
export const unmatchedKey = (endToEndId: string): string => `md5(lower(${endToEndId}))::uuid`
