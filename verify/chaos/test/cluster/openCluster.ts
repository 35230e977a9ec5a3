import type { Chaos } from "../../Chaos.ts"
import { CitusCluster } from "../../database/CitusCluster.ts"
import type { Attempt, Span } from "../../judge/Evidence.ts"
import { openChaos } from "../opened.ts"

export const openCluster = async (): Promise<{ readonly cluster: CitusCluster; readonly chaos: Chaos }> => {
  const url = process.env["CITUS_URL"]
  if (url === undefined) throw new Error("CITUS_URL names no coordinator")
  const cluster = await CitusCluster.open(url)
  const chaos = await openChaos(cluster)
  chaos.callers.start(chaos.issuers.length)
  return { cluster, chaos }
}

export const attemptsWithin = ({ callers }: Chaos, { from, until }: Span) => {
  const within = callers.calls.attempts.filter(({ beganAt, endedAt }) => beganAt >= from && endedAt <= until)
  const isUnavailable = ({ failure }: Attempt) => failure?.endsWith("Unavailable") === true
  return { answered: within.filter((one) => !isUnavailable(one)), failed: within.filter(isUnavailable) }
}
