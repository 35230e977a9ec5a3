import * as Exit from "effect/Exit"
import type { Action } from "./Action.ts"
import type { Violation } from "./judge/rules.ts"
import { companies, endpointIds } from "./names.ts"
import { Probe } from "./Probe.ts"
import type { Simulation } from "./Simulation.ts"
import { takeStep } from "./takeStep.ts"

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
  judge.expectPrompt()
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
