import { type ChargeId, type EventKind, factKinds, parseChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import { cnpj, companiesOf, endpointsOf, issuers } from "@pixcharge/adapter-tests/fixtures"
import { txidOf } from "./judge/names.ts"

/** The companies of a run. Each has its own endpoint and its reseller's. */
export const companies: ReadonlyArray<Cnpj> = [...issuers, cnpj("33444555000181"), cnpj("44555666000181")]

export const companyFacts = companiesOf(companies)

/** The endpoints: the companies' in order, then the reseller's. */
export const endpointIds = endpointsOf(companies)

/** The kinds that each endpoint chooses: the companies' all of them. */
export const chosenKinds = (place: number): ReadonlyArray<EventKind> =>
  place < companies.length ? factKinds : ["paid", "refunded", "refund-failed"]

/** The endpoints of a company, with the kinds that they get if these are published. */
export const companyEndpoints = (issuer: Cnpj, published: ReadonlyArray<EventKind>) =>
  [companies.indexOf(issuer), companies.length].map((place) => ({
    id: endpointIds[place] ?? "",
    kinds: chosenKinds(place).filter((kind) => published.includes(kind)),
  }))

/** The first two companies share an account at the bank, and so do the others. */
export const accountHolder = (issuer: Cnpj): Cnpj => companies[companies.indexOf(issuer) < 2 ? 0 : 2] as Cnpj

export const keyHolder = (key: string): Cnpj => companyFacts.find(({ pixKey }) => pixKey === key)?.cnpj as Cnpj

/** The id of the n-th charge. Charges 2n and 2n+1 share an id, but have different companies. */
export const chargeId = (n: number): ChargeId =>
  Result.getOrThrow(parseChargeId(`${(n - (n % 2)).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`))

export const chargeIssuer = (n: number): Cnpj => companies[n % companies.length] as Cnpj

export const chargeTxidAt = (n: number): string => txidOf(chargeIssuer(n), chargeId(n))

export const endToEndId = (n: number): string => `E${String(n).padStart(31, "0")}`
