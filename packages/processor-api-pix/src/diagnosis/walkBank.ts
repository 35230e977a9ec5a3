import type { Finding } from "@pixcharge/core"
import type { Txid } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { failRejected } from "../processor/refusals.ts"
import { findWebhookPath } from "../notices/registerWebhook.ts"
import { webhookBody } from "../wire/Webhook.ts"
import { removalBody, walkedBody } from "../wire/bodies.ts"
import { chargePath } from "../wire/paths.ts"
import { ask, type BankWalk, findAbsentKind, newTxid, type ProfilePatch, type Walked } from "./Walk.ts"
import { walkCharge } from "./walkCharge.ts"
import { walkList, walkReturn } from "./walkPayments.ts"

const removeCharges = ({ client }: Walked, txids: ReadonlyArray<Txid>) =>
  Effect.forEach(
    txids,
    (txid) => Effect.ignore(ask(client, { method: "PATCH", path: chargePath(txid, false), body: removalBody })),
    { discard: true },
  )

const patchTokenPath = ({ client }: Walked): ProfilePatch => {
  const { tokenPath, otherTokenPaths } = client.profile
  const [url = ""] = client.tokenUrls.list()
  const found = otherTokenPaths.find((path) => url.endsWith(path) && !url.endsWith(tokenPath))
  return found === undefined ? {} : { tokenPath: found }
}

const steps = (walked: Walked, { webhookUrl, waitMs }: BankWalk, txids: readonly [Txid, Txid]) =>
  Effect.gen(function* () {
    const { client, issuer } = walked
    const [changed, paid] = txids
    const charge = yield* walkCharge(walked, changed)
    // A bank's sandbox that simulates payers pays small charges immediately.
    const path = chargePath(paid, false)
    yield* Effect.fromResult(yield* ask(client, { method: "PUT", path, body: walkedBody(walked.pixKey, "1.00") }))
    const returned = yield* walkReturn(walked, paid, waitMs)
    const listed = yield* walkList(walked)
    const webhook = yield* walkWebhook(walked, webhookUrl)
    const webhookPatch = "patch" in webhook ? webhook.patch : {}
    const skipped: ReadonlyArray<Finding> = [
      ...(returned === undefined
        ? [
            {
              check: `return of ${issuer}`,
              status: "skipped" as const,
              message: "no payment of the walk's charge came",
            },
          ]
        : []),
      ...("whyNot" in webhook
        ? [{ check: `webhook walk of ${issuer}`, status: "skipped" as const, message: webhook.whyNot }]
        : []),
    ]
    const patch = { ...patchTokenPath(walked), ...charge, ...listed, ...returned, ...webhookPatch }
    return { patch, skipped }
  })

const describe = (check: string, patch: ProfilePatch): Finding => {
  const names = Object.keys(patch)
  return names.length === 0
    ? { check, status: "ok", message: "the walk found the bank as its profile says" }
    : {
        check,
        status: "failed",
        message: `the bank differs in ${names.join(", ")}: put the patch over the profile, and send it to us`,
        patch,
      }
}

/**
 * Tries a bank's charges, look-ups, returns, lists and webhooks, and reports where the bank differs from its profile.
 * Always removes the walk's unpaid charges at the end.
 */
export const walkBank = (walked: Walked, walk: BankWalk): Effect.Effect<ReadonlyArray<Finding>> => {
  const { client, issuer } = walked
  const check = `profile of ${issuer}`
  if (client.stage === "production" && !walk.inProduction) {
    const message = 'its connection is to production: give stage: "sandbox", or allow the walk in production'
    return Effect.succeed([{ check, status: "failed", message }])
  }
  const txids = [newTxid(issuer), newTxid(issuer)] as const
  const walking = Effect.ensuring(steps(walked, walk, txids), removeCharges(walked, txids))
  return walking.pipe(
    Effect.catchTag("PspRefusal", failRejected("walk")),
    Effect.map(({ patch, skipped }) => [...skipped, describe(check, patch)]),
    Effect.catch((error) =>
      Effect.succeed<ReadonlyArray<Finding>>([
        {
          check,
          status: "failed",
          message:
            error._tag === "ProcessorRejected"
              ? `the bank refuses a charge (HTTP ${error.status}): the walk ends here`
              : "the bank stopped answering: the walk's charges can stay open for ten minutes",
        },
      ]),
    ),
  )
}

type SeenWebhook = { readonly patch: ProfilePatch } | { readonly whyNot: string }

const walkWebhook = Effect.fnUntraced(function* ({ client, pixKey }: Walked, url: string | undefined) {
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
