import type { ClaimedReconciliation, PaymentPage, PaymentSearch, Period, ReconciliationTurn } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { maxWaitMs } from "./Checks.ts"
import type { StoreCall } from "./describeWrite.ts"
import { broken, type Violation, reportIf } from "./rules.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The possible delays of a payment in the bank's list. */
const lateMs = [0, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 24, 48].map((hours) => hours * hourMs)
/** More than the clocks' difference; banks list by the second. */
const toleranceMs = 62_000

const isWaiting = (charge: Charge): boolean =>
  charge._tag === "Pending" && charge.checkAt !== undefined && charge.lookUpAt === undefined

interface Claim {
  readonly claimed: ClaimedReconciliation
  /** The lease's end by the caller's clock. */
  until: number
  /** The creation time of the company's youngest unpaid charge. */
  youngestAt: number
}

interface ReadList extends Period {
  readonly isReturned: boolean
  /** True if it counts in spite of unreadable entries, after days with them. */
  isGivenUp: boolean
  readonly issuer: Cnpj
  readonly pages: Map<string | undefined, PaymentPage>
}

/**
 * The latest time of a company's next list: half the age of its youngest unpaid charge after the last list, at most an
 * hour.
 */
const latestTurnAt = (saved: ClaimedReconciliation, youngestAt: number, now: number): number => {
  if (youngestAt === -Infinity) return Infinity
  const { reconciledUntil, lookedUp } = saved
  const sweptAt = lookedUp?.until ?? reconciledUntil
  const latest = sweptAt + maxWaitMs(youngestAt, sweptAt)
  // A bank that rejects its list can demand a pause.
  return (lookedUp === undefined ? latest : Math.max(latest, now + hourMs)) + 2 * minuteMs
}

/** True if the list was read to the last page, and all entries were readable or given up. */
const isWhole = ({ pages, isGivenUp }: ReadList): boolean => {
  let page = pages.get(undefined)
  for (let left = pages.size; page !== undefined && left > 0; left--) {
    if ((page.unreadable ?? 0) > 0 && !isGivenUp) return false
    if (page.cursor === undefined) return true
    page = pages.get(page.cursor)
  }
  return false
}

export class Comparisons {
  /** Each company's last claim with its end by the caller's clock. */
  readonly #claims = new Map<Cnpj, Claim>()
  readonly #lists = new Map<string, ReadList>()

  #tokens: ReadonlyMap<Cnpj, string> = new Map()

  setBack(): void {
    this.#claims.clear()
    this.#tokens = new Map()
  }

  /** The tokens under which a call that arrives now can save. */
  get tokens(): ReadonlyMap<Cnpj, string> {
    return this.#tokens
  }

  readonly recordTurn = ({ answer }: StoreCall, charges: ReadonlyArray<Charge>): void => {
    const claim = this.#claims.get((answer as ClaimedReconciliation).issuer)
    if (claim !== undefined) claim.youngestAt = Math.max(...charges.filter(isWaiting).map(({ createdAt }) => createdAt))
  }

  readonly read = (issuer: Cnpj, search: PaymentSearch, cursor: string | undefined, page: PaymentPage): void => {
    const { from, until, isReturned = false } = search
    const key = `${issuer} ${from} ${until} ${isReturned}`
    const known = this.#lists.get(key)
    const list: ReadList = known ?? { issuer, from, until, isReturned, isGivenUp: false, pages: new Map() }
    this.#lists.set(key, list)
    list.pages.set(cursor, page)
  }

  judgeCall(
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
    const isLate =
      claim !== undefined && turn._tag === "Release" && turn.nextAt > latestTurnAt(saved, claim.youngestAt, now)
    return [
      ...broken(
        "leasesFence",
        reportIf(isLost, `a comparison of ${issuer} was saved, but another process had claimed the company`),
      ),
      ...broken("checksKeepTheirTime", reportIf(isLate, `${issuer} is listed too late for its charges`)),
      ...(turn._tag === "Release" && claim !== undefined ? this.#judgeRelease(claim.claimed, saved, now) : []),
    ]
  }

  #claim(
    { now, leaseMs }: { readonly now: number; readonly leaseMs: number },
    answer: unknown,
  ): ReadonlyArray<Violation> {
    const claimed = answer as ClaimedReconciliation | undefined
    if (claimed === undefined) return []
    const isTaken = now < (this.#claims.get(claimed.issuer)?.until ?? 0)
    this.#claims.set(claimed.issuer, { claimed, until: now + leaseMs, youngestAt: -Infinity })
    this.#tokens = new Map([...this.#tokens, [claimed.issuer, claimed.leaseToken]])
    return broken("leasesFence", reportIf(isTaken, `${claimed.issuer} was claimed while another process compared it`))
  }

  /**
   * A period counts as compared once its list was read completely. The list must begin before the end of the previous list, by
   * twice the time between them and at least three hours after a longer time (decision 38). It must also reach back so far that
   * a payment listed late is found within twice its delay plus an hour (decision 41). After eight days with unreadable entries, a
   * list counts in spite of them.
   */
  #judgeRelease(
    { reconciledUntil: before, failingSince = Infinity, returnsDueAt: dueBefore }: ClaimedReconciliation,
    { issuer, since, reconciledUntil: until, returnsDueAt }: ClaimedReconciliation,
    now: number,
  ): ReadonlyArray<Violation> {
    const isGivenUp = now - failingSince >= 8 * dayMs - toleranceMs
    const all = [...this.#lists.values()].filter((list) => list.issuer === issuer)
    for (const list of all) if (isGivenUp && list.until === until && !list.isReturned) list.isGivenUp = true
    const its = all.filter(isWhole)
    const received = its.filter(({ isReturned }) => !isReturned)
    const reaches = (lists: ReadonlyArray<ReadList>, moment: number, madeAfter: number): boolean =>
      lists.some((list) => list.until >= madeAfter - toleranceMs && list.from <= Math.max(since, moment) + toleranceMs)
    const isMoved = until > before && !isGivenUp
    const passedMs = until - before
    const backMs = Math.max(Math.min(2 * passedMs, 3 * hourMs), Math.min(passedMs, 2 * dayMs))
    const isUnread = isMoved && !reaches(received, before - backMs, until)
    const late = lateMs.filter((ms) => isMoved && !reaches(received, until - 2 * ms - hourMs, until - ms - hourMs))
    const areListed = returnsDueAt !== dueBefore && returnsDueAt > now + dayMs / 2 && since < now - 2 * dayMs - hourMs
    const returned = its.filter(({ isReturned }) => isReturned)
    return broken("comparedMeansRecorded", [
      ...reportIf(isUnread, `${issuer} counts as compared until ${until}, but its list was not read`),
      ...late.map(
        (ms) => `${issuer} was not listed far enough back to find a payment that the bank lists ${ms} ms late`,
      ),
      ...reportIf(
        areListed && !reaches(returned, returnsDueAt - 93 * dayMs, returnsDueAt - 3 * dayMs),
        `${issuer} counts as compared, but its older returns were not listed`,
      ),
    ])
  }
}
