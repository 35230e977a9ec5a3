import { isDeepStrictEqual } from "node:util"
import { PaymentProcessor } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { createPix, type Pix } from "@pixcharge/embed"
import {
  type ApiPix,
  apiPix,
  type ApiPixConnection,
  type ProfileName,
  type PspProfile,
  type PspStage,
  type PspWays,
  pspProfiles,
  type StageName,
  standardProfile,
} from "@pixcharge/processor-api-pix"
import {
  bankWays,
  type BankWays,
  type PublishedWays,
  type SimulatedBank,
  startSimulatedBank,
} from "@pixcharge/simulated-bank"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aCompany, aPayer } from "@pixcharge/adapter-tests/fixtures"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Authority, makeAuthority } from "@pixcharge/verify/world"
import { listDemandedCredentials, listOptionalCredentials } from "../../src/connection/findConnectionFlaw.ts"
import { dialAt } from "../bank/dial.ts"
import { mounts } from "../bank/mounts.ts"
import { noCallbacks, registration } from "../bank/openShop.ts"
import { receivingAccount } from "../recurrences/aRecurrence.ts"

/** A company whose key is a telephone number, because banks write those differently. */
export const company = {
  ...aCompany({ pixKey: "+5581999990000" }),
  genericPayer: { name: "Consumidor", taxId: aPayer.taxId },
}

const account = {
  cnpj: company.cnpj,
  name: company.name,
  pixKeys: [company.pixKey],
  clientId: `client-${company.cnpj}`,
  clientSecret: "the secret: ção&=",
  applicationKey: "application key of 32 letters &=",
  accountNumber: "1234567",
  fixedToken: "the-only-token-of-this-sandbox",
}

const standardHost = "pix.bank.example"

/** A bank's profile, and the behaviour of the simulated bank, which is written independently of the profile. */
export interface LifeBank {
  readonly psp?: ProfileName
  readonly profile: PspProfile
  readonly ways: PublishedWays
}

const published: Readonly<Record<ProfileName, PublishedWays>> = bankWays

export const namedBanks: Readonly<Record<string, LifeBank>> = Object.fromEntries(
  (Object.keys(pspProfiles) as ReadonlyArray<ProfileName>).map((psp) => [
    psp,
    { psp, profile: pspProfiles[psp], ways: published[psp] },
  ]),
)

export const listStages = ({ profile }: LifeBank): ReadonlyArray<StageName> => {
  const stages = (["production", "sandbox"] as const).filter((stage) => profile[stage] !== undefined)
  return stages.length === 0 ? ["production"] : stages
}

let authority: Promise<Authority> | undefined

const credentialsFor = (profile: PspProfile, stage: StageName): Partial<ApiPixConnection> => {
  const ways = { ...profile, ...profile[stage] }
  const { clientId, clientSecret, applicationKey, accountNumber, fixedToken } = account
  const isRecurring = ways.recurrences !== "missing"
  const all = { clientId, clientSecret, applicationKey, account: accountNumber, token: fixedToken }
  const wanted = [...listDemandedCredentials(ways), ...listOptionalCredentials(ways)]
  return {
    ...Object.fromEntries(wanted.map((name) => [name, all[name]])),
    ...(Object.keys(ways.skipWebhookMtlsHeaders).length > 0 && { skipWebhookMtls: true }),
    ...(isRecurring && { receivingAccount }),
  }
}

export interface Life {
  readonly psp: SimulatedBank
  readonly connection: ApiPixConnection
  readonly bank: ApiPix
  readonly pix: Pix
  /** Another process of the host, with its own empty store. */
  readonly stranger: Pix
  readonly processor: PaymentProcessor["Service"]
  readonly recurrences: RecurrenceProcessor["Service"]
  readonly mountedAt: string
}

const openPix = (bank: ApiPix) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      createPix({
        environment: "production",
        store: memoryStore({ inProduction: true }),
        directory: memoryDirectory({ companies: [registration(company)] }),
        processor: bank.processor,
        notices: bank.notices,
        callbacks: noCallbacks,
        tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
      }),
    ),
    (pix) => Effect.promise(pix.dispose),
  )

