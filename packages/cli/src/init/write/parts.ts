import { type BankName, type Choices, findDemands } from "../choices.ts"
import type { Part, Setting } from "./writeSource.ts"

interface StorePart extends Part {
  /** The export of the `pix` module to close after `pix`, and the call that closes it. */
  readonly closing?: { readonly name: string; readonly call: string }
}

const stores: Readonly<Record<Choices["store"], StorePart>> = {
  memory: {
    imports: { "@pixcharge/store-memory": "{ memoryStore }" },
    options: ["// Forgets everything when the process ends.", "store: memoryStore(),"],
    packages: ["@pixcharge/store-memory"],
  },
  postgres: {
    imports: { "@pixcharge/store-postgres": "{ postgresStore }", pg: "{ Pool }" },
    statement: `// You can use your app's pool instead: pixcharge's tables are in a separate schema.
export const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
pool.on("error", (error) => console.warn("an idle connection broke:", error.name))`,
    options: ["store: postgresStore({ db: pool }),"],
    settings: [
      {
        name: "DATABASE_URL",
        comment: "A Postgres of yours: postgres://user:password@127.0.0.1:5432/shop",
        isRequired: true,
      },
    ],
    packages: ["@pixcharge/store-postgres", "pg"],
    closing: { name: "pool", call: "pool.end()" },
  },
  embedded: {
    imports: {
      "@pixcharge/store-postgres": "{ postgresStore }",
      "@pixcharge/store-postgres/pglite": "{ embeddedDatabase }",
    },
    statement: `// A Postgres in this process. Only one process can use its folder.
export const database = await embeddedDatabase(".pixcharge")`,
    options: ["store: postgresStore({ db: database.db }),"],
    packages: ["@pixcharge/store-postgres", "@electric-sql/pglite"],
    closing: { name: "database", call: "database.close()" },
  },
}

export const storePart = ({ store }: Choices): StorePart => stores[store]

export const listEndings = (choices: Choices): ReadonlyArray<string> => {
  const { closing } = storePart(choices)
  return ["await pix.dispose()", ...(closing === undefined ? [] : [`await ${closing.call}`])]
}

/** Imports from the `pix` module: the parts to close, and these names. */
export const importPix = (choices: Choices, ...names: ReadonlyArray<string>): string => {
  const { closing } = storePart(choices)
  return `{ ${[...names, "pix", ...(closing === undefined ? [] : [closing.name])].toSorted().join(", ")} }`
}

const sandbox: Part = {
  imports: { "@pixcharge/processor-sandbox": "{ sandboxProcessor }" },
  options: ["// Moves no money.", "processor: sandboxProcessor(),"],
  packages: ["@pixcharge/processor-sandbox"],
}

const credentialSettings = {
  baseUrl: { name: "PSP_URL", comment: "The bank's server, without the API's path" },
  clientId: { name: "PSP_CLIENT_ID", comment: "The client id of your application at the bank" },
  clientSecret: { name: "PSP_CLIENT_SECRET", comment: "Its secret" },
  applicationKey: { name: "PSP_APPLICATION_KEY", comment: "The key of the application" },
} as const satisfies Record<string, Setting>

const listCredentials = (bank: BankName): ReadonlyArray<readonly [string, Setting]> => {
  const wantedNames = new Set<string>(["clientId", ...findDemands(bank).credentials])
  return Object.entries(credentialSettings).filter(([name]) => wantedNames.has(name))
}

const writeConnection = (bank: BankName): ReadonlyArray<string> => {
  const { hint } = findDemands(bank)
  return [
    `psp: "${bank}",`,
    ...(bank === "standard" ? [] : ['// In production; stage: "sandbox" is for homologation.']),
    ...listCredentials(bank).map(([credential, { name }]) => `${credential}: setting("${name}"),`),
    'cert: readFileSync("certs/client.pem"),',
    'key: readFileSync("certs/client.key"),',
    ...(bank === "standard"
      ? [
          "// Leave it out if the bank's certificate comes from a public authority.",
          'ca: readFileSync("certs/bank-ca.pem"),',
        ]
      : []),
    ...(hint === undefined ? [] : [`// ${hint}`]),
  ]
}

const writeBank = (bank: BankName, hasRoutes: boolean): string =>
  [
    "export const bank = apiPix({",
    "  companies: {",
    "    [shop.cnpj]: {",
    ...writeConnection(bank).map((line) => `      ${line}`),
    "    },",
    "  },",
    ...(hasRoutes ? ['  noticeSecrets: [setting("PIX_NOTICE_SECRET")],'] : []),
    "})",
  ].join("\n")

const noticeSecret: Setting = {
  name: "PIX_NOTICE_SECRET",
  comment: "Makes the webhook's address unguessable: openssl rand -hex 32",
  isRequired: true,
}

/** Without routes, the bank can't call a webhook: pixcharge then finds payments by look-ups. */
export const bankPart = ({ bank, framework }: Choices): Part => {
  if (bank === "sandbox") return sandbox
  const hasRoutes = framework !== "none"
  return {
    imports: { "node:fs": "{ readFileSync }", "@pixcharge/processor-api-pix": "{ apiPix }" },
    statement: writeBank(bank, hasRoutes),
    options: ["processor: bank.processor,", ...(hasRoutes ? ["notices: bank.notices,"] : [])],
    settings: [
      { name: "PIX_KEY", comment: "The Pix key that receives payments", isRequired: true },
      ...listCredentials(bank).map(([, setting]) => ({ ...setting, isRequired: true })),
      ...(hasRoutes ? [noticeSecret] : []),
    ],
    packages: ["@pixcharge/processor-api-pix"],
  }
}
