import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { Notice, TakeNotice } from "./bank/takeNotice.ts"
import { outcome } from "./Clients.ts"
import type { FaultDecisions } from "./FaultDecisions.ts"
import type { Host } from "./Host.ts"
import type { Hosts } from "./Hosts.ts"
import type { Judge } from "./judge/Judge.ts"
import { shortName } from "./judge/names.ts"
import type { Timeline } from "./World.ts"

const retryMs = 30_000
const maxTries = 3

/** A notice of the bank: late, twice, out of order or never. `make` draws what one copy does. */
export const sendCopies = (
  world: Timeline,
  faults: FaultDecisions,
  about: string,
  make: (delayMs: number, random: SeededRandom) => () => void,
): void => {
  const decision = faults.decideNext(`notice of ${about}`)
  const { random } = decision
  const copies = random.chance(0.3) ? 2 : 1
  for (let copy = 1; copy <= copies; copy++) {
    const delayMs = random.between(1, random.chance(0.2) ? 300_000 : 2_000)
    const arrives = make(delayMs, random)
    if (!decision.hasFault("lostNotices", `copy ${copy} lost`)) world.after(delayMs, arrives)
  }
}

/** Sends the bank's notices of payments and returns. The bank repeats refused notices. */
export const makeNotices = (
  world: Timeline,
  faults: FaultDecisions,
  hosts: Hosts<Host>,
  take: TakeNotice,
  judge: Judge,
): ((payment: LedgerPayment) => void) => {
  const deliver = (notice: Notice, tries: number): void => {
    const retry = () => {
      if (tries < maxTries) world.after(retryMs, () => deliver(notice, tries + 1))
    }
    const host = hosts.findServing(notice.host)
    if (host === undefined) return retry()
    const what = `notice of ${shortName(notice.payment.endToEndId)}`
    world.note("bank", `gives ${what} to ${host.actor.name}`)
    const since = world.now
    judge.beginNotice(host.actor, notice.payment.endToEndId)
    host.serve(take(host, notice), (exit) => {
      if (Exit.isSuccess(exit)) return exit.value.forEach((received) => judge.endNotice(received, since))
      if (Cause.hasDies(exit.cause)) judge.report("noDefects", `${what}: ${Cause.pretty(exit.cause)}`)
      else judge.judgeFailure(outcome(exit), host.actor, since)
      retry()
    })
  }
  return (payment) =>
    sendCopies(world, faults, shortName(payment.endToEndId), (delayMs, random) => {
      const grouped = Math.max(0, (delayMs % 4) - 1)
      const notice = { payment, host: random.between(0, 9), isPlain: random.chance(0.2), grouped }
      return () => deliver(notice, 1)
    })
}
