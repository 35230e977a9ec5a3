import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { simulate } from "../../index.ts"
import { bundle } from "../../plant.ts"

const seeds = [3, 77, 1_234_567]

const replaying = `
  const { simulate } = await import(process.argv[1])
  const hashes = []
  for (const seed of JSON.parse(process.argv[2])) hashes.push((await simulate({ seed })).traceHash)
  console.log(JSON.stringify(hashes))`

it("a run is replayed exactly by another process", async () => {
  const file = (await bundle([]))("sound")
  const args = ["--input-type=module", "--eval", replaying, file, JSON.stringify(seeds)]
  const replayed: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }))
  const hashes: Array<string> = []
  for (const seed of seeds) hashes.push((await simulate({ seed })).traceHash)
  expect(replayed).toEqual(hashes)
})
