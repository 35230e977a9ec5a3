import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { findWebhookPath } from "../registerWebhook.ts"
import { webhookBody } from "../wire/Webhook.ts"
import { ask, findAbsentKind, type ProfilePatch, type Walked } from "./Walk.ts"

/** What a walk has seen of webhooks: how they differ, or why nothing was registered. */
type SeenWebhook = { readonly patch: ProfilePatch } | { readonly whyNot: string }

/** Registers a webhook of the key, and removes it again; one that the key has stays as it is. */
export const walkWebhook = Effect.fnUntraced(function* ({ client, pixKey }: Walked, url: string | undefined) {
  const { profile, webhookHeaders } = client
  const webhookKey = profile.webhookKey === "asIs" ? "withoutPlus" : "asIs"
  const path = findWebhookPath(profile, pixKey)
  const otherPath = findWebhookPath({ ...profile, webhookKey }, pixKey)
  const known = yield* ask(client, { method: "GET", path })
  if (Result.isSuccess(known)) return { whyNot: "the key has a webhook, which stays as it is" } satisfies SeenWebhook
  const patch = findAbsentKind(profile, known)
  if (url === undefined) return { whyNot: "name a public URL to have it registered and removed again" }
  const body = webhookBody(`${url}${profile.webhookSuffix}`)
  const register = (at: typeof path) => ask(client, { method: "PUT", path: at, headers: webhookHeaders, body })
  const remove = (at: typeof path) => ask(client, { method: "DELETE", path: at })
  const put = yield* register(path)
  if (Result.isSuccess(put)) return yield* Effect.as(remove(path), { patch } satisfies SeenWebhook)
  if (otherPath.text !== path.text && Result.isSuccess(yield* register(otherPath))) {
    return yield* Effect.as(remove(otherPath), { patch: { ...patch, webhookKey } } satisfies SeenWebhook)
  }
  return { whyNot: `the bank refuses it (HTTP ${put.failure.status})` } satisfies SeenWebhook
})
