import { pixRouter } from "@pixcharge/express"
import type { Responder } from "@pixcharge/http"
import express, { type Express } from "express"
// @ts-expect-error -- an alias of express 4, which brings no types of its own
import express4 from "express4"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"

const respond: Responder["respond"] = ({ url }) =>
  url.startsWith("/api/") ? Promise.resolve({ status: 200, headers: {}, body: "ours" }) : undefined

const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined)
afterEach(() => warnings.mockClear())

const versions = [
  ["Express 5", express, "/*splat"],
  ["Express 4", express4 as typeof express, "/*"],
] as const

describe.each(versions)("%s", (_, make, star) => {
  const open = async (mount: (app: Express) => unknown) => {
    const app = make()
    mount(app)
    const server = createServer(app).listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return async (path: string) =>
      (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).status
  }

  it("warns once, naming app.use, about a router in a route below a prefix", async () => {
    const ask = await open((app) => app.all(`/payments${star}`, pixRouter({ respond })))
    expect([await ask("/payments/api/pix"), await ask("/payments/api/pix")]).toEqual([404, 404])
    expect(warnings.mock.calls).toEqual([
      [expect.stringContaining('mount it with app.use("/payments", pixRouter(pix))')],
    ])
  })

  it.each([
    ["in a route of all paths", (app: Express) => app.all(star, pixRouter({ respond })), ["/none", "/api/pix"]],
    ["in a route of the path /api", (app: Express) => app.all(`/api${star}`, pixRouter({ respond })), ["/api/pix"]],
    [
      "after a route that calls next",
      (app: Express) =>
        app.all(`/payments${star}`, (_request, _response, next) => next()).use("/payments", pixRouter({ respond })),
      ["/payments/none", "/payments/api/pix"],
    ],
  ] as const)("doesn't warn about a router %s", async (_place, mount, paths) => {
    const ask = await open(mount)
    const statuses = []
    for (const path of paths) statuses.push(await ask(path))
    expect(statuses).toEqual(paths.map((path) => (path.endsWith("none") ? 404 : 200)))
    expect(warnings).not.toHaveBeenCalled()
  })
})
