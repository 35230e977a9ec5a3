import { type DirectoryAdmin, DirectoryUnavailable } from "@pixcharge/core"
import { parseFlag, parseHolder } from "@pixcharge/core/directory"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import type { Calls } from "./calls.ts"

/** The methods of `DirectoryAdmin`, with promises instead of Effects. */
export type Directory = {
  readonly [Name in keyof DirectoryAdmin["Service"]]: DirectoryAdmin["Service"][Name] extends (
    ...args: infer Args
  ) => Effect.Effect<infer A, infer _E>
    ? (...args: Args) => Promise<A>
    : never
}

type Admin = NonNullable<Services["directory"]>

export const makeDirectory = ({ run }: Calls<Services>): Directory => {
  const change = <A, E>(use: (admin: Admin) => Effect.Effect<A, E>) =>
    run(({ directory }): Effect.Effect<A, E | DirectoryUnavailable> =>
      directory === undefined
        ? new DirectoryUnavailable({ operation: "admin", cause: "the host changes its own directory" })
        : use(directory),
    )
  const changeHolder = <A, E>(cnpj: string, use: (admin: Admin) => Effect.Effect<A, E>) =>
    change((admin) => Effect.flatMap(Effect.fromResult(parseHolder(cnpj)), () => use(admin)))
  const checkFlag = <A, E>(cnpj: string, field: string, given: boolean, make: Effect.Effect<A, E>) =>
    Effect.andThen(Effect.fromResult(parseFlag(cnpj, field, given)), make)
  return {
    putCompany: (company) => change((admin) => admin.putCompany(Object(company) as typeof company)),
    putReseller: (reseller) => change((admin) => admin.putReseller(Object(reseller) as typeof reseller)),
    rotateKey: (cnpj, integratorKey) => changeHolder(cnpj, (admin) => admin.rotateKey(cnpj, integratorKey)),
    revokeKey: (cnpj) => changeHolder(cnpj, (admin) => admin.revokeKey(cnpj)),
    setAssociated: (cnpj, associated) =>
      changeHolder(cnpj, (admin) => checkFlag(cnpj, "associated", associated, admin.setAssociated(cnpj, associated))),
    setWallet: (cnpj, active) =>
      changeHolder(cnpj, (admin) => checkFlag(cnpj, "active", active, admin.setWallet(cnpj, active))),
    removeCallback: (cnpj) => changeHolder(cnpj, (admin) => admin.removeCallback(cnpj)),
  }
}
