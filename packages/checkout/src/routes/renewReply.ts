import type { Exchange, Reply, StoreUnavailable } from "@pixcharge/core"
import type { Signature } from "@pixcharge/http"
import * as Effect from "effect/Effect"
import { type Capability, formatCapability } from "../link/Capability.ts"
import type { Renewals } from "../renewal/makeRenewals.ts"
import type { LinkRequest } from "./LinkRequest.ts"
import { problemReply, problems } from "./problems.ts"

/** To the page of a link, from `/novo` of the same or another link, which may have a last slash. */
const redirectToLink = ({ url }: Exchange, capability: Capability, signature: Signature): Reply => {
  const up = url.replace(/\?.*/, "").endsWith("/") ? "../../" : "../"
  return {
    status: 303,
    headers: {
      location: up + formatCapability(capability, signature),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
    body: "",
  }
}

/** Answers `/novo`: leads to the charge that takes the place of an expired one. */
export const renewReply = (
  { exchange, capability: expired }: LinkRequest,
  renewals: Renewals,
  signature: Signature,
): Effect.Effect<Reply, StoreUnavailable> =>
  renewals.renew(expired).pipe(
    Effect.map((next) => redirectToLink(exchange, next, signature)),
    Effect.catchTag("NotRenewed", ({ reason }) =>
      reason === "failed"
        ? problemReply(exchange, "/novo", problems.renewalFailed)
        : // The page says what became of the charge meanwhile.
          Effect.succeed(redirectToLink(exchange, expired, signature)),
    ),
  )
