import { askChoices, checkChoices, findDefaults, readArguments, type Terminal } from "./readArguments.ts"
import { answers } from "./choices.ts"
import { listFiles, listLines, writeFiles } from "./writeFiles.ts"
import { lookAt } from "./lookAt.ts"
import { nextSteps } from "./nextSteps.ts"

const usage = `npx -p @pixcharge/embed pixcharge init [options]

In the folder of a backend it writes a pix module, a route that issues a charge, payers' pages and a test, in the backend's own
language, and prints the lines for files that are there. In an empty folder it writes a TypeScript project. It asks for what
isn't given, and changes no file.

--framework  ${answers.framework.join(", ")}: by default the backend's own, or express
--bank       ${answers.bank.join(", ")}
--store      ${answers.store.join(", ")}: by default the backend's Postgres, or memory; in an empty folder embedded
--dir        the folder of the project: the current one by default
--yes        asks nothing: takes the defaults for what isn't given, with the sandbox as bank`

/** What is to be printed, and whether all went well. */
export interface InitResult {
  readonly text: string
  readonly isDone: boolean
}

/** Writes what a backend or a new project needs, as these arguments and the answers say. */
export const runInit = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<InitResult> => {
  try {
    const { choices: given, dir, yes, help } = readArguments(args)
    if (help) return { text: usage, isDone: true }
    const seen = lookAt(dir, given.framework)
    const choices = yes ? { ...findDefaults(seen, given.bank), ...given } : await askChoices(given, seen, terminal)
    const place = lookAt(dir, choices.framework)
    checkChoices(choices, place)
    const { written, lines } = writeFiles(dir, listFiles(choices, place), place.kind !== "unknown")
    const report = written.length === 0 ? "No file is written: add the lines below." : `Written: ${written.join(", ")}`
    const all = { ...lines, ...listLines(choices, place) }
    return { text: `${report}\n\n${nextSteps(choices, place, dir, all)}`, isDone: true }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isDone: false }
  }
}
