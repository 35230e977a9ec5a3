import { ProcessorRejected } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { PspClient } from "./http/PspClient.ts"
import { failRejected, orUndefined } from "./processor/chargeCalls.ts"
import { type ApiPath, cycleWebhookPath, recurrenceWebhookPath } from "./wire/paths.ts"
import type { PspRefusal } from "./wire/Problem.ts"
import { readWebhookUrl, removeAdded, webhookBody } from "./wire/Webhook.ts"

const operation = "registerWebhook"

/** Where Pix Automático is told of: the company's recurrences, and their cycles' charges. */
export const recurrenceWebhookPaths: ReadonlyArray<ApiPath> = [recurrenceWebhookPath, cycleWebhookPath]

/** The URL of a company's webhook as the bank shows it; undefined where it has none. */
export const findWebhook = (client: PspClient, path: ApiPath, name = operation) =>
  Effect.map(
    orUndefined(client.call({ operation: name, method: "GET", path, read: readWebhookUrl, mayBeMissing: true })),
    (url) => (url === undefined ? undefined : removeAdded(url)),
  )

/** What a webhook may take the place of. */
export interface Replacing {
  readonly isOwn: (url: string) => boolean
  /** Another system's, too. */
  readonly takesOver?: boolean
}

const register = Effect.fnUntraced(function* (
  client: PspClient,
  path: ApiPath,
  url: string,
  { isOwn, takesOver = false }: Replacing,
) {
  const about = { operation, path, read: () => Result.succeed(undefined) } as const
  const registered = yield* findWebhook(client, path)
  if (registered === url) return
  if (registered !== undefined && !isOwn(registered) && !takesOver) {
    return yield* new ProcessorRejected({
      operation,
      reason: Redacted.make(
        "another system has the company's webhook of recurrences, of which there is one: only with takesOver it is replaced",
      ),
    })
  }
  const put = client.call({ ...about, method: "PUT", headers: client.webhookHeaders, body: webhookBody(url) })
  const remove = orUndefined(client.call({ ...about, method: "DELETE", mayBeMissing: true }))
  // Some banks refuse another while they have one. Nothing is lost meanwhile: recurrences are checked without notices, too.
  yield* Effect.catchTag(put, "PspRefusal", (refusal) =>
    registered === undefined ? Effect.fail(refusal) : Effect.andThen(remove, put),
  )
})

/** Registers our notice route for recurrences and for their cycles' charges, once each; one that is there already stays. */
export const registerRecurrenceWebhooks = Effect.fnUntraced(
  function* (client: PspClient, url: string, replacing: Replacing) {
    for (const path of recurrenceWebhookPaths) yield* register(client, path, url, replacing)
  },
  Effect.catchIf((error): error is PspRefusal => error._tag === "PspRefusal", failRejected(operation)),
)
