import type { Charge } from "@pixcharge/core/charges"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import { chargeKey, shortName } from "./names.ts"
import { reportIf } from "./rules.ts"
import type { ChangedFields } from "./Terms.ts"

export type TermsRow = NonNullable<Charge["termsRows"]>[number]

const dayMs = 86_400_000
const secondMs = 1_000

/** What a row never changes. */
const lasting = ({
  inForceAt: _,
  refusedAt: _refused,
  rejection: _reason,
  revision: _count,
  brCode: _code,
  ...row
}: TermsRow) => JSON.stringify(Object.entries(row).toSorted())

export const isOpen = ({ inForceAt, refusedAt }: TermsRow): boolean =>
  inForceAt === undefined && refusedAt === undefined

/** The charge's last terms, if the bank's answer to them is missing. */
export const findOpen = ({ termsRows }: Charge): TermsRow | undefined => termsRows?.slice(-1).find(isOpen)

interface RequestedFields {
  readonly key: string
  readonly fields: ChangedFields
}

/** Whether the row has each field that its change named. */
const hasFields = (
  row: TermsRow,
  { amountCents, dueDate, payableForSeconds, ...named }: ChangedFields,
  createdAt: number,
) =>
  (amountCents === undefined || amountCents === row.amountCents) &&
  (dueDate === undefined || dueDate === row.dueDate) &&
  (payableForSeconds === undefined || Math.abs(row.payableUntil - createdAt - payableForSeconds * 1_000) < secondMs) &&
  (["reference", "messageToPayer"] as const).every((name) => named[name] === undefined || named[name] === row[name])

interface SeenRows {
  readonly bank: LedgerCharge | undefined
  /** True if clients requested different charges under the id. */
  readonly isContested: boolean
}

/** The numbered terms of each charge, as they were first stored. */
export class TermsRows {
  readonly #stored = new Map<string, ReadonlyMap<number, TermsRow>>()
  readonly #watchUntil = new Map<string, number>()
  readonly #requested = new Map<string, ReadonlyArray<RequestedFields>>()
  /** Charges with a refused change. */
  readonly #refused = new Set<string>()

  setBack(): void {
    this.#stored.clear()
    this.#watchUntil.clear()
  }

  ask(charge: Pick<Charge, "issuer" | "id">, requested: RequestedFields): void {
    const key = chargeKey(charge)
    this.#requested.set(key, [...(this.#requested.get(key) ?? []), requested])
  }

  recordRefusal(charge: string): void {
    this.#refused.add(charge)
  }

  /** Judges the charge as it is stored after a write. */
  judge(charge: Charge, seen: SeenRows): ReadonlyArray<string> {
    const { termsRows = [], watchUntil } = charge
    const key = chargeKey(charge)
    const before = this.#stored.get(key) ?? new Map<number, TermsRow>()
    this.#stored.set(key, new Map(termsRows.map((row) => [row.number, row])))
    const watchedUntil = this.#watchUntil.get(key) ?? 0
    this.#watchUntil.set(key, Math.max(watchUntil, watchedUntil))
    const name = shortName(charge.txid)
    return [
      ...reportIf(watchUntil < watchedUntil, `${name} was watched until ${watchedUntil}, and now until ${watchUntil}`),
      ...[...before.values()].flatMap((row) => judgeKept(row, termsRows[row.number - 1])),
      ...judgeWhole(charge, termsRows),
      ...termsRows.flatMap((row) => this.#judgeRow(charge, row, seen)),
    ].map((what) => `${name}: ${what}`)
  }

  #judgeRow(charge: Charge, row: TermsRow, { bank, isContested }: SeenRows): ReadonlyArray<string> {
    const { number, key, by, inForceAt, refusedAt } = row
    const requested = (this.#requested.get(chargeKey(charge)) ?? []).filter((one) => one.key === key)
    const isRequested = requested.some(({ fields }) => hasFields(row, fields, charge.createdAt))
    const had = bank?.termsByRevision.some((terms) => isAtBank(row, terms)) === true
    const isRefused = refusedAt !== undefined
    // Terms whose own end has passed are refused without the bank.
    const isOver = isRefused && row.payableUntil <= refusedAt
    const what = `terms ${number} by ${by ?? "the issue"}`
    if (number === 1) return reportIf(by !== undefined || key !== undefined, `${what} aren't the issue's`)
    return [
      ...reportIf(key !== undefined && !isRequested, `${what} have the key ${key}, but no client requested them`),
      ...reportIf(key === undefined && by !== "bank" && !isContested, `${what} restore others without two requests`),
      ...reportIf(inForceAt !== undefined && !had, `${what} are in force, but the bank never had them`),
      ...reportIf(isRefused && !isOver && !this.#refused.has(chargeKey(charge)), `${what} were never refused`),
    ]
  }
}

const isAtBank = (row: TermsRow, { amountCents, dueDate }: LedgerCharge["terms"]): boolean =>
  amountCents === row.amountCents && dueDate === row.dueDate

const judgeKept = (before: TermsRow, after: TermsRow | undefined): ReadonlyArray<string> => {
  if (after === undefined) return [`terms ${before.number} are gone`]
  const hasEnded = !isOpen(before)
  const isOther = hasEnded && (before.inForceAt !== after.inForceAt || before.refusedAt !== after.refusedAt)
  return [
    ...reportIf(lasting(before) !== lasting(after), `terms ${before.number} were overwritten`),
    ...reportIf(isOther, `terms ${before.number} ended twice`),
  ]
}

/** Numbers are contiguous, keys unique, and the charge has the last terms in force. */
const judgeWhole = (charge: Charge, rows: ReadonlyArray<TermsRow>): ReadonlyArray<string> => {
  if (rows.length === 0) return []
  const current = rows.findLast(({ inForceAt }) => inForceAt !== undefined)
  const keys = rows.flatMap(({ key }) => key ?? [])
  const fields = ["amountCents", "dueDate", "payableUntil", "brCode", "reference", "messageToPayer"] as const
  const left = rows.find((row, index) => isOpen(row) && index < rows.length - 1 && rows[index + 1]?.by !== "bank")
  const watchUntil = Math.max(...rows.map((row) => row.watchUntil))
  return [
    ...reportIf(
      rows.some(({ number }, index) => number !== index + 1),
      "its terms aren't numbered from 1",
    ),
    ...reportIf(new Set(keys).size < keys.length, "two of its terms have one key"),
    ...reportIf(left !== undefined, `terms ${left?.number} are still requested, and others were requested`),
    ...reportIf(charge.watchUntil < watchUntil, "it is watched for less than its terms need"),
    ...reportIf(
      rows.some((row) => row.watchUntil < row.payableUntil + dayMs),
      "terms end less than a day before the watch",
    ),
    ...fields
      .filter((field) => current?.[field] !== charge[field])
      .map((field) => `it has ${field} ${String(charge[field])}, but ${String(current?.[field])} is in force`),
  ]
}
