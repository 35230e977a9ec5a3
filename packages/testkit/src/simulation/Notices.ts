import type { ReceivedPayment } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Exit from "effect/Exit"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { recordNotice } from "./bank/recordNotice.ts"
import type { Fates } from "./Fates.ts"
import type { Serving } from "./Host.ts"
import { nameOf } from "../judge/names.ts"
import type { Timeline } from "./World.ts"

interface Notice {
  readonly issuer: Cnpj
  readonly endToEndId: string
  /** To which process it goes. */
  readonly host: number
  /** It is believed as it is, by a host that learned of the payment in its own way. */
  readonly isPlain: boolean
}

/** The processes to which notices may go. */
interface ServingHosts {
  /** The process of this place if it serves, else one that does; undefined if none does. */
  readonly serving: (place: number) => Serving | undefined
}

const retryMs = 30_000
const mostTries = 3

/** What the bank tells of payments and returns: late, twice, out of order or never; again if nobody takes it. */
export class Notices {
  readonly #world: Timeline
  readonly #fates: Fates
  readonly #hosts: ServingHosts
  readonly #onRecorded: (received: ReceivedPayment) => void

  /** `onRecorded`: a process says that it has recorded what the notice tells of. */
  constructor(world: Timeline, fates: Fates, hosts: ServingHosts, onRecorded: (received: ReceivedPayment) => void) {
    this.#world = world
    this.#fates = fates
    this.#hosts = hosts
    this.#onRecorded = onRecorded
  }

  /** Something happened to the payment. */
  send({ issuer, endToEndId }: LedgerPayment): void {
    const fate = this.#fates.next(`notice of ${nameOf(endToEndId)}`)
    const { random } = fate
    const copies = random.chance(0.3) ? 2 : 1
    for (let copy = 1; copy <= copies; copy++) {
      const delayMs = random.between(1, random.chance(0.2) ? 300_000 : 2_000)
      const notice = { issuer, endToEndId, host: random.between(0, 9), isPlain: random.chance(0.2) }
      if (!fate.suffers("lostNotices", `copy ${copy} lost`)) this.#world.after(delayMs, () => this.#deliver(notice, 1))
    }
  }

  #deliver(notice: Notice, tries: number): void {
    const { issuer, endToEndId, isPlain } = notice
    const again = () => {
      if (tries < mostTries) this.#world.after(retryMs, () => this.#deliver(notice, tries + 1))
    }
    const host = this.#hosts.serving(notice.host)
    if (host === undefined) return again()
    this.#world.note("bank", `gives notice of ${nameOf(endToEndId)} to ${host.actor.name}`)
    host.serve(recordNotice(host.bank, issuer, endToEndId, isPlain), (exit) => {
      if (Exit.isFailure(exit)) again()
      else if (exit.value !== undefined) this.#onRecorded(exit.value)
    })
  }
}
