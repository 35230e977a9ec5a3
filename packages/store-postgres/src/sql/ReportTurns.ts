import { TooManyReports } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { Connection } from "./Connection.ts"
import { SqlFailure } from "./SqlFailure.ts"

const maxWaiting = 50
const maxTotalWaiting = 1_000
/** The longest wait for a turn, in milliseconds. */
const maxWaitMs = 10_000
const retryAfterMs = 5_000
const defaultConnections = 10

type Start = () => void

/**
 * Limits reports (lists, figures and exports) to a quarter of the connections. Companies take turns. Refuses with
 * `TooManyReports`.
 */
export class ReportTurns {
  readonly #connection: Connection
  #underWay = 0
  #totalWaiting = 0
  readonly #waiting = new Map<Cnpj, Set<Start>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Resolves to a function that ends the turn. */
  take(issuer: Cnpj, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        this.#underWay++
        resolve(() => this.#end())
      }
      if (this.#hasRoom()) start()
      else if (this.#isFull(issuer)) reject(new TooManyReports({ issuer, retryAfterMs }))
      else this.#wait(issuer, start, reject, signal)
    })
  }

  /** A pool of one connection serves reports too: a report holds the connection for one statement at a time. */
  #hasRoom(): boolean {
    const connections = this.#connection.options?.max ?? defaultConnections
    return this.#underWay < Math.max(1, Math.floor(connections / 4))
  }

  #isFull(issuer: Cnpj): boolean {
    return this.#totalWaiting >= maxTotalWaiting || (this.#waiting.get(issuer)?.size ?? 0) >= maxWaiting
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
      leave(new SqlFailure({ kind: "unsent", sqlState: "", message: "no caller waits for it any more" }))
    // Uses real time, because a test that moves Effect's Clock by days must not refuse a report.
    const timer = setTimeout(() => leave(new TooManyReports({ issuer, retryAfterMs })), maxWaitMs)
    signal?.addEventListener("abort", giveUp)
    const companyQueue = this.#waiting.get(issuer)
    if (companyQueue === undefined) this.#waiting.set(issuer, new Set([begin]))
    else companyQueue.add(begin)
    this.#totalWaiting++
  }

  #remove(issuer: Cnpj, begin: Start): void {
    const companyQueue = this.#waiting.get(issuer)
    if (companyQueue?.delete(begin) === true) this.#totalWaiting--
    if (companyQueue?.size === 0) this.#waiting.delete(issuer)
  }

  #end(): void {
    this.#underWay--
    while (this.#hasRoom()) {
      const [next] = this.#waiting
      if (next === undefined) return
      const [issuer, companyQueue] = next
      const [begin] = companyQueue
      this.#waiting.delete(issuer)
      this.#waiting.set(issuer, companyQueue)
      if (begin === undefined) return
      this.#remove(issuer, begin)
      begin()
    }
  }
}

const turnsByConnection = new WeakMap<Connection, ReportTurns>()

export const reportTurns = (connection: Connection): ReportTurns => {
  const turns = turnsByConnection.get(connection) ?? new ReportTurns(connection)
  turnsByConnection.set(connection, turns)
  return turns
}
