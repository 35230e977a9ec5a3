import * as Exit from "effect/Exit"
import type { Clients } from "./Clients.ts"
import type { Judge } from "./judge/Judge.ts"
import type { Violation } from "./judge/rules.ts"
import { companies, endpointIds } from "./names.ts"
import type { Network } from "./Network.ts"
import { Probe, type ProbeWorld } from "./Probe.ts"
import { quiesce } from "./quiesce.ts"
import type { World } from "./World.ts"

/** Without faults a refund ends within this time. */
const askAgainMs = 3_600_000
/** The duration of an operator's step after a restore. */
const restoreStepMs = 1_800_000
const resumeStepMs = 60_000

interface EndingRun extends Omit<ProbeWorld, "after"> {
  readonly world: World
  readonly judge: Judge
  readonly network: Network
  readonly clients: Clients
  readonly pass: (ms: number) => Promise<void>
  /** True if endpoints were paused or had dead letters. */
  readonly hasStoppedEvents: boolean
  readonly isSetBack: boolean
}

/** The operator resumes each endpoint and replays the dead letters. Then each event must arrive. */
const resumeEvents = async ({ take, pass }: EndingRun): Promise<void> => {
  await pass(resumeStepMs)
  for (const endpoint of endpointIds.keys()) take({ do: "resume", endpoint })
  await pass(resumeStepMs)
  for (const company of companies.keys()) take({ do: "replayDead", company })
}

const findFinal = async ({ world, judge, network, clients }: EndingRun): Promise<ReadonlyArray<Violation>> => {
  let found: ReadonlyArray<Violation> | undefined
  network.execute(judge.auditAll(), (exit) => {
    found = Exit.isSuccess(exit) ? exit.value : [{ rule: "noDefects", what: String(exit.cause) }]
  })
  await world.run(() => found !== undefined)
  return [...clients.unanswered(), ...(found ?? [])]
}

/** Clients look up their refused refunds and request them again. The bank has no more faults. */
const askAgain = async (run: EndingRun): Promise<void> => {
  const { judge, clients, take, pass } = run
  const refused = [...clients.refused.values()]
  if (refused.length === 0) return
  judge.requests.isOver = true
  for (const action of [...refused, ...refused]) {
    take(action)
    await pass(askAgainMs)
  }
  for (const { rule, what } of await findFinal(run)) judge.report(rule, what)
}

/** After a restore, all clients repeat their charges and the operator compares each company. Then the books are complete. */
const finishRestore = async ({ judge, clients, take, pass }: EndingRun): Promise<void> => {
  for (const action of clients.issued.values()) take(action)
  await pass(restoreStepMs)
  for (const company of companies.keys()) take({ do: "reconcile", company })
  await pass(restoreStepMs)
  judge.isRestored = true
}

/** Runs last, because any action can wake a process that forgot some work and so hide that. */
const probe = async (run: EndingRun): Promise<void> => {
  const { world, judge } = run
  judge.expectPrompt()
  const probing = new Probe({ ...run, after: (ms, happens) => world.after(ms, happens) })
  await world.run(() => probing.isOver || judge.violations.length > 0)
  for (const { rule, what } of probing.violations()) judge.report(rule, what)
}

/** Lets everything finish after the faults have ended; stops at the first violation. */
export const endRun = async (run: EndingRun): Promise<void> => {
  const { violations } = run.judge
  const rest = () => quiesce(run.judge, run.pass, () => findFinal(run))
  if (run.hasStoppedEvents) await resumeEvents(run)
  await rest()
  if (violations.length === 0) await askAgain(run)
  if (violations.length === 0 && run.isSetBack) {
    await finishRestore(run)
    await rest()
  }
  if (violations.length === 0) await probe(run)
}
