import { isPixError, type Pix } from "@pixcharge/embed"
import { type ErrorRequestHandler, type RequestHandler, Router } from "express"
import { createHash, timingSafeEqual } from "node:crypto"
import type { Query } from "./database.ts"
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

  routes.use(explainRefusal)
  return routes
}
