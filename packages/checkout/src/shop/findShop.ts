import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { type Brand, brandFlaw, type BrandOption } from "../brand/Brand.ts"
import { type Branding, makeBranding } from "../brand/Branding.ts"
import type { Capability } from "../link/Capability.ts"
import { isWebAddress, type ReturnUrl } from "./ReturnUrl.ts"

/** How long a page waits for a function of the host. */
const maxWaitMs = 3_000

/** What the host says of the shop, for pages that show its charges. */
export interface ShopFinder {
  readonly branding: (issuer: string) => Effect.Effect<Branding>
  readonly returnUrl: (shown: Capability<string>) => Effect.Effect<string | undefined>
}

/** Asks a function of the host, which may be written in any way. Without a good answer the page does without, and the log says so. */
const askHost = <A>(name: string, ask: () => A | Promise<A>, flaw: (answer: unknown) => string | undefined) =>
  Effect.tryPromise({ try: async () => await ask(), catch: (cause) => cause }).pipe(
    Effect.timeoutOrElse({ duration: maxWaitMs, orElse: () => Effect.fail(`no answer within ${maxWaitMs} ms`) }),
    Effect.flatMap((answer) => {
      const found = answer === undefined ? undefined : flaw(answer)
      return found === undefined ? Effect.succeed(answer) : Effect.fail(new TypeError(found))
    }),
    Effect.catchCause((cause) =>
      Effect.as(logFailure("Warn", `The host's function ${name} gave nothing that a page can show`, cause), undefined),
    ),
  )

const addressFlaw = (address: unknown): string | undefined =>
  isWebAddress(address) ? undefined : "it must be an address, like https://shop.example/orders"

/** Finds what pages show of the shop, by the options `brand` and `returnUrl`. */
export const makeShopFinder = (brand: BrandOption = {}, returnUrl: ReturnUrl | undefined): ShopFinder => {
  const fixed = typeof brand === "function" ? undefined : Effect.succeed(makeBranding(brand))
  return {
    branding: (issuer) =>
      fixed ??
      Effect.map(
        askHost("brand", () => (brand as Exclude<BrandOption, Brand>)(issuer), brandFlaw),
        (found) => makeBranding(found ?? {}),
      ),
    returnUrl: ({ issuer, id }) =>
      typeof returnUrl === "function"
        ? askHost("returnUrl", () => returnUrl({ issuer, id }), addressFlaw)
        : Effect.succeed(returnUrl),
  }
}
