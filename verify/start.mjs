// @ts-check
// Builds an example host and runs it, and says so: the first build takes up to half a minute, in which nothing else is printed.
// It runs before anything is built, on releases of Node that load no TypeScript. Usage: `node verify/start.mjs demonstration`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { pathToFileURL } from "node:url"

const root = `${import.meta.dirname}/..`
const folder = `${root}/examples/${process.argv[2]}`
const sayEveryMs = 10_000

const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1_000)

console.error("Building pixcharge. The first time takes up to half a minute.")
const saying = setInterval(() => console.error(`Still building, for ${seconds()} s.`), sayEveryMs)
const compiler = `${root}/node_modules/typescript/bin/tsc`
const [code] = await once(spawn(process.execPath, [compiler, "-b", folder], { stdio: "inherit" }), "exit")
clearInterval(saying)
if (code !== 0) process.exit(code ?? 1)

console.error(`Built in ${seconds()} s. Starting.`)
await import(pathToFileURL(`${folder}/dist/main.js`).href)
