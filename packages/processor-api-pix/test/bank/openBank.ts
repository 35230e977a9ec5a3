import { PaymentProcessor } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { Company } from "@pixcharge/core/party"
import { apiPix, type ApiPixConnection, type ApiPixOptions, standardProfile } from "@pixcharge/processor-api-pix"
import { aCompany, alphanumericCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { type SimulatedBank, type BankAccount, type BankOptions, startSimulatedBank } from "@pixcharge/simulated-bank"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { type Authority, type Identity, makeAuthority } from "@pixcharge/verify/world"
import { flawsOfPsp } from "../schemas/schemaFlaws.ts"

export const company: Company = aCompany({ pixKey: "a2c4e6f8-1234-4abc-8def-0123456789ab" })
export const otherCompany: Company = aCompany({
  cnpj: alphanumericCnpj,
  name: "Outra Loja",
  pixKey: "outra@example.com",
})
export const noticeSecrets = ["a secret of the webhook's addresses"] as const

/** A company that the bank doesn't know. */
export const strangerCnpj = anotherCnpj

const bankAccount = ({ cnpj, name, pixKey }: Company): BankAccount => ({
  cnpj,
  name,
  pixKeys: [pixKey],
  clientId: `client-${cnpj}`,
  clientSecret: `the secret of ${cnpj}: ção&=`,
})

export const account = bankAccount(company)
export const otherAccount = bankAccount(otherCompany)

interface Certificates {
  readonly authority: Authority
  readonly server: Identity
  readonly clients: Readonly<Record<string, Identity>>
}

const makeCertificates = async (): Promise<Certificates> => {
  const authority = await makeAuthority()
  const [server, own, other] = await Promise.all([
    authority.forServer(),
    authority.forClient(account.clientId),
    authority.forClient(otherAccount.clientId),
  ])
  return { authority, server, clients: { [company.cnpj]: own, [otherCompany.cnpj]: other } }
}

let made: Promise<Certificates> | undefined

export const certificates = (): Promise<Certificates> => (made ??= makeCertificates())

export const connectionTo = async (
  psp: SimulatedBank,
  { cnpj }: Company,
  overrides: Partial<ApiPixConnection> = {},
): Promise<ApiPixConnection> => {
  const { authority, clients } = await certificates()
  const { clientId, clientSecret } = cnpj === company.cnpj ? account : otherAccount
  return {
    baseUrl: psp.baseUrl,
    clientId,
    clientSecret,
    ...clients[cnpj],
    ca: authority.ca,
    profile: { ...standardProfile, pageSize: 100 },
    // Even a busy machine answers within this time.
    timeoutMs: 60_000,
    ...overrides,
  } as ApiPixConnection
}

const isNonStandard = ({ ways }: SimulatedBank): boolean =>
  ways.numbersAsText ||
  ways.loneObjects ||
  ways.nulls ||
  ways.code === "nothing" ||
  !ways.payersInCharges ||
  ways.reshape !== undefined ||
  ways.refusesRequest !== undefined ||
  ways.pageCounts !== "right"

/** Some banks refuse a period that ends in the future. */
const refusesPeriod = (_: number, to: number, now: number): boolean => to > now

/**
 * Opens a bank with both companies' accounts, over mTLS. When the Scope closes it, its traffic is checked against the
 * API's schemas.
 */
export const openPsp = (options: Partial<BankOptions> = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { authority, server } = await certificates()
      const ways = { refusesPeriod, ...options.ways }
      const tls = { ...server, ca: authority.ca }
      return startSimulatedBank({ accounts: [account, otherAccount], tls, ...options, ways })
    }),
    (psp) =>
      Effect.promise(async () => {
        await psp.close()
        if (!isNonStandard(psp)) expect(flawsOfPsp(psp)).toEqual([])
      }),
  )

export const anotherProcessor = (psp: SimulatedBank, connection: Partial<ApiPixConnection> = {}) =>
  Effect.gen(function* () {
    const companies = { [company.cnpj]: yield* Effect.promise(() => connectionTo(psp, company, connection)) }
    return Context.get(yield* Layer.build(apiPix({ companies }).processor), PaymentProcessor)
  })

/** A processor with a short timeout, but longer than an answer takes on this machine at present. */
export const impatientProcessor = (psp: SimulatedBank) =>
  Effect.gen(function* () {
    const begunAt = performance.now()
    const now = Date.now()
    yield* (yield* anotherProcessor(psp)).payments(company.cnpj, { from: now - 60_000, until: now }, undefined)
    return yield* anotherProcessor(psp, { timeoutMs: 1_000 + 20 * (performance.now() - begunAt) })
  })

export const openBank = (
  options: Partial<BankOptions> = {},
  connection: Partial<ApiPixConnection> = {},
  apiPixOptions: Omit<ApiPixOptions, "companies"> = {},
) =>
  Effect.gen(function* () {
    const psp = yield* openPsp(options)
    const companies = yield* Effect.promise(async () => ({
      [company.cnpj]: await connectionTo(psp, company, connection),
      [otherCompany.cnpj]: await connectionTo(psp, otherCompany, connection),
    }))
    const bank = apiPix({ companies, noticeSecrets, ...apiPixOptions })
    const context = yield* Layer.build(bank.processor)
    return {
      psp,
      bank,
      processor: Context.get(context, PaymentProcessor),
      recurrences: Context.get(context, RecurrenceProcessor),
    }
  })
