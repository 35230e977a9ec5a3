import { isPixError, type SandboxPix } from "@pixcharge/embed"
import { Router } from "express"
import { orderCharge } from "./buyerRoutes.ts"
import type { Query } from "./database.ts"
import { isClosed, isWaiting, type Order } from "./orders.ts"
import { withOrder } from "./withOrder.ts"

/** Plays payers and the passing of time. Remove these routes in production: its `pix` can't do it. */
export const sandboxRoutes = (pix: SandboxPix, query: Query, cnpj: string): Router => {
  const routes = Router()

  /** Plays with the charge of an order, and shows the order again, even if its charge has ended meanwhile. */
  const play = (act: (order: Order) => Promise<unknown>) =>
    withOrder(query, async (order, _request, response) => {
      try {
        if (isWaiting(order)) await pix.issue(cnpj, orderCharge(order))
        await act(order)
      } catch (error) {
        if (!isPixError(error, "ChargeExpired") && !isPixError(error, "ChargeCancelled")) throw error
      }
      response.redirect(303, `/orders/${order.id}`)
    })

  // After the order's time, the payment is late.
  routes.post(
    "/orders/:id/pay",
    play((order) => pix.simulatePayment(cnpj, order.chargeId, isClosed(order) ? { outcome: "paidLate" } : undefined)),
  )

  routes.post(
    "/orders/:id/wait",
    play(() => pix.clock.advance("15 minutes")),
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
