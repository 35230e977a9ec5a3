import { afterEach } from "vitest"
import { Chaos, own } from "../Chaos.ts"
import type { Database } from "../database/Database.ts"

const closings: Array<() => unknown> = []

/** Closes what `closeLater` was given after each test. Each test file that opens something must call it. */
export const closeAfterEach = (): void =>
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close()
  }, 120_000)

export const closeLater = (close: () => unknown): void => void closings.push(close)

export const openChaos = async (
  database: Database,
  options: Partial<Parameters<typeof Chaos.open>[0]> = {},
): Promise<Chaos> => {
  const chaos = await Chaos.open({ database, seed: 1, ...options })
  closeLater(() => chaos.close())
  await chaos.start(...Array.from({ length: Math.max(2, database.targets.length) }, () => own))
  return chaos
}
