import type { ClaimedReconciliation, PaymentPage, PaymentSearch, Period, ReconciliationTurn } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { StoreCall } from "./describeWrite.ts"
import { type Violation, wrongIf } from "./rules.ts"

const dayMs = 86_400_000
/** Clocks differ by less, and banks list by the second. */
const toleranceMs = 62_000

/** A list of the bank as it was read, by the cursors of its pages. */
interface ReadList extends Period {
  readonly isReturned: boolean
  readonly issuer: Cnpj
  readonly pages: Map<string | undefined, PaymentPage>
}

/** From its first page to its last, and nothing on them could not be read. */
const isWhole = ({ pages }: ReadList): boolean => {
  let page = pages.get(undefined)
  for (let left = pages.size; page !== undefined && left > 0; left--) {
    if ((page.unreadable ?? 0) > 0) return false
    if (page.cursor === undefined) return true
    page = pages.get(page.cursor)
  }
  return false
}

/** Which companies' books are being compared with the bank's list, by whom, and what of that list was read. */
export class Comparisons {
  /** Each company's last claim, and until when it holds by the clock of who asks. */
  readonly #claims = new Map<Cnpj, { readonly claimed: ClaimedReconciliation; until: number }>()
  readonly #lists = new Map<string, ReadList>()

  /** The token of each company's last claim. */
  #tokens: ReadonlyMap<Cnpj, string> = new Map()

  setBack(): void {
    this.#claims.clear()
    this.#tokens = new Map()
  }

  /** Those under which a call that arrives now may save. */
  get tokens(): ReadonlyMap<Cnpj, string> {
    return this.#tokens
  }

  /** A page of the bank's list was read. */
  readonly read = (issuer: Cnpj, search: PaymentSearch, cursor: string | undefined, page: PaymentPage): void => {
    const { from, until, isReturned = false } = search
    const key = `${issuer} ${from} ${until} ${isReturned}`
    const list: ReadList = this.#lists.get(key) ?? { issuer, from, until, isReturned, pages: new Map() }
    this.#lists.set(key, list)
    list.pages.set(cursor, page)
  }

  /** What is wrong with a call of the store that had arrived when these tokens were the last. */
  called(
    { port, method, args, answer }: StoreCall,
    before: ReadonlyMap<Cnpj, string>,
    now: number,
  ): ReadonlyArray<Violation> {
    if (port !== "reconciliations") return []
    if (method === "claim") return this.#claim(args[0] as { readonly now: number; readonly leaseMs: number }, answer)
    if (method !== "save" || answer !== true) return []
    const [saved, turn] = args as readonly [ClaimedReconciliation, ReconciliationTurn]
    const { issuer, leaseToken } = saved
    const claim = this.#claims.get(issuer)
    const isLost = before.get(issuer) !== undefined && before.get(issuer) !== leaseToken
    if (claim !== undefined) claim.until = turn._tag === "Keep" ? turn.leaseUntil : 0
    return [
      ...wrongIf(isLost, `a comparison of ${issuer} was saved that somebody else had claimed`).map(
        (what): Violation => ({ rule: "leasesFence", what }),
      ),
      ...(turn._tag === "Release" && claim !== undefined ? this.#released(claim.claimed, saved, now) : []),
    ]
  }

  #claim(
    { now, leaseMs }: { readonly now: number; readonly leaseMs: number },
    answer: unknown,
  ): ReadonlyArray<Violation> {
    const claimed = answer as ClaimedReconciliation | undefined
    if (claimed === undefined) return []
    const isTaken = now < (this.#claims.get(claimed.issuer)?.until ?? 0)
    this.#claims.set(claimed.issuer, { claimed, until: now + leaseMs })
    this.#tokens = new Map([...this.#tokens, [claimed.issuer, claimed.leaseToken]])
    this.#tokens = new Map([...this.#tokens, [claimed.issuer, claimed.leaseToken]])
    return wrongIf(isTaken, `${claimed.issuer} was claimed while somebody else compared it`).map((what): Violation => ({
      rule: "leasesFence",
      what,
    }))
  }

  /** A period counts as compared once its lists were read as a whole, from two days before the last one on (decision 41). */
  #released(
    { reconciledUntil: before, failingSince = Infinity }: ClaimedReconciliation,
    { issuer, since, reconciledUntil: until }: ClaimedReconciliation,
    now: number,
  ): ReadonlyArray<Violation> {
    if (until === before || now - failingSince > 8 * dayMs - toleranceMs) return []
    const its = [...this.#lists.values()].filter((list) => list.issuer === issuer && isWhole(list))
    const beganAt = (isReturned: boolean, end: number): number =>
      Math.min(
        ...its
          .filter((list) => list.isReturned === isReturned && Math.abs(list.until - end) <= toleranceMs)
          .map(({ from }) => from),
      )
    const recent = Math.max(since, Math.min(before, until) - 2 * dayMs)
    const earliest = Math.max(since, until - 92 * dayMs)
    const received = beganAt(false, until)
    const isGap = received > earliest + toleranceMs && beganAt(true, received) > earliest + toleranceMs
    return [
      ...wrongIf(
        received > recent + toleranceMs,
        `${issuer} counts as compared until ${until}, and its list was not read`,
      ),
      ...wrongIf(isGap, `${issuer} counts as compared, and its older returns were not listed`),
    ].map((what): Violation => ({ rule: "comparedMeansRecorded", what }))
  }
}
