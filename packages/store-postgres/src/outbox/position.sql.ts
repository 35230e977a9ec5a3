/**
 * The position of the new delivery `n` among its charge's to one endpoint. Events of exceptions follow the events of the charge's
 * version, or version 2 if it hasn't moved.
 */
export const positionAt = (version: string): string =>
  `greatest(${version}, 2) * 4 + CASE n.kind WHEN 'exception' THEN 1 WHEN 'exception-returned' THEN 2 ELSE 0 END`

/** The first position: a charge's first move is version 2. */
export const firstPosition = 8

/** In the charge's column, of a payment without a charge. A server in FIPS mode has no `md5`. */
export const unmatchedKey = (endToEndId: string): string =>
  `left(encode(sha256(convert_to(lower(${endToEndId}), 'UTF8')), 'hex'), 32)::uuid`
