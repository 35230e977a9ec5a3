import { type ChargeSearch, InvalidOption } from "@pixcharge/core"
import type { LocalDate } from "@pixcharge/core/calendar"
import { parsePaymentNotice, type PaymentNoticeInput } from "@pixcharge/core/charges"
import { addIso } from "@pixcharge/core/internal"
import { fetchHandler, type Responder } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Instance } from "../Instance.ts"
import { checkFields, paymentNoticeFields } from "./checkFields.ts"
import { checkActor } from "./actor.ts"
import {
  auditFields,
  type ChargeFilter,
  checkChargeFilter,
  checkPage,
  checkPeriod,
  mapPage,
  pageRequest,
  pages,
  parseFilter,
} from "./ChargeFilter.ts"
import { makeAdministration } from "./Administration.ts"
import { type Calls, makeCalls } from "./makeCalls.ts"
import { makeCheckout } from "./CheckoutLinks.ts"
import type { Audit } from "./Audit.ts"
import type { Pix } from "./Pix.ts"
import type { TokenAdmin } from "./TokenAdmin.ts"
import { toPlainCharge, toPlainNow, toPlainStory } from "./plain.ts"
import type { Services } from "../services.ts"
import { tick } from "../tick.ts"

const toChargeSearch = ({ from, until, status, text, amount, due, paid }: ChargeFilter, now: number): ChargeSearch => ({
  from,
  until,
  ...(status !== undefined && { status: { is: status, at: now } }),
  ...(text !== undefined && { text }),
  ...(amount && { amount: { minCents: amount.minCents ?? 0, maxCents: amount.maxCents ?? Number.MAX_SAFE_INTEGER } }),
  ...(due && { due: { from: due.from as LocalDate, until: due.until as LocalDate } }),
  ...(paid && { paid }),
})

const makeAudit = ({ asCompany }: Calls<Services>): Audit => ({
  list: (cnpj, filter = {}, page = {}) =>
    asCompany(cnpj, ({ audit }, company) =>
      Effect.flatMap(Effect.all([parseFilter(filter, auditFields), checkPage(page)]), ([parsed, checked]) =>
        audit.list(company, parsed, pageRequest(checked)),
      ),
    ),
})

/** A purpose of signatures comes from the host's code. */
const checkPurpose = (purpose: string): string => {
  if (typeof purpose === "string" && purpose !== "") return purpose
  throw new InvalidOption({ message: "tokens.signatures needs a purpose, as text." })
}

const checkSigned = (text: string): Effect.Effect<string, InvalidOption> =>
  typeof text === "string"
    ? Effect.succeed(text)
    : Effect.fail(new InvalidOption({ message: "What is signed must be a text." }))

const makeTokenAdmin = ({ run }: Calls<Services>, canSign: boolean): TokenAdmin => ({
  revoke: (id) => run(({ tokens }) => tokens.revoke(id)),
  signatures: (given) => {
    if (!canSign) {
      throw new InvalidOption({ message: "tokens.signatures needs the option tokens of createPix: its keys sign." })
    }
    const purpose = checkPurpose(given)
    return {
      sign: (text) =>
        run(({ signatures }) => Effect.map(checkSigned(text), (checked) => signatures.of(purpose).sign(checked))),
      verify: (text, signature) =>
        run(({ signatures }) =>
          Effect.sync(
            () =>
              typeof text === "string" &&
              typeof signature === "string" &&
              signatures.of(purpose).verify(text, signature),
          ),
        ),
    }
  },
})

const parseNotice = (notice: PaymentNoticeInput) =>
  Effect.andThen(
    checkFields("confirmPayment(notice)", notice, paymentNoticeFields),
    Effect.fromResult(parsePaymentNotice(notice)),
  )

type ChargeMethods = Pick<Pix, "find" | "confirmPayment" | "charges" | "story">

const makeCharges = ({ run, asCompany, onCharge }: Calls<Services>): ChargeMethods => ({
  find: (issuer, id) =>
    onCharge(issuer, id, ({ charges }, company, charge) => toPlainNow(charges.find(company, charge))),
  confirmPayment: (notice) =>
    run(({ charges }) => toPlainNow(Effect.flatMap(parseNotice(notice), charges.confirmPayment))),
  charges: (issuer, filter, page = {}) =>
    asCompany(issuer, ({ lists }, company) =>
      Effect.flatMap(
        Effect.all([checkChargeFilter(filter), checkPage(page), Clock.currentTimeMillis]),
        ([checkedFilter, checkedPage, now]) =>
          Effect.map(lists.charges(company, toChargeSearch(checkedFilter, now), pageRequest(checkedPage)), (listed) =>
            mapPage(listed, (charge) => toPlainCharge(charge, now)),
          ),
      ),
    ),
  story: (issuer, id) =>
    onCharge(issuer, id, ({ reports }, company, charge) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(reports.story(company, charge), (story) => toPlainStory(story, now)),
      ),
    ),
})

const makeReports = ({ asCompany }: Calls<Services>): Pick<Pix, "figures" | "comparison" | "payments"> => ({
  figures: (issuer, period) =>
    asCompany(issuer, ({ reports }, company) =>
      Effect.flatMap(checkPeriod(period), (checked) => reports.figures(company, checked)),
    ),
  comparison: (issuer, period) =>
    asCompany(issuer, ({ reconciler }, company) =>
      Effect.flatMap(checkPeriod(period), (checked) => Effect.map(reconciler.compare(company, checked), addIso)),
    ),
  payments: (issuer, period) =>
    pages((page) =>
      asCompany(issuer, ({ lists }, company) =>
        Effect.flatMap(checkPeriod(period), (checked) =>
          Effect.map(lists.payments(company, checked, page), (listed) => mapPage(listed, addIso)),
        ),
      ),
    ),
})

/** What an instance has without a boot. */
interface Given extends Pick<Pix, "diagnose" | "hasRecurrences"> {
  readonly canSign: boolean
  readonly streams: AbortController
}

/** The services for a plain host: promises for effects, texts for ids. */
export const makePix = (
  instance: Instance<Services>,
  respond: Responder["respond"],
  clock: Clock.Clock,
  { diagnose, hasRecurrences, canSign, streams }: Given,
): Pix => {
  const calls = makeCalls(instance)
  const endStreams = () => streams.abort()
  const dispose = () => {
    endStreams()
    return instance.dispose()
  }
  return {
    ready: async () => void (await instance.boot()),
    diagnose,
    hasRecurrences,
    respond,
    fetch: fetchHandler({ respond }),
    fetchAt: (basePath) => fetchHandler({ respond }, basePath),
    ...makeCharges(calls),
    ...makeReports(calls),
    clock: { now: () => clock.currentTimeMillisUnsafe() },
    tick: (request) => calls.run((services) => tick(services, request)),
    ...makeAdministration(calls),
    by: (actor) => makeAdministration(makeCalls(instance, checkActor(actor))),
    audit: makeAudit(calls),
    tokens: makeTokenAdmin(calls, canSign),
    checkout: makeCheckout(calls),
    endStreams,
    streamsEnd: streams.signal,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
