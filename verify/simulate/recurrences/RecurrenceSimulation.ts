import type { RecurrenceRequest } from "@pixcharge/core/recurrence"
import type { StorePorts } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { Recurrences } from "@pixcharge/core/recurring"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { issuers } from "@pixcharge/adapter-tests/fixtures"
import { chooseStart, makeTerms, type RecurrenceAction, type RecurrenceStep } from "./recurrencePlan.ts"
import { isLive, RecurrenceBank } from "./RecurrenceBank.ts"
import { chooseFaultRates } from "../conditions.ts"
import { dayAt, dayMs, momentAt } from "../judge/recurrences/calendar.ts"
import type { StateWritten } from "../judge/recurrences/RecurrenceEvidence.ts"
import type { StoreCall } from "../judge/describeWrite.ts"
import { FaultDecisions } from "../FaultDecisions.ts"
import { type Directory, recurrenceLayer, type RecurrenceServices } from "../Host.ts"
import { Hosts } from "../Hosts.ts"
import { Network } from "../Network.ts"
import { sendCopies } from "../Notices.ts"
import { Process } from "../Process.ts"
import { Receivers } from "../Receivers.ts"
import { makeStoreClient, RunStore } from "../RunStore.ts"
import { type Actor, World } from "../World.ts"
import { makeRecurrenceCall } from "../bank/callBank.ts"
import { codedProcessorLayer } from "./codedProcessor.ts"
import { RecurrenceClients } from "./RecurrenceClients.ts"
import { recurrenceProcessorLayer } from "./recurrenceProcessor.ts"

export const actAsPayer = (
  bank: RecurrenceBank,
  action: RecurrenceAction,
  { issuer, contract }: Pick<RecurrenceRequest, "contract"> & { readonly issuer: string },
): void => {
  const name = `${issuer} ${contract}`
  const recs = [...bank.recs.values()].filter((rec) => rec.issuer === issuer && rec.contract === contract)
  switch (action.do) {
    // A payer who saw two of them authorises both.
    case "approve":
      return recs.forEach((rec) => bank.approve(rec))
    case "decline":
      return recs.forEach((rec) => bank.decline(rec))
    case "payerEnds":
      return recs.forEach((rec) => void bank.endRec(rec.id, "payer"))
    case "payerCancels": {
      const next = [...bank.cobrs.values()].find(({ rec, attempts }) => recs.includes(rec) && attempts.some(isLive))
      if (next !== undefined) bank.cancelCobr(next.txid, "payer")
      return
    }
    case "impoverish":
      bank.poor.add(name)
      return
    case "enrich":
      bank.poor.delete(name)
  }
}

const firstLeapMs = 60_000
/** A bank that fails more often can't guarantee any debit. */
const maxBankRate = 0.06
/** Longer than any started work. */
const endMs = 25 * dayMs

interface Shared {
  readonly store: Context.Context<StorePorts>
  readonly directory: Directory
}

export class RecurrenceSimulation {
  readonly world: World
  readonly faults: FaultDecisions
  readonly bank: RecurrenceBank
  readonly store: RunStore
  readonly receivers: Receivers
  readonly clients: RecurrenceClients
  readonly written: Array<StateWritten> = []
  readonly outages: Array<{ readonly from: number; readonly until: number }> = []
  readonly setBacks: Array<{ readonly at: number; readonly to: number }> = []
  readonly #network: Network
  readonly #hosts: Hosts<Process<RecurrenceServices>>
  readonly #shared: Shared
  readonly #listsDebits: boolean
  readonly #terms: (n: number) => ReturnType<typeof makeTerms> & { readonly issuer: Cnpj }

