import type { Period } from "@pixcharge/core"
import { normalizePixKey } from "@pixcharge/core/brcode"
import { logFailure } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PspClient } from "../client/PspClient.ts"
import { failRejected, makeRejected, orUndefined, readMissing } from "../processor/refusals.ts"
import type { PspWays } from "../profiles/PspProfile.ts"
import { PspRefusal } from "../wire/Problem.ts"
import { readNothing } from "../wire/Reader.ts"
import { readWebhookUrl, removeAdded, webhookBody } from "../wire/Webhook.ts"
import { type ApiPath, cycleWebhookPath, recurrenceWebhookPath, webhookPath } from "../wire/paths.ts"

/** The webhook of a company's PIX key. */
export interface WebhookOrder {
  /** The company's PIX key (`chave`). */
  readonly pixKey: string
  /** The public URL where pixcharge's routes are mounted: `https://shop.example/payments`. */
  readonly mountedAt: string
  /** `pix.reconcile`, which finds the payments that were made while there was no webhook. */
  readonly reconcile: (issuer: string, period: Period) => Promise<unknown>
  /**
   * Replaces another system's webhook of Pix Automático: a company has only one. Without this option, the call is
   * refused.
   */
  readonly takesOver?: boolean
}

export const findWebhookPath = ({ webhookKey }: PspWays, written: string): ApiPath => {
  const pixKey = normalizePixKey(written)
  return webhookPath(webhookKey === "withoutPlus" ? pixKey.replace(/^\+/, "") : pixKey)
}

export const webhookUrlAt = ({ profile }: PspClient, mountedAt: string, path: string): string =>
  `${mountedAt.replace(/(?<!\/)\/+$/, "")}${path}${profile.webhookSuffix}`

/** The assumed maximum difference between our clock and the bank's. */
const skewMs = 60_000

/**
 * Registers our notice route at the bank for a key (`PUT /webhook/{chave}`).
 *
 * Some banks refuse a `PUT` while another webhook is registered. It is then deleted first, and restored if ours fails.
 * Payments that were made meanwhile are searched in either case.
 */
export const registerWebhook = Effect.fnUntraced(
  function* (client: PspClient, issuer: Cnpj, url: string, { pixKey, reconcile }: WebhookOrder) {
    const { profile, webhookHeaders } = client
    const about = { operation: "registerWebhook", path: findWebhookPath(profile, pixKey) }
    const put = (webhook: string) =>
      client.call({ ...about, method: "PUT", headers: webhookHeaders, body: webhookBody(webhook), read: readNothing })
    const find = orUndefined(client.call({ ...about, method: "GET", read: readWebhookUrl, mayBeMissing: true }))
    const remove = orUndefined(client.call({ ...about, method: "DELETE", read: readNothing, mayBeMissing: true }))
    const restore = (former: string) =>
      Effect.catch(put(former), (error) => logFailure("Error", "The former webhook could not be restored", error))

    const replaceIfOther = Effect.fnUntraced(function* (refusal: PspRefusal) {
      const registered = yield* find
      if (registered === undefined) return yield* refusal
      if (removeAdded(registered) === url) return
      const from = (yield* Clock.currentTimeMillis) - skewMs
      const replaced = yield* Effect.exit(Effect.tapError(Effect.andThen(remove, put(url)), () => restore(registered)))
      const until = (yield* Clock.currentTimeMillis) + skewMs
      const search = Effect.tryPromise({ try: () => reconcile(issuer, { from, until }), catch: (error) => error })
      if (Exit.isSuccess(replaced)) return yield* search
      yield* Effect.catch(search, (error) =>
        logFailure("Error", "The payments made without a webhook could not be searched", error),
      )
      return yield* replaced
    })

    yield* Effect.catchTag(put(url), "PspRefusal", replaceIfOther)
  },
  Effect.catchIf((error): error is PspRefusal => error instanceof PspRefusal, failRejected("registerWebhook")),
)

const operation = "registerWebhook"

export const recurrenceWebhookPaths: ReadonlyArray<ApiPath> = [recurrenceWebhookPath, cycleWebhookPath]

export const findWebhook = (client: PspClient, path: ApiPath, name = operation) =>
  Effect.map(
    orUndefined(
      readMissing(client.call({ operation: name, method: "GET", path, read: readWebhookUrl, mayBeMissing: true })),
    ),
    (url) => (url === undefined ? undefined : removeAdded(url)),
  )

type OnRegistered = (url: string) => "keep" | "replace" | "refuse"

const register = Effect.fnUntraced(function* (
  client: PspClient,
  path: ApiPath,
  url: string,
  onRegistered: OnRegistered,
) {
  const about = { operation, path, read: readNothing } as const
  const registered = yield* findWebhook(client, path)
  const decision = registered === undefined ? "replace" : onRegistered(registered)
  if (registered === url || decision === "keep") return
  if (decision === "refuse") {
    return yield* makeRejected(
      operation,
      "another system has the company's only webhook of recurrences: takesOver replaces it",
    )
  }
  const put = client.call({ ...about, method: "PUT", headers: client.webhookHeaders, body: webhookBody(url) })
  const remove = orUndefined(client.call({ ...about, method: "DELETE", mayBeMissing: true }))
  // Some banks refuse a second webhook. A gap is harmless, because recurrences are also checked without notices.
  yield* Effect.catchTag(put, "PspRefusal", (refusal) =>
    registered === undefined ? Effect.fail(refusal) : Effect.andThen(remove, put),
  )
})

export const registerRecurrenceWebhooks = Effect.fnUntraced(
  function* (client: PspClient, url: string, onRegistered: OnRegistered) {
    for (const path of recurrenceWebhookPaths) yield* register(client, path, url, onRegistered)
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)
