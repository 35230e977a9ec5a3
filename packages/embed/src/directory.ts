import { DirectoryAdmin, DirectoryUnavailable } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Directory } from "./Pix.ts"
import type { Run } from "./asCompany.ts"

/** Rejects where the directory is the host's own. */
const adminIn = (context: Context.Context<never>) =>
  Effect.mapError(
    Effect.fromOption(Context.getOption(context, DirectoryAdmin)),
    () => new DirectoryUnavailable({ operation: "admin", cause: "the directory is the host's own, who changes it" }),
  )

/** Registrations, for a plain host. */
export const makeDirectory = (context: Context.Context<never>, run: Run): Directory => {
  const change = <A, E>(use: (admin: DirectoryAdmin["Service"]) => Effect.Effect<A, E>) =>
    run(Effect.flatMap(adminIn(context), use))
  return {
    putCompany: (company) => change((admin) => admin.putCompany(company)),
    putReseller: (reseller) => change((admin) => admin.putReseller(reseller)),
    rotateKey: (cnpj, integratorKey) => change((admin) => admin.rotateKey(cnpj, integratorKey)),
    revokeKey: (cnpj) => change((admin) => admin.revokeKey(cnpj)),
    setAssociated: (cnpj, associated) => change((admin) => admin.setAssociated(cnpj, associated)),
    setWallet: (cnpj, active) => change((admin) => admin.setWallet(cnpj, active)),
    removeCallback: (cnpj) => change((admin) => admin.removeCallback(cnpj)),
  }
}
