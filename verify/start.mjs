// @ts-check
// Builds an example host and runs it, and prints what it is doing. It isn't TypeScript, because it runs before the
// build and on releases of Node that don't load TypeScript. Usage: `node verify/start.mjs demonstration`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = `${root}examples/${process.argv[2]}`

/**
 * Prints every ten seconds that work is still under way. A separate thread prints it, because an embedded database
 * blocks this thread.
 * @template A
 * @param {string} doing
 * @param {Promise<A>} work
 */
const sayUntil = async (doing, work) => {
  const saying = new Worker(new URL("./saying.mjs", import.meta.url), { workerData: doing })
  try {
    return await work
  } finally {
    await saying.terminate()
  }
}

const began = performance.now()
console.error("Building pixcharge. The first time takes up to half a minute.")
const compiler = `${root}node_modules/typescript/bin/tsc`
const building = once(spawn(process.execPath, [compiler, "-b", folder], { stdio: "inherit" }), "exit")
const [code] = await sayUntil("building", building)
if (code !== 0) process.exit(code ?? 1)

console.error(`Built in ${Math.round((performance.now() - began) / 1_000)} s. Starting.`)
await sayUntil("starting", import(new URL(`../examples/${process.argv[2]}/dist/main.js`, import.meta.url).href))
