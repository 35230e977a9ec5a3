/** Plants every fault of the workspace in argument 1, and writes what became of each. */
import { join } from "node:path"

// Built, because the worker is a process of its own.
const built = join(import.meta.dirname, "../dist")
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
process.stdout.write(
  JSON.stringify(judged.map(({ site, verdict }) => ({ line: site.line, mutated: site.mutated, ...verdict }))),
)
