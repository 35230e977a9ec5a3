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
])("what the host's middleware put on the request of Express %s goes along", async (_, make) => {
  const asked: Array<unknown> = []
  const respond: Responder["respond"] = ({ frameworkRequest }) => void asked.push(frameworkRequest)
  const app = make()
    .use((request, _response, next) => {
      Object.assign(request, { user: "ana" })
      next()
    })
    .use("/portal", pixRouter({ respond }))
  const server = await mountServer(createServer(app), "/portal", true)
  onTestFinished(server.close)
  await fetch(`${server.baseUrl}/`)
  expect(asked).toMatchObject([{ user: "ana", originalUrl: "/portal/" }])
})

it("what is no pix is refused when it is mounted", () => {
  expect(() => pixRouter({} as Responder)).toThrow("pixRouter needs what createPix returns")
})
