import {
  Bookkeeping,
  ChargeNotFound,
  ChargeStore,
  ChargeWithoutPage,
  Checkout,
  type CheckoutRoute,
  type CompanyDirectory,
  PaymentProcessor,
} from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { aFunction, aNumber, checkOptions, type OptionRules, required } from "@pixcharge/core/internal"
import { RecurrenceNotFound } from "@pixcharge/core/recurrence"
import { Signatures, StreamsEnd } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { aBrand, type BrandOption } from "./shop/Brand.ts"
import { makeFinder } from "./hub/Finder.ts"
import { makeHub } from "./hub/makeHub.ts"
import {
  capabilityPurpose,
  checkExpiresAt,
  checkRecurrenceExpiresAt,
  formatCapability,
  recurrencePurpose,
} from "./link/Capability.ts"
import { makeRecurrenceFinder } from "./hub/RecurrenceState.ts"
import { type LookUpCharge, type Renew, Renewals } from "./routes/Renewals.ts"
import { PageStreams } from "./routes/stateReply.ts"
import { makeHandler } from "./routes/makeHandler.ts"
import { aReturnUrl, isWebAddress, makeShopFinder, type ReturnUrl } from "./shop/findShop.ts"

/** The options of `checkout`. */
export interface CheckoutOptions {
  /** The public address of the host's mount: `https://shop.example/payments`. Links start with it. */
  readonly url: string
  /** The shop's brand, or a function that returns a company's brand by CNPJ; default: neutral pages. */
  readonly brand?: BrandOption
  /**
   * The address of the link back to the shop, or a function that returns it for a charge or a recurrence (`issuer` and `id`).
   * The payer can't change it.
   */
  readonly returnUrl?: ReturnUrl
  /** Issues a new charge to replace an expired charge. Without it, the page tells the payer whom to ask for a new code. */
  readonly renew?: Renew
  /**
   * The number of event streams that this process can hold open, 1 to 100 000; default: 10 000. A company gets at most half.
   *
   * Further pages poll every few seconds. A stream takes about 40 KB of memory and a file descriptor.
   */
  readonly maxStreams?: number
}

const path = "/pagar"
const defaultMaxStreams = 10_000
const streamCount = aNumber(1, 100_000)

const isMount = (value: unknown): boolean => isWebAddress(value) && !/[?#]/.test(value as string)

const rules: OptionRules<CheckoutOptions> = {
  url: required({
    mustBe: "the address at which payers reach your mount, like https://shop.example/payments",
    holds: isMount,
  }),
  brand: aBrand,
  returnUrl: aReturnUrl,
  renew: aFunction,
  maxStreams: { ...streamCount, holds: (value) => Number.isInteger(value) && streamCount.holds(value) },
}

const makeCheckout = Effect.fnUntraced(function* (options: CheckoutOptions) {
  const { url, brand, returnUrl, renew, maxStreams = defaultMaxStreams } = options
  const store = yield* ChargeStore
  const recurrenceStore = yield* RecurrenceStore
  const signatures = yield* Signatures
  const signature = signatures.of(capabilityPurpose)
  const hub = yield* makeHub(yield* makeFinder(renew !== undefined))
  const recurrences = {
    signature: signatures.of(recurrencePurpose),
    hub: yield* makeHub(yield* makeRecurrenceFinder),
  }
  const streams = new PageStreams(maxStreams, yield* StreamsEnd)
  yield* Effect.addFinalizer(() => Effect.sync(() => streams.dispose()))
  const books = yield* Bookkeeping
  const processor = yield* PaymentProcessor
  const lookUp: LookUpCharge = (charge) =>
    Effect.flatMap(processor.lookup(charge), (view) => books.applyView(charge, view))
  const renewals = renew && new Renewals(store, renew, lookUp)
  const address = url.replace(/([^/])\/+$/, "$1") + path
  const shop = makeShopFinder(brand, returnUrl)
  return Checkout.of({
    link: Effect.fnUntraced(function* (issuer, id, terms) {
      const charge = yield* store.find(issuer, id)
      if (charge === undefined) return yield* new ChargeNotFound({ issuer, id })
      if (charge.cycle !== undefined)
        return yield* new ChargeWithoutPage({ issuer, id, recurrenceId: charge.cycle.recurrenceId })
      const expiresAt = yield* checkExpiresAt(charge, terms.expiresAt, yield* Clock.currentTimeMillis)
      return `${address}/${formatCapability({ issuer, id, expiresAt }, signature)}`
    }),
    recurrenceLink: Effect.fnUntraced(function* (issuer, id, terms) {
      const expiresAt = yield* checkRecurrenceExpiresAt({ issuer, id }, terms.expiresAt, yield* Clock.currentTimeMillis)
      const recurrence = yield* recurrenceStore.find(issuer, id)
      if (recurrence === undefined) return yield* new RecurrenceNotFound({ issuer, id })
      return `${address}/${formatCapability({ issuer, id, expiresAt }, recurrences.signature)}`
    }),
    handle: makeHandler({ signature, hub, recurrences, streams, renewals, shop, address }),
  })
})

/** The result of `checkout`. */
export interface CheckoutPages extends CheckoutRoute<
  never,
  ChargeStore | RecurrenceStore | CompanyDirectory | Signatures | PaymentProcessor | Bookkeeping
> {}

/**
 * The pages where payers pay: the option `checkout` of `createPix`.
 *
 * `pix.checkout.link` returns the pages' addresses. The host's mount serves them at `/pagar`.
 *
 * @example
 * import { checkout } from "@pixcharge/checkout"
 *
 * const pix = createPix({ ...options, checkout: checkout({ url: "https://shop.example/payments" }) })
 */
export const checkout = (options: CheckoutOptions): CheckoutPages => {
  checkOptions("checkout", options, rules)
  return { path, layer: Layer.effect(Checkout, makeCheckout(options)) }
}
