import { businessDay, cycleStart, dayAt, findCycle, momentAt, plusDays } from "../judge/recurrences/calendar.ts"
import type {
  BankOrder,
  Cobr,
  Pix,
  Rec,
  RecAttempt,
  RecurrenceLedger,
} from "../judge/recurrences/RecurrenceEvidence.ts"
import type { FaultDecisions } from "../FaultDecisions.ts"
import type { Timeline } from "../World.ts"
import { ShownStates } from "./ShownStates.ts"

export interface Refusal {
  readonly refusal: string
}

export type RecOrder = Omit<Rec, "id" | "status" | "at" | "approvedAt" | "by">
type CobrOrder = Pick<Cobr, "txid" | "amountCents" | "dueDate"> & { readonly recId: string }

interface Coded {
  readonly txid: string
  readonly issuer: string
  amountCents: number
  dueDate?: string
  readonly madeAt: number
  isRemoved?: true
}

const lastSettlingHour = 22
const minuteMs = 60_000

const isOver = ({ status }: Rec): boolean => status !== "offered" && status !== "approved"
export const isLive = ({ status }: RecAttempt): boolean => status === "requested" || status === "scheduled"
/** Neither rejected nor cancelled, so it holds its cycle. */
const holdsCycle = ({ status }: Cobr): boolean => status !== "rejected" && status !== "cancelled"

export class RecurrenceBank implements RecurrenceLedger {
  readonly recs = new Map<string, Rec>()
  readonly cobrs = new Map<string, Cobr>()
  readonly coded = new Map<string, Coded>()
  readonly payments = new Map<string, Pix>()
  readonly orders: Array<BankOrder> = []
  readonly shown: ShownStates
  /** Contracts whose payers have no money. */
  readonly poor = new Set<string>()
  /** Called after a change with a rec's id or a txid. */
  onChange: (issuer: string, about: string) => void = () => undefined
  readonly #world: Timeline
  readonly #faults: FaultDecisions
  #ids = 0

  constructor(world: Timeline, faults: FaultDecisions) {
    this.#world = world
    this.#faults = faults
    this.shown = new ShownStates(world)
    for (const hour of [3, 19, 21]) this.#daily(dayAt(world.now), hour)
  }

