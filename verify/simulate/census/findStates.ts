import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"
import { refundAttempt, refundFamily } from "../judge/names.ts"

const dayMs = 24 * 3_600_000

/** What a run leaves behind. */
interface Traces {
  readonly history: ReadonlyArray<string>
  readonly ledger: Ledger
}

/** Names the state that a line of the history shows, with the parts that its pattern finds. */
const shown: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [
    /answers to (issue|change|refund part|refund exception|refund|cancel|status|compare|reconcile|replay|resolve exception|erase|pause|resume)\b.*: (\w+)$/,
    "$1 ends with $2",
  ],
  [/: gets ([a-z-]+) of \S+$/, "a receiver gets $1"],
  [/: gets ([a-z-]+) of .* answer is lost$/, "a receiver gets $1 and its answer is lost"],
  [/: does not get ([a-z-]+) of/, "a receiver misses $1"],
  [/: refuses \S+ of \S+ with (\d+)$/, "a receiver answers $1"],
  [/: gives up ([a-z-]+)$/, "$1 ends as a dead letter"],
  [/: commits exception \S+ v\d+ to (\w+): moved$/, "an exception is $1"],
  [/: commits c\S+ v\d+ to (\w+) with part \w+ \(\w+, refused\): moved$/, "a part of a $1 charge is refused"],
  [
    /: commits c\S+ v\d+ to Pending with terms \d+ by (\w+) \(\d+ cents (requested|in force|refused)\): moved$/,
    "a charge has terms by $1 $2",
  ],
  [/: commits c\S+ v\d+ to \w+ with terms .*: not moved$/, "an end of a change comes too late"],
  [/^\S+ host \S+: resumes the change of/, "a change is resumed"],
  [/^\S+ bank: is asked in its portal to change/, "somebody changes a charge in the bank's portal"],
  [/^\S+ bank: c\S+ is active .*, revision \d+$/, "a charge is changed at the bank"],
  [/: commits c\S+ v\d+ to (\w+).*: moved$/, "a charge is $1"],
  [/: commits c\S+ v\d+ to (\w+).*: not moved$/, "a move to $1 comes too late"],
  [/: commits exception \S+ v\d+ to (\w+): not moved$/, "an exception's move to $1 comes too late"],
  [/: stores c\S+: (\w+)$/, "the store answers $1 to a new charge"],
  [/ (\w+\.\w+) is cut off \((\w+) lost\)$/, "$1 loses its $2"],
  [
    /^\S+ bank: (?:host \S+) asks to (make|alter|remove|return|show|list|GET|PUT|PATCH|POST).*hears no answer$/,
    "the bank's answer to $1 is lost",
  ],
  [/^\S+ bank: never hears \S+ \S+ ask to (\w+)/, "the bank never hears $1"],
  [/^\S+ bank: (?:c\S+) is (removed|completed)/, "a charge is $1 at the bank"],
  [/^\S+ bank: (\w+) of \d+ cents of \S+ is (\w+)$/, "the bank has a return of kind $1 $2"],
  [/^\S+ host \S+: (dies|is stopped|is suspended|has its clock set back)/, "a process $1"],
  [/^\S+ world: the store is (set back)/, "the store is set back"],
  [/^\S+ world: \S+ registers \S+@/, "a company registers another key"],
  [/^\S+ world: \S+ registers fees [1-9]/, "a company registers other fees"],
]

const days = (payment: LedgerPayment, at: number | undefined): number => ((at ?? 0) - payment.paidAt) / dayMs

const statesOfPayment = (payment: LedgerPayment): ReadonlyArray<string> => {
  const returned = payment.returns.filter(({ status }) => status === "returned")
  return [
    ...returned.flatMap((one) =>
      [3, 30].flatMap((least) =>
        days(payment, one.returnedAt) >= least ? [`a return of kind ${one.kind} comes after ${least} days`] : [],
      ),
    ),
    ...(returned.length > 1
      ? [`a payment has returns of kinds ${[...new Set(returned.map(({ kind }) => kind))].toSorted().join(" and ")}`]
      : []),
  ]
}

/** How many attempts the bank was asked for, at the refunds of charges, parts and exceptions. */
const attempts = ({ requested }: Ledger): ReadonlyArray<string> =>
  requested.flatMap(({ id }) => {
    const attempt = refundAttempt(id)
    const of = refundFamily(id).endsWith("X") ? "an exception" : "a charge"
    return attempt === 2 || attempt === 3 ? [`attempt ${attempt} at a refund of ${of}`] : []
  })

const second = (payments: ReadonlyArray<LedgerPayment>): ReadonlyArray<string> => {
  const names = payments.flatMap(({ issuer, txid }) => (txid === undefined ? [] : [`${issuer} ${txid}`]))
  return new Set(names).size < names.length ? ["a charge is paid twice"] : []
}

/** A set-back store can have forgotten a change. */
const isOfChange = (state: string): boolean => / has terms by |change is resumed/.test(state)

/** Payers' apps that had read the charge before its last change. */
const byEarlierTerms = ({ payments, charges }: Ledger): ReadonlyArray<string> =>
  [...payments.values()].some(
    ({ issuer, txid, revision }) =>
      revision !== undefined && revision < (charges.get(`${issuer}/${txid}`)?.revision ?? 0),
  )
    ? ["a charge is paid by earlier terms"]
    : []

/** The states that a run has reached, by name. Names differ in kinds only, never by a seed's ids or amounts. */
export const findStates = ({ history, ledger }: Traces): ReadonlySet<string> => {
  const payments = [...ledger.payments.values()]
  const found = new Set([
    ...payments.flatMap(statesOfPayment),
    ...attempts(ledger),
    ...second(payments),
    ...byEarlierTerms(ledger),
  ])
  let isSetBack = false
  for (const line of history) {
    isSetBack ||= line.includes(" the store is set back")
    for (const [pattern, name] of shown) {
      const parts = pattern.exec(line)
      if (parts === null) continue
      const state = name.replaceAll(/\$(\d)/g, (_, place: string) => parts[Number(place)] ?? "")
      found.add(isSetBack && isOfChange(state) ? `${state} after a set-back` : state)
      break
    }
  }
  return found
}
