import {
  type AuditChange,
  type Charge,
  type ChargeSearch,
  type ChargeNotFound,
  type Cnpj,
  DirectoryUnavailable,
  ifNamed,
  type InvalidLink,
  InvalidOption,
  normalizeTaxId,
  type Page,
  parseChargeId,
  parseChargeRequest,
  parsePartialRefund,
  parsePaymentNotice,
  parseTaxId,
  type StoreUnavailable,
} from "@pixcharge/core"
import { fetchHandler, type Responder } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Instance } from "./Instance.ts"
import { checkChargeFilter, checkExceptionFilter, checkFilter, checkPeriod } from "./InvalidFilter.ts"
import { type Calls, makeCalls } from "./makeCalls.ts"
import { pageRequest, pages } from "./pages.ts"
import type {
  Administration,
  Audit,
  ChargeFilter,
  CheckoutLinks,
  Directory,
  Events,
  Exceptions,
  Payers,
  Pix,
  TokenAdmin,
} from "./Pix.ts"
import { type PlainCharge, plainCharge, plainException, plainPartialRefund, plainStory, withIso } from "./plain.ts"
import type { Services } from "./services.ts"
import { tick } from "./tick.ts"

/** A charge as it stands at this moment of the instance's clock. */
export const plainly = <C extends Charge, E>(moving: Effect.Effect<C, E>): Effect.Effect<PlainCharge<C>, E> =>
  Effect.flatMap(moving, (charge) => Effect.map(Clock.currentTimeMillis, (now) => plainCharge(charge, now)))

const mapPage = <A, B>({ items, ...page }: Page<A>, plain: (item: A) => B): Page<B> => ({
  ...page,
  items: items.map(plain),
})

const checkNote = (note: string): Effect.Effect<string, InvalidOption> =>
  typeof note === "string"
    ? Effect.succeed(note)
    : Effect.fail(new InvalidOption({ message: "exceptions.resolve needs a note, as text." }))

const keyForm = /^[\w-]{1,64}$/

const checkKey = (key: string | undefined): Effect.Effect<string | undefined, InvalidOption> =>
  key === undefined || (typeof key === "string" && keyForm.test(key))
    ? Effect.succeed(key)
    : Effect.fail(
        new InvalidOption({ message: "events.ping needs a key of 1 to 64 letters, digits, - or _, or none." }),
      )

const chargeSearch = ({ from, until, status, text }: ChargeFilter, now: number): ChargeSearch => ({
  from,
  until,
  ...(status !== undefined && { status: { is: status, at: now } }),
  ...(text !== undefined && { text }),
})

const makeExceptions = ({ asCompany }: Calls<Services>): Exceptions => ({
  list: (issuer) =>
    pages((page) =>
      asCompany(issuer, ({ exceptions }, company) =>
        Effect.map(exceptions.list(company, page), (listed) => mapPage(listed, plainException)),
      ),
    ),
  search: (issuer, filter, page = {}) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(checkExceptionFilter(filter, page), ([{ from, until, status }, checked]) =>
        Effect.map(
          exceptions.search(company, { from, until, ...(status && { status }) }, pageRequest(checked)),
          (listed) => mapPage(listed, plainException),
        ),
      ),
    ),
  find: (issuer, endToEndId) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(checkFilter({ endToEndId }), () =>
        Effect.map(exceptions.find(company, endToEndId), plainException),
      ),
    ),
  refund: (issuer, endToEndId) =>
    asCompany(issuer, ({ exceptions }, company) => Effect.map(exceptions.refund(company, endToEndId), plainException)),
  resolve: (issuer, endToEndId, note) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(checkNote(note), (said) =>
        Effect.map(exceptions.resolve(company, endToEndId, said), plainException),
      ),
    ),
})

/** Records what is recorded only of somebody who is named; to be done before the answer is given. */
const recordIfNamed = (audit: Services["audit"], company: Cnpj, change: AuditChange) =>
  Effect.flatMap(ifNamed(change), (named) => (named === undefined ? Effect.void : audit.append(company, named)))

const makePayers = ({ asCompany, onCharge }: Calls<Services>): Payers => {
  const parse = (taxId: string) => Effect.fromResult(parseTaxId(normalizeTaxId(taxId)))
  return {
    show: (issuer, id) =>
      onCharge(issuer, id, ({ charges, audit }, company, chargeId) =>
        Effect.gen(function* () {
          const { payer } = yield* charges.find(company, chargeId)
          if (payer !== undefined) yield* recordIfNamed(audit, company, { kind: "payerShown", chargeId })
          return payer
        }),
      ),
    export: (issuer, taxId) =>
      asCompany(issuer, ({ payers, audit }, company) =>
        Effect.gen(function* () {
          const { charges } = yield* payers.export(company, yield* parse(taxId))
          yield* recordIfNamed(audit, company, { kind: "payerExported", charges: charges.length })
          const now = yield* Clock.currentTimeMillis
          return { charges: charges.map((charge) => plainCharge(charge, now)) }
        }),
      ),
    erase: (issuer, taxId) =>
      asCompany(issuer, ({ payers }, company) =>
        Effect.flatMap(Effect.all([parse(taxId), Clock.currentTimeMillis]), ([payer, now]) =>
          payers.erase(company, payer, now),
        ),
      ),
  }
}

