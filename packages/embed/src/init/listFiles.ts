import type { Choices } from "./choices.ts"
import { paymentTest, settingsModule, tsconfig, writeEnvExample } from "./write/commonFiles.ts"
import { writeIssueScript } from "./write/issueScript.ts"
import { type NextFolder, writeNextFiles } from "./write/nextFiles.ts"
import { listSettings } from "./write/listSettings.ts"
import { writePixModule } from "./write/pixModule.ts"
import { writeExpressServer, writeFastifyServer, writeHonoServer } from "./write/servers.ts"

/** What of a folder decides which files it gets. */
export interface Place {
  readonly hasTsconfig: boolean
  readonly nextFolder: NextFolder
}

type Files = Readonly<Record<string, string>>

const servers = { express: writeExpressServer, fastify: writeFastifyServer, hono: writeHonoServer }

const writeMount = (choices: Choices, { nextFolder }: Place): Files => {
  const { framework } = choices
  if (framework === "next") return writeNextFiles(choices, nextFolder)
  if (framework === "none") return { "src/issue.ts": writeIssueScript(choices) }
  return { "src/server.ts": servers[framework](choices) }
}

/** The files of a project, by their paths. */
export const listFiles = (choices: Choices, place: Place): Files => {
  const isNext = choices.framework === "next"
  return {
    "src/pix.ts": writePixModule(choices),
    ...(listSettings(choices).length > 0 && {
      "src/settings.ts": settingsModule,
      ".env.example": writeEnvExample(choices),
    }),
    ...writeMount(choices, place),
    // Next.js compiles no tests: this one runs as it stands.
    [isNext ? "src/pix.test.mjs" : "src/pix.test.ts"]: paymentTest,
    // Next.js makes its own.
    ...(!isNext && !place.hasTsconfig && { "tsconfig.json": tsconfig }),
  }
}
