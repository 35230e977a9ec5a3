import * as Effect from "effect/Effect"
import type { PspClient } from "./http/PspClient.ts"
import { failRejected, makeRejected, orUndefined } from "./processor/chargeCalls.ts"
import { readMissing } from "./processor/recurrences/readMissing.ts"
import { type ApiPath, cycleWebhookPath, recurrenceWebhookPath } from "./wire/paths.ts"
import { readNothing } from "./wire/Reader.ts"
import { readWebhookUrl, removeAdded, webhookBody } from "./wire/Webhook.ts"

const operation = "registerWebhook"

/** Where Pix Automático is told of: the company's recurrences, and their cycles' charges. */
export const recurrenceWebhookPaths: ReadonlyArray<ApiPath> = [recurrenceWebhookPath, cycleWebhookPath]

/** The URL of a company's webhook as the bank shows it; undefined where it has none. */
export const findWebhook = (client: PspClient, path: ApiPath, name = operation) =>
  Effect.map(
    orUndefined(
      readMissing(client.call({ operation: name, method: "GET", path, read: readWebhookUrl, mayBeMissing: true })),
    ),
    (url) => (url === undefined ? undefined : removeAdded(url)),
  )

/** What becomes of a webhook that the bank has. */
type OnRegistered = (url: string) => "keep" | "replace" | "refuse"

const register = Effect.fnUntraced(function* (
  client: PspClient,
  path: ApiPath,
  url: string,
  onRegistered: OnRegistered,
) {
  const about = { operation, path, read: readNothing } as const
  const registered = yield* findWebhook(client, path)
  const then = registered === undefined ? "replace" : onRegistered(registered)
  if (registered === url || then === "keep") return
  if (then === "refuse") {
    return yield* makeRejected(
      operation,
      "another system has the company's webhook of recurrences, of which there is one: takesOver replaces it",
    )
  }
  const put = client.call({ ...about, method: "PUT", headers: client.webhookHeaders, body: webhookBody(url) })
  const remove = orUndefined(client.call({ ...about, method: "DELETE", mayBeMissing: true }))
  // Some banks refuse another while they have one. Nothing is lost meanwhile: recurrences are checked without notices, too.
  yield* Effect.catchTag(put, "PspRefusal", (refusal) =>
    registered === undefined ? Effect.fail(refusal) : Effect.andThen(remove, put),
  )
})

/** Registers our notice route for recurrences and for their cycles' charges, once each. */
export const registerRecurrenceWebhooks = Effect.fnUntraced(
  function* (client: PspClient, url: string, onRegistered: OnRegistered) {
    for (const path of recurrenceWebhookPaths) yield* register(client, path, url, onRegistered)
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)
