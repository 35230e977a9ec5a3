import { type CompanyDirectory, type PaymentNotices, type PaymentProcessor, type PixCharges } from "@pixcharge/core"
import { normalizeTaxId, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ApiPixMisconfigured } from "./ApiPixConnection.ts"
import { type ApiPixCompanies, Connections, connectionsLayer } from "./Connections.ts"
import { apiPixNoticesLayer } from "./notices/ApiPixNotices.ts"
import { apiPixProcessorLayer } from "./processor/ApiPixProcessor.ts"
import { registerWebhook, type WebhookOrder } from "./registerWebhook.ts"

export interface ApiPixOptions {
  /** How each company reaches its bank, by CNPJ; several banks in one host are fine. */
  readonly companies: ApiPixCompanies
  /** Where the banks call, below the mount. `/webhooks/api-pix` unless told. */
  readonly noticesPath?: string
}

/** The two Layers of API Pix, which share tokens and connections, and what is done once for each key. */
export interface ApiPix {
  /** `createPix({ processor })`. */
  readonly processor: Layer.Layer<PaymentProcessor, ApiPixMisconfigured>
  /** `createPix({ notices })`: the webhook, mounted by the same bindings. */
  readonly notices: Layer.Layer<PaymentNotices, ApiPixMisconfigured, PixCharges | CompanyDirectory>
  /**
   * Tells the company's bank where to call for payments to a key. Rejects with `ProcessorRejected`, `ProcessorUnavailable`
   * or `ApiPixMisconfigured`; may be repeated at every start.
   */
  readonly registerWebhook: (issuer: string, order: WebhookOrder) => Promise<void>
}

const defaultNoticesPath = "/webhooks/api-pix"

/**
 * Payments through the central bank's API Pix, as Brazil's banks and payment institutions implement it. Connections that
 * are written down are checked when the Layers are built.
 */
export const apiPix = ({ companies, noticesPath: given = defaultNoticesPath }: ApiPixOptions): ApiPix => {
  const noticesPath = given.replace(/\/+$/, "")
  const connections = connectionsLayer(companies)
  return {
    processor: Layer.provide(apiPixProcessorLayer, connections),
    notices: Layer.provide(apiPixNoticesLayer(noticesPath), connections),
    registerWebhook: (issuer, order) =>
      Effect.gen(function* () {
        const cnpj = yield* Effect.fromResult(parseCnpj(normalizeTaxId(issuer)))
        const client = yield* (yield* Connections).of(cnpj)
        yield* registerWebhook(client, `${noticesPath}/${cnpj}`, order)
      }).pipe(Effect.provide(connections), Effect.runPromise),
  }
}
