import type { LaunchOptions } from "playwright-core"
import { type Chromium, unpackChromium } from "./unpackChromium.ts"

type Machine = Pick<NodeJS.Process, "env" | "platform" | "arch">

/**
 * The Chromium at `CHROMIUM_PATH` with the machine's fonts, or else the Chromium of the package, which runs on Linux on
 * x64.
 */
export const chromiumOfMachine = async ({ env, platform, arch }: Machine = process): Promise<Chromium> => {
  const executablePath = env["CHROMIUM_PATH"]
  if (executablePath !== undefined) return { executablePath, environment: {} }
  if (platform === "linux" && arch === "x64") return unpackChromium()
  throw new Error(
    "The browser tests bring a Chromium for Linux on x64 only: set CHROMIUM_PATH to a Chromium or Chrome of this machine",
  )
}

/** Launch options with web security, which the package's recommended arguments would turn off. */
export const launchOptions = ({ executablePath, environment }: Chromium): LaunchOptions => ({
  executablePath,
  env: { ...process.env, ...environment },
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--font-render-hinting=none",
    "--hide-scrollbars",
    // `loja.test` is an insecure context, like a page over plain HTTP. All other hosts are unreachable.
    "--host-resolver-rules=MAP loja.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
  ],
})

export const launchFailure = ({ executablePath }: Chromium, cause: unknown): Error =>
  new Error(
    `Chromium at ${executablePath} didn't start. If this machine lacks its libraries, install them (on Debian and Ubuntu: apt-get install libnss3 libnspr4 libexpat1); or set CHROMIUM_PATH to another Chromium`,
    { cause },
  )
