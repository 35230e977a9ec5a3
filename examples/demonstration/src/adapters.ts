import type { CommonOptions } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { registrations } from "./company.ts"
import { InvalidSetting, type Settings } from "./settings.ts"

/** What a demonstration keeps its data in; `close` after the last use. */
export interface Adapters extends Pick<CommonOptions, "store" | "directory"> {
  readonly close: () => Promise<void>
}

/** `memory:` keeps everything in this process. */
export const openAdapters = async (settings: Settings): Promise<Adapters> => {
  if (settings.databaseUrl === "memory:") {
    return { store: memoryStore(), directory: memoryDirectory(registrations(settings)), close: async () => {} }
  }
  throw new InvalidSetting(`DATABASE_URL is not understood`)
}
