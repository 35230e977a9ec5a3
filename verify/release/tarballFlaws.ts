const needed = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]

/** Other allowed files: modules and their types; no maps, no sources, no leftovers. */
const allowed = [/^bundle\/.+\.js$/, /^cjs\/[^/]+\.cjs$/, /^cjs\/[^/]+\.d\.cts$/, /^dist\/.+\.d\.ts$/]

/** A file of one package only: the contract. */
const allowedInOne = "openapi.json"

export const tarballFlaws = (files: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
  ...files
    .filter((file) => !needed.includes(file) && file !== allowedInOne && !allowed.some((form) => form.test(file)))
    .map((file) => `${file} doesn't belong there`),
  ...allowed.filter((form) => !files.some((file) => form.test(file))).map((form) => `nothing matches ${form}`),
]
