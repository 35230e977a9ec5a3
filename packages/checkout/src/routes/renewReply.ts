import type { Exchange, Reply, StoreUnavailable } from "@pixcharge/core"
import type { Signature } from "@pixcharge/http"
import * as Effect from "effect/Effect"
import { type Capability, formatCapability } from "../link/Capability.ts"
import type { Renewals } from "../renewal/makeRenewals.ts"
import type { LinkRequest } from "./LinkRequest.ts"
import { problemReply, problems } from "./problems.ts"
import { jsonReply, wantsJson } from "./replies.ts"

/** To the page of a link, from `/novo` of the same or another link, which may have a last slash. */
const pathToLink = ({ url }: Exchange, capability: Capability, signature: Signature): string => {
  const up = url.replace(/\?.*/, "").endsWith("/") ? "../../" : "../"
  return up + formatCapability(capability, signature)
}

/** Leads a page there; tells the element, which stays where it is. */
const linkReply = (exchange: Exchange, link: string): Reply =>
  wantsJson(exchange)
    ? jsonReply(200, { link })
    : {
        status: 303,
        headers: { location: link, "cache-control": "no-store", "referrer-policy": "no-referrer" },
        body: "",
      }

/** Answers `/novo`: leads to the charge that takes the place of an expired one, by a redirect or as JSON. */
export const renewReply = (
  { exchange }: LinkRequest,
  expired: Capability,
  renewals: Renewals,
  signature: Signature,
): Effect.Effect<Reply, StoreUnavailable> => {
  const leadTo = (capability: Capability) => linkReply(exchange, pathToLink(exchange, capability, signature))
  return renewals.renew(expired).pipe(
    Effect.map(leadTo),
    Effect.catchTag("NotRenewed", ({ reason }) =>
      reason === "failed"
        ? problemReply(exchange, "/novo", problems.renewalFailed)
        : // The page says what became of the charge meanwhile.
          Effect.succeed(leadTo(expired)),
    ),
  )
}
