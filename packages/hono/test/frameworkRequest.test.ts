import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { type Context, Hono } from "hono"
import { expect, it } from "vitest"

it("passes on values that the host's middleware put into the context", async () => {
  const users: Array<unknown> = []
  const respond: Responder["respond"] = ({ frameworkRequest }) => {
    users.push((frameworkRequest as Context<{ Variables: { user: string } }>).get("user"))
    return undefined
  }
  const app = new Hono<{ Variables: { user: string } }>()
    .use(async (context, next) => {
      context.set("user", "ana")
      await next()
    })
    .route("/portal", pixRoutes({ respond }))
  await app.request("/portal/charges")
  expect(users).toEqual(["ana"])
})
