import * as Exit from "effect/Exit"
import { actAtBank, nthPayment } from "./bank/bankActions.ts"
import type { Action, Step } from "./Action.ts"
import { shortName } from "./judge/names.ts"
import { chargeId, chargeIssuer, chargeTxidAt, companies, endpointIds } from "./names.ts"
import type { Simulation } from "./Simulation.ts"
import type { Violation } from "./judge/rules.ts"
import { Probe } from "./Probe.ts"
import { chooseFocus } from "./conditions.ts"
import { usualLeapMs } from "./World.ts"

const rejectReturns = ({ bank, world, rejectsUntil }: Simulation, n: number, ms: number): void => {
  const payment = nthPayment(bank.ledger, n)
  if (payment !== undefined) rejectsUntil.set(payment.endToEndId, world.now + ms)
}

const changeAtBank = (
  { bank, judge, world }: Simulation,
  action: Extract<Action, { readonly do: "changeAtBank" }>,
): void => {
  const { charge, amountCents } = action
  judge.terms.change({ issuer: chargeIssuer(charge), id: chargeId(charge) }, { amountCents })
  world.note("bank", `is asked in its portal to change ${shortName(chargeTxidAt(charge))} to ${amountCents} cents`)
  actAtBank(bank, action)
}

export const takeStep = (simulation: Simulation, { host: place, action }: Step): void => {
  const { bank, receivers, clients, hosts } = simulation
  switch (action.do) {
    case "pay":
    case "payKey":
    case "remove":
    case "returnOutside":
    case "block":
      return actAtBank(bank, action)
    case "reject":
      return rejectReturns(simulation, action.payment, action.ms)
    case "changeAtBank":
      return changeAtBank(simulation, action)
    case "receiverDown":
      return receivers.goDown(endpointIds[action.endpoint] ?? "", action.ms, action.status)
    case "setBack":
      return simulation.setBack(action.ms)
    case "swapKeys":
      return simulation.swapKeys(action.company, action.other)
    case "registerFees":
      return simulation.registerFees(action.company, action.revision)
    case "stop":
      return hosts.stop(place)
    case "shiftClock":
      return hosts.shiftClock(place, action.place)
    case "suspend":
      return hosts.suspend(place, action.ms)
  }
  const host = hosts.findServing(place)
  if (host === undefined) return
  if (action.do === "kill") hosts.kill(host.actor)
  else clients.act(host, action)
}

const hourMs = 3_600_000
/** Without faults a refund ends within this time. */
const askAgainMs = hourMs
/** The duration of an operator's step after a restore. */
const restoreStepMs = hourMs / 2
const resumeStepMs = 60_000
/** The first wait. Late calls arrive in it, and then a daily reconciliation finds what is missing. */
const firstWaitMs = 30 * hourMs
const nextWaitMs = 26 * hourMs
const maxWaits = 4
/** The length of the first leap after an event while the run comes to rest. */
export const quiesceLeapMs = 3 * hourMs

const take = (simulation: Simulation, action: Action): void => takeStep(simulation, { afterMs: 0, host: 0, action })

/** The operator resumes each endpoint and replays the dead letters. Then each event must arrive. */
const resumeEvents = async (run: Simulation): Promise<void> => {
  await run.pass(resumeStepMs)
  for (const endpoint of endpointIds.keys()) take(run, { do: "resume", endpoint })
  await run.pass(resumeStepMs)
  for (const company of companies.keys()) take(run, { do: "replayDead", company })
}

const findFinal = async ({ world, judge, network, clients }: Simulation): Promise<ReadonlyArray<Violation>> => {
  let found: ReadonlyArray<Violation> | undefined
  network.execute(judge.auditAll(), (exit) => {
    found = Exit.isSuccess(exit) ? exit.value : [{ rule: "noDefects", what: String(exit.cause) }]
  })
  await world.run(() => found !== undefined)
  return [...clients.unanswered(), ...(found ?? [])]
}

/** Waits until no rule is broken, and reports the violations that remain after some days. */
const quiesce = async (run: Simulation): Promise<void> => {
  const { judge } = run
  for (let waits = 1; waits <= maxWaits && judge.violations.length === 0; waits++) {
    await run.pass(waits === 1 ? firstWaitMs : nextWaitMs)
    const found = await findFinal(run)
    if (found.length === 0) return
    if (waits === maxWaits) judge.reportAll(found)
  }
}

/** Clients look up their refused refunds and request them again. The bank has no more faults. */
const askAgain = async (run: Simulation): Promise<void> => {
  const { judge, clients } = run
  const refused = [...clients.refused.values()]
  if (refused.length === 0) return
  judge.requests.isOver = true
  for (const action of [...refused, ...refused]) {
    take(run, action)
    await run.pass(askAgainMs)
  }
  judge.reportAll(await findFinal(run))
}

/** After a restore, all clients repeat their charges and the operator compares each company. Then the books are complete. */
const finishRestore = async (run: Simulation): Promise<void> => {
  for (const action of run.clients.issued.values()) take(run, action)
  await run.pass(restoreStepMs)
  for (const company of companies.keys()) take(run, { do: "reconcile", company })
  await run.pass(restoreStepMs)
  run.judge.isRestored = true
}

/** Runs last, because any action can wake a process that forgot some work and so hide that. */
const probe = async (run: Simulation): Promise<void> => {
  const { world, judge } = run
  judge.deliveries.isPrompt = true
  const probing = new Probe(run, (action) => take(run, action))
  await world.run(() => probing.isOver || judge.violations.length > 0)
  judge.reportAll(probing.violations())
}

/** Lets everything finish after the faults have ended; stops at the first violation. */
export const endRun = async (run: Simulation, hasStoppedEvents: boolean): Promise<void> => {
  const { violations } = run.judge
  if (hasStoppedEvents) await resumeEvents(run)
  await quiesce(run)
  if (violations.length === 0) await askAgain(run)
  if (violations.length === 0 && run.isSetBack) {
    await finishRestore(run)
    await quiesce(run)
  }
  if (violations.length === 0) await probe(run)
}

/** The time without faults at the start of a run, when charges are issued. */
const faultFreeMs = 800
/** In a longer gap between the steps of weeks, faults end some time after a step. Weeks then cost no more than a day. */
const longGapMs = 8 * 3_600_000
const troubledMs = 2 * 3_600_000

/** 410 disables a receiver. Events to one that is down for days are given up. */
const stopsEvents = (action: Action): boolean =>
  ["pause", "replayDead"].includes(action.do) ||
  (action.do === "receiverDown" && (action.status === 410 || action.ms > 24 * hourMs))

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
  // The last step is the earlier event of this moment.
  world.after(at, () => endTroubles(simulation))
  await simulation.pass(at)
  calm()
  await endRun(
    simulation,
    plan.some(({ action }) => stopsEvents(action)),
  )
}
