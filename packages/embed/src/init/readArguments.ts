import { closestName } from "@pixcharge/core/internal"
import { parseArgs } from "node:util"
import { answers, type Choices, type Question } from "./choices.ts"

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
export const readAnswer = <Name extends Question>(question: Name, written: string): Choices[Name] => {
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
