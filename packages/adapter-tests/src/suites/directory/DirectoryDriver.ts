import { CallbackEndpoints, CompanyDirectory, DirectoryAdmin } from "@pixcharge/core"
import type { CompanyInput, ResellerInput } from "@pixcharge/core/directory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { it } from "../itEffect.ts"

/** An empty directory, and the calls that change it. Changes must be visible immediately. */
export interface DirectoryUnderTest extends Pick<
  DirectoryAdmin["Service"],
  "putCompany" | "putReseller" | "rotateKey" | "revokeKey"
> {
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
}

export type DirectoryAdminUnderTest = DirectoryUnderTest & DirectoryAdmin["Service"]

/** Makes a directory for one test. */
export type MakeDirectory<Kit extends DirectoryUnderTest = DirectoryUnderTest> = Effect.Effect<
  Kit,
  unknown,
  Scope.Scope
>

export type DirectoryTest<Kit extends DirectoryUnderTest = DirectoryUnderTest> = (
  title: string,
  body: (kit: Kit) => Effect.Effect<void, unknown>,
) => void

/** The tests of a directory, each on a new directory. */
export const directoryTests =
  <Kit extends DirectoryUnderTest>(make: MakeDirectory<Kit>): DirectoryTest<Kit> =>
  (title, body) =>
    it.live(title, () => Effect.flatMap(make, body))

/** Builds a directory under test from one Layer. */
export const directoryUnderTest = <E>(
  layer: Layer.Layer<CompanyDirectory | CallbackEndpoints | DirectoryAdmin, E>,
): Effect.Effect<DirectoryAdminUnderTest, E, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => ({
    ...Context.get(context, DirectoryAdmin),
    directory: Context.get(context, CompanyDirectory),
    endpoints: Context.get(context, CallbackEndpoints),
  }))

export const aNewKey = "a chave nova"

export const aReseller = {
  cnpj: "00000000000191",
  name: "Revenda Central S.A.",
  integratorKey: "chave da revenda",
} as const satisfies ResellerInput

/** A company without a reseller, with its own key. */
export const anIndependent = {
  cnpj: "11222333000181",
  name: "Vizinho & Filhos",
  city: "Recife",
  pixKey: "vizinho@example.com",
  graceDays: 1,
  integratorKey: "chave|do vizinho",
} as const satisfies CompanyInput

/** A company of the reseller. */
export const aMember = {
  cnpj: "12345678000195",
  name: "Loja Exemplo",
  city: "São Paulo",
  pixKey: "123e4567-e89b-12d3-a456-426655440000",
  graceDays: 5,
  reseller: aReseller.cnpj,
} as const satisfies CompanyInput
