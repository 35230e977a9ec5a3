import { pathToFileURL } from "node:url"

export const tell = (line: string): void => void process.stdout.write(`${line}\n`)

export const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/**
 * The value of a whole-number option. Other values are refused, because the command would do nothing and seem to
 * succeed.
 */
export const wholeNumber = (option: string, text: string): number =>
  /^[1-9]\d{0,14}$/.test(text)
    ? Number(text)
    : refuse(`--${option} must be a whole number of 1 or more, but is ${text}`)

/** The default export of this module as `store`; an empty object without a file. */
export const importStore = async (file: string | undefined): Promise<object> => {
  if (file === undefined) return {}
  const { default: store } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
  if (store === undefined) throw new Error(`${file} has no default export`)
  return { store }
}