const makeDirectory = ({ run }: Calls<Services>): Directory => {
  const change = <A, E>(use: (admin: NonNullable<Services["directory"]>) => Effect.Effect<A, E>) =>
    run(({ directory }): Effect.Effect<A, E | DirectoryUnavailable> =>
      directory === undefined
        ? new DirectoryUnavailable({ operation: "admin", cause: "the directory is the host's own, who changes it" })
        : use(directory),
    )
  return {
    putCompany: (company) => change((admin) => admin.putCompany(Object(company) as typeof company)),
    putReseller: (reseller) => change((admin) => admin.putReseller(Object(reseller) as typeof reseller)),
    rotateKey: (cnpj, integratorKey) => change((admin) => admin.rotateKey(cnpj, integratorKey)),
    revokeKey: (cnpj) => change((admin) => admin.revokeKey(cnpj)),
    setAssociated: (cnpj, associated) => change((admin) => admin.setAssociated(cnpj, associated)),
    setWallet: (cnpj, active) => change((admin) => admin.setWallet(cnpj, active)),
    removeCallback: (cnpj) => change((admin) => admin.removeCallback(cnpj)),
  }
}

/** A filter that was checked, its charge id read from text. */
const parseFilter = <A extends { readonly chargeId?: string }>(filter: A) =>
  Effect.flatMap(checkFilter(filter), ({ chargeId, ...rest }) =>
    chargeId === undefined
      ? Effect.succeed(rest)
      : Effect.map(Effect.fromResult(parseChargeId(chargeId)), (id) => ({ ...rest, chargeId: id })),
  )

const makeEvents = ({ run, asCompany }: Calls<Services>): Events => ({
  list: (issuer, filter = {}, page = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(Effect.all([parseFilter(filter), checkFilter(page)]), ([parsed]) =>
        events.list(company, parsed, pageRequest(page)),
      ),
    ),
  deadLetters: (issuer, page = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.andThen(checkFilter(page), events.deadLetters(company, pageRequest(page))),
    ),
  attempts: (issuer, eventId, endpointId) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.andThen(checkFilter({ eventId, endpointId }), events.attempts(company, eventId, endpointId)),
    ),
  endpoints: (issuer) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.map(events.endpoints(company), (all) => all.map((endpoint) => withIso(endpoint))),
    ),
  replay: (issuer, selection, options = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(Effect.all([parseFilter(selection), checkFilter(options)]), ([parsed, { name }]) =>
        events.replay(company, parsed, name),
      ),
    ),
  ping: (issuer, endpointId, key) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkKey(key), (checked) => events.ping(company, endpointId, checked)),
    ),
  pause: (issuer, endpointId) => asCompany(issuer, ({ events }, company) => events.pause(company, endpointId)),
  resume: (issuer, endpointId) => asCompany(issuer, ({ events }, company) => events.resume(company, endpointId)),
  pauseForAll: (endpointId) => run(({ events }) => events.pauseForAll(endpointId)),
  resumeForAll: (endpointId) => run(({ events }) => events.resumeForAll(endpointId)),
  backlog: () => run(({ events }) => events.backlog),
})

const makeRefundPart =
  ({ onCharge }: Calls<Services>): Administration["refundPart"] =>
  (issuer, id, part) =>
    onCharge(issuer, id, ({ charges }, company, chargeId) =>
      Effect.gen(function* () {
        const request = yield* Effect.fromResult(parsePartialRefund(part))
        const { charge, partialRefund } = yield* charges.refundPart(company, chargeId, request)
        return {
          charge: plainCharge(charge, yield* Clock.currentTimeMillis),
          partialRefund: plainPartialRefund(partialRefund, charge.returns),
        }
      }),
    )

/** What people do, in the name of the calls' actor. */
const makeAdministration = (calls: Calls<Services>): Administration => ({
  cancel: (issuer, id) =>
    calls.onCharge(issuer, id, ({ charges }, company, charge) => plainly(charges.cancel(company, charge))),
  refund: (issuer, id) =>
    calls.onCharge(issuer, id, ({ charges }, company, charge) => plainly(charges.refund(company, charge))),
  refundPart: makeRefundPart(calls),
  reconcile: (issuer, period) =>
    calls.asCompany(issuer, ({ reconciler, audit }, company) =>
      Effect.flatMap(checkPeriod(period), ({ from, until }) =>
        Effect.andThen(
          recordIfNamed(audit, company, { kind: "reconcileRequested", from, until }),
          reconciler.reconcile(company, { from, until }),
        ),
      ),
    ),
  exceptions: makeExceptions(calls),
  directory: makeDirectory(calls),
  events: makeEvents(calls),
  payers: makePayers(calls),
})