const otherHosts = ({ apiRoots = {} }: Partial<BankWays>): ReadonlyArray<string> =>
  [...new Set(Object.values(apiRoots))].flatMap((root) => (URL.canParse(root) ? [new URL(root).hostname] : []))

const openBankWith = (ways: Partial<BankWays>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { ca, forServer } = await (authority ??= makeAuthority())
      const { hosts = { api: standardHost, token: standardHost } } = ways
      return startSimulatedBank({
        accounts: [account],
        tls: { ...(await forServer([hosts.api, hosts.token, ...otherHosts(ways)])), ca },
        ways: { ...ways, hosts },
      })
    }),
    (open) => Effect.promise(open.close),
  )

const dialBank = (psp: SimulatedBank) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { ca, forClient } = await (authority ??= makeAuthority())
      const identity = psp.ways.certificate === "none" ? {} : await forClient(account.clientId)
      return dialAt(Number(new URL(psp.baseUrl).port), { ca, ...identity })
    }),
    ({ close }) => Effect.sync(close),
  )

const isSlow = (profile: PspProfile, stage: StageName): boolean =>
  (profile[stage]?.pace ?? profile.pace).limits.some(
    ({ perMinute, calls = ["GET payment"] }) => perMinute < 60 && calls.includes("GET payment"),
  )

/** Leaves out a slow bank's pace: with it, the steps of a life would take hours. */
const chooseBank = ({ psp, profile }: LifeBank, stage: StageName) => {
  if (psp === undefined) return { profile }
  const { pace } = standardProfile
  return isSlow(profile, stage) ? { profile: { ...profile, pace, [stage]: { ...profile[stage], pace } } } : { psp }
}

const connectionFor = (bank: LifeBank, stage: StageName) => ({
  ...chooseBank(bank, stage),
  ...(stage === "sandbox" && { stage }),
  ...(bank.profile[stage] === undefined && { baseUrl: `https://${standardHost}` }),
  ...credentialsFor(bank.profile, stage),
})

export const openLife = (at: LifeBank, stage: StageName) =>
  Effect.gen(function* () {
    const psp = yield* openBankWith(at.ways[stage] ?? {})
    const connection = { ...connectionFor(at, stage), fetch: (yield* dialBank(psp)).fetch } as ApiPixConnection
    const bank = apiPix({
      companies: { [company.cnpj]: connection },
      noticeSecrets: ["a secret of the webhook's addresses"],
    })
    const pix = yield* openPix(bank)
    const stranger = yield* openPix(bank)
    const mounted = yield* Effect.acquireRelease(
      Effect.promise(() => mounts.Hono(pix)),
      ({ close }) => Effect.promise(close),
    )
    const context = yield* Layer.build(bank.processor)
    const processor = Context.get(context, PaymentProcessor)
    const recurrences = Context.get(context, RecurrenceProcessor)
    return { psp, connection, bank, pix, stranger, processor, recurrences, mountedAt: mounted.baseUrl } satisfies Life
  })

const waysAt = ({ profile }: LifeBank, stage: StageName): Readonly<Record<string, unknown>> => ({
  ...profile,
  ...profile[stage],
})

/** Lists the fields of a stage's profile that differ from the standard. */
export const differences = (bank: LifeBank, stage: StageName): ReadonlyArray<keyof PspWays> => {
  const ways = waysAt(bank, stage)
  const standard: Readonly<Record<string, unknown>> = { ...standardProfile }
  const fields = Object.keys({ ...standardProfile, tokenUrl: "" }) as ReadonlyArray<keyof PspWays>
  return fields.filter((field) => !isDeepStrictEqual(ways[field], standard[field]))
}

/** Returns the bank with one field of its profile set to the standard's value. */
export const spoil = ({ profile, ways }: LifeBank, stage: StageName, field: keyof PspWays): LifeBank => {
  const { baseUrl, ...at }: Partial<PspStage> = profile[stage] ?? {}
  const { [field]: _, ...kept }: Partial<PspProfile> = { ...standardProfile, ...profile, ...at }
  const where = baseUrl === undefined ? {} : { [stage]: { baseUrl } }
  return { ways, profile: { ...standardProfile, ...kept, ...where } }
}
