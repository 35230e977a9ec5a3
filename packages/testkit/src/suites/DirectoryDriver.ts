import type {
  CallbackEndpoints,
  CompanyDirectory,
  CompanyRegistration,
  Credential,
  ResellerRegistration,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { it } from "vitest"

/** A directory in which nobody is registered yet, and how to register; each change must be seen at once. */
export interface DirectoryUnderTest {
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
  readonly putReseller: (reseller: ResellerRegistration) => Effect.Effect<void, unknown>
  /** Its reseller, if it names one, is registered already. Registering again replaces what was there. */
  readonly putCompany: (company: CompanyRegistration) => Effect.Effect<void, unknown>
  readonly rotateKey: (cnpj: string, integratorKey: string) => Effect.Effect<void, unknown>
  /** Whether a key opens the door; needed where keys are kept as digests. */
  readonly opens?: (credential: Credential, integratorKey: string) => boolean
}

/** Makes a directory for one test. */
export type MakeDirectory = Effect.Effect<DirectoryUnderTest, unknown, Scope.Scope>

export type DirectoryTest = (
  title: string,
  body: (kit: Required<DirectoryUnderTest>) => Effect.Effect<void, unknown>,
) => void

const opensPlainly = ({ key }: Credential, integratorKey: string): boolean =>
  key._tag === "Plain" && Redacted.value(key.key) === integratorKey

/** The tests of a directory, each on one of its own. */
export const directoryTests =
  (make: MakeDirectory): DirectoryTest =>
  (title, body) =>
    it(title, () =>
      Effect.runPromise(
        Effect.scoped(Effect.flatMap(make, (kit) => body({ ...kit, opens: kit.opens ?? opensPlainly }))),
      ),
    )

/** A reseller with a wallet and a callback. */
export const aReseller = {
  cnpj: "00000000000191",
  name: "Revenda Central S.A.",
  integratorKey: "chave da revenda",
} as const satisfies ResellerRegistration

/** A company of no reseller, with a key of its own. */
export const anIndependent = {
  cnpj: "11222333000181",
  name: "Vizinho & Filhos",
  city: "Recife",
  pixKey: "vizinho@example.com",
  graceDays: 1,
  integratorKey: "chave|do vizinho",
} as const satisfies CompanyRegistration

/** A company of the reseller. */
export const aMember = {
  cnpj: "12345678000195",
  name: "Loja Exemplo",
  city: "São Paulo",
  pixKey: "123e4567-e89b-12d3-a456-426655440000",
  graceDays: 5,
  reseller: aReseller.cnpj,
} as const satisfies CompanyRegistration
