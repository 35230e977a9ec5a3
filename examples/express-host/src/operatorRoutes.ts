import { isPixError, type Pix } from "@pixcharge/embed"
import { type ErrorRequestHandler, type RequestHandler, Router } from "express"
import { createHash, timingSafeEqual } from "node:crypto"
import type { Query } from "./database.ts"
import { issueInvoices } from "./invoices.ts"
import { withOrder } from "./withOrder.ts"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Admits callers with the key, and compares it in constant time. */
const onlyWith =
  (key: string): RequestHandler =>
  (request, response, next) =>
    timingSafeEqual(digest(request.get("authorization") ?? ""), digest(`Bearer ${key}`))
      ? next()
      : void response.status(401).json({ error: "an operator's key is needed" })

/** Explains to an operator why a refund is refused. */
const explainRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isPixError(error) || isPixError(error, "StoreUnavailable")) return next(error)
  response.status(409).json({ error: error.code, message: error.message })
}

/** Routes that only an operator can call. The audit log names the operator. */
export const operatorRoutes = (pix: Pix, query: Query, cnpj: string, key: string): Router => {
  const routes = Router()
  const operator = pix.by("operator")
  routes.use(onlyWith(key))

  // The order is marked once an event reports all of its money returned. The bank can take a while.
  routes.post(
    "/orders/:id/refund",
    withOrder(query, async ({ chargeId }, _request, response) => {
      const { status } = await operator.refund(cnpj, chargeId)
      response.json({ status })
    }),
  )

  // The caller makes a key for each part. A repeated call with the same key returns no further money.
  routes.post(
    "/orders/:id/refunds",
    withOrder(query, async ({ chargeId }, request, response) => {
      const { key: part, amountCents } = request.body ?? {}
      const { charge, partialRefund } = await operator.refundPart(cnpj, chargeId, { key: part, amountCents })
      response.json({ status: partialRefund.status, refundableCents: charge.refundableCents })
    }),
  )

  // The event `cancelled` releases the order's item.
  routes.post(
    "/orders/:id/cancel",
    withOrder(query, async ({ chargeId }, _request, response) => {
      const { status } = await operator.cancel(cnpj, chargeId)
      response.json({ status })
    }),
  )

  // A buyer who asks for help sends a receipt. It has this ID.
  routes.get("/payments/:endToEndId", async ({ params: { endToEndId } }, response) => {
    const { payment, charge, exception } = (await pix.findPayment(cnpj, endToEndId)) ?? {}
    if (payment === undefined) return void response.status(404).json({ error: "no such payment" })
    const { paidAtIso: paidAt, amountCents } = payment
    response.json({ reference: charge?.reference, status: charge?.status ?? exception?.reason, paidAt, amountCents })
  })

  // A person decides about payments that settled no charge. The shop returns a second payment of an order by itself.
  routes.get("/exceptions", async (_request, response) => {
    const open: Array<object> = []
    for await (const { payment, reason } of pix.exceptions.list(cnpj)) open.push({ ...payment, reason })
    response.json(open)
  })

  routes.post("/exceptions/:endToEndId/refund", async ({ params: { endToEndId } }, response) => {
    const { status } = await operator.exceptions.refund(cnpj, endToEndId)
    response.json({ status })
  })

  routes.post("/invoices", issueInvoices(pix, cnpj))

  routes.use(explainRefusal)
  return routes
}
