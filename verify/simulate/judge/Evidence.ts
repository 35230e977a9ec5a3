import type { DeliveryAttempt, DeliveryRecord, StoreUnavailable, TooManyReports } from "@pixcharge/core"
import type { Charge, ChargeId, Payment, PaymentException, PixEvent, Return } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import type { BankWays, Ledger } from "@pixcharge/simulated-bank"
import type * as Effect from "effect/Effect"
import type { Accounts } from "./Accounts.ts"

type Read<A> = Effect.Effect<A, StoreUnavailable | TooManyReports>

export interface Books {
  readonly charge: (issuer: Cnpj, id: ChargeId) => Read<Charge | undefined>
  /** All charges, or the charges that a search text finds. */
  readonly charges: (issuer: Cnpj, text?: string) => Read<ReadonlyArray<Charge>>
  readonly payments: (issuer: Cnpj) => Read<ReadonlyArray<Payment>>
  readonly returns: (issuer: Cnpj) => Read<ReadonlyArray<Return>>
  readonly exception: (issuer: Cnpj, endToEndId: string) => Read<PaymentException | undefined>
  readonly deliveries: (issuer: Cnpj, chargeId?: ChargeId) => Read<ReadonlyArray<DeliveryRecord>>
  /** The recorded attempts at a delivery, oldest first; absent if the judge doesn't see each attempt. */
  readonly attempts?: (issuer: Cnpj, eventId: string, endpointId: string) => Read<ReadonlyArray<DeliveryAttempt>>
}

export interface Receipt {
  readonly endpointId: string
  readonly event: PixEvent
  /** Epoch milliseconds. */
  readonly at: number
}

export interface SentEvent extends Receipt {
  /** From 1. */
  readonly attempt: number
  readonly by: string
}

/** A process's call to its bank, with its time by the world's clock and by the process's. All times are epoch milliseconds. */
export interface Ask {
  readonly caller: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly requestedAt: number
  readonly clockAt: number
}

/** A call that has ended. */
export interface Word extends Ask {
  /** True if the process had no other open call for the same refund. */
  readonly isAlone: boolean
  readonly answer: unknown
  /** The error's tag, or that the call was given up. */
  readonly failure?: string
}

/** An endpoint with its kinds: it chose them, and the processes publish them. */
export type JudgedEndpoint = Pick<Endpoint, "id" | "kinds">

export interface Evidence {
  readonly companies: ReadonlyArray<Cnpj>
  readonly endpoints: (issuer: Cnpj) => ReadonlyArray<JudgedEndpoint>
  readonly books: Books
  readonly ledger: Ledger
  readonly accounts: Accounts
  /** Milliseconds from a payment until the bank lists it. */
  readonly listsAfterMs: number
  /** The bank's ways, which the rules of processors' answers need. */
  readonly ways?: Pick<BankWays, "creationAheadMs" | "paymentsInCharges">
  readonly receipts: ReadonlyArray<Receipt>
}
