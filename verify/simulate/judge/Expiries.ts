import type { ProcessorView } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { Ask } from "./Looks.ts"
import { chargeKey } from "./names.ts"

/** A look-up that is sent later than this after the last payable moment shows that a charge has expired. */
const expiredAfterMs = 60_000

/** A look-up that was sent after a charge's last payable moment, and showed no payment. */
interface Sight {
  /** When it was sent by the clock of its process, in epoch milliseconds. */
  readonly clockAt: number
  readonly by: string
}

/** What processes saw of unpaid charges at the bank. */
export class Expiries {
  readonly #sights = new Map<string, ReadonlyArray<Sight>>()
  readonly #removed = new Set<string>()
  /** When each company was first swept, in epoch milliseconds: charges that expired before are never published. */
  readonly #sweptAt = new Map<string, number>()

  setBack(): void {
    this.#sweptAt.clear()
  }

  recordSweep(issuer: string, now: number): void {
    if (!this.#sweptAt.has(issuer)) this.#sweptAt.set(issuer, now)
  }

  recordAnswer({ method, args, clockAt, caller: by, answer }: Ask & { readonly answer: unknown }): void {
    if (method !== "lookup") return
    const { status, payments } = answer as ProcessorView
    const key = chargeKey(args[0] as Charge)
    // It can show payments that were handled as exceptions.
    if (status === "removed") this.#removed.add(key)
    if (status === "completed" || payments.length > 0) return
    this.#sights.set(key, [...(this.#sights.get(key) ?? []), { clockAt, by }])
  }

  /** True if a look-up has shown that the charge is removed at the bank. */
  isSeenRemoved(charge: Charge): boolean {
    return this.#removed.has(chargeKey(charge))
  }

  /** True if a look-up of this process, by default of any, has shown that the charge has expired. */
  hasShown(charge: Charge, payableUntil: number, caller?: string): boolean {
    const sights = this.#sights.get(chargeKey(charge)) ?? []
    return sights.some(
      ({ by, clockAt }) => (caller === undefined || by === caller) && clockAt > payableUntil + expiredAfterMs,
    )
  }

  /** True if the processes must publish the expiry that a look-up has shown. */
  isDue(charge: Charge, payableUntil: number, caller?: string): boolean {
    const sweptAt = this.#sweptAt.get(charge.issuer) ?? Infinity
    return charge.cycle === undefined && payableUntil > sweptAt && this.hasShown(charge, payableUntil, caller)
  }
}
