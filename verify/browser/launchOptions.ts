import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { LaunchOptions } from "playwright-core"
import { type Chromium, unpackChromium } from "./unpackChromium.ts"

/** What of a process says where it runs. */
type Machine = Pick<NodeJS.Process, "env" | "platform" | "arch">

/**
 * The Chromium at `CHROMIUM_PATH`, with the fonts and libraries of the machine; else the one of the package, which runs on
 * Linux on x64.
 */
export const chromiumOfMachine = async ({ env, platform, arch }: Machine = process): Promise<Chromium> => {
  const executablePath = env["CHROMIUM_PATH"]
  if (executablePath !== undefined) return { executablePath, environment: {} }
  if (platform === "linux" && arch === "x64") return unpackChromium()
  throw new Error(
    "The browser tests bring a Chromium for Linux on x64 only: set CHROMIUM_PATH to a Chromium or Chrome of this machine",
  )
}

/**
 * How every Chromium of the tests is started. The arguments that the package recommends switch web security off, so that
 * pages would pass that fail at a reader's.
 */
export const launchOptions = ({ executablePath, environment }: Chromium): LaunchOptions => ({
  executablePath,
  env: { ...process.env, ...environment },
  args: [
    "--no-sandbox",
    "--font-render-hinting=none",
    "--hide-scrollbars",
    // `loja.test` is an insecure context, as a page over plain HTTP is; no other host can be reached.
    "--host-resolver-rules=MAP loja.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  ],
})

/** The shared libraries that a program needs and this machine lacks. */
const missingLibraries = async ({ executablePath, environment }: Chromium): Promise<ReadonlyArray<string>> => {
  const { stdout } = await promisify(execFile)("ldd", [executablePath], { env: { ...process.env, ...environment } })
  return [...stdout.matchAll(/(\S+) => not found/g)].map(([, name]) => name ?? "")
}

/** What to do when Chromium doesn't start. */
export const launchFailure = async (chromium: Chromium, cause: unknown): Promise<Error> => {
  const missing = await missingLibraries(chromium).catch(() => [])
  const why =
    missing.length > 0
      ? `this machine lacks ${missing.join(", ")}. Install them (on Debian and Ubuntu: apt-get install libnss3 libnspr4 libexpat1), or set`
      : "the cause says why. Mend that, or set"
  return new Error(`Chromium at ${chromium.executablePath} didn't start: ${why} CHROMIUM_PATH to another Chromium`, {
    cause,
  })
}
