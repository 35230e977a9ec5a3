import { createInterface } from "node:readline"
import { answers, type Choices, type Question, readAnswer } from "./choices.ts"
import type { Project } from "./Project.ts"

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

/** Asks for the missing choices; an empty line chooses the default. Rejects if the input ends before the last answer. */
export const askChoices = async (given: Partial<Choices>, project: Project, terminal: Terminal): Promise<Choices> => {
  const lines = createInterface({ input: terminal.input })
  const ask = makeAsk(terminal, lines[Symbol.asyncIterator]())
  try {
    const framework = given.framework ?? (await ask("framework", findDefaults(project).framework))
    const bank = given.bank ?? (await ask("bank", "sandbox"))
    // With a bank, the memory store isn't offered: it forgets payments when the process ends.
    const stores = bank === "sandbox" ? answers.store : answers.store.filter((store) => store !== "memory")
    const store = given.store ?? (await ask("store", findDefaults(project, bank).store, stores))
    return { framework, bank, store }
  } finally {
    lines.close()
  }
}

/** The default choices for a folder's contents. */
export const findDefaults = (project: Project, bank: Choices["bank"] = "sandbox"): Choices => {
  const framework = project.framework ?? (project.kind === "new" ? "express" : "none")
  if (project.kind === "new") return { framework, bank, store: "embedded" }
  // Only one process can use an embedded database. A backend has several: its tests also run in one.
  return { framework, bank, store: project.hasPg || bank !== "sandbox" ? "postgres" : "memory" }
}

/** Throws if the choices don't fit together or don't fit the folder. */
export const checkChoices = ({ framework, bank, store }: Choices, project: Project): void => {
  if (bank !== "sandbox" && store === "memory") {
    throw new Error(
      "the memory store forgets payments when the process ends: with a bank, use --store embedded or postgres",
    )
  }
  if (framework === "nest" && project.kind === "new") {
    throw new Error("make the app first with npx @nestjs/cli new, and run this command in its folder")
  }
  if (store === "embedded" && !project.isModule && framework !== "next") {
    throw new Error("an embedded database needs a top-level await: in CommonJS, use --store postgres or memory")
  }
}
