import {
  Actor,
  AuditLog,
  ChargeLists,
  DirectoryAdmin,
  DirectoryUnavailable,
  EventOperations,
  normalizeTaxId,
  parseChargeId,
  parseChargeRequest,
  parsePaymentNotice,
  parseTaxId,
  PayerData,
  PaymentExceptions,
  PixCharges,
  Reconciler,
} from "@pixcharge/core"
import { fetchHandler, PixHttp, type Responder, Tokens } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { checkFilter } from "./InvalidFilter.ts"
import { type Calls, makeCalls } from "./makeCalls.ts"
import { pageRequest, pages } from "./pages.ts"
import type { Administration, Audit, Directory, Events, Exceptions, Payers, Pix } from "./Pix.ts"
import type { PixServices } from "./pixLayer.ts"

const makeExceptions = (exceptions: PaymentExceptions["Service"], { asCompany }: Calls): Exceptions => ({
  list: (issuer) => pages((page) => asCompany(issuer, (company) => exceptions.list(company, page))),
  refund: (issuer, endToEndId) => asCompany(issuer, (company) => exceptions.refund(company, endToEndId)),
  resolve: (issuer, endToEndId, note) => asCompany(issuer, (company) => exceptions.resolve(company, endToEndId, note)),
})

const makePayers = (payerData: PayerData["Service"], { asCompany }: Calls): Payers => {
  const parse = (taxId: string) => Effect.fromResult(parseTaxId(normalizeTaxId(taxId)))
  return {
    export: (issuer, taxId) =>
      asCompany(issuer, (company) => Effect.flatMap(parse(taxId), (payer) => payerData.export(company, payer))),
    erase: (issuer, taxId) =>
      asCompany(issuer, (company) =>
        Effect.flatMap(Effect.all([parse(taxId), Clock.currentTimeMillis]), ([payer, now]) =>
          payerData.erase(company, payer, now),
        ),
      ),
  }
}

const makeDirectory = (context: Context.Context<never>, { run }: Calls): Directory => {
  const known = Effect.mapError(
    Effect.fromOption(Context.getOption(context, DirectoryAdmin)),
    () => new DirectoryUnavailable({ operation: "admin", cause: "the directory is the host's own, who changes it" }),
  )
  const change = <A, E>(use: (admin: DirectoryAdmin["Service"]) => Effect.Effect<A, E>) =>
    run(Effect.flatMap(known, use))
  return {
    putCompany: (company) => change((admin) => admin.putCompany(company)),
    putReseller: (reseller) => change((admin) => admin.putReseller(reseller)),
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

const makeEvents = (events: EventOperations["Service"], { run, asCompany }: Calls): Events => ({
  list: (issuer, filter = {}, page = {}) =>
    asCompany(issuer, (company) =>
      Effect.flatMap(Effect.all([parseFilter(filter), checkFilter(page)]), ([parsed]) =>
        events.list(company, parsed, pageRequest(page)),
      ),
    ),
  deadLetters: (issuer, page = {}) =>
    asCompany(issuer, (company) => Effect.andThen(checkFilter(page), events.deadLetters(company, pageRequest(page)))),
  attempts: (issuer, eventId, endpointId) =>
    asCompany(issuer, (company) =>
      Effect.andThen(checkFilter({ eventId, endpointId }), events.attempts(company, eventId, endpointId)),
    ),
  replay: (issuer, selection) =>
    asCompany(issuer, (company) => Effect.flatMap(parseFilter(selection), (parsed) => events.replay(company, parsed))),
  ping: (issuer, endpointId) => asCompany(issuer, (company) => events.ping(company, endpointId)),
  pause: (issuer, endpointId) => asCompany(issuer, (company) => events.pause(company, endpointId)),
  resume: (issuer, endpointId) => asCompany(issuer, (company) => events.resume(company, endpointId)),
  pauseForAll: (endpointId) => run(events.pauseForAll(endpointId)),
  resumeForAll: (endpointId) => run(events.resumeForAll(endpointId)),
  backlog: () => run(events.backlog),
})

/** What people change, in the name of the context's actor. */
const makeAdministration = (context: Context.Context<PixServices>): Administration => {
  const calls = makeCalls(context)
  return {
    exceptions: makeExceptions(Context.get(context, PaymentExceptions), calls),
    directory: makeDirectory(context, calls),
    events: makeEvents(Context.get(context, EventOperations), calls),
  }
}

const makeAudit = (log: AuditLog["Service"], { asCompany }: Calls): Audit => ({
  list: (cnpj, filter = {}, page = {}) =>
    asCompany(cnpj, (company) =>
      Effect.flatMap(Effect.all([checkFilter(filter), checkFilter(page)]), ([checked]) =>
        log.list(company, checked, pageRequest(page)),
      ),
    ),
})

/** The services for a plain host: promises for effects, texts for ids. */
export const makePix = (context: Context.Context<PixServices>, dispose: () => Promise<void>): Pix => {
  const http = Context.get(context, PixHttp)
  const tokens = Context.get(context, Tokens)
  const charges = Context.get(context, PixCharges)
  const lists = Context.get(context, ChargeLists)
  const reconciler = Context.get(context, Reconciler)
  const calls = makeCalls(context)
  const { run, asCompany, onCharge } = calls
  const respond: Responder["respond"] = (exchange) => {
    const reply = http.respond(exchange)
    return reply === undefined ? undefined : run(reply)
  }
  return {
    respond,
    fetch: fetchHandler({ respond }),
    issue: (issuer, request) =>
      asCompany(issuer, (company) =>
        Effect.flatMap(Effect.fromResult(parseChargeRequest(request)), (parsed) => charges.issue(company, parsed)),
      ),
    find: (issuer, id) => onCharge(issuer, id, charges.find),
    cancel: (issuer, id) => onCharge(issuer, id, charges.cancel),
    refund: (issuer, id) => onCharge(issuer, id, charges.refund),
    confirmPayment: (notice) =>
      run(Effect.flatMap(Effect.fromResult(parsePaymentNotice(notice)), charges.confirmPayment)),
    payments: (issuer, period) =>
      pages((page) => asCompany(issuer, (company) => lists.payments(company, period, page))),
    reconcile: (issuer, period) => asCompany(issuer, (company) => reconciler.reconcile(company, period)),
    ...makeAdministration(context),
    by: (actor) => makeAdministration(Context.add(context, Actor, actor)),
    audit: makeAudit(Context.get(context, AuditLog), calls),
    payers: makePayers(Context.get(context, PayerData), calls),
    tokens: { revoke: (id) => run(tokens.revoke(id)) },
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
