import type { BankExchange } from "@pixcharge/simulated-bank"
import pg from "pg"
import { writtenLog } from "../costs.ts"
import { readCpuNs, cpuNsOfThreads } from "../costs.ts"
import type { World } from "./World.ts"

/**
 * Bytes of the write-ahead log, microseconds of Postgres's sessions, microseconds of the hosts, calls to the bank, and
 * statements.
 */
export type Figures = readonly [log: number, sessions: number, host: number, calls: number, statements: number]

export const plus = (a: Figures, b: Figures, factor = 1): Figures =>
  a.map((value, index) => value + factor * (b[index] ?? 0)) as never

export interface Step {
  readonly times: number
  readonly looks: number
  readonly spent: Figures
}

export const nothing: Figures = [0, 0, 0, 0, 0]
const none: Step = { times: 0, looks: 0, spent: nothing }

/** The cost of reading one more payment that is already known: the slope of a line through the points. */
const slope = (points: ReadonlyArray<readonly [known: number, spent: Figures]>): Figures => {
  const mean = points.reduce((sum, [known]) => sum + known, 0) / points.length
  const square = points.reduce((sum, [known]) => sum + (known - mean) ** 2, 0)
  return points.reduce((sum, [known, spent]) => plus(sum, spent, (known - mean) / square), nothing)
}

/**
 * False for token requests and refused tokens. They don't count, because tokens expire by the bank's clock, which runs
 * in real time.
 */
const isOfTheApi = ({ path, status }: BankExchange): boolean => path !== "/oauth/token" && status !== 401

const listedIds = ({ method, path, answer }: BankExchange): ReadonlyArray<string> =>
  method === "GET" && path === "/pix"
    ? ((answer as { pix?: ReadonlyArray<{ endToEndId: string }> }).pix ?? []).map(({ endToEndId }) => endToEndId)
    : []

export class Meter {
  readonly #world: World
  readonly #reader: pg.Pool
  readonly #sessions = new Map<number, number>()
  readonly #steps = new Map<string, Step>()
  readonly #lists: Array<readonly [known: number, spent: Figures]> = []

  constructor(world: World) {
    this.#world = world
    this.#reader = new pg.Pool({ connectionString: world.databaseUrl, max: 1, application_name: "meter" })
    this.#reader.on("error", () => undefined)
  }

  async #read(statements: number): Promise<Figures> {
    const { rows } = await this.#reader.query(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'meter'",
    )
    for (const { pid } of rows) this.#sessions.set(pid, readCpuNs(pid))
    const sessions = [...this.#sessions.values()].reduce((sum, cpu) => sum + cpu, 0)
    const { host, bank } = this.#world
    return [
      await writtenLog(this.#reader),
      sessions / 1e3,
      cpuNsOfThreads(host.pid) / 1e3,
      bank.exchanges.filter(isOfTheApi).length,
      statements,
    ]
  }

  async count(step: string, times: number, run: () => Promise<unknown>, looks = 0): Promise<void> {
    if (times === 0) return
    const { bank, host, paid } = this.#world
    bank.forgetExchanges()
    // The hosts answer outside the measured time.
    const before = await this.#read(await host.ask("statements"))
    await run()
    const after = plus(await this.#read(0), [0, 0, 0, 0, await host.ask("statements")])
    const spent = plus(after, before, -1)
    const counted = this.#steps.get(step) ?? none
    this.#steps.set(step, {
      times: counted.times + times,
      looks: counted.looks + looks,
      spent: plus(counted.spent, spent),
    })
    const ids = bank.exchanges.flatMap(listedIds)
    const fresh = new Set(ids.filter((id) => !paid.has(id)))
    for (const id of fresh) paid.add(id)
    if (ids.length > 0) this.#lists.push([ids.length - fresh.size, spent])
  }

  /** The count and the cost of a step, without the cost of its looks for due work. That is counted as `idle`. */
  figuresFor(step: string): Step {
    const { times, looks, spent } = this.#steps.get(step) ?? none
    const idle = this.#steps.get("idle") ?? none
    return { times, looks, spent: step === "idle" ? spent : plus(spent, idle.spent, -looks / Math.max(idle.looks, 1)) }
  }

  get readAgain(): Step {
    const known = this.#lists.reduce((sum, [one]) => sum + one, 0)
    const [log, sessions, host, , statements] = slope(this.#lists)
    return { times: known, looks: 0, spent: plus(nothing, [log, sessions, host, 0, statements], known) }
  }

  close(): Promise<void> {
    return this.#reader.end()
  }
}
