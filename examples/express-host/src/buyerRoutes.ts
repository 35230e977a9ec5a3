import { type ChargeRequestInput, isPixError, type Pix } from "@pixcharge/embed"
import { Router } from "express"
import type { Database } from "./database.ts"
import { isClosed, isWaiting, listProducts, type Order, placeOrder, reserveItem } from "./orders.ts"
import { expiredPage, orderPage, productsPage, soldOutPage } from "./pages.ts"
import { withOrder } from "./withOrder.ts"

/** pixcharge looks a charge up after eleven minutes anyway. With ten minutes to pay, that look-up tells that it expired. */
const payableForSeconds = 600

/** The charge of an order. */
export const orderCharge = ({ id, chargeId, amountCents }: Order): ChargeRequestInput => ({
  id: chargeId,
  amountCents,
  payableForSeconds,
  reference: id,
})

/** A buyer's routes: products, an order, and the way to the payer's page. Everyone with an order's address can see the order. */
export const buyerRoutes = (pix: Pix, { query, transaction }: Database, cnpj: string): Router => {
  const routes = Router()

  routes.get("/", async (_request, response) => void response.send(productsPage(await listProducts(query))))

  routes.post("/orders", async (request, response) => {
    const id = await placeOrder(query, String(request.body?.product))
    if (id === undefined) return void response.status(404).json({ error: "no such product" })
    response.redirect(303, `/orders/${id}`)
  })

  routes.get(
    "/orders/:id",
    withOrder(query, async (order, _request, response) => void response.send(orderPage(order))),
  )

  // The charge has the id that was stored with the order: a repeated request finds the earlier charge. The item is reserved after
  // the charge exists, because only the charge's end releases it. The buyer has no code before.
  routes.post(
    "/orders/:id/checkout",
    withOrder(query, async (order, _request, response) => {
      const { chargeId } = order
      if (isClosed(order)) return void response.status(410).send(expiredPage())
      try {
        if (isWaiting(order)) await pix.issue(cnpj, orderCharge(order))
      } catch (error) {
        if (!isPixError(error, "ChargeExpired")) throw error
        return void response.status(410).send(expiredPage())
      }
      if (isWaiting(order) && !(await transaction((queryWithin) => reserveItem(queryWithin, chargeId)))) {
        await pix.cancel(cnpj, chargeId)
        return void response.status(409).send(soldOutPage())
      }
      response.redirect(303, await pix.checkout.link(cnpj, chargeId))
    }),
  )

  return routes
}
