import type { Exchange, Reply } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import type { Signature } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { brandReply, isBrandPath } from "../brand/brandReply.ts"
import type { Hub } from "../hub/makeHub.ts"
import { type Capability, parseCapability } from "../link/Capability.ts"
import { assetReply } from "../pages/assetReply.ts"
import { linkedPage, linkedRecurrencePage } from "../pages/linkedPage.ts"
import type { ShopFace } from "../pages/ShopFace.ts"
import type { Problem } from "../pages/problemPage.ts"
import type { RecurrenceState } from "../recurrence/RecurrenceState.ts"
import type { Renewals } from "../renewal/makeRenewals.ts"
import type { ShopFinder } from "../shop/findShop.ts"
import type { AnyState } from "../state/State.ts"
import type { LinkRequest } from "./LinkRequest.ts"
import type { PageStreams } from "./PageStreams.ts"
import { problemReply, problems, wrongMethod } from "./problems.ts"
import { renewReply } from "./renewReply.ts"
import { preflightReply } from "./replies.ts"
import { stateReply } from "./stateReply.ts"

/** The services of the routes. */
export interface HandlerParts {
  readonly signature: Signature
  readonly hub: Hub
  /** Links to recurrences: their signature and hub. */
  readonly recurrences: { readonly signature: Signature; readonly hub: Hub<RecurrenceState> }
  readonly streams: PageStreams
  /** Undefined where the host issues no new charges. */
  readonly renewals: Renewals | undefined
  readonly shop: ShopFinder
  /** Where payers reach the pages, without a slash at its end. */
  readonly address: string
}

const getMethods = "GET, HEAD"

const answerAsset = (exchange: Exchange, below: string): Effect.Effect<Reply> => {
  if (!getMethods.split(", ").includes(exchange.method)) return problemReply(exchange, below, wrongMethod(getMethods))
  const asset = assetReply(exchange, below)
  return asset === undefined ? problemReply(exchange, below, problems.unknown) : Effect.succeed(asset)
}

/** Answers every request below the path of the pages; `below` is what follows that path. */
export const makeHandler = ({ signature, hub, recurrences, streams, renewals, shop, address }: HandlerParts) => {
  const findFace = (capability: Capability<string>, link: string): Effect.Effect<ShopFace> =>
    Effect.all({
      branding: shop.branding(capability.issuer),
      returnUrl: shop.returnUrl(capability),
      address: Effect.succeed(`${address}/${link}`),
    })

  /** What a link shows, as its hub has it. */
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
    // Stryker disable next-line StringLiteral: neither text is a link
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
