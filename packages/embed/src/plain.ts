import {
  type Charge,
  chargeStatus,
  type ChargeStatus,
  type Payment,
  type PaymentException,
  type PixEvent,
} from "@pixcharge/core"

/** What ends in `At` or `Until` is an instant. */
type Instant = `${string}At` | `${string}Until`

/** A value, and beside each instant in epoch milliseconds the same in ISO 8601, in UTC: `paidAt`, `paidAtIso`. */
export type WithIso<T> = T extends string | number | boolean | undefined
  ? T
  : T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<WithIso<Item>>
    : { readonly [K in keyof T]: WithIso<T[K]> } & {
        readonly [K in keyof T as K extends Instant ? `${K}Iso` : never]: string
      }

/** A charge as a plain host sees it; its `status` is as of the instance's own clock. */
export type PlainCharge<C extends Charge = Charge> = C extends Charge
  ? WithIso<C> & { readonly status: ChargeStatus }
  : never

/** A payment as a plain host sees it. */
export type PlainPayment = WithIso<Payment>

/** A payment that settled no charge, as a plain host sees it. */
export type PlainException = WithIso<PaymentException>

/** An event as a plain host sees it. */
export type PlainEvent = WithIso<PixEvent>

/**
 * A function of the host that takes events. To return is to have taken the event for good; to throw, to reject or to need
 * more than 15 s is to want it again later, under the same id.
 */
export type EventTaker = (event: PlainEvent) => void | Promise<void>

const isInstant = (name: string, value: unknown): value is number =>
  typeof value === "number" && (name.endsWith("At") || name.endsWith("Until"))

/** What the core keeps is JSON: objects, arrays, texts and numbers. */
export const withIso = <T>(value: T): WithIso<T> => {
  if (typeof value !== "object" || value === null) return value as WithIso<T>
  if (Array.isArray(value)) return value.map(withIso) as WithIso<T>
  const fields = Object.entries(value).flatMap(([name, field]): Array<[string, unknown]> =>
    isInstant(name, field)
      ? [
          [name, field],
          [`${name}Iso`, new Date(field).toISOString()],
        ]
      : [[name, withIso(field)]],
  )
  return Object.fromEntries(fields) as WithIso<T>
}

/** The charge at `now`, in epoch milliseconds. */
export const plainCharge = <C extends Charge>(charge: C, now: number): PlainCharge<C> =>
  ({ ...withIso(charge), status: chargeStatus(charge, now) }) as PlainCharge<C>
