import type { Page } from "@pixcharge/core"
import { isCancellable } from "@pixcharge/core/recurrence"
import type { PlainCharge, PlainRecurrence } from "@pixcharge/embed"
import type { View } from "../../frame/View.ts"
import { cursorField } from "../../parts/pager.ts"
import { type DueCycle, findCycleFrom } from "./recurrenceTerms.ts"

/** A page of cycles, and enough to hold every one that is still open. */
const pageLength = 24

/** A recurrence, and a page of the charges of its cycles. */
export interface ShownRecurrence {
  readonly recurrence: PlainRecurrence
  readonly charges: Page<PlainCharge>
}

/** Reads what the page of a recurrence shows: by default its last cycles. */
export const readRecurrence = async ({ pix, company }: View, id: string, cursor?: string): Promise<ShownRecurrence> => {
  const recurrence = await pix.recurrences.find(company, id)
  const charges = await pix.recurrences.charges(company, id, {
    limit: pageLength,
    ...(cursor !== undefined && { cursor }),
  })
  return { recurrence, charges }
}

/** The cursor of a page of cycles in an address. */
export const readCursor = ({ query }: Pick<View, "query">): string | undefined => query.get(cursorField) || undefined

/** Whether the charge waits for its first debit. */
const isAhead = ({ status, debit }: PlainCharge): boolean => status === "pending" && debit?.failure === undefined

/** The next cycle whose charge can be cancelled: one that is made and not yet due, or else the first that is not made. */
export const findNextCycle = ({ recurrence, charges }: ShownRecurrence, now: number): DueCycle | undefined => {
  if (recurrence.status !== "approved") return undefined
  const open = charges.items.findLast((charge) => isAhead(charge) && isCancellable(charge, now))
  return open?.cycle !== undefined && open.dueDate !== undefined
    ? { cycle: open.cycle.cycle, dueDate: open.dueDate }
    : findCycleFrom(recurrence, recurrence.nextCycle)
}
