import type { TestPix } from "@pixcharge/testing"
import { testPix } from "@pixcharge/testing"
import { memoryDirectory } from "@pixcharge/store-memory"
import { type PortalAccess, type PortalVisit, portal } from "../../src/index.ts"

export const shop = "12345678000195"
export const neighbour = "11222333000181"
/** A company that exists, but that no operator may see. */
export const stranger = "11444777000161"

const facts = { city: "Recife", graceDays: 5, integratorKey: "key-of-the-test-company" }
const companies = [shop, neighbour, stranger].map((cnpj) => ({ ...facts, cnpj, name: `Loja ${cnpj}`, pixKey: cnpj }))

const all = [
  "read",
  "issue",
  "refund",
  "changeCharge",
  "cancel",
  "exceptions",
  "events",
  "payers",
  "reconcile",
  "recurrences",
] as const
const ofShop = [{ cnpj: shop, name: "Padaria Aurora" }]

/** The operators by the value of the header `x-user`. */
const operators: Readonly<Record<string, unknown>> = {
  ana: { who: "ana", companies: [...ofShop, { cnpj: neighbour }], rights: all },
  bia: { who: "bia", companies: ofShop, rights: all },
  leo: { who: "leo", companies: ofShop, rights: ["read"] },
  rui: { who: "rui", companies: ofShop, rights: ["refund", "payers"] },
  nobody: { who: "nobody", companies: [], rights: all },
  away: { redirect: "https://login.test/entrar?volta=1" },
}

export const authorize = async ({ header }: PortalVisit): Promise<PortalAccess | undefined> => {
  const user = header("x-user") ?? ""
  if (user === "broken") throw new Error("the session store is down: redis://user:password@host")
  return operators[user] as PortalAccess | undefined
}

export const payer = { name: "João da Silva", taxId: "52998224725" }

export const portalWorld = (options: Parameters<typeof testPix>[0] = {}) => {
  const pix: TestPix = testPix({ directory: memoryDirectory({ companies }), ...options })
  return { pix, app: portal(pix, { authorize }) }
}
