import type { Plugin } from "rolldown"
import { packageSources } from "../world/packageSources.ts"

/** Makes a bundler read our packages' sources, so the build can't be stale. */
export const ourSources: Plugin = {
  name: "ours",
  resolveId: (name) => packageSources.get(name) ?? null,
}
