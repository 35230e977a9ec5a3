import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { askChoices, type Terminal } from "./askChoices.ts"
import { answers, type Choices, defaults } from "./choices.ts"
import { listFiles, type Place } from "./listFiles.ts"
import { nextSteps } from "./nextSteps.ts"
import { readArguments } from "./readArguments.ts"
import { writeFiles } from "./writeFiles.ts"

const usage = `npx -p @pixcharge/embed pixcharge init [options]

Writes a TypeScript project that takes PIX: src/pix.ts, its mount, .env.example and a test. It asks for what isn't given, and
never overwrites a file.

--framework  ${answers.framework.join(", ")}
--bank       ${answers.bank.join(", ")}
--store      ${answers.store.join(", ")}
--dir        the folder of the project: the current one by default
--yes        asks nothing: what isn't given is ${Object.values(defaults).join(", ")}`

const lookAt = (folder: string): Place => ({
  hasTsconfig: existsSync(join(folder, "tsconfig.json")),
  nextFolder: existsSync(join(folder, "src/app")) ? "src/" : "",
})

/** Whether the folder's package takes its files for ES modules. */
const isModule = (folder: string): boolean => {
  try {
    const { type } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly type?: unknown }
    return type === "module"
  } catch {
    return false
  }
}

/** What is to be printed, and whether all went well. */
export interface InitResult {
  readonly text: string
  readonly isDone: boolean
}

const refuseMemory = ({ bank, store }: Choices): void => {
  if (bank === "sandbox" || store !== "memory") return
  throw new Error("memory forgets what is paid when the process ends: at a bank, --store takes embedded or postgres")
}

/** Writes a project, as these arguments and the answers say. */
export const runInit = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<InitResult> => {
  try {
    const { choices: given, dir, yes, help } = readArguments(args)
    if (help) return { text: usage, isDone: true }
    const choices = yes ? { ...defaults, ...given } : await askChoices(given, terminal)
    refuseMemory(choices)
    const files = listFiles(choices, lookAt(dir))
    writeFiles(dir, files)
    const written = `Written: ${Object.keys(files).join(", ")}`
    return { text: `${written}\n\n${nextSteps(choices, dir, isModule(dir))}`, isDone: true }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isDone: false }
  }
}
