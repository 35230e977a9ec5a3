import { TooManyReports } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { Connection } from "../Connection.ts"
import { SqlFailure } from "./SqlFailure.ts"

/** As many as wait of one company; another one of it is refused. */
const maxWaiting = 50
/** Of all companies. */
const maxWaitingInAll = 1_000
/** Whoever waits longer for a turn is refused, for nobody looks at a page that long. */
const maxWaitMs = 10_000
/** When another try may find a place. */
const retryAfterMs = 5_000
/** What a `pg.Pool` has by default; a connection that says nothing of it counts as much. */
const usualConnections = 10

type Start = () => void

/**
 * Lets few statements of reports be under way at once, the companies by turns, however many reports each of them asks for:
 * lists, figures and exports take a quarter of the connections, and what moves money has the others. Refuses early with
 * `TooManyReports` where too many wait already.
 */
export class ReportTurns {
  readonly #connection: Connection
  #underWay = 0
  #waitingInAll = 0
  /** By company, those first whose turn comes first. */
  readonly #waiting = new Map<Cnpj, Set<Start>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Waits for a turn of the company; resolves to what ends it. */
  take(issuer: Cnpj, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        this.#underWay++
        resolve(() => this.#end())
      }
      if (this.#hasPlace()) start()
      else if (this.#isFull(issuer)) reject(new TooManyReports({ issuer, retryAfterMs }))
      else this.#wait(issuer, start, reject, signal)
    })
  }

  /** A pool of one is shared with everything else: a report holds it for a statement at a time. */
  #hasPlace(): boolean {
    const connections = this.#connection.options?.max ?? usualConnections
    return this.#underWay < Math.max(1, Math.floor(connections / 4))
  }

  #isFull(issuer: Cnpj): boolean {
    return this.#waitingInAll >= maxWaitingInAll || (this.#waiting.get(issuer)?.size ?? 0) >= maxWaiting
  }

  #wait(issuer: Cnpj, start: Start, reject: (cause: unknown) => void, signal: AbortSignal | undefined): void {
    const forget = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", giveUp)
    }
    const begin = () => {
      forget()
      start()
    }
    const leave = (cause: unknown) => {
      forget()
      this.#remove(issuer, begin)
      reject(cause)
    }
    const giveUp = () =>
      leave(new SqlFailure({ kind: "unsent", sqlState: "", message: "nobody waits for it any more" }))
    // Real time, not Effect's Clock: a test that moves the clock by days must not refuse a report.
    const timer = setTimeout(() => leave(new TooManyReports({ issuer, retryAfterMs })), maxWaitMs)
    signal?.addEventListener("abort", giveUp)
    const own = this.#waiting.get(issuer)
    if (own === undefined) this.#waiting.set(issuer, new Set([begin]))
    else own.add(begin)
    this.#waitingInAll++
  }

  #remove(issuer: Cnpj, begin: Start): void {
    const own = this.#waiting.get(issuer)
    if (own?.delete(begin) === true) this.#waitingInAll--
    if (own?.size === 0) this.#waiting.delete(issuer)
  }

  #end(): void {
    this.#underWay--
    while (this.#hasPlace()) {
      const [next] = this.#waiting
      if (next === undefined) return
      const [issuer, own] = next
      const [begin] = own
      // Behind all others, whose turns come first now.
      this.#waiting.delete(issuer)
      this.#waiting.set(issuer, own)
      if (begin === undefined) return
      this.#remove(issuer, begin)
      begin()
    }
  }
}

const known = new WeakMap<Connection, ReportTurns>()

/** The turns of a connection, which all stores on it share. */
export const reportTurns = (connection: Connection): ReportTurns => {
  const turns = known.get(connection) ?? new ReportTurns(connection)
  known.set(connection, turns)
  return turns
}
