import { createInterface } from "node:readline"
import { answers, type Choices, defaults, type Question } from "./choices.ts"
import { readAnswer } from "./readArguments.ts"

/** Where questions are asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

const makeAsk = ({ output }: Terminal, lines: AsyncIterator<string>) => {
  const ask = async <Name extends Question>(
    question: Name,
    offered: ReadonlyArray<Choices[Name]> = answers[question],
  ): Promise<Choices[Name]> => {
    output.write(`${question} (${offered.join(", ")}) [${defaults[question]}]: `)
    const line = await lines.next()
    if (line.done === true) {
      output.write("\n")
      throw new Error(`no ${question} is chosen: name it by --${question}, or take the defaults by --yes`)
    }
    if (line.value.trim() === "") return defaults[question]
    try {
      return readAnswer(question, line.value)
    } catch (error) {
      output.write(`${(error as Error).message}\n`)
      return ask(question, offered)
    }
  }
  return ask
}

/** Asks what isn't given, until it is answered; an empty line is the default. Rejects where the input ends before. */
export const askChoices = async (given: Partial<Choices>, terminal: Terminal): Promise<Choices> => {
  const lines = createInterface({ input: terminal.input })
  const ask = makeAsk(terminal, lines[Symbol.asyncIterator]())
  try {
    const framework = given.framework ?? (await ask("framework"))
    const bank = given.bank ?? (await ask("bank"))
    // Where money moves, memory is no store.
    const stores = bank === "sandbox" ? answers.store : answers.store.filter((store) => store !== "memory")
    return { framework, bank, store: given.store ?? (await ask("store", stores)) }
  } finally {
    lines.close()
  }
}
