import type { Exchange, Reply } from "@pixcharge/core"
import { logFailure, type RefusedBody } from "@pixcharge/core/internal"
import type { Responder } from "@pixcharge/http"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Asset } from "./Asset.ts"
import { type Form, makeRouteTable, type Match, type PageRequest, type Route } from "./Route.ts"
import { makeAssetReply } from "./makeAssetReply.ts"
import { securityHeaders } from "./pageReply.ts"

/** The parts of an app. */
export interface WebApp {
  readonly routes: ReadonlyArray<Route>
  /** Stylesheets and modules of the app's pages. The assets that all apps share are always served, too. */
  readonly assets?: ReadonlyArray<Asset>
  /** The path above the whole app, like `/pagar`, if the app shares its mount with other routes. */
  readonly base?: string
  /**
   * Whether a path without a route belongs to the app, which then shows its failure page for 404. By default the host answers
   * such a path.
   */
  readonly owns?: (path: string, exchange: Exchange) => boolean
  /** The page for a request that no handler can answer. */
  readonly failurePage: (failure: PageFailure, request: FailedRequest) => Reply | Promise<Reply>
  /** The page for an error that the app knows. Other errors are logged and get the page for status 500. */
  readonly errorPage?: (error: unknown, request: PageRequest<never>) => Reply | Promise<Reply> | undefined
  /** Logs an unknown error; `page` is the route's path. Default: Effect's logger. */
  readonly logError?: (error: unknown, page: string) => void
}

/** The HTTP status of a failure page. */
export interface PageFailure {
  readonly status: FailureStatus
}

/** A request with or without a route. */
export type FailedRequest = Pick<PageRequest, "exchange" | "root">

const logToEffect = (error: unknown, page: string): void => {
  Effect.runFork(logFailure("Error", `A page could not be made: ${page}`, error))
}

const relativeRoot = (below: string): string => "../".repeat(below.split("/").length - 2) || "./"

/**
 * The relative address of the mount with a trailing slash, because relative links would otherwise miss it. Undefined if the
 * slash is there.
 */
const addLastSlash = (fullUrl: string): string | undefined => {
  // Stryker disable next-line StringLiteral: a text that is split has a first part
  const [path = "", ...query] = fullUrl.split("?")
  if (path.endsWith("/")) return undefined
  return [`./${path.slice(path.lastIndexOf("/") + 1)}/`, ...query].join("?")
}

const movedReply = (location: string): Reply => ({ status: 308, headers: { location }, body: "" })

const pathBelowBase = (url: string, base: string): string | undefined => {
  const [path = ""] = url.split("?", 1)
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined
}

const readQuery = (url: string): URLSearchParams => new URLSearchParams(url.slice(`${url}?`.indexOf("?") + 1))

/**
 * An app of pages. Any binding mounts it, under any prefix, because all its links are relative.
 *
 * The host answers paths without a route, unless the app `owns` them. Every answer has the `securityHeaders`.
 *
 * @example
 * const app = webApp({ routes: [get("/", home), post("/refunds/:id", refund)], assets, failurePage })
 * server.use("/portal", pixRouter(app))
 */
export const webApp = (app: WebApp): Responder => {
  const pages = new AppPages(app)
  return {
    respond: (exchange) =>
      pages.respond(exchange)?.then((reply) => ({ ...reply, headers: { ...securityHeaders, ...reply.headers } })),
  }
}

class AppPages {
  readonly #app: WebApp
  readonly #findRoute: ReturnType<typeof makeRouteTable>
  readonly #assetReply: ReturnType<typeof makeAssetReply>
  readonly #lost: Match

  constructor(app: WebApp) {
    this.#app = app
    this.#findRoute = makeRouteTable(app.routes)
    this.#assetReply = makeAssetReply(app.assets ?? [])
    this.#lost = {
      params: {},
      route: { method: "GET", path: "(no page)", handle: (request) => app.failurePage({ status: 404 }, request) },
      allow: "",
    }
  }

  respond(exchange: Exchange): Promise<Reply> | undefined {
    const { base = "", owns } = this.#app
    const path = pathBelowBase(exchange.url, base)
    if (path === undefined || exchange.method === "OPTIONS") return undefined
    const asset = this.#assetReply(exchange, path)
    if (asset !== undefined) return Promise.resolve(asset)
    const match = this.#findRoute(exchange.method === "HEAD" ? "GET" : exchange.method, path)
    if (match === undefined) return owns?.(path, exchange) ? this.#answer(this.#lost, exchange, path) : undefined
    const moved = base === "" && path === "/" ? addLastSlash(exchange.fullUrl) : undefined
    return moved === undefined ? this.#answer(match, exchange, path) : Promise.resolve(movedReply(moved))
  }

  async #answer({ params, allow, route }: Match, exchange: Exchange, path: string): Promise<Reply> {
    const [root, query] = [relativeRoot(path), readQuery(exchange.url)]
    const request = { exchange, root, params, query, form: () => readForm(exchange) }
    if (route === undefined) {
      const reply = await this.#app.failurePage({ status: 405 }, request)
      return { ...reply, headers: { ...reply.headers, allow } }
    }
    try {
      if (exchange.refusedBody !== undefined) throw bodyRefusal(exchange.refusedBody)
      return await route.handle(request)
    } catch (error) {
      return this.#replyToError(error, request, route.path)
    }
  }

  async #replyToError(error: unknown, request: PageRequest<never>, page: string): Promise<Reply> {
    const { failurePage, errorPage, logError = logToEffect } = this.#app
    const status = refusalStatus(error)
    if (status !== undefined) return failurePage({ status }, request)
    const errorReply = await errorPage?.(error, request)
    if (errorReply !== undefined) return errorReply
    logError(error, page)
    return failurePage({ status: 500 }, request)
  }
}

const maxFormBytes = 64 * 1_024

const formMediaType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Rejects a repeated field, because our pages never send one. */
const checkForm = (fields: Iterable<readonly [string, unknown]>): Form => {
  const form = Object.create(null) as Record<string, string>
  for (const [name, value] of fields) {
    if (typeof value !== "string" || name in form) throw pageRefusal(400)
    form[name] = value
  }
  return form
}

const readForm = async (exchange: Exchange): Promise<Form> => {
  if (!formMediaType.test((exchange.header("content-type") ?? "").trim())) throw pageRefusal(415)
  const body = await exchange.body(maxFormBytes)
  if (body._tag === "Text") return checkForm(new URLSearchParams(body.text))
  if (body._tag !== "Parsed") throw bodyRefusal(body)
  if (!Predicate.isObjectOrArray(body.value)) throw pageRefusal(400)
  return checkForm(Object.entries(body.value))
}

/** The HTTP status of a failure page. */
export type FailureStatus = 400 | 404 | 405 | 413 | 415 | 500

const statuses = new WeakMap<object, FailureStatus>()

const pageRefusal = (status: FailureStatus): Error => {
  const error = new Error(`the request is refused with ${status}`)
  statuses.set(error, status)
  return error
}

const refusalStatus = (error: unknown): FailureStatus | undefined =>
  error instanceof Error ? statuses.get(error) : undefined

const bodyStatuses = { TooLarge: 413, Unreadable: 400, Unsupported: 415 } as const

const bodyRefusal = ({ _tag }: RefusedBody): Error => pageRefusal(bodyStatuses[_tag])
