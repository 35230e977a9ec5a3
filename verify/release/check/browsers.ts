import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../../world/run.ts"
import { install } from "../install.ts"
import { makeDependencies } from "./findVersion.ts"

const entries = ["@pixcharge/checkout/element", "@pixcharge/client", "@pixcharge/core/plain"]

const bundlers = { esbuild: "0.28.2", webpack: "5.113.0" }

const webpackScript = `import webpack from "webpack"
webpack({ mode: "none", target: "web", context: import.meta.dirname, entry: "./page.js" }, (error, stats) => {
  if (!error && !stats.hasErrors()) return
  console.error(error ?? stats.toString("errors-only"))
  process.exitCode = 1
})
`

export const checkBrowsers = async (folder: string, tarballs: Readonly<Record<string, string>>): Promise<number> => {
  const ours = entries.map((entry) => entry.split("/").slice(0, 2).join("/"))
  await install(folder, { ...makeDependencies(["effect", ...ours], tarballs), ...bundlers }, tarballs)
  const imports = entries.map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)}`)
  writeFileSync(join(folder, "page.js"), imports.join("\n"))
  writeFileSync(join(folder, "webpack.mjs"), webpackScript)
  await run(
    "node_modules/.bin/esbuild",
    ["page.js", "--bundle", "--platform=browser", "--outfile=dist/page.js"],
    folder,
  )
  await run("node", ["webpack.mjs"], folder)
  return entries.length
}
