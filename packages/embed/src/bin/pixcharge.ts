#!/usr/bin/env node
import { runDoctor } from "../doctor/runDoctor.ts"
import { runInit } from "../init/runInit.ts"

const args = process.argv.slice(2)
if (args[0] === "init") {
  const { text, isDone } = await runInit(args.slice(1), { input: process.stdin, output: process.stdout })
  if (isDone) console.log(text)
  else console.error(text)
  process.exitCode = isDone ? 0 : 1
} else {
  const { text, isHealthy } = await runDoctor(args)
  // What the host's module opened must not keep the process, and what is printed must arrive.
  process.stdout.write(`${text}\n`, () => process.exit(isHealthy ? 0 : 1))
}
