import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"
import { environment, planted, type Run } from "./Run.ts"

const programRun =
  (program: string) =>
  (args: ReadonlyArray<string>, ...says: ReadonlyArray<string>): Run => ({
    what: `${program} ${args.join(" ")}`,
    args: [join(root, "verify/dist", program, "main.js"), ...args],
    says,
  })

const plantModule = (name: string, text: string): ReadonlyArray<string> => {
  const file = join(planted, `${name}.mjs`)
  writeFileSync(file, text)
  return ["--store", file]
}

const defectiveStore = `
  import { ChargeStore } from "@pixcharge/core"
  import { memoryStore } from "@pixcharge/store-memory"
  import * as Effect from "effect/Effect"
  import * as Layer from "effect/Layer"
  const broken = Effect.map(ChargeStore, (store) => ({ ...store, find: () => Effect.die("planted") }))
  export default Layer.provideMerge(Layer.effect(ChargeStore, broken), memoryStore())`

const unversioned = ["--store", join(root, "verify/dist/simulate/test/unversionedStore.js")]

export const programRuns = (): ReadonlyArray<Run> => {
  const simulation = programRun("simulate")
  const fuzz = programRun("fuzz")
  /** A number of seeds that one worker runs. */
  const few = ["--seeds", "100"]
  const ends = plantModule("ends", "process.exit(0)")
  const noStore = plantModule("noStore", "export const store = 1")
  /** Replays the failed seed with its history. The trace must be the same. */
  const next = (output: string): Run => {
    const [, seed = "", trace = ""] = /Seed (\d+) \(trace (\w+)\)/.exec(output) ?? []
    return simulation([...unversioned, "--history", "--from", seed], `trace ${trace}`)
  }
  return [
    {
      ...simulation(
        [...unversioned, ...few],
        "breaks",
        "It also happens (trace ",
        "await simulate({",
        "plan: [",
        "by the second:",
      ),
      next,
    },
    simulation([...noStore, ...few], "ends with an error: Error: ", "has no default export"),
    simulation([...ends, ...few], "Only 0 of 100 seeds have run"),
    simulation(["--seeds", "2", "--from", "4294967295"], "the last seed is 4294967295"),
    fuzz(plantModule("defective", defectiveStore), "of seed 1 breaks a rule"),
    fuzz(ends, "The worker ended with 0 at request 1"),
    fuzz(["--count", "0"], "--count must be a whole number"),
    {
      what: "test:citus without a cluster",
      args: [join(root, "verify/dist/chaos/testCitus.js")],
      env: { ...environment, CITUS_URL: "" },
      expected: 0,
      says: ["NOT RUN: the tests on Citus."],
    },
  ]
}
