import { type SimulatedBank, startSimulatedBank } from "@pixcharge/simulated-bank"
import { EventReceiver } from "./EventReceiver.ts"
import { findFlaws } from "./findFlaws.ts"
import { HostProcess, type HostSetting } from "./HostProcess.ts"
import { Ledger } from "./Ledger.ts"
import { Load } from "./Load.ts"
import { setTimeout as sleep } from "node:timers/promises"

const accounts = ["12345678000195", "98765432000198", "11222333000181"].map((cnpj, at) => ({
  cnpj,
  name: `Loja ${at + 1}`,
  pixKeys: [`loja${at + 1}@example.com`],
  clientId: `client-${cnpj}`,
  clientSecret: `the secret of ${cnpj}`,
}))
const companies = accounts.map(({ cnpj }) => cnpj)

/** Deliveries that wait for a lease that a process has left behind are sent within this time. */
const restLimitMs = 180_000

/** All that lives while databases, hosts and networks die: companies, their bank and their receiver, each with a ledger. */
export class World {
  readonly ledger = new Ledger()
  readonly bank: SimulatedBank
  readonly receiver: EventReceiver
  readonly load: Load
  hosts: Array<HostProcess> = []
  readonly #since = Date.now()

  private constructor(bank: SimulatedBank, receiver: EventReceiver) {
    this.bank = bank
    this.receiver = receiver
    const serving = () => this.hosts.filter(({ isAlive }) => isAlive)
    this.load = new Load({ hosts: serving, bank, companies, ledger: this.ledger })
  }

  static async open(): Promise<World> {
    const ways = { certificate: "none", returnPace: "atOnce" } as const
    return new World(await startSimulatedBank({ accounts, ways }), await EventReceiver.start())
  }

  /** Starts a host of the packages in a folder, over this way to the database. */
  async addHost(name: string, folder: string, port: number): Promise<HostProcess> {
    const setting: HostSetting = { port, bank: this.bank.baseUrl, companies: accounts }
    const host = await HostProcess.start(name, folder, setting)
    this.hosts.push(host)
    return host
  }

  /** A host beside the others, that the load doesn't call and which does nothing by itself. */
  startStray(folder: string, port: number): Promise<HostProcess> {
    return HostProcess.start("stray", folder, { port, isPassive: true, bank: this.bank.baseUrl, companies: accounts })
  }

  /** Registers the companies. */
  async register(host: HostProcess): Promise<void> {
    for (const { cnpj, name, pixKeys } of accounts) {
      const callback = { url: this.receiver.url, secrets: [EventReceiver.secret], kinds: ["paid", "refunded"] }
      await host.call("directory.putCompany", {
        cnpj,
        name,
        city: "Recife",
        pixKey: pixKeys[0],
        graceDays: 5,
        callback,
      })
    }
  }

  /** Ends the load, waits until nothing waits to be told, and answers with what contradicts a ledger. */
  async findFlaws(mostTold: number): Promise<ReadonlyArray<string>> {
    await this.load.stop()
    const { ledger, bank, receiver } = this
    const host = this.hosts.find(({ isAlive }) => isAlive)
    if (host === undefined) return ["no host is left"]
    const unsent = await this.#rest()
    const flaws = await findFlaws(host, { ledger, bank, receiver, companies, since: this.#since, mostTold })
    return unsent === 0 ? flaws : [...flaws, `${unsent} events were not sent`]
  }

  /** Waits until no event waits; how many still do. */
  async #rest(): Promise<number> {
    for (const began = performance.now(); ; await sleep(100)) {
      const waiting = await this.#waiting()
      if (waiting === 0 || performance.now() - began > restLimitMs) return waiting
    }
  }

  /** How many events wait, asked of whoever serves, so in a way that each release has that can run beside this one. */
  async #waiting(): Promise<number> {
    const { waiting } = (await this.load.repeat("events.backlog")) as { readonly waiting: number }
    return waiting
  }

  async close(): Promise<void> {
    for (const host of this.hosts) await host.kill()
    this.receiver.close()
    await this.bank.close()
  }
}
