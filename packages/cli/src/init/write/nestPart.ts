import type { Choices } from "../choices.ts"
import type { Project } from "../Project.ts"
import { issue, issueImports, rewriteUrl } from "./serverParts.ts"
import { importPix, listEndings } from "./parts.ts"
import { indent, type Source } from "./writeSource.ts"

export const nestPackage = ({ isOnFastify }: Project): string => `@pixcharge/${isOnFastify ? "fastify" : "express"}`

/** Writes a Nest module. */
export const writeNestModule = (choices: Choices): Source => ({
  imports: {
    ...issueImports,
    "@nestjs/common":
      "{ type BeforeApplicationShutdown, Controller, Module, type OnApplicationShutdown, type OnModuleInit, Post }",
    "./pix": importPix(choices, "shop"),
  },
  body: `${issue}

@Controller()
class PaymentsController {
  @Post("buy")
  buy() {
    return issue()
  }
}

@Module({ controllers: [PaymentsController] })
export class PaymentsModule implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  // Starts the background work: events are delivered and payments reconciled even if nobody calls.
  async onModuleInit() {
    await pix.ready()
  }

  // Nest then closes its server, and waits for the streams of open pages.
  beforeApplicationShutdown() {
    pix.endStreams()
  }

  async onApplicationShutdown() {
${indent(listEndings(choices).join("\n"), "    ")}
  }
}
`,
})

export const appModuleLines: Source = {
  imports: { "./payments.module": "{ PaymentsModule }" },
  body: "@Module({ imports: [PaymentsModule, ...",
}

export const writeMainLines = ({ bank }: Choices, project: Project): Source => {
  const hasBank = bank !== "sandbox"
  const mount = project.isOnFastify
    ? 'await app.register(pixPlugin(pix), { prefix: "/payments" })'
    : 'app.use("/payments", pixRouter(pix))'
  const adapter = [
    "// Where the app is made: it keeps the secrets of paths out of the log.",
    `new FastifyAdapter({ rewriteUrl: ${rewriteUrl} })`,
  ]
  return {
    imports: {
      [nestPackage(project)]: project.isOnFastify ? "{ pixPlugin, pixRewriteUrl }" : "{ pixRouter }",
      "./pix": hasBank ? "{ pix, registerWebhook }" : "{ pix }",
    },
    body: [
      ...(project.isOnFastify ? adapter : []),
      "// Before app.listen: payers' pages, the bank's notices, and an end at SIGTERM and SIGINT.",
      mount,
      'app.enableShutdownHooks(["SIGTERM", "SIGINT"])',
      ...(hasBank ? ["// After it:", "await registerWebhook()"] : []),
    ].join("\n"),
  }
}
