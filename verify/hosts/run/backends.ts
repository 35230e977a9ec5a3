import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { installIn } from "../../release/install.ts"
import { endGroup } from "../../world/endGroup.ts"
import { freePort } from "../../world/freePort.ts"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"

/** An existing backend for `pixcharge init`. */
interface Backend {
  readonly name: string
  /** Makes the backend's files in the folder. */
  readonly make: (folder: string) => Promise<unknown>
  /** The scripts that build and test the backend. */
  readonly checks: ReadonlyArray<string>
  /** The scripts that must pass once the printed lines are added. */
  readonly checksWithLines: ReadonlyArray<string>
  /** The edits of the backend's files, by path: the old text and the new text. */
  readonly edits: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>>
  readonly start: ReadonlyArray<string>
  readonly buy: string
}

const writeAll = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const dlx = (folder: string, ...args: ReadonlyArray<string>) => run("pnpm", ["dlx", ...args], folder)

const nextAnswers =
  "--ts --app --eslint --no-tailwind --no-src-dir --no-react-compiler --skip-install --disable-git --use-pnpm --yes".split(
    " ",
  )

const makeNest = (version: number) => (folder: string) =>
  dlx(
    folder,
    `@nestjs/cli@${version}`,
    "new",
    "app",
    "--directory",
    ".",
    "--skip-git",
    "--skip-install",
    "--package-manager",
    "pnpm",
  )

const nestEdits = (ending: string): Backend["edits"] => ({
  "src/app.module.ts": [
    ["import { Module }", `import { PaymentsModule } from "./payments.module${ending}"\nimport { Module }`],
    ["imports: [", "imports: [PaymentsModule"],
  ],
  "src/main.ts": [
    [
      "import { NestFactory }",
      `import { pixRouter } from "@pixcharge/express"\nimport { pix } from "./pix${ending}"\nimport { NestFactory }`,
    ],
    [
      "  await app.listen",
      '  app.use("/payments", pixRouter(pix))\n  app.enableShutdownHooks(["SIGTERM", "SIGINT"])\n  await app.listen',
    ],
  ],
})

const backends: ReadonlyArray<Backend> = [
  {
    name: "Express by require",
    make: (folder) =>
      writeAll(folder, {
        "package.json": JSON.stringify({
          scripts: { test: "node --test" },
          dependencies: { express: "^5.2.0" },
        }),
        "src/server.js":
          'const express = require("express")\n\nconst app = express()\napp.get("/", (_request, response) => response.send("mine"))\n\nconst main = async () => {\n  const server = app.listen(process.env.PORT)\n}\nif (require.main === module) main()\nmodule.exports = { app }\n',
        "test/server.test.js":
          'const { test } = require("node:test")\nconst { app } = require("../src/server.js")\n\ntest("it has an app", (t) => t.assert.equal(typeof app, "function"))\n',
      }),
    checks: ["test"],
    checksWithLines: ["test"],
    edits: {
      "src/server.js": [
        [
          'require("express")\n',
          'require("express")\nconst { payments } = require("./payments.js")\nconst { pix } = require("./pix.js")\n',
        ],
        ["\nconst main", "app.use(payments)\n\nconst main"],
        ["  const server", "  await pix.ready()\n  const server"],
        [
          "PORT)\n",
          'PORT)\n  process.once("SIGTERM", () => {\n    pix.endStreams()\n    server.close(() => pix.dispose())\n  })\n',
        ],
      ],
    },
    start: ["src/server.js"],
    buy: "/buy",
  },
  {
    name: "create-next-app",
    make: async (folder) => {
      await dlx(folder, "create-next-app@16", ".", ...nextAnswers)
      // The starter's layout would load its fonts from the network.
      await writeAll(folder, {
        "app/layout.tsx":
          'export default function Layout({ children }: LayoutProps<"/">) {\n  return <html><body>{children}</body></html>\n}\n',
      })
    },
    checks: ["lint", "build"],
    checksWithLines: [],
    edits: {},
    start: ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1"],
    buy: "/api/buy",
  },
  {
    name: "nest new, version 12",
    make: makeNest(12),
    checks: ["build", "test", "test:e2e"],
    checksWithLines: ["build", "test", "test:e2e"],
    edits: nestEdits(".js"),
    start: ["dist/main.js"],
    buy: "/buy",
  },
  {
    name: "nest new, version 11",
    make: makeNest(11),
    checks: ["build", "test", "test:e2e"],
    // The Jest of version 11 can't load ES modules.
    checksWithLines: ["build", "test"],
    edits: nestEdits(""),
    start: ["dist/main.js"],
    buy: "/buy",
  },
]

