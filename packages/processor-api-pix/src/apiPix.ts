import type {
  Bookkeeping,
  CompanyDirectory,
  Diagnosable,
  DiagnosisOrder,
  NoticesRoute,
  PaymentProcessor,
  PixCharges,
} from "@pixcharge/core"
import {
  aFunction,
  aList,
  anObject,
  checkOptions,
  type OptionRules,
  plainPath,
  required,
} from "@pixcharge/core/internal"
import { normalizeTaxId, parseCnpj } from "@pixcharge/core/party"
import type { RecurrenceProcessor } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { type ApiPixCompanies, Connections, connectionsLayer } from "./client/Connections.ts"
import type { ApiPixMisconfigured } from "./connection/ApiPixConnection.ts"
import { diagnoseBank } from "./diagnosis/diagnoseBank.ts"
import { apiPixNoticesLayer, type NoticeAccess } from "./notices/ApiPixNotices.ts"
import { checkSecrets, noticeAddress, readWebhook } from "./notices/noticeAddress.ts"
import { apiPixProcessorLayer } from "./processor/ApiPixProcessor.ts"
import { apiPixRecurrencesLayer } from "./recurrences/ApiPixRecurrences.ts"
import {
  registerRecurrenceWebhooks,
  registerWebhook,
  type WebhookOrder,
  webhookUrlAt,
} from "./notices/registerWebhook.ts"

export interface ApiPixOptions extends NoticeAccess {
  /** Each company's connection to its bank, by CNPJ. One host can use several banks. */
  readonly companies: ApiPixCompanies
  /** The path that banks call, below the mount and apart from our own routes. Default: `/webhooks/api-pix`. */
  readonly noticesPath?: string
}

/** The processor and webhook of API Pix, with shared tokens and connections. */
export interface ApiPix {
  /** `createPix({ processor })`. */
  readonly processor: Layer.Layer<PaymentProcessor | RecurrenceProcessor, ApiPixMisconfigured> &
    Diagnosable & {
      /** True with `noticeSecrets`: `createPix` then requires `notices`. */
      readonly wantsNotices?: true
    }
  /** `createPix({ notices })`: the route that banks call. */
  readonly notices: NoticesRoute<ApiPixMisconfigured, PixCharges | Bookkeeping | CompanyDirectory>
  /**
   * Registers our webhook at the company's bank for a key, and for recurrences if the connection has a `receivingAccount`. Call
   * it at every start.
   *
   * Rejects with `ProcessorRejected`, `ProcessorUnavailable` or `ApiPixMisconfigured`, and with `InvalidTaxId` for an issuer
   * that is no CNPJ. If it replaced another webhook, also rejects with the error of `reconcile`.
   */
  readonly registerWebhook: (issuer: string, order: WebhookOrder) => Promise<void>
}

const rules: OptionRules<ApiPixOptions> = {
  companies: required({
    mustBe: "an object of connections by CNPJ, or a function that returns one",
    holds: (value) => anObject.holds(value) || aFunction.holds(value),
  }),
  noticesPath: { mustBe: "a path like /webhooks/api-pix", holds: (value) => typeof value === "string" },
  noticeSecrets: aList("one or two texts", (secret) => typeof secret === "string"),
  noticeCaller: aFunction,
}

const defaultNoticesPath = "/webhooks/api-pix"

/**
 * Payments through the central bank's API Pix, as Brazil's banks and payment institutions implement it. A record of
 * connections is checked when the Layers are built. Throws `InvalidOption`.
 *
 * @example
 * const bank = apiPix({
 *   companies: { "12345678000195": { psp: "efi", clientId, clientSecret, cert, key } },
 *   noticeSecrets: [process.env["PIX_NOTICE_SECRET"] ?? ""],
 * })
 * const pix = createPix({ ...options, processor: bank.processor, notices: bank.notices })
 */
export const apiPix = (options: ApiPixOptions): ApiPix => {
  checkOptions("apiPix", options, rules)
  const { companies, noticesPath = defaultNoticesPath, noticeSecrets } = options
  const connections = connectionsLayer(companies)
  // The Layers must be fresh, because one program can have two banks.
  const services = Layer.fresh(Layer.merge(apiPixProcessorLayer, apiPixRecurrencesLayer))
  const bank = { companies, noticesPath: plainPath(noticesPath), noticeSecrets }
  return {
    processor: Object.assign(Layer.provide(services, connections), {
      diagnose: (order: DiagnosisOrder) => Effect.runPromise(diagnoseBank(bank, order, connections)),
      ...(noticeSecrets !== undefined && { wantsNotices: true as const }),
    }),
    notices: { path: noticesPath, layer: Layer.provide(apiPixNoticesLayer(options), connections) },
    registerWebhook: (issuer, order) =>
      Effect.gen(function* () {
        const cnpj = yield* Effect.fromResult(parseCnpj(normalizeTaxId(issuer)))
        const secrets = yield* checkSecrets(noticeSecrets)
        const { forCompany, sharingWith } = yield* Connections
        const client = yield* forCompany(cnpj)
        const path = `${plainPath(noticesPath)}${noticeAddress(secrets, cnpj)}`
        const url = webhookUrlAt(client, order.mountedAt, path)
        yield* registerWebhook(client, cnpj, url, order)
        if (Result.isFailure(client.receivingAccount)) return
        const sharing = yield* sharingWith(cnpj)
        yield* registerRecurrenceWebhooks(client, url, (known) => {
          const holder = readWebhook(secrets, known)
          if (holder !== undefined && holder !== cnpj && sharing.includes(holder)) return "keep"
          return holder !== undefined || order.takesOver === true ? "replace" : "refuse"
        })
      }).pipe(Effect.provide(connections), Effect.runPromise),
  }
}
