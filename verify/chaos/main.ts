/**
 * Strikes hosts and database with faults under load. Exits with 1 if the callers' answers, the bank or the receiver
 * contradict the rows.
 */
import { parseArgs } from "node:util"
import { refuse, tell, wholeNumber } from "../world/commandLine.ts"
import { own } from "./Chaos.ts"
import { newerProgram } from "./hosts/Host.ts"
import type { Release } from "./hosts/Hosts.ts"
import { installOlder } from "./hosts/installOlder.ts"
import { runChaos } from "./runChaos.ts"
import { type ReleaseName, type Topology, topologies } from "./Topology.ts"

const names = Object.keys(topologies)

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    topology: { type: "string", default: "one" },
    fault: { type: "string" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    revision: { type: "string" },
    help: { type: "boolean", default: false },
  },
})

const help = `pnpm chaos [options]
  --topology NAME   ${names.join(", ")} (one)
  --fault A,B       faults (all of the topology's)
  --seconds N       duration of the faults (60)
  --seed S          seed of the faults' order (1)
  --revision R      of Git, for hosts of an older release (the newest tag; the working tree while there is none)`

const installers: Readonly<Record<ReleaseName, () => Release | Promise<Release>>> = {
  this: () => own,
  older: () => installOlder(values.revision),
  newer: () => ({ name: "newer", program: newerProgram }),
}

const run = async (topology: Topology): Promise<void> => {
  const faults = values.fault?.split(",") ?? topology.faults
  const [seconds, seed] = [wholeNumber("seconds", values.seconds), wholeNumber("seed", values.seed)]
  const releases: Array<Release> = []
  for (const name of topology.hosts) releases.push(await installers[name]())
  const result = await runChaos({ topology, faults, seconds, seed, releases })
  const { sales, receipts } = result.evidence
  const calls = sales.reduce((sum, { answers: told }) => sum + told.length, 0)
  tell(`${sales.length} charges, ${calls} calls, ${receipts.length} events; ${result.faults.join(", ")}`)
  for (const flaw of result.flaws) tell(flaw)
  if (result.flaws.length > 0) refuse(`${result.flaws.length} flaws`)
}

const topology: Topology | undefined = (topologies as Readonly<Record<string, Topology>>)[values.topology]
if (values.help) tell(help)
else if (topology === undefined) refuse(`--topology must be one of ${names.join(", ")}, but is ${values.topology}`)
else if (topology.database === "citus" && !process.env["CITUS_URL"])
  tell("NOT RUN: CITUS_URL names no coordinator of a Citus cluster.")
else await run(topology)
