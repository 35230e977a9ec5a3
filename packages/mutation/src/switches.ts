import { relative } from "node:path"
import type { Plugin } from "vitest/config"
import { instrument, type Switch } from "./instrument.ts"
import type { Site } from "./Site.ts"

/** A site under the number by which the worker switches it on. */
export interface Mutant {
  readonly number: number
  readonly site: Site
}

/** Puts the switches of all mutants into the sources, each of which is transformed once. */
export const switchesPlugin = (root: string, mutants: ReadonlyArray<Mutant>): Plugin => {
  const byFile = new Map<string, Array<Switch>>()
  for (const { number, site } of mutants) {
    const switches = byFile.get(site.file) ?? []
    byFile.set(site.file, [...switches, { number, fault: site.fault }])
  }
  return {
    name: "mutants",
    enforce: "pre",
    transform: (code, id) => {
      const file = relative(root, id)
      const switches = byFile.get(file)
      return switches === undefined ? undefined : { code: instrument(file, code, switches), map: null }
    },
  }
}
