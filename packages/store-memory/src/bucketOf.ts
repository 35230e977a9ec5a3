import type { Cnpj } from "@pixcharge/core/party"

/** The bucket of a company among so many, by FNV-1a over its number: always the same one. */
export const bucketOf = (issuer: Cnpj, of: number): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < issuer.length; at++) hash = Math.imul(hash ^ issuer.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % of
}
