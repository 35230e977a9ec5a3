/** Plants every fault of `packages/planted/src/a.ts` in the workspace of argument 1, and writes what became of each. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

// Built, because the worker is a process of its own.
const built = join(import.meta.dirname, "../../dist/mutate")
const { mutate } = await import(join(built, "mutate.js"))
const { findSites } = await import(join(built, "Site.js"))

const [, , root] = process.argv
const judged = await mutate({
  root,
  config: join(root, "vitest.config.mjs"),
  sites: findSites(root, ["planted"]),
  log: () => undefined,
  progress: () => undefined,
})
const text = readFileSync(join(root, "packages/planted/src/a.ts"), "utf8")
const faulty = ({ start, end, text: replacement, host }) =>
  text.slice(host.start, start) + replacement + text.slice(end, host.end)
const outcomes = judged.map(({ site, verdict }) => ({ line: site.line, mutated: faulty(site.fault), ...verdict }))
process.stdout.write(JSON.stringify(outcomes))
