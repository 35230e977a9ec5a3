import { DirectoryUnavailable } from "@pixcharge/core"
import type * as Effect from "effect/Effect"
import type { Calls } from "./makeCalls.ts"
import type { Directory } from "./Pix.ts"
import type { Services } from "./services.ts"

/** The registrations, for a plain host. */
export const makeDirectory = ({ run }: Calls<Services>): Directory => {
  const change = <A, E>(use: (admin: NonNullable<Services["directory"]>) => Effect.Effect<A, E>) =>
    run(({ directory }): Effect.Effect<A, E | DirectoryUnavailable> =>
      directory === undefined
        ? new DirectoryUnavailable({ operation: "admin", cause: "the directory is the host's own, who changes it" })
        : use(directory),
    )
  return {
    putCompany: (company) => change((admin) => admin.putCompany(Object(company) as typeof company)),
    putReseller: (reseller) => change((admin) => admin.putReseller(Object(reseller) as typeof reseller)),
    rotateKey: (cnpj, integratorKey) => change((admin) => admin.rotateKey(cnpj, integratorKey)),
    revokeKey: (cnpj) => change((admin) => admin.revokeKey(cnpj)),
    setAssociated: (cnpj, associated) => change((admin) => admin.setAssociated(cnpj, associated)),
    setWallet: (cnpj, active) => change((admin) => admin.setWallet(cnpj, active)),
    removeCallback: (cnpj) => change((admin) => admin.removeCallback(cnpj)),
  }
}
