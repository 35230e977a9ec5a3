import { expect, it } from "vitest"
import { readText, withoutDecisions } from "./pages.ts"

/** The page's chapters in order, each with its heading, its introduction and its types. */
const chapters: ReadonlyArray<readonly [heading: string, told: string, ...types: ReadonlyArray<string>]> = [
  ["createPix(options)", "In every environment:", "embed/src/options.ts CommonOptions"],
  ["In production", "An option of `createPix` each, as below.", "embed/src/options.ts ProductionOptions"],
  ["In a sandbox", "", "embed/src/options.ts SandboxOptions"],
  ["Without Effect", "What `createPix` takes, and `pixLayer` doesn't.", "embed/src/options.ts HostOptions"],
  ["tokens", "The tokens of integrators: an option of `createPix`.", "http/src/tokens/TokenOptions.ts TokenOptions"],
  [
    "A company",
    "As `memoryDirectory`, `pix.directory` and `testPix` take it.",
    "core/src/model/directory/CompanyFacts.ts CompanyFacts",
    "core/src/model/directory/CompanyInput.ts CompanyInput",
  ],
  [
    "A reseller",
    "Holds the integrator key for its companies.",
    "core/src/model/directory/CompanyFacts.ts ResellerFacts",
    "core/src/model/directory/CompanyInput.ts ResellerInput",
  ],
  [
    "A callback",
    "Where the events of a company or a reseller go.",
    "core/src/model/directory/Endpoint.ts CallbackInput",
  ],
  ["memoryStore(options)", "", "store-memory/src/memoryStore.ts MemoryStoreOptions"],
  ["memoryDirectory(options)", "", "store-memory/src/memoryDirectory.ts MemoryDirectoryOptions"],
  [
    "postgresStore(options)",
    "",
    "store-postgres/src/postgresStore.ts PostgresStoreOptions",
    "store-postgres/src/schema/ready.ts ReadyOptions",
    "store-postgres/src/schema/migrate.ts SchemaOptions",
  ],
  [
    "postgresDirectory(options)",
    "Besides these, `migrations`, `schema` (as `postgresStore` takes them) and `maxAgeMs` (as `hostDirectory` takes it).",
    "store-postgres/src/postgresDirectory.ts PostgresDirectoryOptions",
  ],
  [
    "hostDirectory(options)",
    "",
    "core/src/services/directory/hostDirectory.ts HostDirectoryOptions",
    "core/src/services/directory/hostDirectory.ts DirectoryCacheOptions",
  ],
  [
    "apiPix(options)",
    "",
    "processor-api-pix/src/apiPix.ts ApiPixOptions",
    "processor-api-pix/src/notices/ApiPixNotices.ts NoticeAccess",
  ],
  [
    "A connection of apiPix",
    "For each company, besides its certificate: `cert` and `key` in PEM, or `pfx` with `passphrase`, each with `ca` where " +
      "the bank's authority isn't a public one; or `identity`, a function that returns these; or a `fetch` of the host's.",
    "processor-api-pix/src/connection/ApiPixConnection.ts ConnectionOptions",
  ],
  [
    "callbackFetch(options)",
    "With `fetch`, a fetch of the host's own, `ca` and `resolve` don't fit: the host guards what it dials.",
    "callback-fetch/src/networkPolicy.ts NetworkPolicy",
    "callback-fetch/src/guardedFetch.ts GuardedFetchOptions",
  ],
  ["checkout(options)", "", "checkout/src/checkout.ts CheckoutOptions"],
  ["portal(pix, options)", "", "portal/src/portal.ts PortalOptions"],
  ["consoleFor(pix, options)", "", "console/src/context/ConsoleContext.ts ConsoleOptions"],
  [
    "createClient(options)",
    "Besides these, `cnpj` and `key` on a server, or `token`, a function that returns a fresh token.",
    "client/src/makeSender.ts SenderOptions",
  ],
  [
    "testPix(options)",
    "Besides these, all options of a sandbox's `createPix`.",
    "testing/src/testPix.ts TestPixOptions",
    "testing/src/Cleanup.ts Cleanup",
  ],
]

const field = /^ {2}(?:\/\*\*([\s\S]*?)\*\/\n {2})?readonly (\w+\??): ([\s\S]*?)$(?=\n {2}(?:readonly|\/\*\*)|\n*$)/gm

/**
 * An option as the page shows it. Its type is included if it is short and isn't a Layer, because a reader who sets
 * options doesn't need a Layer's services.
 */
const asWritten = (name: string, type: string): string =>
  type.length > 60 || /Layer|[\n{]/.test(type) ? `\`${name}\`` : `\`${name}: ${type}\``

const pointsOf = (place: string): ReadonlyArray<string> => {
  const [file, type] = place.split(" ")
  const source = readText(`packages/${file}`)
  const body = new RegExp(`^(?:export )?interface ${type}\\b[\\s\\S]*?\\{$([\\s\\S]*?)^\\}$`, "m").exec(source)?.[1]
  expect(body, place).toBeDefined()
  return [...(body ?? "").matchAll(field)].map(([, comment, name = "", written = ""]) => {
    expect(comment, `${place}: ${name} has a docstring`).toBeDefined()
    const says = withoutDecisions((comment ?? "").replaceAll(/(\s*\n\s*\*?)+ ?/g, " ").trim())
    return `- ${asWritten(name, written)}: ${says}`
  })
}

const chapterText = ([heading, told, ...types]: (typeof chapters)[number]): string =>
  [`## ${heading.includes("(") ? `\`${heading}\`` : heading}`, told, types.flatMap(pointsOf).join("\n")]
    .filter((part) => part !== "")
    .join("\n\n")

// `pnpm exports` writes the page.
it("docs/options.md has every option with the text of its type", async () => {
  const text = [
    "# Options",
    "Every option of `createPix`, of its adapters and of the pages, as the types say it. `?` marks those that can be left out.",
    ...chapters.map(chapterText),
  ].join("\n\n")
  await expect(`${text}\n`).toMatchFileSnapshot("../options.md")
})
