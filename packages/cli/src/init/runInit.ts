import { type Output, readCommandLine } from "../readCommandLine.ts"
import { askChoices, checkChoices, findDefaults, type Terminal } from "./askChoices.ts"
import { answers, readChoices } from "./choices.ts"
import { inspectProject } from "./Project.ts"
import { nextSteps } from "./nextSteps.ts"
import { listFiles, listLines, writeFiles } from "./writeFiles.ts"

const usage = `npx @pixcharge/cli init [options]

In the folder of a backend it writes a pix module, a route that issues a charge, payers' pages and a test, in the backend's
language, and prints the lines to add to existing files. In an empty folder it writes a TypeScript project. It asks for
missing options, and changes no existing file.

--framework  ${answers.framework.join(", ")}: by default the backend's own, or express
--bank       ${answers.bank.join(", ")}
--store      ${answers.store.join(", ")}: by default the backend's Postgres, or memory; in an empty folder embedded
--dir        the folder of the project: the current one by default
--yes        asks nothing: takes the defaults of missing options, with the sandbox as bank`

const readArguments = (args: ReadonlyArray<string>) =>
  readCommandLine(
    {
      args: [...args],
      options: {
        framework: { type: "string" },
        bank: { type: "string" },
        store: { type: "string" },
        dir: { type: "string", default: "." },
        yes: { type: "boolean", short: "y" },
        help: { type: "boolean", short: "h" },
      },
    },
    usage,
  )

/** Writes the files of a backend or a new project. Returns the next steps. Rejects with the reason if it can't. */
export const runInit = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<Output> => {
  const { values } = readArguments(args)
  const { dir, yes, help } = values
  if (help) return { text: usage, isSound: true }
  const givenChoices = readChoices(values)
  const initialProject = inspectProject(dir, givenChoices.framework)
  const choices = yes
    ? { ...findDefaults(initialProject, givenChoices.bank), ...givenChoices }
    : await askChoices(givenChoices, initialProject, terminal)
  const project = inspectProject(dir, choices.framework)
  checkChoices(choices, project)
  const { written, lines } = writeFiles(dir, listFiles(choices, project), project.kind !== "unknown")
  const report = written.length === 0 ? "No file was written: add the lines below." : `Written: ${written.join(", ")}`
  const all = { ...lines, ...listLines(choices, project) }
  return { text: `${report}\n\n${nextSteps(choices, project, dir, all)}`, isSound: true }
}
