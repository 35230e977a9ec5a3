/** What every tarball has. */
const needed = ["package.json", "README.md", "LICENSE", "CHANGELOG.md"]

/** What a tarball may have besides: modules and their types; no maps, no sources, nothing else that lay around. */
const allowed = [/^bundle\/.+\.js$/, /^cjs\/[^/]+\.cjs$/, /^cjs\/[^/]+\.d\.cts$/, /^dist\/.+\.d\.ts$/]

/** What one package has and others don't: the contract as a file. */
const allowedInOne = "openapi.json"

/** What is wrong with the files of a package's tarball; empty if nothing is. */
export const tarballFlaws = (files: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
  ...files
    .filter((file) => !needed.includes(file) && file !== allowedInOne && !allowed.some((form) => form.test(file)))
    .map((file) => `${file} doesn't belong there`),
  ...allowed.filter((form) => !files.some((file) => form.test(file))).map((form) => `nothing matches ${form}`),
]
