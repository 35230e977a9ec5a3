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

/** What to do when Chromium doesn't start. */
export const launchFailure = ({ executablePath }: Chromium, cause: unknown): Error =>
  new Error(
    `Chromium at ${executablePath} didn't start. If this machine lacks its libraries, install them (on Debian and Ubuntu: apt-get install libnss3 libnspr4 libexpat1); or set CHROMIUM_PATH to another Chromium`,
    { cause },
  )
