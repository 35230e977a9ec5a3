import type { DirectoryUnavailable, Exchange, Reply, StoreUnavailable } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/internal"
import type { Signature } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Hub } from "../hub/makeHub.ts"
import { type Capability, formatCapability, parseCapability } from "../link/Capability.ts"
import type { Pages, Problem } from "../Pages.ts"
import type { Renewals } from "../renewal/makeRenewals.ts"
import { type State, stateBody } from "../state/State.ts"
import { jsonProblem, pollSeconds, preflightAnswer } from "./answers.ts"
import type { makeStateRoute } from "./makeStateRoute.ts"

/** What answers requests below the path of the pages. */
export interface HandlerParts {
  readonly signature: Signature
  readonly hub: Hub
  readonly pages: Pages
  readonly answerState: ReturnType<typeof makeStateRoute>
  /** Undefined where the host gives no new codes. */
  readonly renewals: Renewals | undefined
}

type Answer = Effect.Effect<Reply, StoreUnavailable | DirectoryUnavailable>

const soon = { "retry-after": String(pollSeconds) }

const problems = {
  unknown: { kind: "unknown", status: 404, headers: {} },
  expired: { kind: "expired", status: 410, headers: {} },
  unavailable: { kind: "unavailable", status: 503, headers: soon },
  renewalFailed: { kind: "renewalFailed", status: 503, headers: soon },
} as const satisfies Readonly<Record<string, Problem>>

const wrongMethod = (allow: string): Problem => ({ kind: "method", status: 405, headers: { allow } })

/** The methods of a page's path. */
const methodsOf = (path: string): string => (path === "/novo" ? "POST" : "GET, HEAD")

/** The way from `/novo`, which may be written with a last slash, to the page of another link. */
const besideNovo = ({ url }: Exchange, text: string): string =>
  `${url.replace(/\?.*/, "").endsWith("/") ? "../../" : "../"}${text}`

const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  body: "",
})

const replied = (reply: Reply | Promise<Reply>): Effect.Effect<Reply> => Effect.promise(async () => reply)

/** Answers every request below the path of the pages; `below` is what the path has below it. */
export const makeHandler = ({ signature, hub, pages, answerState, renewals }: HandlerParts) => {
  const pageProblem = (exchange: Exchange, which: Problem): Effect.Effect<Reply> =>
    replied(pages.problem(which, exchange))

  const problem = (exchange: Exchange, path: string, which: Problem): Effect.Effect<Reply> =>
    path === "/estado" ? Effect.succeed(jsonProblem(which)) : pageProblem(exchange, which)

  const renewed = (exchange: Exchange, capability: Capability): Answer => {
    if (renewals === undefined) return pageProblem(exchange, problems.unknown)
    return renewals.renew(capability).pipe(
      Effect.map((next) => seeOther(besideNovo(exchange, formatCapability(next, signature)))),
      Effect.catchTag("NotRenewed", ({ reason }) =>
        reason === "failed"
          ? pageProblem(exchange, problems.renewalFailed)
          : // The page says what became of the charge meanwhile.
            Effect.succeed(seeOther(besideNovo(exchange, formatCapability(capability, signature)))),
      ),
    )
  }

  const shown = (exchange: Exchange, path: string, capability: Capability, state: State): Answer => {
    if (path === "/estado") return answerState(exchange, capability, state)
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { snapshot } = state
      const { expiresAt } = capability
      const page = pages.page({ path, exchange, snapshot, state: stateBody(state, now), expiresAt })
      return page === undefined ? problem(exchange, path, problems.unknown) : replied(page)
    })
  }

  const answerLink = Effect.fnUntraced(function* (exchange: Exchange, text: string, path: string) {
    const capability = parseCapability(text, signature)
    if (capability === undefined) return yield* problem(exchange, path, problems.unknown)
    if (capability.expiresAt <= (yield* Clock.currentTimeMillis))
      return yield* problem(exchange, path, problems.expired)
    const allow = methodsOf(path)
    if (!allow.split(", ").includes(exchange.method)) return yield* problem(exchange, path, wrongMethod(allow))
    if (path === "/novo") return yield* renewed(exchange, capability)
    const state = yield* hub.present(capability)
    if (state === undefined) return yield* problem(exchange, path, problems.unknown)
    return yield* shown(exchange, path, capability, state)
  })

  const answerAsset = (exchange: Exchange, name: string): Effect.Effect<Reply> => {
    if (!["GET", "HEAD"].includes(exchange.method)) return pageProblem(exchange, wrongMethod("GET, HEAD"))
    const asset = pages.asset(name, exchange)
    return asset === undefined ? pageProblem(exchange, problems.unknown) : Effect.succeed(asset)
  }

  return (exchange: Exchange, below: string): Effect.Effect<Reply> => {
    // Stryker disable next-line StringLiteral: neither text is a link
    const [, text = ""] = below.split("/")
    const path = below.slice(1 + text.length)
    if (exchange.method === "OPTIONS") return Effect.succeed(preflightAnswer)
    if (text === "assets") return answerAsset(exchange, path.slice(1))
    return answerLink(exchange, text, path).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          logFailure("Warn", "A payer's page could not be answered", error),
          problem(exchange, path, problems.unavailable),
        ),
      ),
    )
  }
}
