const needed = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]

/**
 * Package files besides the manifest and pages: modules and, if others import them, their types. No maps, sources or leftovers.
 */
const commands = [/^bundle\/.+\.js$/]
const modules = [...commands, /^cjs\/[^/]+\.cjs$/, /^cjs\/[^/]+\.d\.cts$/, /^dist\/.+\.d\.ts$/]

/** The contract, in one package only. */
const allowedInOne = "openapi.json"

export const tarballFlaws = (files: ReadonlyArray<string>, isImported: boolean): ReadonlyArray<string> => {
  const forms = isImported ? modules : commands
  return [
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...files
      .filter((file) => !needed.includes(file) && file !== allowedInOne && !forms.some((form) => form.test(file)))
      .map((file) => `${file} doesn't belong there`),
    ...forms.filter((form) => !files.some((file) => form.test(file))).map((form) => `nothing matches ${form}`),
  ]
}
