import type { Request, Response } from "express"
import type { Query } from "./database.ts"
import { findOrder, type Order } from "./orders.ts"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Passes the order of `:id` to a route, or answers 404. */
export const withOrder =
  (query: Query, answer: (order: Order, request: Request, response: Response) => Promise<void>) =>
  async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    const { id } = request.params
    const order = uuid.test(id) ? await findOrder(query, id) : undefined
    if (order === undefined) return void response.status(404).json({ error: "no such order" })
    await answer(order, request, response)
  }