  constructor(seed: number, shared: Shared) {
    this.#shared = shared
    this.#listsDebits = seed % 3 === 0
    this.#terms = (n) => ({ ...makeTerms(seed, n), issuer: issuers[n % 2] as Cnpj })
    this.world = new World(seed, false, chooseStart(seed))
    this.world.firstLeapMs = firstLeapMs
    const rates = chooseFaultRates(seed)
    this.faults = new FaultDecisions(seed, { ...rates, bank: Math.min(rates.bank, maxBankRate) }, new Set())
    this.#network = new Network(this.world, (actor) => this.#hosts.kill(actor))
    this.bank = new RecurrenceBank(this.world, this.faults)
    this.bank.onChange = this.#notify
    this.receivers = new Receivers({ world: this.world, network: this.#network, faults: this.faults })
    this.store = new RunStore(shared.store)
    this.clients = new RecurrenceClients(this.world, this.#terms)
    this.#hosts = new Hosts(this.world, 2, (actor) => this.#makeHost(actor))
  }

  #makeHost(actor: Actor): Process<RecurrenceServices> {
    const around = { world: this.world, network: this.#network, faults: this.faults }
    const call = makeRecurrenceCall(around, actor)
    const layer = recurrenceLayer({
      store: makeStoreClient(this.store, actor, { ...around, onCall: this.#onStoreCall, onFailure: () => undefined }),
      directory: this.#shared.directory,
      processor: Layer.mergeAll(
        recurrenceProcessorLayer(this.bank, call),
        codedProcessorLayer(this.bank, call, this.#listsDebits),
      ),
      delivery: this.receivers.client(actor),
    })
    return new Process(this.world, actor, layer, ({ name }, cause) => {
      this.clients.defects.push(`${name} ended by itself: ${Cause.pretty(cause)}`)
    })
  }

  readonly #onStoreCall = (caller: Actor) => (call: StoreCall) => {
    this.store.remember(this.world.now, call)
    const { port, method, args, answer } = call
    if (method !== "commit" || (port !== "store" && port !== "recurrences")) return
    const isMoved = answer === true || (answer as { readonly moved?: boolean }).moved === true
    const { id, next } = args[0] as {
      readonly id: string
      readonly next?: { readonly _tag: string; readonly bankId?: string }
    }
    if (!isMoved || next === undefined) return
    this.world.note(caller.name, `moves ${id} to ${next._tag}`)
    const { _tag: state, bankId } = next
    this.written.push({ at: this.world.now, id, state, ...(bankId !== undefined && { bankId }) })
  }

  /** The bank's notices are hints. */
  readonly #notify = (issuer: string, about: string): void =>
    sendCopies(this.world, this.faults, about, (_, random) => {
      const place = random.between(0, 1)
      return () => {
        const named = { bankIds: [about], txids: [about] }
        const call = Effect.flatMap(Recurrences, (recurrences) => recurrences.checkSoon(issuer as Cnpj, named))
        this.#hosts.findServing(place)?.serve(call, () => undefined)
      }
    })

  #take(action: RecurrenceAction): void {
    const { now } = this.world
    switch (action.do) {
      case "kill": {
        const host = this.#hosts.findServing(action.host)
        return host && this.#hosts.kill(host.actor)
      }
      case "outage":
        this.outages.push({ from: now, until: now + action.ms })
        this.world.note("world", `no process runs for ${action.ms} ms`)
        return this.#hosts.killAll(action.ms)
      case "setBack":
        this.setBacks.push({ at: now, to: now - action.ms })
        this.world.note("world", `the store is set back by ${action.ms} ms`)
        this.#hosts.killAll()
        return this.store.setBack(now - action.ms, this.#network)
      default: {
        actAsPayer(this.bank, action, this.#terms(action.recurrence))
        const host = this.#hosts.findServing(now % 2)
        if (host !== undefined) this.clients.act(host, action)
      }
    }
  }

  async run(plan: ReadonlyArray<RecurrenceStep>): Promise<void> {
    for (const { atMs, action } of plan) this.world.after(atMs, () => this.#take(action))
    const until = this.world.startedAt + (plan.at(-1)?.atMs ?? 0)
    await this.world.run(() => this.world.now >= until)
    this.faults.calm()
    this.#hosts.leaveOne()
    this.world.note("world", "nothing goes wrong any more")
    // Not during a debit that the processes can't have seen.
    const end = momentAt(dayAt(until + endMs), 12)
    await this.world.run(() => this.world.now >= end)
  }
}
