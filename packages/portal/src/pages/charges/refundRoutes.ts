import type { PlainCharge, RefundInput } from "@pixcharge/embed"
import { redirectReply } from "@pixcharge/web"
import type { Outcome } from "../../frame/Content.ts"
import { isActionKey } from "../../frame/makeView.ts"
import { action, page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { ActionView, View } from "../../frame/View.ts"
import { readReason } from "../../parts/reasonField.ts"
import { chargePath, refundPath } from "./chargePaths.ts"
import {
  amountField,
  confirmedOrder,
  orderKeyField,
  partField,
  readRefundOrder,
  type RefundOrder,
} from "./refundOrder.ts"
import { confirmRefundPage, refundPage } from "./refundPages.ts"
import { refundState } from "./refundState.ts"

const options = { right: "refund", section: "charges" } as const
const path = "/cobrancas/:id/devolver"

/** The address of the same page, with the order's key. */
const addressWithKey = ({ link, params, query }: View<typeof path>): string => {
  const search = new URLSearchParams(query)
  search.set(orderKeyField, crypto.randomUUID())
  return `${link(refundPath(params.id))}?${search.toString()}`
}

/** Carries the order out, and returns whether all of it went back at once. */
const carryOut = async (
  view: ActionView,
  { id }: PlainCharge,
  order: RefundOrder,
  reason: RefundInput,
): Promise<boolean> => {
  const { as, company, actionKey } = view
  if (order._tag === "Whole") return (await as.refund(company, id, reason)).status === "refunded"
  // A repeated form has the same key, in every process: the money goes back once.
  const key = order._tag === "Again" ? order.key : actionKey
  const { partialRefund } = await as.refundPart(company, id, { key, amountCents: order.amountCents, ...reason })
  return partialRefund.status === "returned"
}

/** The amount, the confirmation, and the refund. */
export const refundRoutes: ReadonlyArray<PortalRoute> = [
  page(path, options, async (view) => {
    const charge = await view.pix.find(view.company, view.params.id)
    const state = refundState(charge, view.now)
    const [amount, part] = [view.query.get(amountField), view.query.get(partField)]
    if (amount === null && part === null) return refundPage(view, charge, state)
    const key = view.query.get(orderKeyField) ?? ""
    const requested = charge.partialRefunds?.find((each) => each.key === key)
    if (requested !== undefined) return refundPage(view, charge, state, { requested })
    const order = readRefundOrder(state, amount, part)
    if (typeof order === "string") return refundPage(view, charge, state, { typed: amount ?? "", flaw: order })
    if (order._tag !== "Part") return confirmRefundPage(view, charge, order)
    // The address has the key: after the browser's back button the form sends the same order again, not another.
    return isActionKey(key) ? confirmRefundPage(view, charge, order, key) : redirectReply(addressWithKey(view))
  }),
  action(path, options, async (view, form): Promise<Outcome> => {
    const charge = await view.pix.find(view.company, view.params.id)
    const state = refundState(charge, view.now)
    const order = confirmedOrder(form, state)
    if (order === undefined) return { correct: (again) => refundPage(again, charge, state, { flaw: "noAmount" }) }
    const reason = readReason(form)
    if ("problem" in reason) {
      return { correct: (again) => confirmRefundPage(again, charge, order, view.actionKey, reason) }
    }
    const isDone = await carryOut(view, charge, order, reason)
    return { to: chargePath(charge.id), notice: isDone ? "refundDone" : "refundRequested" }
  }),
]
