import type { ReceivedPayment } from "@pixcharge/core"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { Notice, TakeNotice } from "./bank/takeNotice.ts"
import { outcome } from "./Clients.ts"
import type { FaultDecisions } from "./FaultDecisions.ts"
import type { Serving } from "./Host.ts"
import { shortName } from "./judge/names.ts"
import type { Actor, Timeline } from "./World.ts"

interface ServingHosts {
  /** The process at this place if it serves, else another process that serves. */
  readonly findServing: (place: number) => Serving | undefined
}

interface NoticeJudge {
  readonly beginNotice: (host: Actor, endToEndId: string) => void
  readonly endNotice: (received: ReceivedPayment, since: number) => void
  readonly report: (rule: "noDefects", what: string) => void
  readonly judgeFailure: (tag: string, host: Actor, since: number) => void
}

const retryMs = 30_000
const maxTries = 3

/** The bank's notices of payments and returns: late, twice, out of order or never. The bank repeats refused notices. */
export class Notices {
  readonly #world: Timeline
  readonly #faults: FaultDecisions
  readonly #hosts: ServingHosts
  readonly #take: TakeNotice
  readonly #judge: NoticeJudge

  constructor(world: Timeline, faults: FaultDecisions, hosts: ServingHosts, take: TakeNotice, judge: NoticeJudge) {
    this.#world = world
    this.#faults = faults
    this.#hosts = hosts
    this.#take = take
    this.#judge = judge
  }

  send(payment: LedgerPayment): void {
    const decision = this.#faults.decideNext(`notice of ${shortName(payment.endToEndId)}`)
    const { random } = decision
    const copies = random.chance(0.3) ? 2 : 1
    for (let copy = 1; copy <= copies; copy++) {
      const delayMs = random.between(1, random.chance(0.2) ? 300_000 : 2_000)
      const grouped = Math.max(0, (delayMs % 4) - 1)
      const notice = { payment, host: random.between(0, 9), isPlain: random.chance(0.2), grouped }
      if (!decision.hasFault("lostNotices", `copy ${copy} lost`))
        this.#world.after(delayMs, () => this.#deliver(notice, 1))
    }
  }

  #deliver(notice: Notice, tries: number): void {
    const retry = () => {
      if (tries < maxTries) this.#world.after(retryMs, () => this.#deliver(notice, tries + 1))
    }
    const host = this.#hosts.findServing(notice.host)
    if (host === undefined) return retry()
    const what = `notice of ${shortName(notice.payment.endToEndId)}`
    this.#world.note("bank", `gives ${what} to ${host.actor.name}`)
    const since = this.#world.now
    this.#judge.beginNotice(host.actor, notice.payment.endToEndId)
    host.serve(this.#take(host, notice), (exit) => {
      if (Exit.isSuccess(exit)) return exit.value.forEach((received) => this.#judge.endNotice(received, since))
      if (Cause.hasDies(exit.cause)) this.#judge.report("noDefects", `${what}: ${Cause.pretty(exit.cause)}`)
      else this.#judge.judgeFailure(outcome(exit), host.actor, since)
      retry()
    })
  }
}
