import { createInterface } from "node:readline"
import { answers, type Choices, type Question, readAnswer } from "./choices.ts"
import type { Place } from "./lookAt.ts"

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
      throw new Error(`${question} is missing: give --${question}, or take the defaults with --yes`)
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

/** Asks for the missing choices; an empty line is the default. Rejects if the input ends too early. */
export const askChoices = async (given: Partial<Choices>, place: Place, terminal: Terminal): Promise<Choices> => {
  const lines = createInterface({ input: terminal.input })
  const ask = makeAsk(terminal, lines[Symbol.asyncIterator]())
  try {
    const framework = given.framework ?? (await ask("framework", findDefaults(place).framework))
    const bank = given.bank ?? (await ask("bank", "sandbox"))
    // The memory store isn't offered if money moves.
    const stores = bank === "sandbox" ? answers.store : answers.store.filter((store) => store !== "memory")
    const store = given.store ?? (await ask("store", findDefaults(place, bank).store, stores))
    return { framework, bank, store }
  } finally {
    lines.close()
  }
}

/** The defaults, by the folder's contents. */
export const findDefaults = (place: Place, bank: Choices["bank"] = "sandbox"): Choices => {
  const framework = place.framework ?? (place.kind === "new" ? "express" : "none")
  if (place.kind === "new") return { framework, bank, store: "embedded" }
  // Only one process can use an embedded database; a backend has several, its tests among them.
  return { framework, bank, store: place.hasPg || bank !== "sandbox" ? "postgres" : "memory" }
}

/** Throws if these choices don't fit together here. */
export const checkChoices = ({ framework, bank, store }: Choices, place: Place): void => {
  if (bank !== "sandbox" && store === "memory") {
    throw new Error(
      "the memory store forgets payments when the process ends: with a bank, use --store embedded or postgres",
    )
  }
  if (framework === "nest" && place.kind === "new") {
    throw new Error("make the app first with npx @nestjs/cli new, and run this command in its folder")
  }
  if (store === "embedded" && !place.isModule && framework !== "next") {
    throw new Error("an embedded database needs a top-level await: in CommonJS, use --store postgres or memory")
  }
}
