import type { Plugin } from "rolldown"
import { packageSources } from "../world/packageSources.ts"

/** Makes a bundler read the sources of our packages instead of their build, which could be stale. */
export const ourSources: Plugin = {
  name: "ours",
  resolveId: (name) => packageSources.get(name) ?? null,
}