const makeAudit = ({ asCompany }: Calls<Services>): Audit => ({
  list: (cnpj, filter = {}, page = {}) =>
    asCompany(cnpj, ({ audit }, company) =>
      Effect.flatMap(Effect.all([parseFilter(filter), checkFilter(page)]), ([parsed]) =>
        audit.list(company, parsed, pageRequest(page)),
      ),
    ),
})

/** A purpose of signatures comes from the host's code. */
const checkPurpose = (purpose: string): string => {
  if (typeof purpose === "string" && purpose !== "") return purpose
  throw new InvalidOption({ message: "tokens.signatures needs a purpose, as text." })
}

const makeTokenAdmin = ({ run }: Calls<Services>): TokenAdmin => ({
  revoke: (id) => run(({ tokens }) => tokens.revoke(id)),
  signatures: (given) => {
    const purpose = checkPurpose(given)
    return {
      sign: (text) => run(({ signatures }) => Effect.sync(() => signatures.of(purpose).sign(text))),
      verify: (text, signature) =>
        run(({ signatures }) => Effect.sync(() => signatures.of(purpose).verify(text, signature))),
    }
  },
})

type LinkCall = Effect.Effect<string, ChargeNotFound | InvalidLink | StoreUnavailable | InvalidOption>

const noCheckout = Effect.suspend(() =>
  Effect.fail(
    new InvalidOption({
      message: "pix.checkout.link needs the option checkout of createPix: checkout({ url }) of @pixcharge/checkout.",
    }),
  ),
)

const makeCheckout = ({ onCharge }: Calls<Services>): CheckoutLinks => ({
  link: (issuer, id, terms) =>
    onCharge(issuer, id, ({ checkout }, company, charge): LinkCall =>
      checkout === undefined ? noCheckout : checkout.link(company, charge, Object(terms)),
    ),
})

/** The services for a plain host: promises for effects, texts for ids. */
export const makePix = (
  instance: Instance<Services>,
  respond: Responder["respond"],
  clock: Clock.Clock,
  diagnose: Pix["diagnose"],
): Pix => {
  const calls = makeCalls(instance)
  const { run, asCompany, onCharge } = calls
  return {
    ready: async () => void (await instance.boot()),
    diagnose,
    respond,
    fetch: fetchHandler({ respond }),
    fetchAt: (basePath) => fetchHandler({ respond }, basePath),
    issue: (issuer, request) =>
      asCompany(issuer, ({ charges }, company) =>
        Effect.flatMap(Effect.fromResult(parseChargeRequest(request)), (parsed) =>
          plainly(charges.issue(company, parsed)),
        ),
      ),
    find: (issuer, id) =>
      onCharge(issuer, id, ({ charges }, company, charge) => plainly(charges.find(company, charge))),
    confirmPayment: (notice) =>
      run(({ charges }) =>
        plainly(Effect.flatMap(Effect.fromResult(parsePaymentNotice(notice)), charges.confirmPayment)),
      ),
    charges: (issuer, filter, page = {}) =>
      asCompany(issuer, ({ lists }, company) =>
        Effect.flatMap(Effect.all([checkChargeFilter(filter, page), Clock.currentTimeMillis]), ([checked, now]) =>
          Effect.map(lists.charges(company, chargeSearch(checked[0], now), pageRequest(checked[1])), (listed) => ({
            ...listed,
            items: listed.items.map((charge) => plainCharge(charge, now)),
          })),
        ),
      ),
    story: (issuer, id) =>
      onCharge(issuer, id, ({ reports }, company, charge) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(reports.story(company, charge), (story) => plainStory(story, now)),
        ),
      ),
    figures: (issuer, period) =>
      asCompany(issuer, ({ reports }, company) =>
        Effect.flatMap(checkPeriod(period), (checked) => reports.figures(company, checked)),
      ),
    comparison: (issuer, period) =>
      asCompany(issuer, ({ reconciler }, company) =>
        Effect.flatMap(checkPeriod(period), (checked) =>
          Effect.map(reconciler.compare(company, checked), (comparison) => withIso(comparison)),
        ),
      ),
    payments: (issuer, period) =>
      pages((page) =>
        asCompany(issuer, ({ lists }, company) =>
          Effect.map(lists.payments(company, period, page), (listed) => mapPage(listed, (payment) => withIso(payment))),
        ),
      ),
    clock: { now: () => clock.currentTimeMillisUnsafe() },
    tick: (request) => run((services) => tick(services, request)),
    ...makeAdministration(calls),
    by: (actor) => makeAdministration(makeCalls(instance, actor)),
    audit: makeAudit(calls),
    tokens: makeTokenAdmin(calls),
    checkout: makeCheckout(calls),
    dispose: instance.dispose,
    [Symbol.asyncDispose]: instance.dispose,
  }
}
