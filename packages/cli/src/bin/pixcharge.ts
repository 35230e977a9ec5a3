#!/usr/bin/env node
import { runDoctor } from "../doctor/runDoctor.ts"
import { runInit } from "../init/runInit.ts"
import type { Output } from "../readCommandLine.ts"

const usage = `npx @pixcharge/cli <command>

init    adds PIX charges to a backend, or writes a new project
doctor  checks a host's setup, and explains each flaw

npx @pixcharge/cli <command> --help explains a command's arguments.`

const run = async ([command = "", ...args]: ReadonlyArray<string>): Promise<Output> => {
  if (command === "init") return runInit(args, { input: process.stdin, output: process.stdout })
  if (command === "doctor") return runDoctor(args)
  if (command === "--help" || command === "-h") return { text: usage, isSound: true }
  throw new Error(usage)
}

/** Exits once the text is written, even if the host's module left something open. */
const end = (stream: NodeJS.WritableStream, text: string, code: number): void =>
  void stream.write(`${text}\n`, () => process.exit(code))

run(process.argv.slice(2)).then(
  ({ text, isSound }) => end(process.stdout, text, isSound ? 0 : 1),
  (error: unknown) => end(process.stderr, error instanceof Error ? error.message : String(error), 1),
)
