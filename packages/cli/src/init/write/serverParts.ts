import type { Choices } from "../choices.ts"
import type { Project } from "../Project.ts"
import { importPix, listEndings } from "./parts.ts"
import { indent, type Imports, type Source } from "./writeSource.ts"

interface ServerPart {
  readonly packages: ReadonlyArray<string>
  readonly routes: (choices: Choices) => Source
  readonly imports: Imports
  readonly app: string
  readonly mount: string
  readonly listen: string
  /** Whether hooks of the routes start and end `pix`, as with Fastify. */
  readonly hasHooks?: boolean
}

const port = 'Number(process.env["PORT"] ?? 3000)'

const hasBank = ({ bank }: Choices): boolean => bank !== "sandbox"

/** Keeps the secrets in paths out of Fastify's log. */
export const rewriteUrl = 'pixRewriteUrl({ prefix: "/payments" })'

const readiness = `// Starts the background work: events are delivered and payments reconciled even if nobody calls.
await pix.ready()`

export const issue = `const issue = async () => {
  // Take your order's id and amount: the same id twice is the same charge.
  const { id, brCode } = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1990 })
  return { id, brCode, link: await pix.checkout.link(shop.cnpj, id) }
}`

export const issueImports: Imports = { "node:crypto": "{ randomUUID }" }

export const serverParts: Readonly<Record<"express" | "fastify" | "hono", ServerPart>> = {
  express: {
    packages: ["@pixcharge/express", "express"],
    routes: () => ({
      imports: {
        ...issueImports,
        "@pixcharge/express": "{ pixRouter }",
        express: "{ Router }",
        "./pix": "{ pix, shop }",
      },
      body: `${issue}

export const payments«: Router» = Router()

// Payers' pages, and the bank's notices.
payments.use("/payments", pixRouter(pix))

payments.post("/buy", (_request, response, next) => {
  issue()
    .then((issued) => response.json(issued))
    .catch(next)
})
`,
    }),
    imports: { express: "express" },
    app: "const app = express()",
    mount: "app.use(payments)",
    listen: `const server = app.listen(${port})`,
  },
  fastify: {
    packages: ["@pixcharge/fastify", "fastify"],
    routes: (choices) => ({
      imports: {
        ...issueImports,
        "@pixcharge/fastify": "{ pixPlugin }",
        fastify: "type { FastifyInstance }",
        "./pix": importPix(choices, "shop", ...(hasBank(choices) ? ["registerWebhook"] : [])),
      },
      body: `${issue}

export const payments = async (app«: FastifyInstance») => {
  // Payers' pages, and the bank's notices.
  app.register(pixPlugin(pix), { prefix: "/payments" })
  app.post("/buy", issue)
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  app.addHook("onReady", () => pix.ready())${hasBank(choices) ? '\n  app.addHook("onListen", () => registerWebhook())' : ""}
  app.addHook("preClose", async () => pix.endStreams())
  app.addHook("onClose", async () => {
${indent(listEndings(choices).join("\n"), "    ")}
  })
}
`,
    }),
    imports: { "@pixcharge/fastify": "{ pixRewriteUrl }", fastify: "Fastify" },
    app: `// It keeps the secrets of paths out of the log.
const app = Fastify({ logger: true, rewriteUrl: ${rewriteUrl} })`,
    mount: "app.register(payments)",
    listen: `await app.listen({ port: ${port} })`,
    hasHooks: true,
  },
  hono: {
    packages: ["@pixcharge/hono", "@hono/node-server", "hono"],
    routes: () => ({
      imports: { ...issueImports, "@pixcharge/hono": "{ pixRoutes }", hono: "{ Hono }", "./pix": "{ pix, shop }" },
      body: `${issue}

export const payments = new Hono()

// Payers' pages, and the bank's notices.
payments.route("/payments", pixRoutes(pix))

payments.post("/buy", async (context) => context.json(await issue()))
`,
    }),
    imports: { "@hono/node-server": "{ serve }", hono: "{ Hono }" },
    app: "const app = new Hono()",
    mount: 'app.route("/", payments)',
    listen: `const server = serve({ fetch: app.fetch, port: ${port} })`,
  },
}

export const writeServer = (choices: Choices, part: ServerPart): Source => {
  const app = `${part.app}\n${part.mount}`
  const signals = 'process.once("SIGTERM", end).once("SIGINT", end)\n'
  const imports = { ...part.imports, "./payments": "{ payments }" }
  if (part.hasHooks) {
    return { imports, body: `${app}\n\n${part.listen}\n\nconst end = () => void app.close()\n${signals}` }
  }
  const isCalled = hasBank(choices)
  const registration = isCalled ? '\nawait once(server, "listening")\nawait registerWebhook()' : ""
  return {
    imports: {
      ...imports,
      ...(isCalled && { "node:events": "{ once }" }),
      "./pix": importPix(choices, ...(isCalled ? ["registerWebhook"] : [])),
    },
    body: `${app}

${readiness}
${part.listen}${registration}

const end = () => {
  pix.endStreams()
  server.close(async () => {
${indent(listEndings(choices).join("\n"), "    ")}
  })
}
${signals}`,
  }
}

export const writeMount = (choices: Choices, part: ServerPart, { isModule }: Project): Source => {
  const mount = `// Before your handlers of errors:\n${part.mount}`
  if (part.hasHooks) {
    return {
      imports: { "@pixcharge/fastify": "{ pixRewriteUrl }", "./payments": "{ payments }" },
      body: `// Where Fastify is called: it keeps the secrets of paths out of the log.\nrewriteUrl: ${rewriteUrl},\n${mount}`,
    }
  }
  return {
    imports: {
      "./payments": "{ payments }",
      "./pix": importPix(choices, ...(hasBank(choices) ? ["registerWebhook"] : [])),
    },
    body: [
      mount,
      `// Before it listens${isModule ? "" : ", in an async function"}:`,
      "await pix.ready()",
      ...(hasBank(choices) ? ["// Once it listens:", "await registerWebhook()"] : []),
      "// At SIGTERM and SIGINT, before it closes:",
      "pix.endStreams()",
      "// Once it has closed:",
      ...listEndings(choices),
    ].join("\n"),
  }
}
