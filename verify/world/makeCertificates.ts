import { companies } from "./companies.ts"
import { type Identity, makeAuthority } from "./makeAuthority.ts"

export interface Certificates {
  readonly ca: string
  readonly server: Identity
  readonly clients: Readonly<Record<string, Identity>>
}

const dayMs = 86_400_000

/** Makes certificates that are valid for two months. */
export const makeCertificates = async (): Promise<Certificates> => {
  const { ca, forClient, forServer } = await makeAuthority(60 * dayMs)
  const clients = await Promise.all(
    companies.map(async ({ clientId }) => [clientId, await forClient(clientId)] as const),
  )
  return { ca, server: await forServer(), clients: Object.fromEntries(clients) }
}
