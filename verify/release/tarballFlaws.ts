const needed = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]

/**
 * The forms of a package's files besides the needed ones: modules, and types if the package has exports. Maps, sources
 * and other files don't belong in a tarball.
 */
const commands = [/^bundle\/.+\.js$/]
const modules = [...commands, /^cjs\/[^/]+\.cjs$/, /^cjs\/[^/]+\.d\.cts$/, /^dist\/.+\.d\.ts$/]

/** The contract's document. Only one package contains it. */
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
