import { pixRouter } from "@pixcharge/express"
import type { Responder } from "@pixcharge/http"
import { mountServer } from "@pixcharge/adapter-tests/conformance"
import express, { type Express } from "express"
// @ts-expect-error -- an alias of express 4, which brings no types of its own
import express4 from "express4"
import { createServer } from "node:http"
import { expect, it, onTestFinished } from "vitest"

it.each([
  ["5", express],
  ["4", express4 as unknown as () => Express],
])("passes on properties that the host's middleware of Express %s set on the request", async (_, make) => {
  const requests: Array<unknown> = []
  const respond: Responder["respond"] = ({ frameworkRequest }) => void requests.push(frameworkRequest)
  const app = make()
    .use((request, _response, next) => {
      Object.assign(request, { user: "ana" })
      next()
    })
    .use("/portal", pixRouter({ respond }))
  const server = await mountServer(createServer(app), "/portal", true)
  onTestFinished(server.close)
  await fetch(`${server.baseUrl}/`)
  expect(requests).toMatchObject([{ user: "ana", originalUrl: "/portal/" }])
})

it("rejects anything but a responder when it is mounted", () => {
  expect(() => pixRouter({} as Responder)).toThrow("pixRouter needs what createPix returns")
})
