import type { Exchange, Reply, StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import type { Signature } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Renewals } from "./Renewals.ts"
import type { Hub } from "../hub/makeHub.ts"
import { type Capability, formatCapability, type LinkRequest, parseCapability } from "../link/Capability.ts"
import { assetReply, linkedPage, linkedRecurrencePage } from "../pages/linkedPage.ts"
import type { ShopFace } from "../pages/pageParts.ts"
import { problemReply, problems, wrongMethod } from "../pages/problemPage.ts"
import type { RecurrenceState } from "../hub/RecurrenceState.ts"
import { brandReply, isBrandPath } from "../shop/Branding.ts"
import type { ShopFinder } from "../shop/findShop.ts"
import type { AnyState } from "../wire/State.ts"
import type { Problem } from "../wire/problemTexts.ts"
import { jsonReply, preflightReply, wantsJson } from "../wire/replies.ts"
import { type PageStreams, stateReply } from "./stateReply.ts"

export interface HandlerParts {
  readonly signature: Signature
  readonly hub: Hub
  readonly recurrences: { readonly signature: Signature; readonly hub: Hub<RecurrenceState> }
  readonly streams: PageStreams
  readonly renewals: Renewals | undefined
  readonly shop: ShopFinder
  /** The pages' public address, without a trailing slash. */
  readonly address: string
}

const getMethods = "GET, HEAD"

const answerAsset = (exchange: Exchange, below: string): Effect.Effect<Reply> => {
  if (!getMethods.split(", ").includes(exchange.method)) return problemReply(exchange, below, wrongMethod(getMethods))
  const asset = assetReply(exchange, below)
  return asset === undefined ? problemReply(exchange, below, problems.unknown) : Effect.succeed(asset)
}

/** `below` is the path after the pages'. */
export const makeHandler = ({ signature, hub, recurrences, streams, renewals, shop, address }: HandlerParts) => {
  const findFace = (capability: Capability<string>, link: string): Effect.Effect<ShopFace> =>
    Effect.all({
      branding: shop.branding(capability.issuer),
      returnUrl: shop.returnUrl(capability),
      address: Effect.succeed(`${address}/${link}`),
    })

  const answerShown = Effect.fnUntraced(function* <S extends AnyState>(
    request: LinkRequest,
    hubOfKind: Hub<S>,
    show: (state: S) => Effect.Effect<Reply> | undefined,
  ) {
    const { exchange, capability, path } = request
    const refuse = (problem: Problem) => problemReply(exchange, path, problem)
    if (isBrandPath(path))
      return (
        brandReply(yield* shop.branding(capability.issuer), path, exchange.url) ?? (yield* refuse(problems.unknown))
      )
    const state = yield* hubOfKind.present(capability)
    if (state === undefined) return yield* refuse(problems.unknown)
    if (path === "/estado") return stateReply(request, state, hubOfKind, streams)
    return yield* show(state) ?? refuse(problems.unknown)
  })

  const answerLink = Effect.fnUntraced(function* (exchange: Exchange, link: string, path: string) {
    const refuse = (problem: Problem) => problemReply(exchange, path, problem)
    const ofCharge = parseCapability(link, signature)
    const capability = ofCharge ?? parseCapability<string>(link, recurrences.signature)
    if (capability === undefined) return yield* refuse(problems.unknown)
    const now = yield* Clock.currentTimeMillis
    if (capability.expiresAt <= now) return yield* refuse(problems.expired)
    const allow = path === "/novo" ? "POST" : getMethods
    if (!allow.split(", ").includes(exchange.method)) return yield* refuse(wrongMethod(allow))
    const request = { exchange, capability, path, now }
    const face = findFace(capability, link)
    if (ofCharge === undefined)
      return yield* answerShown(request, recurrences.hub, (state) => linkedRecurrencePage(request, state, face))
    if (path === "/novo")
      return yield* renewals ? renewReply(request, ofCharge, renewals, signature) : refuse(problems.unknown)
    return yield* answerShown(request, hub, (state) => linkedPage(request, state, face))
  })

  return (exchange: Exchange, below: string): Effect.Effect<Reply> => {
    // Stryker disable next-line StringLiteral: any other default is no link either
    const [, link = ""] = below.split("/")
    const path = below.slice(1 + link.length)
    if (exchange.method === "OPTIONS") return Effect.succeed(preflightReply)
    if (link === "assets") return answerAsset(exchange, below)
    const reportFailure = (error: unknown) => logFailure("Warn", "A payer's page could not be answered", error)
    return Effect.catch(answerLink(exchange, link, path), (error) =>
      Effect.andThen(reportFailure(error), problemReply(exchange, path, problems.unavailable)),
    )
  }
}

const pathToLink = ({ url }: Exchange, capability: Capability, signature: Signature): string => {
  const up = url.replace(/\?.*/, "").endsWith("/") ? "../../" : "../"
  return up + formatCapability(capability, signature)
}

/** JSON for the element, which stays on the shop's page; a redirect for a form. */
const linkReply = (exchange: Exchange, link: string): Reply =>
  wantsJson(exchange)
    ? jsonReply(200, { link })
    : {
        status: 303,
        headers: { location: link, "cache-control": "no-store", "referrer-policy": "no-referrer" },
        body: "",
      }

const renewReply = (
  { exchange }: LinkRequest,
  expired: Capability,
  renewals: Renewals,
  signature: Signature,
): Effect.Effect<Reply, StoreUnavailable> => {
  const leadTo = (capability: Capability) => linkReply(exchange, pathToLink(exchange, capability, signature))
  return renewals.renew(expired).pipe(
    Effect.map(leadTo),
    Effect.catchTag("NotRenewed", ({ reason }) =>
      reason === "failed" ? problemReply(exchange, "/novo", problems.renewalFailed) : Effect.succeed(leadTo(expired)),
    ),
  )
}