  #daily(day: string, hour: number): void {
    const inMs = momentAt(day, hour) - this.#world.now
    this.#world.after(Math.max(inMs, 0), () => {
      if (inMs > 0) this.#settle(day, hour)
      this.#daily(plusDays(day, 1), hour)
    })
  }

  #nextId(letter: string): string {
    this.#ids += 1
    return `${letter}${String(this.#ids).padStart(letter === "E" ? 31 : 28, "0")}`
  }

  #changeRec(rec: Rec, change: Partial<Rec>): void {
    Object.assign(rec, change, { at: this.#world.now })
    this.#world.note("bank", `${rec.id} of ${rec.contract} is ${rec.status}`)
    this.shown.record(rec.id, rec)
    this.onChange(rec.issuer, rec.id)
  }

  #changeCobr(cobr: Cobr, change: Partial<Cobr> = {}): void {
    Object.assign(cobr, change, change.status && { endedAt: this.#world.now })
    const last = cobr.attempts.at(-1)
    this.#world.note("bank", `${cobr.txid} is ${cobr.status}, and its attempt of ${last?.on} is ${last?.status}`)
    this.shown.record(cobr.txid, cobr)
    this.onChange(cobr.rec.issuer, cobr.txid)
  }

  // Each call without a key makes another one.
  postRec(order: RecOrder): Rec {
    const rec: Rec = { ...order, id: this.#nextId("R"), status: "offered", at: this.#world.now }
    this.recs.set(rec.id, rec)
    this.#changeRec(rec, {})
    return rec
  }

  findRec(issuer: string, contract: string): Rec | undefined {
    return [...this.recs.values()].find((rec) => rec.issuer === issuer && rec.contract === contract)
  }

  approve(rec: Rec): void {
    if (rec.status !== "offered") return
    const coded = rec.paysTxid === undefined ? undefined : this.coded.get(rec.paysTxid)
    if (coded !== undefined && !this.payCoded(coded)) return
    this.#changeRec(rec, { status: "approved", approvedAt: this.#world.now, by: "payer" })
  }

  decline(rec: Rec): void {
    if (rec.status === "offered") this.#changeRec(rec, { status: "declined", by: "payer" })
  }

  endRec(id: string, by: "payer" | "company"): Rec | Refusal {
    const rec = this.recs.get(id)
    if (rec === undefined || isOver(rec)) return { refusal: "over" }
    this.#changeRec(rec, { status: "cancelled", by })
    // That day's debit is still made.
    const today = dayAt(this.#world.now)
    for (const cobr of this.cobrs.values()) {
      if (cobr.rec === rec && !cobr.attempts.some((one) => isLive(one) && one.on <= today)) this.#cancel(cobr, by)
    }
    return rec
  }

  #cancel(cobr: Cobr, by: "payer" | "company"): void {
    if (cobr.status !== "active") return
    for (const attempt of cobr.attempts.filter(isLive)) attempt.status = "cancelled"
    this.#changeCobr(cobr, { status: "cancelled", by })
  }

  #refuseCobr({ txid, recId, amountCents, dueDate }: CobrOrder): string | undefined {
    const rec = this.recs.get(recId)
    if (this.cobrs.has(txid) || this.coded.has(txid)) return "txid"
    if (rec === undefined || rec.status === "offered") return "unauthorised"
    if (rec.status !== "approved") return "over"
    if (rec.amountCents !== undefined && rec.amountCents !== amountCents) return "amount"
    const cycle = findCycle(rec, dueDate)
    const others = [...this.cobrs.values()].filter((one) => one.rec === rec && findCycle(rec, one.dueDate) === cycle)
    if (others.some(holdsCycle)) return "cycle"
    const today = dayAt(this.#world.now)
    const settlesOn = businessDay(dueDate)
    return cycle === 0 || today < plusDays(settlesOn, -10) || today > plusDays(settlesOn, -2) ? "window" : undefined
  }

  putCobr(order: CobrOrder): Cobr | Refusal {
    const refusal = this.#refuseCobr(order)
    if (refusal !== undefined) return { refusal }
    const { txid, amountCents, dueDate } = order
    const settlesOn = businessDay(dueDate)
    const cobr: Cobr = {
      txid,
      rec: this.recs.get(order.recId) as Rec,
      amountCents,
      dueDate,
      settlesOn,
      madeAt: this.#world.now,
      status: "active",
      attempts: [],
    }
    this.cobrs.set(txid, cobr)
    this.#order(cobr, "first", settlesOn)
    return cobr
  }

  /** The payer's bank schedules an order after a delay, and refuses some. */
  #order(cobr: Cobr, kind: RecAttempt["kind"], on: string): void {
    const attempt: RecAttempt = { kind, on, endToEndId: this.#nextId("E"), status: "requested" }
    cobr.attempts.push(attempt)
    this.#changeCobr(cobr)
    const { random } = this.#faults.decideOnce(`the payer's bank takes ${attempt.endToEndId}`)
    const code = random.chance(0.06) ? random.pick(["AM02", "AB10", "AC05"]) : undefined
    this.#world.after(random.between(minuteMs, 90 * minuteMs), () => {
      if (attempt.status !== "requested") return
      attempt.status = code === undefined ? "scheduled" : "rejected"
      if (code !== undefined) attempt.code = code
      this.#changeCobr(cobr, code === "AC05" ? { status: "rejected" } : {})
    })
  }

  cancelCobr(txid: string, by: "payer" | "company"): Cobr | Refusal {
    const cobr = this.cobrs.get(txid)
    if (cobr === undefined) return { refusal: "unknown" }
    if (cobr.status !== "active") return { refusal: "over" }
    const next = cobr.attempts.find(isLive)?.on
    const until = by === "payer" ? 24 : lastSettlingHour
    if (next !== undefined && this.#world.now >= momentAt(plusDays(next, -1), until)) return { refusal: "late" }
    this.#cancel(cobr, by)
    return cobr
  }

  retry(txid: string, on: string): Cobr | Refusal {
    const cobr = this.cobrs.get(txid)
    if (cobr === undefined) return { refusal: "unknown" }
    const { rec, attempts, dueDate } = cobr
    const retries = attempts.filter(({ kind }) => kind === "retry")
    if (!rec.mayRetry) return { refusal: "policy" }
    if (cobr.status !== "active") return { refusal: "over" }
    if (attempts.some((one) => one.on === on)) return { refusal: "day" }
    if (attempts.some(isLive)) return { refusal: "live" }
    if (retries.length >= 3) return { refusal: "exhausted" }
    const isSoon = this.#world.now >= momentAt(on, 0)
    if (isSoon || on > this.#lastRetryDay(rec, dueDate)) return { refusal: "window" }
    this.#order(cobr, "retry", on)
    return cobr
  }

  #lastRetryDay(rec: Rec, dueDate: string): string {
    const last = plusDays(dueDate, rec.period === "weekly" ? 5 : 7)
    const next = cycleStart(rec, findCycle(rec, dueDate) + 1)
    return last < next ? last : plusDays(next, -1)
  }

  #settle(day: string, hour: number): void {
    for (const cobr of this.cobrs.values()) {
      if (cobr.status !== "active") continue
      const attempt = cobr.attempts.find((one) => one.on === day && isLive(one))
      if (hour === 21) this.#closeDay(cobr, attempt, day)
      else if (attempt?.status === "scheduled" && !this.#isPoor(cobr, day, hour)) this.#debit(cobr, attempt)
    }
    for (const rec of this.recs.values()) {
      if (!isOver(rec) && rec.endDate !== undefined && rec.endDate < day) this.#changeRec(rec, { status: "expired" })
    }
  }

  #isPoor({ rec, txid }: Cobr, day: string, hour: number): boolean {
    const { random } = this.#faults.decideOnce(`the balance for ${txid} on ${day} at ${hour}`)
    return this.poor.has(`${rec.issuer} ${rec.contract}`) || random.chance(0.25)
  }

  #closeDay(cobr: Cobr, attempt: RecAttempt | undefined, day: string): void {
    if (attempt !== undefined) attempt.status = "expired"
    const isOverdue = day >= (cobr.rec.mayRetry ? this.#lastRetryDay(cobr.rec, cobr.dueDate) : cobr.settlesOn)
    const mayCome = cobr.attempts.some(isLive)
    if (isOverdue && !mayCome) this.#changeCobr(cobr, { status: "expired" })
    else if (attempt !== undefined) this.#changeCobr(cobr)
  }

  #debit(cobr: Cobr, attempt: RecAttempt): void {
    attempt.status = "paid"
    attempt.paidAt = this.#world.now
    this.#receive(attempt.endToEndId, cobr.rec.issuer, cobr)
    this.#changeCobr(cobr, { status: "completed" })
  }

  #receive(endToEndId: string, issuer: string, { txid, amountCents }: Pick<Cobr, "txid" | "amountCents">): void {
    this.payments.set(endToEndId, { endToEndId, issuer, txid, amountCents, paidAt: this.#world.now, returns: [] })
    this.#world.note("bank", `payment ${endToEndId} of ${amountCents} cents for ${txid}`)
  }

  paymentFor(txid: string): Pix | undefined {
    return [...this.payments.values()].find((one) => one.txid === txid)
  }

  putCoded(order: Omit<Coded, "madeAt">): Coded {
    const known = this.coded.get(order.txid)
    if (known !== undefined) return known
    const made: Coded = { ...order, madeAt: this.#world.now }
    this.coded.set(order.txid, made)
    return made
  }

  /** False if the charge isn't open. */
  changeCoded({ txid, ...terms }: Pick<Coded, "txid" | "amountCents" | "dueDate">): boolean {
    const known = this.coded.get(txid)
    if (known === undefined || known.isRemoved === true || this.paymentFor(txid) !== undefined) return false
    Object.assign(known, terms)
    return true
  }

  payCoded(coded: Coded): boolean {
    if (coded.isRemoved === true || this.paymentFor(coded.txid) !== undefined) return false
    this.#receive(this.#nextId("E"), coded.issuer, coded)
    this.onChange(coded.issuer, coded.txid)
    return true
  }

  putReturn(endToEndId: string, id: string, amountCents: number): Pix | undefined {
    const payment = this.payments.get(endToEndId)
    if (payment === undefined || payment.returns.some((one) => one.id === id)) return payment
    const returned = payment.returns.reduce((sum, one) => sum + one.amountCents, 0)
    if (returned + amountCents > payment.amountCents) return payment
    payment.returns.push({ id, amountCents, returnedAt: this.#world.now })
    this.#world.note("bank", `returns ${amountCents} cents of ${endToEndId}`)
    return payment
  }
}