const read = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, "latin1")]),
  )

const command = join(root, "packages/cli/dist/bin/pixcharge.js")

/**
 * Runs `init` in the backend's folder and installs the packages that it names. It must add files without changing or
 * removing any. Returns the output.
 */
const init = async (folder: string, tarballs: Readonly<Record<string, string>>): Promise<string> => {
  const before = read(folder)
  const said = await run(process.execPath, [command, "init", "--yes"], folder)
  const after = read(folder)
  assert.deepEqual({ ...after, ...before }, after)
  const path = join(folder, "package.json")
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { dependencies: object }
  const names = [...said.matchAll(/^(?:npm install|pnpm add) (?:--save-dev )?(.+)$/gm)].flatMap(([, line = ""]) =>
    line.split(" "),
  )
  const dependencies = { ...Object.fromEntries(names.map((name) => [name, "*"])), ...manifest.dependencies }
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies }))
  await installIn(folder, tarballs)
  return said
}

/** Adds the printed lines to the files. Checks that the edits use every call that is printed. */
const edit = (folder: string, edits: Backend["edits"], said: string): void => {
  for (const [path, replacements] of Object.entries(edits)) {
    const printed = said.split(/^Add to /m).find((part) => part.startsWith(`${path}:`))
    assert.ok(printed !== undefined, said)
    let text = readFileSync(join(folder, path), "utf8")
    for (const [old, made] of replacements) {
      assert.ok(text.includes(old), `${path} has no ${old}`)
      text = text.replace(old, made)
    }
    for (const [, call = ""] of printed.matchAll(/^ {2}(?:await )?(\w+\.\w+\()/gm)) {
      assert.ok(text.includes(call), `${path} has no ${call}), which is printed`)
    }
    writeFileSync(join(folder, path), text)
  }
}

/** Starts the backend with an empty environment, buys, opens the payer's page, and ends the backend. */
const buy = async ({ start, buy: path }: Backend, cwd: string, node: string): Promise<void> => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], NODE_ENV: "production", PORT: String(port) }
  const child = spawn(node, start, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += String(chunk)))
  const exited = once(child, "exit")
  try {
    while (!(await fetch(origin).catch(() => undefined))) {
      assert.equal(child.exitCode, null, log)
      await setTimeout(100)
    }
    const answer = await fetch(origin + path, { method: "POST", headers: { connection: "close" } })
    const { link } = (await answer.json()) as { link: string }
    const page = await fetch(link.replace("http://localhost:3000", origin), { headers: { connection: "close" } })
    const text = await page.text()
    assert.ok(page.status === 200 && text.includes("Minha Loja"), `${page.status} ${text.slice(0, 300)}`)
    child.kill("SIGTERM")
    await exited
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${log.slice(-3_000)}`, { cause: error })
  } finally {
    endGroup(child)
  }
}

/** Makes each backend, runs `pixcharge init` in it, and checks that it still works and sells. */
export const runBackends = async (
  folder: string,
  tarballs: Readonly<Record<string, string>>,
  [node = ""]: ReadonlyArray<string>,
): Promise<void> => {
  for (const [index, backend] of backends.entries()) {
    const cwd = join(folder, `backend-${index}`)
    mkdirSync(cwd, { recursive: true })
    try {
      await backend.make(cwd)
      const said = await init(cwd, tarballs)
      const test = /^(node --test|npx vitest run) (.+)$/m.exec(said) ?? []
      assert.ok(existsSync(join(cwd, test[2] ?? "none")), said)
      await (test[1] === "node --test"
        ? run(node, ["--test", test[2] ?? ""], cwd)
        : run("pnpm", ["exec", "vitest", "run", test[2] ?? ""], cwd))
      for (const check of backend.checks) await run("pnpm", ["run", check], cwd)
      edit(cwd, backend.edits, said)
      for (const check of backend.checksWithLines) await run("pnpm", ["run", check], cwd)
      await buy(backend, cwd, node)
    } catch (error) {
      throw new Error(`${backend.name}: ${(error as Error).message}`, { cause: error })
    }
  }
}
