import type { Action, Step } from "./Action.ts"
import { chooseFocus } from "./conditions.ts"
import { endRun, quiesceLeapMs } from "./endRun.ts"
import type { Simulation } from "./Simulation.ts"
import { takeStep } from "./takeStep.ts"
import { usualLeapMs } from "./World.ts"

/** The time without faults at the start of a run, when charges are issued. */
const faultFreeMs = 800
/** In a longer gap between the steps of weeks, faults end some time after a step. Weeks then cost no more than a day. */
const longGapMs = 8 * 3_600_000
const troubledMs = 2 * 3_600_000

/** A receiver that answers 410 is disabled. */
const stopsEvents = (action: Action): boolean =>
  ["pause", "replayDead"].includes(action.do) || (action.do === "receiverDown" && action.status === 410)

const endTroubles = ({ world, receivers, bank, rejectsUntil, hosts }: Simulation): void => {
  receivers.comeBack()
  for (const payment of bank.ledger.payments.values()) bank.returns.block(payment, 0)
  rejectsUntil.clear()
  hosts.leaveOne()
  world.note("world", "nothing goes wrong any more")
}

/** Executes the plan, then ends the faults and lets everything finish. */
export const runPlan = async (simulation: Simulation, plan: ReadonlyArray<Step>): Promise<void> => {
  const { world, faults, options } = simulation
  const { rates: troubles } = faults
  faults.calm()
  const calm = (): void => {
    faults.calm()
    world.firstLeapMs = quiesceLeapMs
  }
  const trouble = (): void => {
    faults.rates = troubles
    world.firstLeapMs = usualLeapMs
  }
  const areWeeks = chooseFocus(options.seed) === "weeks"
  let at = 0
  for (const step of plan) {
    if (areWeeks && step.afterMs > longGapMs) {
      world.after(at + troubledMs, calm)
      world.after(at + step.afterMs - 1, trouble)
    }
    at += step.afterMs
    world.after(at, () => takeStep(simulation, step))
  }
  if (at > faultFreeMs) world.after(faultFreeMs, trouble)
  await simulation.pass(at)
  calm()
  endTroubles(simulation)
  await endRun(
    simulation,
    plan.some(({ action }) => stopsEvents(action)),
  )
}
