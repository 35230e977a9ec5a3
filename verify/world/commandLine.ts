import { pathToFileURL } from "node:url"

/** Writes a line for whoever runs a command. */
export const tell = (line: string): void => void process.stdout.write(`${line}\n`)

/** Ends a command: what it was to show isn't shown. */
export const refuse = (why: string): never => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/** The value of an option that counts. With any other than a whole number nothing would run, and all would seem to hold. */
export const wholeNumber = (option: string, text: string): number =>
  /^[1-9]\d{0,14}$/.test(text)
    ? Number(text)
    : refuse(`--${option} must be a whole number of 1 or more, and is ${text}`)

/** What the module that is named has as its default export; nothing where none is named. */
export const importStore = async (file: string | undefined): Promise<object> => {
  if (file === undefined) return {}
  const { default: store } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
  if (store === undefined) throw new Error(`${file} has no default export`)
  return { store }
}
