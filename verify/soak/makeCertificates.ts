import { type Identity, makeAuthority } from "../world/makeAuthority.ts"

/** What both sides of mutual TLS need: the authority, the server's identity, and the clients' by name. */
export interface Certificates {
  readonly ca: string
  readonly server: Identity
  readonly clients: Readonly<Record<string, Identity>>
}

const dayMs = 86_400_000

/** Certificates of an authority of this run's own, good for two months. */
export const makeCertificates = async (clientIds: ReadonlyArray<string>): Promise<Certificates> => {
  const { ca, forClient, forServer } = await makeAuthority(60 * dayMs)
  const clients = await Promise.all(clientIds.map(async (id) => [id, await forClient(id)] as const))
  return { ca, server: await forServer(), clients: Object.fromEntries(clients) }
}
