/**
 * Checks every imported type with TypeScript 5.4. It can't read all of Effect's types, so errors in them are ignored.
 * Exits with 1 if one of our files has an error.
 */
import { spawnSync } from "node:child_process"

const { stdout } = spawnSync("node", ["node_modules/typescript-5.4/bin/tsc", "-p", "tsconfig.all-types.json"])
const errors = String(stdout)
  .split("\n")
  .filter((line) => line.includes("error TS") && !line.includes("node_modules/effect/"))
if (errors.length > 0) {
  console.log(errors.join("\n"))
  process.exitCode = 1
}
