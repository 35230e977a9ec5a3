import { Cache, logFailure, type OptionRule } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type { Capability } from "../link/Capability.ts"
import { brandFlaw, type BrandOption } from "./Brand.ts"
import { type Branding, makeBranding } from "./Branding.ts"

/** A charge or a recurrence whose page links back to the shop. */
export interface ReturningCharge {
  /** The CNPJ of the charge's company. */
  readonly issuer: string
  readonly id: string
}

/** An address of the shop, or a function of the host that returns it for a charge. Undefined means no link back. */
export type ReturnUrl = string | ((charge: ReturningCharge) => string | undefined | Promise<string | undefined>)

/** Rejects scripts and addresses with a password. */
export const isWebAddress = (value: unknown): boolean => {
  if (typeof value !== "string" || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ["http:", "https:"].includes(protocol) && username + password === ""
}

export const aReturnUrl: OptionRule = {
  mustBe: "an address of your shop, like https://shop.example/orders, or a function that returns one for a charge",
  holds: (value) => typeof value === "function" || isWebAddress(value),
}

const maxWaitMs = 3_000

/** Without a cache, each page and each file of a brand would call the host. */
const brandAgeMs = 60_000
const neutralAgeMs = 5_000
const maxBrands = 500

export interface ShopFinder {
  readonly branding: (issuer: string) => Effect.Effect<Branding>
  readonly returnUrl: (shown: Capability<string>) => Effect.Effect<string | undefined>
}

const askHost = <A>(name: string, ask: () => A | Promise<A>, flaw: (answer: unknown) => string | undefined) =>
  Effect.tryPromise({ try: async () => await ask(), catch: (cause) => cause }).pipe(
    Effect.timeoutOrElse({ duration: maxWaitMs, orElse: () => Effect.fail(`no answer within ${maxWaitMs} ms`) }),
    Effect.flatMap((answer) => {
      const problem = answer === undefined ? undefined : flaw(answer)
      return problem === undefined ? Effect.succeed(answer) : Effect.fail(new TypeError(problem))
    }),
    Effect.catchCause((cause) =>
      Effect.as(
        logFailure("Warn", `The host's function ${name} failed, or returned an invalid value`, cause),
        undefined,
      ),
    ),
  )

const addressFlaw = (address: unknown): string | undefined =>
  isWebAddress(address) ? undefined : "it must be an address, like https://shop.example/orders"

const makeBrandFinder = (brand: BrandOption): ShopFinder["branding"] => {
  if (typeof brand !== "function") {
    const fixed = Effect.succeed(makeBranding(brand))
    return () => fixed
  }
  const brandings = new Cache({
    load: (issuer: string) =>
      Effect.map(
        askHost("brand", () => brand(issuer), brandFlaw),
        (found) => found && makeBranding(found),
      ),
    maxAgeMs: (branding) => (branding === undefined ? neutralAgeMs : brandAgeMs),
    maxCount: maxBrands,
  })
  return (issuer) => Effect.map(brandings.get(issuer), (branding) => branding ?? {})
}

export const makeShopFinder = (brand: BrandOption = {}, returnUrl: ReturnUrl | undefined): ShopFinder => ({
  branding: makeBrandFinder(brand),
  returnUrl: ({ issuer, id }) =>
    typeof returnUrl === "function"
      ? askHost("returnUrl", () => returnUrl({ issuer, id }), addressFlaw)
      : Effect.succeed(returnUrl),
})
