import type { Choices } from "../choices.ts"
import { storePart } from "./storePart.ts"
import { type Imports, writeImports } from "./writeImports.ts"

const hasBank = ({ bank }: Choices): boolean => bank !== "sandbox"

/** What a server or a script imports of the project's own modules. */
export const nameOwnImports = (choices: Choices, ...names: ReadonlyArray<string>): Imports => {
  const { closing } = storePart(choices)
  const all = [...names, "pix", ...(closing === undefined ? [] : [closing.name])].toSorted()
  return { "./pix.js": `{ ${all.join(", ")} }` }
}

const nameServerImports = (choices: Choices): Imports =>
  hasBank(choices)
    ? { ...nameOwnImports(choices, "bank", "shop"), "./settings.js": "{ setting }" }
    : nameOwnImports(choices)

/** Statements that end `pix` and what it was made of, in their order. */
export const listEndings = (choices: Choices): ReadonlyArray<string> => {
  const { closing } = storePart(choices)
  return ["await pix.dispose()", ...(closing === undefined ? [] : [`await ${closing.call}`])]
}

/** What the webhook's registration takes. */
export const webhookOrder = `{
  pixKey: shop.pixKey,
  mountedAt: setting("PUBLIC_URL"),
  reconcile: pix.reconcile,
}`

/** It stands where the server listens: the bank may call at once. */
const listRegistration = (choices: Choices): ReadonlyArray<string> =>
  hasBank(choices) ? [`await bank.registerWebhook(shop.cnpj, ${webhookOrder})`] : []

const readiness = `// What must be delivered and reconciled goes on from here, whether or not anybody calls.
await pix.ready()`

const port = 'Number(process.env["PORT"] ?? 3000)'

const indent = (lines: ReadonlyArray<string>, by: string): string => lines.map((line) => by + line).join("\n")

const writeEnd = (choices: Choices): string => `const end = () => {
  server.close(async () => {
${indent(listEndings(choices), "    ")}
  })
}
process.once("SIGTERM", end).once("SIGINT", end)`

const join = (blocks: ReadonlyArray<string>): string => `${blocks.join("\n\n")}\n`

const joinLines = (...lines: ReadonlyArray<string>): string => lines.join("\n")

/** `src/server.ts` in Express. */
export const writeExpressServer = (choices: Choices): string =>
  join([
    writeImports({
      ...(hasBank(choices) && { "node:events": "{ once }" }),
      "@pixcharge/express": "{ pixRouter }",
      express: "express",
      ...nameServerImports(choices),
    }),
    'const app = express()\napp.use("/payments", pixRouter(pix))',
    joinLines(
      readiness,
      `const server = app.listen(${port})`,
      ...(hasBank(choices) ? ['await once(server, "listening")'] : []),
      ...listRegistration(choices),
    ),
    writeEnd(choices),
  ])

/** `src/server.ts` in Fastify. */
export const writeFastifyServer = (choices: Choices): string =>
  join([
    writeImports({
      "@pixcharge/fastify": "{ pixPlugin, pixRewriteUrl }",
      fastify: "Fastify",
      ...nameServerImports(choices),
    }),
    `const prefix = "/payments"
const app = Fastify({ logger: true, rewriteUrl: pixRewriteUrl({ prefix }) })
app.register(pixPlugin(pix), { prefix })
app.addHook("onClose", async () => {
${indent(listEndings(choices), "  ")}
})`,
    joinLines(readiness, `await app.listen({ port: ${port} })`, ...listRegistration(choices)),
    'const end = () => void app.close()\nprocess.once("SIGTERM", end).once("SIGINT", end)',
  ])

/** `src/server.ts` in Hono. */
export const writeHonoServer = (choices: Choices): string =>
  join([
    writeImports({
      ...(hasBank(choices) && { "node:events": "{ once }" }),
      "@hono/node-server": "{ serve }",
      "@pixcharge/hono": "{ pixRoutes }",
      hono: "{ Hono }",
      ...nameServerImports(choices),
    }),
    'const app = new Hono()\napp.route("/payments", pixRoutes(pix))',
    joinLines(
      readiness,
      `const server = serve({ fetch: app.fetch, port: ${port} })`,
      ...(hasBank(choices) ? ['await once(server, "listening")'] : []),
      ...listRegistration(choices),
    ),
    writeEnd(choices),
  ])
