/** Runs a host under chaos's load for minutes or hours. Exits with 1 after forbidden growth or a broken promise. */
import { parseArgs } from "node:util"
import { judge } from "../chaos/judge/judge.ts"
import { refuse, tell, wholeNumber } from "../world/commandLine.ts"
import { markdownTable } from "../world/markdownTable.ts"
import { describeGrowth, judgeGrowth } from "./judge.ts"
import { runSoak } from "./runSoak.ts"
import type { SoakSample } from "./sample.ts"

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    minutes: { type: "string", default: "4" },
    callers: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
})

const soak = async (): Promise<void> => {
  const options = {
    minutes: wholeNumber("minutes", values.minutes),
    callers: wholeNumber("callers", values.callers),
    seed: wholeNumber("seed", values.seed),
    onSample: ({ atMs, issued, host, database }: SoakSample) =>
      tell(
        `${Math.round(atMs / 1_000)} s, ${issued} issued, heap ${Math.round(host.heapBytes / 1_048_576)} MB, ` +
          `${host.handles} handles, ${database.connections} connections, ${database.outboxDue} to be sent`,
      ),
  }
  const { issued, growth, flaws } = await runSoak(options, async (samples, chaos) => ({
    issued: samples.at(-1)?.issued ?? 0,
    growth: judgeGrowth(samples),
    flaws: judge(await chaos.finish()),
  }))
  const rows = growth.map((one) => [...describeGrowth(one), one.isJudged ? "" : "the run was too short"])
  tell(`\n${markdownTable(["", "Level", "Rise after the warm-up", "Allowed", ""], rows)}\n`)
  const grown = growth.filter(({ holds }) => !holds).map((one) => `grew: ${describeGrowth(one).join(", ")}`)
  for (const flaw of [...flaws, ...grown]) tell(flaw)
  if (flaws.length + grown.length > 0) refuse(`${flaws.length + grown.length} flaws`)
  tell(`${issued} charges kept all promises, and no judged quantity grew`)
}

if (values.help) {
  tell(`pnpm soak [options]
  --minutes N   duration (4)
  --callers N   callers that each handle one charge after another (2)
  --seed S      seed of the load (1)`)
} else await soak()
