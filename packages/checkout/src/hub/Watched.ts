import type { Charge, ChargeId, Cnpj, Company } from "@pixcharge/core"
import type { EventStream } from "@pixcharge/web"
import type { State } from "../state/State.ts"

/** A charge's place. */
export interface ChargePlace {
  readonly issuer: Cnpj
  readonly id: ChargeId
}

/** A page that is told of every change. */
export interface Reader {
  readonly stream: EventStream
  /** When its link expires. Epoch milliseconds of business time. */
  readonly expiresAt: number
}

/** A charge as it was found last, with the company that issued it. */
export interface Found {
  readonly charge: Charge
  readonly company: Company
  readonly state: State
}

/** A charge that somebody looks at. */
export interface Watched {
  readonly place: ChargePlace
  readonly readers: Set<Reader>
  /** Undefined until its first look-up. */
  found: Found | undefined
  /** Until when it is watched although it has no reader, for pages that ask now and then; on the steady clock. */
  askedUntilMs: number
}

/** One that has been looked up. */
export type FoundWatched = Watched & { readonly found: Found }

export const isFound = (one: Watched): one is FoundWatched => one.found !== undefined

export const placeKey = ({ issuer, id }: ChargePlace): string => `${issuer} ${id}`
