import { setTimeout as sleep } from "node:timers/promises"
import { type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import type { Receipt } from "../simulate/judge/index.ts"
import { makeSeededRandom, type SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { companyCnpj } from "../bench/companyCnpj.ts"
import { EventReceiver, type TakeEvent } from "../world/index.ts"
import type { Database, Surroundings } from "./database/Database.ts"
import { deploy, hostFaults } from "./hostFaults.ts"
import { ownProgram } from "./hosts/Host.ts"
import { Hosts, type Release } from "./hosts/Hosts.ts"
import type { Evidence, Row, Span } from "./judge/Evidence.ts"
import { readRows } from "./judge/readRows.ts"
import { Calls } from "./load/Calls.ts"
import { Callers } from "./load/Callers.ts"
import { lossyFaults } from "./Topology.ts"

/** Enough companies that each worker of a cluster has some of them. */
const companies = 24
/** The longest time of a receiver's answer. It is long enough that kills interrupt deliveries. */
const maxAnswerMs = 200
/** The time within which deliveries under an abandoned lease are sent. */
const restLimitMs = 180_000
/**
 * The time within which a check under an abandoned lease is made. The lease lasts 90 s, and the check follows some
 * seconds later.
 */
const checkLimitMs = 120_000
const minute = 60_000

export const own: Release = { name: "this", program: ownProgram }

const accounts = Array.from({ length: companies }, (_, index) => {
  const cnpj = companyCnpj(index + 1)
  return {
    cnpj,
    name: `Loja ${index + 1}`,
    pixKeys: [`loja${index + 1}@example.com`],
    clientId: `client-${cnpj}`,
    clientSecret: `the secret of ${cnpj}`,
  }
})

interface ChaosOptions {
  readonly database: Database
  readonly seed: number
  /** The releases whose hosts replace each other; by default only the working tree's. */
  readonly releases?: ReadonlyArray<Release>
  readonly take?: () => Promise<unknown>
}

/**
 * True for a charge without open work that still has a check. A commit that lost a race recorded the charge's last
 * return but couldn't remove the check. The next check ends it.
 */
const isToRest = ({ table, columns }: Row): boolean =>
  table === "charges" &&
  ["paid", "refunded", "cancelled"].includes(String(columns["state"])) &&
  columns["check_at"] !== null &&
  Date.parse(String(columns["check_at"])) < Date.now() + checkLimitMs

export class Chaos {
  readonly issuers = accounts.map(({ cnpj }) => cnpj)
  readonly database: Database
  readonly hosts: Hosts
  readonly callers: Callers
  readonly bank: SimulatedBank
  readonly receipts: Array<Receipt>
  readonly incidents: Array<Span & { readonly fault: string }> = []
  readonly random: SeededRandom
  readonly #receiver: EventReceiver
  readonly #unsound: () => number
  readonly #releases: ReadonlyArray<Release>
  readonly #since = Date.now()

  private constructor(
    { database, seed, releases = [own] }: ChaosOptions,
    bank: SimulatedBank,
    receiver: EventReceiver,
    receipts: Array<Receipt>,
    unsound: () => number,
  ) {
    this.database = database
    this.bank = bank
    this.receipts = receipts
    this.random = makeSeededRandom(seed)
    this.#receiver = receiver
    this.#unsound = unsound
    this.#releases = releases
    const { store, schema } = database
    this.hosts = new Hosts({ store, schema, bank: bank.baseUrl, companies: accounts })
    const servingHosts = () => this.hosts.serving
    this.callers = new Callers(new Calls({ servingHosts, bank, isSetBack: () => this.#isSetBack }), this.issuers, seed)
  }

  static async open(options: ChaosOptions): Promise<Chaos> {
    const receipts: Array<Receipt> = []
    let unsound = 0
    const rest = options.take ?? (() => sleep(Math.random() * maxAnswerMs))
    const take: TakeEvent = async (event) => {
      if (typeof event === "string" || event.kind === "test") {
        unsound += 1
        return 400
      }
      receipts.push({ event, endpointId: `callback-${event.issuer}`, at: Date.now() })
      await rest()
      return 204
    }
    const ways = { certificate: "none", returnPace: "atOnce" } as const
    const bank = await startSimulatedBank({ accounts, ways })
    return new Chaos(options, bank, await EventReceiver.start(take), receipts, () => unsound)
  }

  async start(...releases: ReadonlyArray<Release>): Promise<void> {
    const { targets, prepare } = this.database
    for (const [index, release] of releases.entries()) {
      await this.hosts.add(release, targets[index % targets.length] as Database["targets"][number])
      if (index === 0) await this.#register()
    }
    await prepare?.()
  }

  async #register(): Promise<void> {
    for (const { cnpj, name, pixKeys } of accounts) {
      const callback = { url: this.#receiver.origin, secrets: [EventReceiver.secret], kinds: ["paid", "refunded"] }
      const company = { cnpj, name, city: "Recife", pixKey: pixKeys[0], graceDays: 5, callback }
      await this.hosts.serving[0]?.call("directory.putCompany", company)
    }
  }

  get #isSetBack(): boolean {
    return this.incidents.some(({ fault }) => lossyFaults.has(fault))
  }

  /** Resolves once everything serves again. */
  async strike(fault: string): Promise<void> {
    const faults = { ...hostFaults, ...this.database.faults, deploy: deploy(this.#releases) }
    const strike = (faults as Readonly<Record<string, (around: Surroundings) => Promise<unknown>>>)[fault]
    if (strike === undefined) throw new Error(`this topology has no fault ${fault}`)
    const { hosts, random, callers } = this
    const incident = { fault, from: Date.now(), until: Infinity }
    this.incidents.push(incident)
    await strike({ hosts, random, waitForFailed: (count) => callers.waitForMore("failed", count) })
    incident.until = Date.now()
  }

  async finish(): Promise<Evidence> {
    await this.callers.stop()
    if (this.#isSetBack) await this.#reconcile()
    await this.#rest()
    // Only one process can open an embedded database, so its host must end first.
    if (this.database.store === "embedded") await this.hosts.close()
    const { bank, receipts, incidents, issuers } = this
    const { sales, attempts, surprises } = this.callers.calls
    return {
      sales,
      attempts,
      surprises,
      companies: issuers,
      ledger: bank.ledger,
      receipts,
      unsound: this.#unsound(),
      rows: await this.#readRows(),
      collectedAt: Date.now(),
      incidents,
      isSetBack: this.#isSetBack,
    }
  }

  async #reconcile(): Promise<void> {
    const period = { from: this.#since - minute, until: Date.now() + minute }
    for (const issuer of this.issuers) await this.hosts.serving[0]?.call("reconcile", issuer, period)
  }

  async #rest(): Promise<void> {
    for (const began = performance.now(); performance.now() - began < restLimitMs; await sleep(100)) {
      const calls = this.hosts.serving.map((host) => host.call("events.backlog").catch(() => undefined))
      const backlogs = (await Promise.all(calls)) as ReadonlyArray<{ readonly waiting: number } | undefined>
      if (backlogs.every((backlog) => backlog?.waiting === 0)) return
    }
    this.callers.calls.surprises.push("surprise: some hosts still have events to send")
  }

  async #readRows(): Promise<Evidence["rows"]> {
    const limitMs = this.hosts.serving.length === 0 ? 0 : checkLimitMs
    for (const began = performance.now(); ; await sleep(1_000)) {
      const rows = await readRows(await this.database.places(this.issuers))
      if (!rows.some(isToRest) || performance.now() - began >= limitMs) return rows
    }
  }

  async close(): Promise<void> {
    const abandoned = this.callers.abandon()
    await this.hosts.close()
    await abandoned
    this.#receiver.close()
    await this.bank.close()
    await this.database.close()
  }
}
