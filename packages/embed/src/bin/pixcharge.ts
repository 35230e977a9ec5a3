#!/usr/bin/env node
import { runDoctor } from "../doctor/runDoctor.ts"

const { text, isHealthy } = await runDoctor(process.argv.slice(2))
// What the host's module opened must not keep the process, and what is printed must arrive.
process.stdout.write(`${text}\n`, () => process.exit(isHealthy ? 0 : 1))
