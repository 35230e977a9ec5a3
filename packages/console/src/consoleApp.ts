import type { Exchange } from "@pixcharge/core"
import type { Responder } from "@pixcharge/http"
import { get, isCrossSite, post, type Route, webApp } from "@pixcharge/web"
import { act } from "./actions/act.ts"
import {
  cancelCharge,
  changeCharge,
  issueCharge,
  keepException,
  playPayment,
  refundCharge,
  refundException,
  refundPart,
} from "./actions/charges.ts"
import { issueMany } from "./actions/issueMany.ts"
import { forget, moveClock, pingReceiver, resendEvent, seed, switchReceiver } from "./actions/sandbox.ts"
import {
  chargeCycle,
  endRecurrence,
  offerRecurrence,
  playDebit,
  playRecurrence,
  retryDebit,
  skipCycles,
} from "./actions/recurrences.ts"
import { consoleCss, consoleJs } from "./assets.ts"
import type { ConsoleContext } from "./context/ConsoleContext.ts"
import { isFromThisMachine, refusedReply } from "./isFromThisMachine.ts"
import { callPage, callsPage } from "./pages/calls.ts"
import { chargePage } from "./pages/chargePage.ts"
import { eventPage } from "./pages/eventPage.ts"
import { eventsPage } from "./pages/eventsPage.ts"
import { errorPage, failurePage } from "./pages/failurePage.ts"
import { homePage } from "./pages/homePage.ts"
import { recurrencePage } from "./pages/recurrencePage.ts"
import { recurrencesPage } from "./pages/recurrencesPage.ts"

/**
 * Whether a script or form of another site sent the request.
 *
 * Such a site can't read answers, but it could open all streams and send false events.
 */
const comesFromAnotherSite = (exchange: Exchange): boolean =>
  isCrossSite(exchange) && (exchange.method !== "GET" || exchange.header("sec-fetch-mode") !== "navigate")

const guard = (route: Route): Route => ({
  ...route,
  handle: (request) => {
    const { exchange, root } = request as { readonly exchange: Exchange; readonly root: string }
    return isFromThisMachine(exchange) && !comesFromAnotherSite(exchange) ? route.handle(request) : refusedReply(root)
  },
})

const recurrenceRoutes = (context: ConsoleContext): ReadonlyArray<Route> => [
  get("/console/recurrences", (request) => recurrencesPage(context, request)),
  get("/console/recurrences/:id", (request) => recurrencePage(context, request)),
  post("/console/recurrences", act(context, offerRecurrence)),
  post("/console/recurrences/:id/play", act(context, playRecurrence)),
  post("/console/recurrences/:id/debit", act(context, playDebit)),
  post("/console/recurrences/:id/charge", act(context, chargeCycle)),
  post("/console/recurrences/:id/skip", act(context, skipCycles)),
  post("/console/recurrences/:id/end", act(context, endRecurrence)),
  post("/console/charges/:id/retry", act(context, retryDebit)),
]

export const consoleApp = (context: ConsoleContext): Responder => {
  const routes = [
    get("/", (request) => homePage(context, request)),
    get("/console/charges/:id", (request) => chargePage(context, request)),
    get("/console/events", (request) => eventsPage(context, request)),
    get("/console/events/:eventId", (request) => eventPage(context, request)),
    get("/console/calls", (request) => callsPage(context, request)),
    get("/console/calls/:number", (request) => callPage(context, request)),
    get("/console/live", ({ exchange }) => context.feed.open(exchange)),
    post("/console/receiver", ({ exchange }) => context.receiver.receive(exchange)),
    post("/console/charges", (request) => issueCharge(context, request)),
    post("/console/many", act(context, issueMany)),
    post("/console/charges/:id/pay", act(context, playPayment)),
    post("/console/charges/:id/refund", act(context, refundCharge)),
    post("/console/charges/:id/refund-part", act(context, refundPart)),
    post("/console/charges/:id/change", act(context, changeCharge)),
    post("/console/charges/:id/cancel", act(context, cancelCharge)),
    post("/console/exceptions/:endToEndId/refund", act(context, refundException)),
    post("/console/exceptions/:endToEndId/keep", act(context, keepException)),
    post("/console/events/:eventId/resend", act(context, resendEvent)),
    post("/console/clock", act(context, moveClock)),
    post("/console/switch", act(context, switchReceiver)),
    post("/console/ping", act(context, pingReceiver)),
    post("/console/forget", act(context, forget)),
    post("/console/seed", act(context, seed)),
    ...(context.pix.hasRecurrences ? recurrenceRoutes(context) : []),
  ]
  return webApp({
    routes: routes.map(guard),
    assets: [consoleCss, consoleJs],
    // Other unknown paths can belong to the sandbox or the host.
    owns: (path, exchange) => /^\/console(\/|$)/.test(path) && isFromThisMachine(exchange),
    failurePage,
    errorPage,
  })
}
