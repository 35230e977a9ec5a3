/**
 * Builds an example host and runs it, and says so: the first build takes up to half a minute, in which nothing else is printed.
 * Usage: `node scripts/start.mjs hono-host`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const [host = ""] = process.argv.slice(2)
const folder = join(import.meta.dirname, "../examples", host)
const sayEveryMs = 10_000

const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc")
const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1_000)

console.error("Building pixcharge. The first time takes up to half a minute.")
const saying = setInterval(() => console.error(`Still building, for ${seconds()} s.`), sayEveryMs)
const building = spawn(process.execPath, [compiler, "-b", folder], { stdio: "inherit" })
const [code] = await once(building, "exit")
clearInterval(saying)
if (code !== 0) process.exit(code ?? 1)

console.error(`Built in ${seconds()} s. Starting.`)
await import(pathToFileURL(join(folder, "dist/main.js")).href)
