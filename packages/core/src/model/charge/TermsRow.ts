import { withoutPersonal } from "../party/personal.ts"
import type { ChargeTerms } from "./ChargeTerms.ts"
import { pickPresent } from "./ChargeRequest.ts"
import { payableForSeconds } from "./Expiry.ts"

/** The terms that a change can replace. */
export type ChangeableTerms = Pick<
  ChargeTerms,
  | "amountCents"
  | "dueDate"
  | "payer"
  | "messageToPayer"
  | "additionalInfo"
  | "requested"
  | "reference"
  | "metadata"
  | "fees"
  | "closedDays"
  | "brCode"
  | "payableUntil"
  | "watchUntil"
>

const changeable: Readonly<Record<keyof ChangeableTerms, true>> = {
  amountCents: true,
  dueDate: true,
  payer: true,
  messageToPayer: true,
  additionalInfo: true,
  requested: true,
  reference: true,
  metadata: true,
  fees: true,
  closedDays: true,
  brCode: true,
  payableUntil: true,
  watchUntil: true,
}

/**
 * Terms under a number. The first row is the issue's; later rows only follow, and no row's terms are overwritten. Without
 * `inForceAt` and `refusedAt`, the row is requested. Instants are epoch milliseconds.
 */
export interface TermsRow extends ChangeableTerms {
  /** Counted from 1. */
  readonly number: number
  /** The host's own name of the change, unique within the charge. */
  readonly key?: string
  /** Absent for the first row. `issue`: the terms in force, put back by a call that had lost decision 42's race. */
  readonly by?: "host" | "portal" | "bank" | "issue"
  readonly requestedAt: number
  readonly inForceAt?: number
  readonly refusedAt?: number
  /** The processor's reason for its refusal. */
  readonly rejection?: string
  /** The bank's count of changes (`revisao`), last seen with these terms or, of a requested row, before them. */
  readonly revision?: number
}

/** The terms that a bank shows. */
export interface ShownTerms extends Pick<ChargeTerms, "amountCents" | "dueDate"> {
  /** Only for a charge without a due date, if the bank shows it. */
  readonly payableForSeconds?: number
  readonly revision?: number
}

interface WithRows {
  readonly termsRows?: ReadonlyArray<TermsRow>
}

export const pickTerms = (terms: ChangeableTerms) => pickPresent<ChangeableTerms>(terms, changeable)

/** The charge with these terms, such as a row's. */
export const chargeAt = <State extends ChargeTerms>(charge: State, terms: ChangeableTerms): State => ({
  ...withoutPersonal(charge, changeable),
  ...pickTerms(terms),
})

/** Each charge has a first row, which is stored with its first change. */
export const rowsOf = (charge: ChargeTerms & WithRows): ReadonlyArray<TermsRow> => {
  const { createdAt, termsRows } = charge
  return termsRows ?? [{ ...pickTerms(charge), number: 1, requestedAt: createdAt, inForceAt: createdAt }]
}

export const isRequested = ({ inForceAt, refusedAt }: TermsRow): boolean =>
  inForceAt === undefined && refusedAt === undefined

/** The last row if it is requested. The bank's later terms overtake a request, which is then not sent again. */
export const requestedRow = (rows: ReadonlyArray<TermsRow>): TermsRow | undefined => rows.slice(-1).find(isRequested)

export const rowInForce = (rows: ReadonlyArray<TermsRow>): TermsRow => {
  const inForce = rows.findLast(({ inForceAt }) => inForceAt !== undefined)
  if (inForce === undefined) throw new Error("a charge's first terms are in force")
  return inForce
}

/** A charge that was never changed has revision 0. */
export const lastKnownRevision = (rows: ReadonlyArray<TermsRow>): number =>
  Math.max(rowInForce(rows).revision ?? 0, requestedRow(rows)?.revision ?? 0)

/** The row that was in force before. */
export const rowBefore = (rows: ReadonlyArray<TermsRow>, { number }: TermsRow): TermsRow =>
  rowInForce(rows.slice(0, number - 1))

const dayMs = 86_400_000

/**
 * The last moment to pay at the bank: `payableUntil`, or the end of the last day moved to a business day. A requested change can
 * move it. Not for cycles' charges.
 */
export const payableAtBankUntil = ({ watchUntil, termsRows }: Pick<ChargeTerms, "watchUntil"> & WithRows): number => {
  if (termsRows === undefined) return watchUntil - dayMs
  return Math.max(rowInForce(termsRows).watchUntil, requestedRow(termsRows)?.watchUntil ?? 0) - dayMs
}

/** All terms that a payer can have been shown. */
export const shownToPayers = <Terms extends Pick<ChargeTerms, "payableUntil">>(
  charge: Terms & WithRows,
): ReadonlyArray<Terms | TermsRow> => charge.termsRows?.filter(({ refusedAt }) => refusedAt === undefined) ?? [charge]

/** Whether the bank shows the row, as far as it shows terms. */
export const isShown = (
  row: TermsRow,
  { amountCents, dueDate, payableForSeconds: seconds }: ShownTerms,
  { createdAt }: Pick<ChargeTerms, "createdAt">,
): boolean =>
  amountCents === row.amountCents &&
  dueDate === row.dueDate &&
  (seconds === undefined || seconds === payableForSeconds({ ...row, createdAt }))
