import { pixRouter } from "@pixcharge/express"
import type { Responder } from "@pixcharge/http"
import { type Mount, mountServer } from "@pixcharge/adapter-tests/conformance"
import express, { type Express } from "express"
// @ts-expect-error -- an alias of express 4, which brings no types of its own
import express4 from "express4"
import { createServer } from "node:http"

/** Makes a host that mounts the routes and has the route `/host`. */
const expressMount =
  (mountRoutes: (app: Express, pix: Responder) => unknown, prefix = "", make: () => Express = express): Mount =>
  (pix) => {
    const app = make()
    mountRoutes(app, pix)
    app.get(`${prefix}/host`, (_, response) => void response.send("host"))
    return mountServer(createServer(app), prefix, true)
  }

export const expressBare = expressMount((app, pix) => app.use(pixRouter(pix)))

const afterParser =
  (mount: Mount): Mount =>
  async (pix) => ({ ...(await mount(pix)), parsesJson: true })

export const expressAfterJson = afterParser(expressMount((app, pix) => app.use(express.json()).use(pixRouter(pix))))
export const expressAfterSmallJson: Mount = async (pix) => {
  const mount = expressMount((app) =>
    app.use(express.json({ limit: 1_024 }), express.text(), express.raw()).use(pixRouter(pix)),
  )
  return { ...(await mount(pix)), hostLimitBytes: 1_024, parsesJson: true }
}
const afterReader =
  (mount: Mount): Mount =>
  async (pix) => ({ ...(await mount(pix)), readsBodies: true })

export const expressAfterText = afterReader(
  expressMount((app, pix) => app.use(express.text({ type: "*/*" })).use(pixRouter(pix))),
)
export const expressAfterRaw = afterReader(
  expressMount((app, pix) => app.use(express.raw({ type: "*/*" })).use(pixRouter(pix))),
)
export const express4AfterJson = afterParser(
  expressMount(
    (app, pix) => app.use("/v1", express.json(), pixRouter(pix)),
    "/v1",
    express4 as unknown as () => Express,
  ),
)
export const expressUnderPrefix = expressMount((app, pix) => app.use("/v1/cobrancas", pixRouter(pix)), "/v1/cobrancas")
