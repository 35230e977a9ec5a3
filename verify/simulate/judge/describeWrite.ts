import type { Committed, NewDelivery, ReplaySelection } from "@pixcharge/core"
import type { ChargeId, PartialRefund, Payment, Refund, Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { isOpen, type TermsRow } from "./TermsRows.ts"
import { chargeName, shortName } from "./names.ts"

export interface StoreCall {
  readonly port: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly answer: unknown
}

/** How long after an unanswered call the bank can make a refused refund (decision 50). */
const lateRefundMs = 86_400_000

/** The payments and returns that a store call records, with or without a move, or that a notice contains. */
export interface Facts {
  readonly issuer: Cnpj
  readonly payments: ReadonlyArray<Pick<Payment, "endToEndId">>
  readonly returns: ReadonlyArray<Pick<Return, "endToEndId" | "id">>
}

export interface Write {
  readonly what: string
  /** The charge or exception with its version before. */
  readonly moveFrom?: string
  readonly movedTo?: number
  /** By how much the move raises the version: once for each of its events, which are sent in this order. */
  readonly movedBy?: number
  /** A payment that was decided as an exception and can't settle a charge before `until`. */
  readonly dealtWith?: { readonly endToEndId: string; readonly until: number }
  readonly charge?: { readonly issuer: Cnpj; readonly id: ChargeId }
  readonly exception?: { readonly issuer: Cnpj; readonly endToEndId: string }
  readonly facts?: Facts
}

interface Named {
  readonly issuer: Cnpj
  readonly id: ChargeId
  readonly endToEndId: string
  readonly expectedVersion: number
  readonly next?: { readonly _tag: string; readonly version?: number; readonly failedRefund?: Refund }
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  readonly partialRefund?: PartialRefund
  readonly termsRows?: ReadonlyArray<TermsRow>
  readonly onlyAtVersion?: true
  readonly deliveries?: ReadonlyArray<NewDelivery>
}

const describeRow = (row: TermsRow): string => {
  if (isOpen(row)) return `${row.amountCents} cents requested`
  return `${row.amountCents} cents ${row.refusedAt === undefined ? "in force" : "refused"}`
}

const mayReturnUntil = (failed: Refund | undefined): number =>
  (failed?.unanswered?.at(-1) ?? Number.NEGATIVE_INFINITY) + lateRefundMs

/**
 * Until when the exception's payment can't settle a charge. A wholly returned payment can: the charge is then refunded.
 */
const dealtWithUntil = (next: Named["next"]): number => {
  if (next?._tag === "Refunded") return Number.NEGATIVE_INFINITY
  return next?._tag === "Open" ? mayReturnUntil(next.failedRefund) : Infinity
}

/** Describes the write of a store call; undefined if the history leaves it out. */
export const describeWrite = ({ port, method, args: [given, more = []], answer }: StoreCall): Write | undefined => {
  const written = (given ?? {}) as Named
  const { issuer, id, endToEndId, expectedVersion, next, payments, returns, partialRefund, deliveries = [] } = written
  switch (`${port}.${method}`) {
    case "store.insert":
      return {
        what: `stores ${chargeName({ issuer, id })}: ${(answer as { readonly _tag: string })._tag}`,
        charge: { issuer, id },
      }
    case "store.commit": {
      const { moved, foreignPayments } = answer as Committed
      const { termsRows } = written
      const { key, refund, rejection } = partialRefund ?? {}
      const isVoid = !moved && (given as Named).onlyAtVersion === true
      const part =
        key === undefined
          ? ""
          : ` with part ${key} (${refund?.id.slice(-2)}${rejection === undefined ? "" : ", refused"})`
      const row = termsRows?.at(-1)
      const terms = row === undefined ? "" : ` with terms ${row.number} by ${row.by} (${describeRow(row)})`
      const to = `${next?._tag ?? "facts"}${part}${terms}`
      return {
        what: `commits ${chargeName({ issuer, id })} v${expectedVersion} to ${to}: ${moved ? "moved" : "not moved"}`,
        charge: { issuer, id },
        facts: {
          issuer,
          payments: isVoid ? [] : payments,
          returns: returns.filter((one) => !foreignPayments.includes(one.endToEndId)),
        },
        ...(moved && {
          moveFrom: `${chargeName({ issuer, id })} v${expectedVersion}`,
          movedTo: next?.version ?? 0,
          movedBy: Math.max(1, new Set(deliveries.map(({ event }) => event.id)).size),
        }),
      }
    }
    case "store.recordUnmatched":
      return {
        what: `records ${shortName(endToEndId)} of no charge`,
        exception: { issuer, endToEndId },
        facts: { issuer, payments: [{ endToEndId }], returns: answer === true ? (more as ReadonlyArray<Return>) : [] },
      }
    case "exceptions.commit": {
      const moved = answer === true ? "moved" : "not moved"
      return {
        what: `commits exception ${shortName(endToEndId)} v${expectedVersion} to ${next?._tag}: ${moved}`,
        facts: { issuer, payments: [], returns },
        exception: { issuer, endToEndId },
        ...(answer === true && {
          moveFrom: `exception ${shortName(endToEndId)} of ${issuer} v${expectedVersion}`,
          movedTo: expectedVersion + 1,
          dealtWith: { endToEndId, until: dealtWithUntil(next) },
        }),
      }
    }
    case "outbox.replay": {
      const { chargeId } = more as ReplaySelection
      const charge = chargeId && { issuer: given as Cnpj, id: chargeId }
      return charge && { what: `replays the events of ${chargeName(charge)}`, charge }
    }
    default:
      return undefined
  }
}
