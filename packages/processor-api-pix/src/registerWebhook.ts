import type { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "./http/PspClient.ts"
import { failRejected } from "./processor/chargeCalls.ts"
import { webhookPath } from "./wire/paths.ts"
import { webhookBody } from "./wire/Webhook.ts"

/** Which webhook a bank is to call for the payments to one key. */
export interface WebhookOrder {
  /** The company's PIX key (`chave`). */
  readonly pixKey: string
  /** Where pixcharge's routes are mounted, as the bank reaches them: `https://shop.example/payments`. */
  readonly mountedAt: string
}

/** Banks answer with the configuration, an empty object or nothing. */
const ignore = () => Result.succeed(undefined)

/**
 * Registers our notice route at the bank for payments to the key (`PUT /webhook/{chave}`). The URL names the company, for
 * banks whose notices leave the key out. Do it at every start: banks remove webhooks that failed for a while.
 */
export const registerWebhook = (
  client: PspClient,
  path: string,
  { pixKey, mountedAt }: WebhookOrder,
): Effect.Effect<void, ProcessorUnavailable | ProcessorRejected> =>
  Effect.catchTag(
    client.call({
      operation: "registerWebhook",
      method: "PUT",
      path: webhookPath(pixKey),
      body: webhookBody(`${mountedAt.replace(/\/+$/, "")}${path}`),
      read: ignore,
    }),
    "PspRefusal",
    failRejected("registerWebhook"),
  )
