import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { type Console, consoleFor, isFromThisMachine } from "@pixcharge/console"
import { type CommonOptions, createPix, factKinds, type SandboxPix } from "@pixcharge/embed"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { Hono } from "hono"
import { randomUUID } from "node:crypto"
import type { Server } from "node:http"
import { setTimeout } from "node:timers/promises"
import { openAdapters } from "./adapters.ts"
import { demonstrationCnpj, demonstrationCompany, demonstrationKey, registerReseller } from "./company.ts"
import { freePort } from "./freePort.ts"
import { tokenSecret } from "./secrets.ts"
import { readSettings, type Settings } from "./settings.ts"
import { whatToTry } from "./whatToTry.ts"

const address = "127.0.0.1"
const disposeLimitMs = 500
const aDaySeconds = 86_400

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, address, resolve)
  })

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** The person at this machine is the demonstration's operator. */
const demonstrationPortal = (pix: SandboxPix): Responder =>
  portal(pix, {
    authorize: (visit) =>
      isFromThisMachine(visit)
        ? {
            who: "demonstration",
            companies: [demonstrationCompany],
            rights: [
              "read",
              "issue",
              "refund",
              "changeCharge",
              "cancel",
              "exceptions",
              "events",
              "payers",
              "reconcile",
              "recurrences",
            ],
          }
        : undefined,
  })

const openPix = (adapters: Required<Pick<CommonOptions, "store" | "directory">>, baseUrl: string): SandboxPix => {
  const pix: SandboxPix = createPix({
    environment: "sandbox",
    store: adapters.store,
    directory: adapters.directory,
    processor: sandboxProcessor(),
    // A sandbox can send events to a receiver on the developer's own machine.
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    checkout: checkout({
      url: baseUrl,
      renew: ({ issuer, newId, amountCents }) => pix.issue(issuer, { id: newId, amountCents }),
    }),
    tokens: { keys: [{ kid: "demonstration", secret: tokenSecret }] },
    events: factKinds,
    recurrences: true,
  })
  return pix
}

/** A server with the portal below `/portal`, and the console with pixcharge's routes at the root. */
const makeServer = (sandbox: Console, operators: Responder): Server => {
  const app = new Hono()
  app.route("/portal", pixRoutes(operators))
  app.route("/", pixRoutes(sandbox))
  return createAdaptorServer({ fetch: app.fetch }) as Server
}

/** Opens every part. If a part fails, closes the parts that are already open. */
const start = async (settings: Settings) => {
  const closers: Array<() => unknown> = []
  const close = async () => {
    for (const closing of closers.toReversed()) await closing()
  }
  try {
    const adapters = await openAdapters(settings)
    closers.push(adapters.close)
    const port = await freePort(settings.port, address)
    const baseUrl = `http://${address}:${port}`
    const pix = openPix(adapters, baseUrl)
    // The wait is limited, because a receiver can hang. Its event stays in the outbox.
    closers.push(() => Promise.race([pix.dispose(), setTimeout(disposeLimitMs)]))
    console.error("Preparing the tables and the demonstration company.")
    await pix.ready()
    await registerReseller(pix.directory, settings)
    const sandbox = consoleFor(pix, {
      company: demonstrationCompany,
      integratorKey: demonstrationKey,
      portal: "portal/",
    })
    const server = makeServer(sandbox, demonstrationPortal(pix))
    await listening(server, port)
    closers.push(() => closeServer(server))
    await sandbox.register(baseUrl)
    const { id: chargeId } = await pix.issue(demonstrationCnpj, {
      id: randomUUID(),
      amountCents: 1990,
      payableForSeconds: aDaySeconds,
    })
    const payerPage = await pix.checkout.link(demonstrationCnpj, chargeId)
    const isOtherPort = settings.port !== 0 && port !== settings.port
    return { baseUrl, chargeId, payerPage, isOtherPort, close }
  } catch (error) {
    await close()
    throw error
  }
}

// Runs until SIGTERM or SIGINT, or explains in one sentence why it can't.
try {
  const settings = readSettings(process.env)
  const { isOtherPort, close, ...demonstration } = await start(settings)
  const { baseUrl } = demonstration
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => void close().then(() => process.exit()))
  if (isOtherPort) console.error(`Port ${settings.port} is taken, so ${new URL(baseUrl).port} is used.`)
  console.log(`ready on ${baseUrl}\n\n${whatToTry(demonstration)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
