import { closestName } from "@pixcharge/core/internal"
import { createInterface } from "node:readline"
import { parseArgs } from "node:util"
import { answers, type Choices, type Question } from "./choices.ts"
import type { Place } from "./lookAt.ts"

/** What a command line says. */
export interface InitArguments {
  readonly choices: Partial<Choices>
  /** Where the files go. */
  readonly dir: string
  /** Takes the defaults for what isn't said. */
  readonly yes: boolean
  readonly help: boolean
}

const options = {
  framework: { type: "string" },
  bank: { type: "string" },
  store: { type: "string" },
  dir: { type: "string" },
  yes: { type: "boolean", short: "y" },
  help: { type: "boolean", short: "h" },
} as const

const names = Object.keys(options)

const guess = (written: string, known: ReadonlyArray<string>, prefix = ""): string => {
  const meant = closestName(written, known)
  return meant === undefined ? "" : ` (did you mean ${prefix}${meant}?)`
}

/** The answer that is meant, in any case. Throws what is wrong with it. */
const readAnswer = <Name extends Question>(question: Name, written: string): Choices[Name] => {
  const known = answers[question]
  const meant = known.find((answer) => answer.toLowerCase() === written.trim().toLowerCase())
  if (meant !== undefined) return meant
  throw new Error(
    `there is no ${question} "${written}"${guess(written, known)}: --${question} takes ${known.join(", ")}`,
  )
}

/** The options that are given, by their names. */
const readOptions = (args: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const given = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind === "positional") throw new Error(`"${token.value}" belongs to no option: see --help`)
    if (token.kind !== "option") continue
    const { name, rawName, inlineValue } = token
    // The next option is no value.
    const value = inlineValue !== true && token.value?.startsWith("--") === true ? undefined : token.value
    if (!Object.hasOwn(options, name)) {
      throw new Error(
        `there is no option ${rawName}${guess(name, names, "--")}: the options are --${names.join(", --")}`,
      )
    }
    const isFlag = options[name as keyof typeof options].type === "boolean"
    if (isFlag !== (value === undefined)) {
      throw new Error(isFlag ? `${rawName} takes no value` : `${rawName} takes a value: see --help`)
    }
    given.set(name, value ?? "")
  }
  return given
}

/** Reads a command line. Throws what is wrong with it, and what to write instead. */
export const readArguments = (args: ReadonlyArray<string>): InitArguments => {
  const given = readOptions(args)
  const read = <Name extends Question>(question: Name): Partial<Pick<Choices, Name>> => {
    const written = given.get(question)
    return written === undefined ? {} : ({ [question]: readAnswer(question, written) } as Pick<Choices, Name>)
  }
  return {
    choices: { ...read("framework"), ...read("bank"), ...read("store") },
    dir: given.get("dir") ?? ".",
    yes: given.has("yes"),
    help: given.has("help"),
  }
}

/** Where questions are asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

const makeAsk = ({ output }: Terminal, lines: AsyncIterator<string>) => {
  const ask = async <Name extends Question>(
    question: Name,
    byDefault: Choices[Name],
    offered: ReadonlyArray<Choices[Name]> = answers[question],
  ): Promise<Choices[Name]> => {
    output.write(`${question} (${offered.join(", ")}) [${byDefault}]: `)
    const line = await lines.next()
    if (line.done === true) {
      output.write("\n")
      throw new Error(`no ${question} is chosen: name it by --${question}, or take the defaults by --yes`)
    }
    if (line.value.trim() === "") return byDefault
    try {
      return readAnswer(question, line.value)
    } catch (error) {
      output.write(`${(error as Error).message}\n`)
      return ask(question, byDefault, offered)
    }
  }
  return ask
}

/** Asks what isn't given, until it is answered; an empty line is the default. Rejects where the input ends before. */
export const askChoices = async (given: Partial<Choices>, place: Place, terminal: Terminal): Promise<Choices> => {
  const lines = createInterface({ input: terminal.input })
  const ask = makeAsk(terminal, lines[Symbol.asyncIterator]())
  try {
    const framework = given.framework ?? (await ask("framework", findDefaults(place).framework))
    const bank = given.bank ?? (await ask("bank", "sandbox"))
    // Where money moves, memory is no store.
    const stores = bank === "sandbox" ? answers.store : answers.store.filter((store) => store !== "memory")
    const store = given.store ?? (await ask("store", findDefaults(place, bank).store, stores))
    return { framework, bank, store }
  } finally {
    lines.close()
  }
}

/** What is taken where nothing is said: what the folder has. */
export const findDefaults = (place: Place, bank: Choices["bank"] = "sandbox"): Choices => {
  const framework = place.framework ?? (place.kind === "new" ? "express" : "none")
  if (place.kind === "new") return { framework, bank, store: "embedded" }
  // An embedded database is one process's alone; a backend has several, its tests among them.
  return { framework, bank, store: place.hasPg || bank !== "sandbox" ? "postgres" : "memory" }
}

/** Throws why these choices don't go together here. */
export const checkChoices = ({ framework, bank, store }: Choices, place: Place): void => {
  if (bank !== "sandbox" && store === "memory") {
    throw new Error("memory forgets what is paid when the process ends: at a bank, --store takes embedded or postgres")
  }
  if (framework === "nest" && place.kind === "new") {
    throw new Error("make the app first, by npx @nestjs/cli new, and run this command in its folder")
  }
  if (store === "embedded" && !place.isModule && framework !== "next") {
    throw new Error(
      "an embedded database is opened by a top-level await: in CommonJS, --store takes postgres or memory",
    )
  }
}
