import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { createPix } from "../createPix.ts"
import type { PixOptions } from "../options.ts"
import type { Pix } from "../pix/Pix.ts"

const isPix = (value: unknown): value is Pix => typeof (Object(value) as Partial<Pix>).diagnose === "function"

/** What options can't lack; `createPix` says what is wrong with the rest. */
const isOptions = (value: unknown): value is PixOptions => {
  const given = Object(value) as Partial<PixOptions>
  return given.store !== undefined && given.processor !== undefined
}

/**
 * The `pix` of a host's module, or one of the options that it exports. Rejects with what the module throws, `createPix` with
 * a `BootFailure`.
 */
export const loadPix = async (file: string): Promise<Pix> => {
  if (!existsSync(file)) throw new Error(`there is no file ${file}: build it, or correct the path`)
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  // A CommonJS module's exports are those of its default, too.
  const exported = [...Object.values(loaded), ...Object.values(Object(loaded["default"]) as object)]
  const pix = exported.find(isPix)
  if (pix !== undefined) return pix
  const options = exported.find(isOptions)
  // The overloads of createPix tell the two apart.
  if (options !== undefined) return options.environment === "sandbox" ? createPix(options) : createPix(options)
  throw new Error("it exports neither what createPix returns nor its options: write export const pix = createPix(...)")
}
