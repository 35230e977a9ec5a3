import type { Plugin } from "rolldown"
import { packageSources } from "../world/packageSources.ts"

/** Makes a bundler read our packages' sources, so that no build can be stale. */
export const ourSources: Plugin = {
  name: "ours",
  resolveId: (name) => packageSources.get(name) ?? null,
}
