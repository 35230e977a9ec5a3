import { isPixError, type SandboxPix } from "@pixcharge/embed"
import { Router } from "express"
import type { Query } from "./database.ts"
import { isWaiting } from "./orders.ts"
import { withOrder } from "./withOrder.ts"

/** Plays payers and the passing of time. Remove these routes in production: its `pix` can't do it. */
export const sandboxRoutes = (pix: SandboxPix, query: Query, cnpj: string): Router => {
  const routes = Router()

  // After the order's time, the payment is late.
  routes.post(
    "/orders/:id/pay",
    withOrder(query, async (order, _request, response) => {
      try {
        await pix.simulatePayment(cnpj, order.chargeId, isWaiting(order) ? {} : { outcome: "paidLate" })
      } catch (error) {
        // It has no charge yet, or a cancelled one.
        if (!isPixError(error, "ChargeNotFound") && !isPixError(error, "ChargeCancelled")) throw error
      }
      response.redirect(303, `/orders/${order.id}`)
    }),
  )

  routes.post(
    "/orders/:id/wait",
    withOrder(query, async ({ id }, _request, response) => {
      await pix.clock.advance("15 minutes")
      response.redirect(303, `/orders/${id}`)
    }),
  )

  routes.post("/club/:id/approve", async ({ params: { id } }, response) => {
    await pix.recurrences.play(cnpj, id, "approve")
    response.redirect(303, `/club/${id}`)
  })

  routes.post("/club/:id/no-balance", async ({ params: { id } }, response) => {
    await pix.recurrences.playDebit(cnpj, id, "noBalance")
    response.redirect(303, `/club/${id}`)
  })

  routes.post("/club/:id/wait/:by", async ({ params: { id, by } }, response) => {
    await pix.clock.advance(by === "week" ? "7 days" : "1 day")
    response.redirect(303, `/club/${id}`)
  })

  return routes
}
