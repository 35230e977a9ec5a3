import type { EventTaker as CoreTaker, EndpointOverview } from "@pixcharge/core"
import {
  type Charge,
  chargeStatus,
  type ExceptionState,
  type ExceptionStatus,
  exceptionStatus,
  type PartialRefund,
  type PartialRefundStatus,
  partialRefundStatus,
  type Payment,
  type PaymentException,
  type PlainEvent,
  refundableCents,
  type StatusIn,
  type TermsRow,
  type TermsStatus,
  termsStatus,
} from "@pixcharge/core/charges"
import {
  addIso,
  type Comparison,
  type FoundPayment,
  type Story,
  type StoryEntry,
  type WithIso,
} from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export type PlainPartialRefund = WithIso<PartialRefund> &
  (
    | { readonly status: Exclude<PartialRefundStatus, "failed"> }
    /** `rejection` says why, in the processor's words. */
    | { readonly status: "failed"; readonly rejection: string }
  )

/** The terms have the number 1; each change adds terms. */
export type PlainTerms = WithIso<TermsRow> &
  (
    | { readonly status: Exclude<TermsStatus, "refused"> }
    /** `rejection` says why, in the processor's words. */
    | { readonly status: "refused"; readonly rejection: string }
  )

/** A charge with its status by the instance's clock. Its own terms are the ones in force. */
export type PlainCharge<C extends Charge = Charge> = C extends Charge
  ? Omit<WithIso<C>, "partialRefunds" | "termsRows"> & {
      readonly status: StatusIn<C["_tag"]>
      /** The refundable rest of the charge's payment; 0 unless the charge is paid. */
      readonly refundableCents: number
      readonly partialRefunds?: ReadonlyArray<PlainPartialRefund>
      /** All terms by number, once the charge has been changed, or a change has been requested. */
      readonly termsHistory?: ReadonlyArray<PlainTerms>
    }
  : never

export type PlainPayment = WithIso<Payment>

type StateWith<Status extends ExceptionStatus> = WithIso<
  Status extends "returned"
    ? Exclude<ExceptionState, { readonly _tag: "Resolved" }>
    : Extract<ExceptionState, { readonly _tag: Capitalize<Status> }>
>

/** A payment that settled no charge. */
export type PlainException = {
  [Status in ExceptionStatus]: Omit<WithIso<PaymentException>, "state"> & {
    readonly status: Status
    readonly state: StateWith<Status>
  }
}[ExceptionStatus]

/** A payment with the charge that it settled, or as an exception. */
export type PlainFoundPayment =
  | {
      readonly payment: PlainPayment
      readonly charge: PlainCharge<NonNullable<FoundPayment["charge"]>>
      readonly exception?: undefined
    }
  | { readonly payment: PlainPayment; readonly exception: PlainException; readonly charge?: undefined }

export type PlainEndpoint = WithIso<EndpointOverview>

type PlainEntry<Entry extends StoryEntry> = Entry extends { readonly kind: "exception" }
  ? Omit<WithIso<Entry>, "exception"> & { readonly exception: PlainException }
  : WithIso<Entry>

/** `at` is in epoch milliseconds, `atIso` in ISO 8601. */
export type PlainStoryEntry = StoryEntry extends infer Entry
  ? Entry extends StoryEntry
    ? PlainEntry<Entry> & { readonly atIso: string }
    : never
  : never

export interface PlainStory {
  readonly charge: PlainCharge
  /** Oldest first. */
  readonly entries: ReadonlyArray<PlainStoryEntry>
  /** Whether the story exceeded its limits and lacks entries. */
  readonly isCut: boolean
}

export type PlainComparison = WithIso<Comparison>

/**
 * The host's function that takes events. Once it returns, the event is delivered. If it throws, rejects, fails or needs more
 * than 15 s, it gets the event again later, under the same id. For `pixLayer` it can return an Effect that needs `R`.
 */
export type EventTaker<R = never> = (event: PlainEvent) => ReturnType<CoreTaker<R>>

export const toPlainException = (exception: PaymentException): PlainException =>
  ({ ...addIso(exception), status: exceptionStatus(exception) }) as PlainException

/** The charge of `createPix` at `now`, in epoch milliseconds. */
export const toPlainCharge = <C extends Charge>(charge: C, now: number): PlainCharge<C> => {
  const { termsRows, ...facts }: Charge = charge
  const { partialRefunds, returns } = facts
  const plain = {
    ...addIso(facts),
    status: chargeStatus(charge, now),
    refundableCents: refundableCents(charge, now),
    ...(partialRefunds && { partialRefunds: partialRefunds.map((part) => toPlainPartialRefund(part, returns)) }),
    ...(termsRows && {
      termsHistory: termsRows.map((row) => ({ ...addIso(row), status: termsStatus(charge, row, now) })),
    }),
  }
  return plain as unknown as PlainCharge<C>
}

export const toPlainFoundPayment = ({ payment, charge, exception }: FoundPayment, now: number): PlainFoundPayment =>
  exception === undefined
    ? { payment: addIso(payment), charge: toPlainCharge(charge, now) }
    : { payment: addIso(payment), exception: toPlainException(exception) }

const toPlainEntry = (entry: StoryEntry): PlainStoryEntry => {
  const plain = { ...addIso(entry), atIso: new Date(entry.at).toISOString() }
  if (entry.kind !== "exception") return plain as PlainStoryEntry
  return { ...plain, exception: toPlainException(entry.exception) } as PlainStoryEntry
}

export const toPlainStory = ({ charge, entries, isCut }: Story, now: number): PlainStory => ({
  charge: toPlainCharge(charge, now),
  entries: entries.map(toPlainEntry),
  isCut,
})

export const toPlainPartialRefund = (part: PartialRefund, returns: Charge["returns"]): PlainPartialRefund =>
  ({ ...addIso(part), status: partialRefundStatus(part, returns) }) as PlainPartialRefund

export const toPlainNow = <C extends Charge, E>(moving: Effect.Effect<C, E>): Effect.Effect<PlainCharge<C>, E> =>
  Effect.flatMap(moving, (charge) => Effect.map(Clock.currentTimeMillis, (now) => toPlainCharge(charge, now)))
