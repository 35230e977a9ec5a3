import { chromium as playwright } from "playwright-core"
import type { TestProject } from "vitest/node"
import { chromiumOfMachine, launchFailure, launchOptions } from "../launchOptions.ts"
import type { Chromium } from "../unpackChromium.ts"

declare module "vitest" {
  export interface ProvidedContext {
    browserEndpoint: string
    chromium: Chromium
  }
}

/** Starts the shared Chromium. It ends with this process, even after a crash. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const chromium = await chromiumOfMachine()
  const server = await playwright
    .launchServer({ ...launchOptions(chromium), host: "127.0.0.1" })
    .catch((cause: unknown) => {
      throw launchFailure(chromium, cause)
    })
  project.provide("browserEndpoint", server.wsEndpoint())
  project.provide("chromium", chromium)
  return () => server.close()
}
