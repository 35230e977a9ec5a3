import { factKinds } from "@pixcharge/core/charges"
import type { CallbackInput } from "@pixcharge/core/directory"
import type { SandboxPix } from "@pixcharge/embed"
import type { Responder } from "@pixcharge/http"
import { makeCsrf } from "@pixcharge/web"
import { makeCallLog } from "./calls/CallLog.ts"
import {
  checkConsoleOptions,
  checkSandbox,
  type ConsoleContext,
  type ConsoleOptions,
  Notices,
} from "./context/ConsoleContext.ts"
import { consoleApp } from "./consoleApp.ts"
import { LiveFeed } from "./context/LiveFeed.ts"
import { EventReceiver } from "./receiver/EventReceiver.ts"

/** A sandbox's console. Bindings mount it instead of the sandbox. */
export interface Console extends Responder {
  /**
   * Registers the company with the console's event receiver as its callback.
   *
   * `url` is the console's mount: `http://127.0.0.1:3000`. Rejects like `pix.directory.putCompany`.
   */
  readonly register: (url: string) => Promise<void>
}

/** Real time in epoch milliseconds: forms of open pages must not expire when someone moves business time. */
const realNow = (): number => Math.floor(performance.timeOrigin + performance.now())

const callbackAt = (url: string, secret: string): CallbackInput => ({
  url: `${url.replace(/(^|[^/])\/+$/, "$1")}/console/receiver`,
  secrets: [secret],
  kinds: factKinds,
})

/**
 * A developer's view of a sandbox: pages at `/` and below `/console` that only this machine can open.
 *
 * The pages issue charges, play payer, bank and clock, and show each received event. Other requests go to the sandbox; the pages
 * show these calls and their answers without secrets.
 *
 * Throws `InvalidOption` unless `pix` is a sandbox.
 *
 * @example
 * const sandbox = consoleFor(pix, { company, integratorKey })
 * app.route("/", pixRoutes(sandbox))
 * await sandbox.register("http://127.0.0.1:3000")
 */
export const consoleFor = (pix: SandboxPix, options: ConsoleOptions): Console => {
  checkSandbox(pix)
  checkConsoleOptions(options)
  const feed = new LiveFeed(pix.streamsEnd)
  const now = () => pix.clock.now()
  const calls = makeCallLog(now, (line) => void (feed.hasReaders && feed.send(line())))
  const receiver = new EventReceiver(now, ({ eventId, kind, status }) => {
    if (!context.isSeeding) feed.send(`Event ${kind || eventId} arrived and was answered ${status}`)
  })
  const context: ConsoleContext = {
    pix,
    options,
    calls,
    receiver,
    feed,
    notices: new Notices(),
    csrf: makeCsrf(pix.tokens.signatures("console csrf"), realNow),
    company: options.company,
    isSeeding: false,
  }
  const pages = consoleApp(context)
  return {
    respond: (exchange) => pages.respond(exchange) ?? calls.record(exchange, pix.respond),
    register: async (url) => {
      const company = { ...context.company, callback: callbackAt(url, receiver.secret) }
      await pix.directory.putCompany(company)
      context.company = company
    },
  }
}
