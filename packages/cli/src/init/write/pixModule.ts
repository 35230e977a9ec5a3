import type { Choices } from "../choices.ts"
import type { Project } from "../Project.ts"
import { indent, listExports, type Part, type Source } from "./writeSource.ts"
import { routesPath } from "./commonFiles.ts"
import { bankPart, storePart } from "./parts.ts"

const setting = `const setting = (name«: string»)«: string» => {
  const value = process.env[name]
  if (value === undefined || value === "") throw new Error(\`\${name} is not set: see .env.example\`)
  return value
}`

const writeShop = ({ framework, bank }: Choices, { isTypeScript }: Project): string =>
  [
    `/** The seller.${isTypeScript ? "" : ' @type {import("@pixcharge/embed").CompanyInput}'} */`,
    "export const shop«: CompanyInput» = {",
    '  cnpj: "12345678000195",',
    '  name: "Minha Loja",',
    '  city: "Recife",',
    `  pixKey: ${bank === "sandbox" ? '"loja@example.com"' : 'setting("PIX_KEY")'},`,
    ...(framework === "none"
      ? []
      : ["  // integratorKey: a secret, if integrators issue over HTTP as in docs/interface.md"]),
    "}",
  ].join("\n")

const writeRoutes = (choices: Choices): string => {
  const isSandbox = choices.bank === "sandbox"
  const url = `process.env["PUBLIC_URL"] ?? "http://localhost:3000${routesPath(choices)}"`
  const secret = 'process.env["PIX_TOKEN_SECRET"] || randomBytes(32).toString("hex")'
  return [
    `const url = ${isSandbox ? url : 'setting("PUBLIC_URL")'}`,
    `// Signs the links of payers' pages.${isSandbox ? " Without the setting, links end with the process." : ""}`,
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
    "  // Called at least once for each event, and again if it throws.",
    "  onEvent: (event) => {",
    '    if (event.kind === "paid") console.log(`paid: ${event.payment.chargeId}`)',
    "  },",
    "})",
  ].join("\n")
}

const registration = `/** Call it once the server listens: the bank then calls the routes. */
export const registerWebhook = () =>
  bank.registerWebhook(shop.cnpj, {
    pixKey: shop.pixKey,
    mountedAt: url,
    reconcile: pix.reconcile,
  })`

/** Writes a module that opens no connection when it is loaded: `next build` loads it too, and settings can be missing there. */
const writeOpening = (body: string): string => `const open = async () => {
${indent(body.replaceAll("export const", "const"))}

  // Next.js waits for the streams of open pages before it ends.
  process.once("SIGTERM", pix.endStreams).once("SIGINT", pix.endStreams)
  return { ${listExports(body).join(", ")} }
}

// Next.js loads this module once for each bundle that imports it, and again at each hot reload:
// all of them share one opened pix.
const shared = globalThis« as typeof globalThis & { pixcharge?: ReturnType<typeof open> }»

/** Opens everything at the first call, and again at the next call if the first failed. \`next build\` never calls it. */
export const openPix = () =>
  (shared.pixcharge ??= open().catch((error) => {
    delete shared.pixcharge
    throw error
  }))`

export const writePixModule = (choices: Choices, project: Project): Source => {
  const { framework } = choices
  const [store, bank] = [storePart(choices), bankPart(choices)]
  const [hasRoutes, hasBank] = [framework !== "none", choices.bank !== "sandbox"]
  const body = [
    writeShop(choices, project),
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
