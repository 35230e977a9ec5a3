import {
  type CompanyDirectory,
  type NoticesRoute,
  type PaymentProcessor,
  type PixCharges,
  plainPath,
} from "@pixcharge/core"
import { normalizeTaxId, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ApiPixMisconfigured } from "./ApiPixConnection.ts"
import { type ApiPixCompanies, Connections, connectionsLayer } from "./Connections.ts"
import { apiPixNoticesLayer, type NoticeAccess } from "./notices/ApiPixNotices.ts"
import { checkSecrets, noticeAddress } from "./notices/noticeAddress.ts"
import { apiPixProcessorLayer } from "./processor/ApiPixProcessor.ts"
import { registerWebhook, type WebhookOrder } from "./registerWebhook.ts"

/** What `apiPix` is made of. */
export interface ApiPixOptions extends NoticeAccess {
  /** How each company reaches its bank, by CNPJ; one host may use several banks. */
  readonly companies: ApiPixCompanies
  /**
   * Where the banks call, below the mount, like `/webhooks/api-pix`, which is the default. It may lie neither below our
   * own routes nor above them.
   */
  readonly noticesPath?: string
}

/** The processor and the webhook of API Pix, which share tokens and connections, and the registration of webhooks. */
export interface ApiPix {
  /** `createPix({ processor })`. */
  readonly processor: Layer.Layer<PaymentProcessor, ApiPixMisconfigured>
  /** `createPix({ notices })`: the webhook, mounted by the same bindings. */
  readonly notices: NoticesRoute<ApiPixMisconfigured, PixCharges | CompanyDirectory>
  /**
   * Registers our webhook at the company's bank for payments to a key; do it at every start. Rejects with
   * `ProcessorRejected`, `ProcessorUnavailable`, `ApiPixMisconfigured` or, for an issuer that is no CNPJ, `InvalidTaxId`;
   * where another webhook was deleted for ours, also with what `reconcile` rejects with.
   */
  readonly registerWebhook: (issuer: string, order: WebhookOrder) => Promise<void>
}

const defaultNoticesPath = "/webhooks/api-pix"

/**
 * Payments through the central bank's API Pix, as Brazil's banks and payment institutions implement it. A record of
 * connections is checked when the Layers are built.
 *
 * @example
 * const bank = apiPix({
 *   companies: { "12345678000195": { baseUrl, clientId, clientSecret, cert, key, profile: pspProfiles.sicredi } },
 *   noticeSecrets: [process.env["PIX_NOTICE_SECRET"] ?? ""],
 * })
 * const pix = createPix({ ...options, processor: bank.processor, notices: bank.notices })
 */
export const apiPix = (options: ApiPixOptions): ApiPix => {
  const { companies, noticesPath = defaultNoticesPath, noticeSecrets } = options
  const connections = connectionsLayer(companies)
  return {
    processor: Layer.provide(apiPixProcessorLayer, connections),
    notices: { path: noticesPath, layer: Layer.provide(apiPixNoticesLayer(options), connections) },
    registerWebhook: (issuer, order) =>
      Effect.gen(function* () {
        const cnpj = yield* Effect.fromResult(parseCnpj(normalizeTaxId(issuer)))
        const address = noticeAddress(yield* checkSecrets(noticeSecrets), cnpj)
        const client = yield* (yield* Connections).forCompany(cnpj)
        yield* registerWebhook(client, cnpj, `${plainPath(noticesPath)}${address}`, order)
      }).pipe(Effect.provide(connections), Effect.runPromise),
  }
}
