/** A refusal because of a property of the request, or as a `conflict` because the same is just being made. */
export interface BankRefusal {
  readonly _tag: "Refused"
  readonly reason: string
  readonly property: string
  readonly isConflict: boolean
}

/** Refuses a request for a property of it. */
export const refuse = (property: string, reason: string, isConflict = false): BankRefusal => ({
  _tag: "Refused",
  reason,
  property,
  isConflict,
})
