import { createInterface } from "node:readline"
import { answers, type Choices, type Question } from "./choices.ts"
import { findDefaults } from "./fitChoices.ts"
import type { Place } from "./lookAt.ts"
import { readAnswer } from "./readArguments.ts"

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
