import type { Committed, ReplaySelection } from "@pixcharge/core"
import type { ChargeId, PartialRefund, Payment, Refund, Return } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import type { Facts } from "./lostFacts.ts"
import { nameOf } from "./names.ts"

/** One call of a store that was carried out, whether its caller heard of it or not. */
export interface StoreCall {
  readonly port: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly answer: unknown
}

/** So long after a call without an answer a refund that was refused may be carried out (decision 50). */
const lateRefundMs = 86_400_000

/** A write that was carried out: what it did, and to which charge or exception, if to one. */
export interface Write {
  readonly what: string
  /** The version that it moved from, and whose. */
  readonly moveFrom?: string
  /** The version that it moved to. */
  readonly movedTo?: number
  /** Until when the payment can't be a charge's any more, because it is dealt with as an exception: epoch milliseconds. */
  readonly dealtWith?: { readonly endToEndId: string; readonly until: number }
  readonly charge?: { readonly issuer: Cnpj; readonly id: ChargeId }
  readonly exception?: { readonly issuer: Cnpj; readonly endToEndId: string }
  /** What it was to record. */
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
  readonly onlyAtVersion?: true
}

const mayReturnUntil = (failed: Refund | undefined): number =>
  (failed?.unanswered?.at(-1) ?? Number.NEGATIVE_INFINITY) + lateRefundMs

/** A payment that is back as a whole may be a charge's: that is refunded then. */
const dealtWithUntil = (next: Named["next"]): number => {
  if (next?._tag === "Refunded") return Number.NEGATIVE_INFINITY
  return next?._tag === "Open" ? mayReturnUntil(next.failedRefund) : Infinity
}

/** What a call of the store wrote; undefined if nothing that a history should tell. */
export const describeWrite = ({ port, method, args: [given, more = []], answer }: StoreCall): Write | undefined => {
  const { issuer, id, endToEndId, expectedVersion, next, payments, returns, partialRefund } = (given ?? {}) as Named
  switch (`${port}.${method}`) {
    case "store.insert":
      return { what: `stores ${nameOf(id)}: ${(answer as { readonly _tag: string })._tag}`, charge: { issuer, id } }
    case "store.commit": {
      const { moved, foreignPayments } = answer as Committed
      const { key, refund, rejection } = partialRefund ?? {}
      const isVoid = !moved && (given as Named).onlyAtVersion === true
      const part =
        key === undefined
          ? ""
          : ` with part ${key} (${refund?.id.slice(-2)}${rejection === undefined ? "" : ", refused"})`
      const to = `${next?._tag ?? "facts"}${part}`
      return {
        what: `commits ${nameOf(id)} v${expectedVersion} to ${to}: ${moved ? "moved" : "not moved"}`,
        charge: { issuer, id },
        facts: {
          issuer,
          payments: isVoid ? [] : payments,
          returns: returns.filter((one) => !foreignPayments.includes(one.endToEndId)),
        },
        ...(moved && { moveFrom: `${nameOf(id)} v${expectedVersion}`, movedTo: next?.version ?? 0 }),
      }
    }
    case "store.recordUnmatched":
      return {
        what: `records ${nameOf(endToEndId)} of no charge`,
        exception: { issuer, endToEndId },
        facts: { issuer, payments: [{ endToEndId }], returns: answer === true ? (more as ReadonlyArray<Return>) : [] },
      }
    case "exceptions.commit": {
      const moved = answer === true ? "moved" : "not moved"
      return {
        what: `commits exception ${nameOf(endToEndId)} v${expectedVersion} to ${next?._tag}: ${moved}`,
        facts: { issuer, payments: [], returns },
        exception: { issuer, endToEndId },
        ...(answer === true && {
          moveFrom: `exception ${nameOf(endToEndId)} v${expectedVersion}`,
          movedTo: expectedVersion + 1,
          dealtWith: { endToEndId, until: dealtWithUntil(next) },
        }),
      }
    }
    case "outbox.replay": {
      const { chargeId } = more as ReplaySelection
      return (
        chargeId && {
          what: `replays the events of ${nameOf(chargeId)}`,
          charge: { issuer: given as Cnpj, id: chargeId },
        }
      )
    }
    default:
      return undefined
  }
}
