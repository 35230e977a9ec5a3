import type {
  AuditRecord, DeliveryAttempt, DeliveryRecord, PartialRefundStatus, Payment, Pix, PlainCharge, PlainException, PlainPartialRefund, Return,
} from "@pixcharge/embed"
export type StoryEntry = { readonly at: number } & (
  | { kind: "issued"; amountCents: number; dueDate?: string } | { kind: "expired" } | { kind: "cancelled" } | { kind: "payerErased" } | { kind: "refunded" }
  | { kind: "paid"; payment: Payment }
  | { kind: "exception"; exception: PlainException }
  | { kind: "exceptionRefund"; endToEndId: string; status: "refunding"|"returned"|"failed"; reason?: string }
  | { kind: "exceptionResolved"; endToEndId: string; note: string }
  | { kind: "refund"; amountCents: number; status: "refunding"|"returned"|"failed"; reason?: string }
  | { kind: "partialRefund"; partialRefund: PlainPartialRefund; status: PartialRefundStatus }
  | { kind: "return"; returned: Return }
  | { kind: "event"; delivery: DeliveryRecord }
  | { kind: "attempt"; eventId: string; endpointId: string; attempt: DeliveryAttempt }
  | { kind: "audit"; record: AuditRecord } )
export interface Story { readonly charge: PlainCharge; readonly entries: ReadonlyArray<StoryEntry>; readonly isCut: boolean }
export const storyOf = async (pix: Pix, issuer: string, id: string): Promise<Story> => {
  const charge = await pix.find(issuer, id)
  const entries: Array<StoryEntry> = [{ at: charge.createdAt, kind: "issued", amountCents: charge.amountCents }]
  if ("payment" in charge) entries.push({ at: charge.payment.paidAt, kind: "paid", payment: charge.payment })
  for (const p of charge.partialRefunds ?? []) entries.push({ at: p.requestedAt, kind: "partialRefund", partialRefund: p, status: p.status })
  for (const r of charge.returns) entries.push({ at: r.returnedAt, kind: "return", returned: r })
  for (const d of (await pix.events.list(issuer, { chargeId: id })).items) entries.push({ at: d.event.occurredAt, kind: "event", delivery: d })
  for (const r of (await pix.audit.list(issuer, { chargeId: id })).items) entries.push({ at: r.at, kind: "audit", record: r })
  return { charge, entries, isCut: false }
}
