import { isPixError, type Pix } from "@pixcharge/embed"
import { type ErrorRequestHandler, type RequestHandler, Router } from "express"
import { createHash, timingSafeEqual } from "node:crypto"
import type { Query } from "./database.ts"
import { withOrder } from "./withOrder.ts"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Admits callers with the key. Its comparison takes constant time. */
const onlyWith =
  (key: string): RequestHandler =>
  (request, response, next) =>
    timingSafeEqual(digest(request.get("authorization") ?? ""), digest(`Bearer ${key}`))
      ? next()
      : void response.status(401).json({ error: "an operator's key is needed" })

/** Explains to an operator why a refund is refused. */
const tellRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isPixError(error) || isPixError(error, "StoreUnavailable")) return next(error)
  response.status(409).json({ error: error.code, message: error.message })
}

/** Only an operator refunds, in their own name, which the audit log keeps. */
export const operatorRoutes = (pix: Pix, query: Query, cnpj: string, key: string): Router => {
  const routes = Router()
  const operator = pix.by("operator")
  routes.use(onlyWith(key))

  // The event marks the order once all of its money is back, which can take the bank a while.
  routes.post(
    "/orders/:id/refund",
    withOrder(query, async ({ chargeId }, _request, response) => {
      const { status } = await operator.refund(cnpj, chargeId)
      response.json({ status })
    }),
  )

  // The caller makes one key for each part: a repeated call with it returns no further money.
  routes.post(
    "/orders/:id/refunds",
    withOrder(query, async ({ chargeId }, request, response) => {
      const { key: part, amountCents } = request.body ?? {}
      const { charge, partialRefund } = await operator.refundPart(cnpj, chargeId, { key: part, amountCents })
      response.json({ status: partialRefund.status, refundableCents: charge.refundableCents })
    }),
  )

  routes.use(tellRefusal)
  return routes
}
