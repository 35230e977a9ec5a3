import { ChargeNotFound, ChargeStore, Checkout, type CheckoutRoute, type CompanyDirectory } from "@pixcharge/core"
import { aFunction, aNumber, checkOptions, type OptionRules, required } from "@pixcharge/core/internal"
import { Signatures } from "@pixcharge/http"
import { makeEventStreams } from "@pixcharge/web"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeFinder } from "./hub/makeFinder.ts"
import { makeHub } from "./hub/makeHub.ts"
import { capabilityPurpose, formatCapability } from "./link/Capability.ts"
import { checkExpiresAt } from "./link/checkExpiresAt.ts"
import { makeRenewals } from "./renewal/makeRenewals.ts"
import type { Renew } from "./renewal/Renew.ts"
import { makeHandler } from "./routes/makeHandler.ts"

/** What `checkout` takes. */
export interface CheckoutOptions {
  /** Where the host mounts pixcharge, as payers reach it: `https://shop.example/payments`. Links lead below it. */
  readonly url: string
  /** Issues a new charge for one that has expired. Without it, pages say whom to ask. */
  readonly renew?: Renew
  /**
   * How many pages of this process hold a stream of changes at once, 1 to 100 000; default: 10 000.
   *
   * Further pages poll every few seconds. Each stream takes some 40 KB of memory with its charge, and a file descriptor.
   */
  readonly maxStreams?: number
}

/** Where the pages lie below the mount. */
const path = "/pagar"
const defaultMaxStreams = 10_000
const streamCount = aNumber(1, 100_000)

const isMount = (value: unknown): boolean => {
  if (typeof value !== "string" || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ["http:", "https:"].includes(protocol) && username + password === "" && !/[?#]/.test(value)
}

const rules: OptionRules<CheckoutOptions> = {
  url: required({
    mustBe: "the address at which payers reach your mount, like https://shop.example/payments",
    holds: isMount,
  }),
  renew: aFunction,
  maxStreams: { ...streamCount, holds: (value) => Number.isInteger(value) && streamCount.holds(value) },
}

const makeCheckout = Effect.fnUntraced(function* ({ url, renew, maxStreams = defaultMaxStreams }: CheckoutOptions) {
  const store = yield* ChargeStore
  const signature = (yield* Signatures).of(capabilityPurpose)
  const hub = yield* makeHub(yield* makeFinder(renew !== undefined))
  const streams = makeEventStreams({ maxOpen: maxStreams })
  yield* Effect.addFinalizer(() => Effect.sync(streams.dispose))
  const renewals = renew && (yield* makeRenewals(renew))
  const mount = url.replace(/([^/])\/+$/, "$1")
  return Checkout.of({
    link: Effect.fnUntraced(function* (issuer, id, terms) {
      const charge = yield* store.find(issuer, id)
      if (charge === undefined) return yield* new ChargeNotFound({ issuer, id })
      const expiresAt = yield* checkExpiresAt(charge, terms.expiresAt, yield* Clock.currentTimeMillis)
      return `${mount}${path}/${formatCapability({ issuer, id, expiresAt }, signature)}`
    }),
    handle: makeHandler({ signature, hub, streams, renewals }),
  })
})

/**
 * The pages on which payers pay: the option `checkout` of `createPix`.
 *
 * `pix.checkout.link` returns their addresses, and the host's mount serves them, at `/pagar`.
 *
 * @example
 * import { checkout } from "@pixcharge/checkout"
 *
 * const pix = createPix({ ...options, checkout: checkout({ url: "https://shop.example/payments" }) })
 */
export const checkout = (
  options: CheckoutOptions,
): CheckoutRoute<never, ChargeStore | CompanyDirectory | Signatures> => {
  checkOptions("checkout", options, rules)
  return { path, layer: Layer.effect(Checkout, makeCheckout(options)) }
}
