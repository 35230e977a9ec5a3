/**
 * Plants faults in packages one by one and lists the faults that no test notices. Exits with 1 if a package misses its
 * goal. pnpm mutate [--package core,... [--files model/charge/Expiry.ts,...]] [--sample 80 [--seed 1]]
 */
import { parseArgs } from "node:util"
import { refuse, tell, wholeNumber } from "../world/commandLine.ts"
import { goals, leastShare } from "./goals.ts"
import { summary } from "./report.ts"
import { runStryker } from "./runStryker.ts"

const { values } = parseArgs({
  options: {
    /** The packages, separated by commas; by default all packages with a goal. */
    package: { type: "string" },
    files: { type: "string", default: "**/*.ts" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
})
const size = values.sample === undefined ? undefined : wholeNumber("sample", values.sample)
const names = values.package?.split(",") ?? Object.keys(goals)

for (const name of names) {
  const goal = goals[name] ?? refuse(`name one of ${Object.keys(goals).join(", ")}`)
  const mutants = await runStryker({
    package: name,
    files: [
      ...values.files.split(",").map((file) => `packages/${name}/src/${file}`),
      ...(goal.exceptFiles ?? []).map((file) => `!packages/${name}/src/${file}`),
      "!**/{assets,openApiText}.ts",
    ],
    exceptTests: goal.exceptTests ?? [],
    sample: size === undefined ? undefined : { size, seed: values.seed },
  })
  const { text, share, total } = summary(name, mutants)
  tell(text)
  const least = leastShare(goal.share, total)
  if (share < least) {
    tell(`${name}: at least ${(100 * least).toFixed(1)} % must be killed`)
    process.exitCode = 1
  }
}
