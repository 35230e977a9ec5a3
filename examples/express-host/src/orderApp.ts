import type { Pix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { demonstrationCnpj, type HostApps } from "@pixcharge-examples/demonstration"
import express, { type Express, Router } from "express"
import { randomUUID } from "node:crypto"
import { answerError } from "./answerError.ts"

interface Order {
  readonly product: string
  readonly amountCents: number
  /** The `idFaturaPag` of its charge: written with the order, before the charge is asked for. */
  readonly chargeId: string
}

/**
 * An order and its charge need no shared transaction: the order is stored with the id of its charge, and the charge is
 * issued after, as often as it takes. A repeat finds what an earlier call made.
 */
const orderRoutes = (pix: Pix): Router => {
  const orders = new Map<string, Order>()
  const routes = Router()

  routes.post("/orders", (request, response) => {
    const { product, amountCents } = request.body ?? {}
    if (typeof product !== "string" || !Number.isSafeInteger(amountCents) || amountCents < 1) {
      return void response.status(400).json({ error: "an order has a product and amountCents" })
    }
    const id = randomUUID()
    orders.set(id, { product, amountCents, chargeId: randomUUID() })
    response.status(201).json({ id })
  })

  routes.post("/orders/:id/charge", async (request, response) => {
    const order = orders.get(request.params.id)
    if (order === undefined) return void response.status(404).json({ error: "no such order" })
    const charge = await pix.issue(demonstrationCnpj, { id: order.chargeId, amountCents: order.amountCents })
    response.json({ brCode: charge.brCode, payableUntil: charge.payableUntilIso })
  })

  routes.get("/orders/:id", async (request, response) => {
    const order = orders.get(request.params.id)
    if (order === undefined) return void response.status(404).json({ error: "no such order" })
    const state = await pix.find(demonstrationCnpj, order.chargeId).then(
      (charge) => charge.status,
      () => "not issued",
    )
    response.json({ product: order.product, payment: state })
  })

  return routes
}

/** A shop that had its routes, body parser and prefix long before it took PIX. */
export const orderApp = ({ pix, console, portal }: HostApps): Express => {
  const app = express()
  app.disable("x-powered-by")
  app.use(express.json())
  app.use("/shop", orderRoutes(pix))
  app.use("/shop/payments", pixRouter(pix))
  app.use("/portal", pixRouter(portal))
  // At the root too, for clients of a charge service that know no prefix, with the console of the sandbox before it.
  app.use(pixRouter(console))
  // By default Express repeats the path, which may hold what should have gone to another path.
  app.use((_request, response) => void response.status(404).json({ error: "no such page" }))
  app.use(answerError)
  return app
}
