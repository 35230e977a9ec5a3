/**
 * The position of the new delivery `n` about this version of its charge. Deliveries of one charge to one endpoint go in the order
 * of their positions. Events of one version go in this order, too: a move's events, then those of exceptions.
 */
export const positionAt = (version: string): string => `${version} * 8 + CASE n.kind
      WHEN 'part-refunded' THEN 1 WHEN 'refunded' THEN 2 WHEN 'exception' THEN 3 WHEN 'exception-returned' THEN 4 ELSE 0
    END`

/** No delivery of a charge comes before this position: a charge's first move is version 2. */
export const firstPosition = 16

/** Orders the deliveries of a payment without a charge, in the column of the charge's id. */
export const unmatchedKey = (endToEndId: string): string => `md5(lower(${endToEndId}))::uuid`
