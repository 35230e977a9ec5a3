import type { Choices } from "../choices.ts"
import type { Place } from "../lookAt.ts"
import { indent, listExports, type Part, type Source } from "./writeSource.ts"
import { routesPath } from "./commonFiles.ts"
import { bankPart, storePart } from "./parts.ts"

const setting = `const setting = (name«: string»)«: string» => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(\`\${name} is not set: see .env.example\`)
  return value
}`

const writeShop = ({ framework, bank }: Choices, { isTypeScript }: Place): string =>
  [
    `/** Who sells.${isTypeScript ? "" : ' @type {import("@pixcharge/embed").CompanyInput}'} */`,
    "export const shop«: CompanyInput» = {",
    '  cnpj: "12345678000195",',
    '  name: "Minha Loja",',
    '  city: "Recife",',
    `  pixKey: ${bank === "sandbox" ? '"loja@example.com"' : 'setting("PIX_KEY")'},`,
    ...(framework === "none"
      ? []
      : ["  // integratorKey: a secret, if others issue over HTTP as docs/interface.md says"]),
    "}",
  ].join("\n")

const writeRoutes = (choices: Choices): string => {
  const isSandbox = choices.bank === "sandbox"
  const url = `process.env["PUBLIC_URL"] ?? "http://localhost:3000${routesPath(choices)}"`
  const secret = 'process.env["PIX_TOKEN_SECRET"] || randomBytes(32).toString("hex")'
  return [
    `const url = ${isSandbox ? url : 'setting("PUBLIC_URL")'}`,
    `// Signs the links of payers' pages.${isSandbox ? " Without the setting they end with the process." : ""}`,
    `const secret = ${isSandbox ? secret : 'setting("PIX_TOKEN_SECRET")'}`,
  ].join("\n")
}

const writeCreate = (choices: Choices, store: Part, bank: Part): string => {
  const pages = ["checkout: checkout({ url }),", 'tokens: { keys: [{ kid: "1", secret }] },']
  const options = [
    ...store.options,
    "companies: [shop],",
    ...bank.options,
    ...(choices.framework === "none" ? [] : pages),
  ]
  return [
    "export const pix = createPix({",
    `  environment: "${choices.bank === "sandbox" ? "sandbox" : "production"}",`,
    ...options.map((line) => `  ${line}`),
    "  // Each event comes at least once, and again if this throws.",
    "  onEvent: (event) => {",
    '    if (event.kind === "paid") console.log(`paid: ${event.payment.chargeId}`)',
    "  },",
    "})",
  ].join("\n")
}

const registration = `/** Call it once the server listens: the bank can call the routes from then on. */
export const registerWebhook = () =>
  bank.registerWebhook(shop.cnpj, {
    pixKey: shop.pixKey,
    mountedAt: url,
    reconcile: pix.reconcile,
  })`

/** Opens nothing at load, because `next build` loads the module too, where settings can be missing. */
const writeOpening = (body: string): string => `const open = async () => {
${indent(body.replaceAll("export const", "const"))}

  // Next.js waits for open pages before it ends.
  process.once("SIGTERM", pix.endStreams).once("SIGINT", pix.endStreams)
  return { ${listExports(body).join(", ")} }
}

// Next.js loads this module once for each bundle that imports it, and again at each hot reload:
// they share what is opened once.
const shared = globalThis« as typeof globalThis & { pixcharge?: ReturnType<typeof open> }»

/** Opens everything at the first call, and at the next one if that failed; \`next build\` makes none. */
export const openPix = () =>
  (shared.pixcharge ??= open().catch((error) => {
    delete shared.pixcharge
    throw error
  }))`

export const writePixModule = (choices: Choices, place: Place): Source => {
  const { framework } = choices
  const [store, bank] = [storePart(choices), bankPart(choices)]
  const [hasRoutes, hasBank] = [framework !== "none", choices.bank !== "sandbox"]
  const body = [
    writeShop(choices, place),
    bank.statement,
    hasRoutes ? writeRoutes(choices) : undefined,
    store.statement,
    writeCreate(choices, store, bank),
    hasBank && hasRoutes ? registration : undefined,
  ]
    .filter((block) => block !== undefined)
    .join("\n\n")
  return {
    imports: {
      "@pixcharge/embed": "{ createPix, type CompanyInput }",
      ...(hasRoutes && { "@pixcharge/checkout": "{ checkout }" }),
      ...(hasRoutes && !hasBank && { "node:crypto": "{ randomBytes }" }),
      ...store.imports,
      ...bank.imports,
    },
    body: `${hasBank ? `${setting}\n\n` : ""}${framework === "next" ? writeOpening(body) : body}\n`,
  }
}
