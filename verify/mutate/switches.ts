import { relative } from "node:path"
import type { Plugin } from "vitest/config"
import { instrument, type Switch } from "./instrument.ts"
import type { Site } from "./Site.ts"
import type { Usage } from "./Usage.ts"

/** A site under the number by which the worker switches it on. */
export interface Mutant {
  readonly number: number
  readonly site: Site
}

/** Puts the switches of all mutants into the sources, each of which is transformed once. */
export const switchesPlugin = (root: string, mutants: ReadonlyArray<Mutant>, usage: Usage): Plugin => {
  const byFile = new Map<string, ReadonlyArray<Switch>>()
  for (const { number, site } of mutants) {
    byFile.set(site.file, [...(byFile.get(site.file) ?? []), { number, fault: site.fault }])
  }
  return {
    name: "mutants",
    enforce: "pre",
    transform: (code, id) => {
      const file = relative(root, id)
      const places = usage.placesOf(file)
      if (places.tops.length === 0) return undefined
      return { code: instrument(file, code, byFile.get(file) ?? [], places), map: null }
    },
  }
}
