import { PaymentProcessor, type PixEvent } from "@pixcharge/core"
import { createPix, type Pix } from "@pixcharge/embed"
import {
  type ApiPix,
  apiPix,
  type ApiPixConnection,
  type CredentialName,
  type KnownProfile,
  type ProfileName,
  type PspProfile,
  pspProfiles,
  type StageName,
  standardProfile,
} from "@pixcharge/processor-api-pix"
import { bankWays, type BankWays, type PublishedWays, type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aCompany, aPayer } from "@pixcharge/testkit/fixtures"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { demandedCredentials } from "../../src/profileDemands.ts"
import { type Authority, makeAuthority } from "../bank/certificates.ts"
import { dialAt } from "../bank/dial.ts"
import { mounts } from "../bank/mounts.ts"
import { noCallbacks, registration } from "../bank/openShop.ts"

/** Its key is a telephone number, which not every bank writes alike. */
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

/** Of a bank that no profile names. */
const standardHost = "pix.bank.example"

const published: Readonly<Record<ProfileName, PublishedWays>> = bankWays

/** How a bank behaves at a stage; undefined where it has no such stage. */
export const waysAt = (psp: ProfileName, stage: StageName): Partial<BankWays> | undefined => published[psp][stage]

/** The stages that a profile names; the standard one names none, and is used with an address. */
export const stagesOf = (psp: ProfileName): ReadonlyArray<StageName> => {
  const profile: KnownProfile = pspProfiles[psp]
  const stages = (["production", "sandbox"] as const).filter((stage) => profile[stage] !== undefined)
  return stages.length === 0 ? ["production"] : stages
}

let authority: Promise<Authority> | undefined

/** What a profile leaves to those whose contract has it, and this company's has. */
const optionalIn = ({ headers, query }: PspProfile): ReadonlyArray<CredentialName> =>
  [...Object.values(headers), ...Object.values(query)].flatMap((value) =>
    typeof value === "object" && "from" in value && value.isOptional === true ? [value.from] : [],
  )

/** What a company gives beside the bank's name: what the profile wants, and nothing else. */
const credentialsFor = (profile: PspProfile, stage: StageName): Partial<ApiPixConnection> => {
  const ways = { ...profile, ...profile[stage] }
  const { clientId, clientSecret, applicationKey, accountNumber, fixedToken } = account
  const all = { clientId, clientSecret, applicationKey, account: accountNumber, token: fixedToken }
  const wanted = [...demandedCredentials(ways), ...optionalIn(ways)]
  return {
    ...Object.fromEntries(wanted.map((name) => [name, all[name]])),
    ...(Object.keys(ways.skipWebhookMtlsHeaders).length > 0 && { skipWebhookMtls: true }),
  }
}

/** A company with an account at a bank that has the ways of the real one, from credentials to books. */
export interface Life {
  readonly psp: SimulatedBank
  readonly connection: ApiPixConnection
  readonly bank: ApiPix
  readonly pix: Pix
  /** Another process of the host with a store of its own, which knows nothing of the first. */
  readonly stranger: Pix
  readonly processor: PaymentProcessor["Service"]
  readonly mountedAt: string
  readonly events: ReadonlyArray<PixEvent>
}

const openPix = (bank: ApiPix, events: Array<PixEvent>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      createPix({
        environment: "production",
        store: memoryStore(),
        directory: memoryDirectory({ companies: [registration(company)] }),
        processor: bank.processor,
        notices: bank.notices,
        callbacks: noCallbacks,
        onEvent: (event) => void events.push(event),
        tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
      }),
    ),
    (pix) => Effect.promise(pix.dispose),
  )

const openBankAt = (psp: ProfileName, stage: StageName) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { ca, forServer } = await (authority ??= makeAuthority())
      const ways = waysAt(psp, stage) ?? {}
      const { hosts = { api: standardHost, token: standardHost } } = ways
      return startSimulatedBank({
        accounts: [account],
        tls: { ...(await forServer([hosts.api, hosts.token])), ca },
        ways: { ...ways, hosts },
      })
    }),
    (open) => Effect.promise(open.close),
  )

const dialBank = (psp: SimulatedBank) =>
  Effect.promise(async () => {
    const { ca, forClient } = await (authority ??= makeAuthority())
    const identity = psp.ways.certificate === "none" ? {} : await forClient(account.clientId)
    return dialAt(Number(new URL(psp.baseUrl).port), { ca, ...identity })
  })

/** Lives at a bank by its name, or by another profile in its place, which a test has spoilt. */
export const openLife = (name: ProfileName, stage: StageName, spoilt?: PspProfile) =>
  Effect.gen(function* () {
    const profile: PspProfile = spoilt ?? pspProfiles[name]
    const psp = yield* openBankAt(name, stage)
    const connection = {
      ...(spoilt === undefined ? { psp: name } : { profile: spoilt }),
      ...(stage === "sandbox" && { stage }),
      ...(profile[stage] === undefined && { baseUrl: `https://${standardHost}` }),
      ...credentialsFor(profile, stage),
      fetch: yield* dialBank(psp),
    } as ApiPixConnection
    const bank = apiPix({
      companies: { [company.cnpj]: connection },
      noticeSecrets: ["a secret of the webhook's addresses"],
    })
    const events: Array<PixEvent> = []
    const pix = yield* openPix(bank, events)
    const stranger = yield* openPix(bank, [])
    const mounted = yield* Effect.acquireRelease(
      Effect.promise(() => mounts.Hono(pix)),
      ({ close }) => Effect.promise(close),
    )
    const processor = Context.get(yield* Layer.build(bank.processor), PaymentProcessor)
    return { psp, connection, bank, pix, stranger, processor, mountedAt: mounted.baseUrl, events } satisfies Life
  })

/** A bank's profile for a stage with one field as the standard has it. */
export const spoil = (name: ProfileName, stage: StageName, field: keyof PspProfile): PspProfile => {
  const profile: KnownProfile = pspProfiles[name]
  const at = profile[stage]
  const { [field]: _, ...ways }: Partial<PspProfile> = { ...standardProfile, ...profile, ...at }
  return {
    ...standardProfile,
    ...ways,
    ...(at && { [stage]: { baseUrl: at.baseUrl } }),
  }
}
