import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { describe, expect, it, onTestFinished } from "vitest"
import { runInit } from "../src/init/runInit.ts"

const openFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-init-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs the command for a folder, with these lines as answers. */
const init = async (folder: string, args: ReadonlyArray<string>, lines = "") => {
  let questions = ""
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      questions += String(chunk)
      done()
    },
  })
  try {
    const { text } = await runInit([...args, "--dir", folder], { input: Readable.from([lines]), output })
    return { questions, text, isDone: true }
  } catch (error) {
    return { questions, text: (error as Error).message, isDone: false }
  }
}

const listIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8")

const common = [".env.example", ".gitignore", "src/pix.test.mjs", "src/pix.ts", "tsconfig.json"]

describe("pixcharge init", () => {
  it("asks nothing with --yes, and chooses Express, the embedded database and the sandbox", async () => {
    const folder = openFolder()
    const { questions, isDone } = await init(folder, ["--yes"])
    expect({ questions, isDone }).toEqual({ questions: "", isDone: true })
    expect(listIn(folder)).toEqual([...common, "src/payments.ts", "src/server.ts"].toSorted())
    expect(read(folder, "src/pix.ts")).toContain("sandboxProcessor()")
    expect(read(folder, "src/pix.ts")).toContain("embeddedDatabase(")
    expect(read(folder, "src/payments.ts")).toContain("pixRouter(pix)")
  })

  it("asks for framework, bank and store, and takes an empty line for the default", async () => {
    const folder = openFolder()
    const { questions } = await init(folder, [], "\nitau\npostgres\n")
    expect(questions).toMatch(
      /^framework \(.*\) \[express\]: bank \(.*\) \[sandbox\]: store \(embedded, postgres\) \[embedded\]: $/,
    )
    expect(read(folder, "src/pix.ts")).toMatch(/psp: "itau"[\s\S]*postgresStore\(\{ db: pool \}\)/)
    expect(read(folder, "src/payments.ts")).toContain("pixRouter(pix)")
  })

  it("asks only for missing choices", async () => {
    const folder = openFolder()
    const { questions } = await init(folder, ["--framework", "hono", "--store=memory"], "Sandbox\n")
    expect(questions).toMatch(/^bank \([^()]*\) \[sandbox\]: $/)
    expect(read(folder, "src/payments.ts")).toContain("pixRoutes(pix)")
    expect(read(folder, "src/pix.ts")).toContain("memoryStore()")
  })

  it("asks once more after an invalid answer", async () => {
    const folder = openFolder()
    const { questions, isDone } = await init(folder, ["--bank", "sandbox", "--store", "memory"], "expres\nnone\n")
    expect(isDone).toBe(true)
    expect(questions).toContain('there is no framework "expres" (did you mean express?): --framework takes express, ')
    expect(listIn(folder)).toEqual([".gitignore", "src/issue.ts", "src/pix.test.mjs", "src/pix.ts", "tsconfig.json"])
  })

  it("writes no file if the input ends before the last answer", async () => {
    const folder = openFolder()
    const { text, isDone } = await init(folder, [], "express\n")
    expect(isDone).toBe(false)
    expect(text).toBe("bank is missing: give --bank, or take the defaults with --yes")
    expect(listIn(folder)).toEqual([])
  })

  it("makes the folder of --dir, and prints how to enter it", async () => {
    const folder = join(openFolder(), "shops/mine")
    expect((await init(folder, ["-y"])).text).toContain(`\ncd ${folder}\n`)
    expect(listIn(folder)).toContain("src/pix.ts")
    const spaced = join(openFolder(), "loja são joão")
    expect((await init(spaced, ["-y"])).text).toContain(`\ncd "${spaced}"\n`)
  })

  it.each([
    [["--framework", "nests"], 'there is no framework "nests" (did you mean nest?): --framework takes express, '],
    [
      ["--yes", "--framework", "nest"],
      "make the app first with npx @nestjs/cli new, and run this command in its folder",
    ],
    [["--bank=Itaú"], 'there is no bank "Itaú" (did you mean itau?): --bank takes sandbox, standard, bancoDoBrasil, '],
    [["--store", "sqlite"], 'there is no store "sqlite": --store takes embedded, postgres, memory'],
    [["--framwork", "hono"], "Unknown option '--framwork'\n\nnpx @pixcharge/cli init [options]"],
    [["--toString"], "Unknown option '--toString'"],
    // An option isn't taken for the value of the option before it.
    [["--store", "--yes"], "Option '--store' argument is ambiguous"],
    [["--yes=no"], "'-y, --yes' does not take an argument"],
    [["express"], "Unexpected argument 'express'"],
    [["--yes", "--bank", "inter", "--store", "memory"], "with a bank, use --store embedded or postgres"],
  ])("refuses %j, and writes no file", async (args, message) => {
    const folder = openFolder()
    const { text, isDone } = await init(folder, args)
    expect(isDone).toBe(false)
    expect(text).toContain(message)
    expect(listIn(folder)).toEqual([])
  })

  it.each(["--help", "-h"])("explains its options for %s", async (flag) => {
    const { text, isDone } = await init(openFolder(), [flag])
    expect(isDone).toBe(true)
    for (const word of ["--framework", "fastify", "--bank", "sicoob", "--store", "embedded", "--dir", "--yes"]) {
      expect(text).toContain(word)
    }
  })

  it("reads its answers from a pipe, writes into the current folder, and exits with 1 when it refuses", () => {
    const bin = join(import.meta.dirname, "../dist/bin/pixcharge.js")
    const cwd = openFolder()
    const run = (...args: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [bin, "init", ...args], { cwd, input: "fastify\n\nmemory\n", encoding: "utf8" })
    const first = run()
    expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: "" })
    expect(first.stdout).toContain("npm install ")
    expect(first.stdout).not.toContain(".env.example >> .env")
    expect(first.stdout).not.toContain("\ncd ")
    expect(read(cwd, "src/payments.ts")).toContain("pixPlugin(pix)")
    const refused = run("--bank=nobank")
    expect(refused.status).toBe(1)
    expect(refused.stderr).toMatch(/^there is no bank "nobank".*\n$/)
    expect(refused.stdout).toBe("")
  })
})

const put = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const manifest = (dependencies: ReadonlyArray<string>, others: object = {}): string =>
  JSON.stringify({ dependencies: Object.fromEntries(dependencies.map((name) => [name, "*"])), ...others })

/** Writes a backend, runs the command there without questions, and returns the printed text and the new files. */
const initIn = async (files: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  const folder = openFolder()
  put(folder, files)
  const { text, isDone } = await init(folder, ["--yes", ...args])
  for (const [path, before] of Object.entries(files)) expect(read(folder, path), path).toBe(before)
  const added = listIn(folder).filter((path) => !Object.hasOwn(files, path))
  return { text, isDone, added, read: (path: string) => read(folder, path) }
}

const inCommonJs = {
  "package.json": manifest(["express"]),
  "server.js": 'const express = require("express")\nconst app = express()\n',
}

describe("pixcharge init in an existing backend", () => {
  it("writes CommonJS beside the server of a CommonJS app, and prints the lines that the server needs", async () => {
    const { text, added, read: readFile } = await initIn(inCommonJs)
    expect(added).toEqual([".env.example", ".gitignore", "payments.js", "pix.js", "pix.test.mjs"])
    expect(readFile("pix.js")).toMatch(/^const .* = require\("node:crypto"\)[^]*\nmodule\.exports = \{ shop, pix \}\n$/)
    expect(readFile("payments.js")).not.toMatch(/^(?:import|export)|[«»]/m)
    expect(text).toContain('Add to server.js:\n\n  const { payments } = require("./payments.js")\n')
    expect(text).toContain("\n  app.use(payments)\n")
    expect(text).not.toContain("type=module")
    expect(text).not.toContain("INTEGRATOR_KEY")
  })

  it("prints a replacement for the install until the packages are published", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
      readonly version: string
    }
    const { text } = await initIn(inCommonJs)
    expect(/# Nothing is published yet: .*\n.*\nnpm install @pixcharge\//.test(text)).toBe(version === "0.0.0")
  })

  it.each([
    ["pnpm-lock.yaml", "pnpm add"],
    ["yarn.lock", "yarn add"],
    ["bun.lock", "bun add"],
    ["bun.lockb", "bun add"],
    ["package-lock.json", "npm install"],
  ])("installs with the manager of %s", async (lock, add) => {
    const { text } = await initIn({ ...inCommonJs, [lock]: "" })
    expect(text).toMatch(new RegExp(`^${add} @pixcharge/checkout @pixcharge/embed @pixcharge/express `, "m"))
    expect(text).not.toMatch(/ express( |$)/m)
  })

  it.each([
    ["TypeScript in ES modules", { type: "module" }, "index.ts", '{ "compilerOptions": {} }', "./pix.js"],
    ["TypeScript in CommonJS", {}, "index.ts", '{ "compilerOptions": {} }', "./pix"],
    [
      "TypeScript that Node runs without a build",
      { type: "module" },
      "index.ts",
      '{ "allowImportingTsExtensions": true }',
      "./pix.ts",
    ],
    ["JavaScript in ES modules", { type: "module" }, "index.js", undefined, "./pix.js"],
    ["JavaScript in .mjs", {}, "index.mjs", undefined, "./pix.mjs"],
  ])("writes %s in the style of the server", async (_name, type, server, tsconfig, imported) => {
    const { added, read: readFile } = await initIn({
      "package.json": manifest(["hono"], type),
      [`src/${server}`]: 'import { Hono } from "hono"\n',
      ...(tsconfig !== undefined && { "tsconfig.json": tsconfig }),
    })
    const extension = server.replace("index", "")
    const modules = [`src/payments${extension}`, `src/pix${extension}`]
    expect(added).toEqual([".env.example", ".gitignore", "src/pix.test.mjs", ...modules].toSorted())
    expect(readFile(`src/payments${extension}`)).toContain(`from "${imported}"\n`)
    expect(readFile(`src/pix${extension}`)).toContain(
      server.endsWith("ts") ? "export const shop: CompanyInput = {" : "export const shop = {",
    )
  })

  it.each([
    [["vitest"], "src/pix.test.mjs", "npx vitest run src/pix.test.mjs", 'from "vitest"'],
    [["jest"], "src/pix.check.mjs", "node --test src/pix.check.mjs", 'from "node:test"'],
    [[], "src/pix.test.mjs", "node --test src/pix.test.mjs", 'from "node:test"'],
    [["ava"], "src/pix.check.mjs", "node --test src/pix.check.mjs", 'from "node:test"'],
  ])(
    "writes a test that the runner %j either can run or doesn't find",
    async (devDependencies, path, command, imported) => {
      const scripts = { test: devDependencies[0] ?? "node --test" }
      const { text, read: readFile } = await initIn({
        "package.json": manifest(["fastify", ...devDependencies], { type: "module", scripts }),
        "src/app.js": 'import Fastify from "fastify"\n',
      })
      expect(text).toContain(`\n${command}\n`)
      expect(readFile(path)).toContain(imported)
    },
  )

  it("writes a module of Nest and a test that a Nest project's vitest finds", async () => {
    const { text, added } = await initIn({
      "package.json": manifest(["@nestjs/core", "@nestjs/platform-fastify", "vitest", "pg"], { type: "module" }),
      "src/main.ts": 'import { NestFactory } from "@nestjs/core"\n',
      "tsconfig.json": "{}",
      "drizzle.config.ts": "",
      "src/mikro-orm.config.ts": "",
    })
    expect(added).toEqual([".env.example", ".gitignore", "src/payments.module.ts", "src/pix.spec.ts", "src/pix.ts"])
    expect(text).toContain("Add to src/app.module.ts:\n\n  import { PaymentsModule } from")
    expect(text).toContain('\n  import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"\n')
    expect(text).toContain('\n  new FastifyAdapter({ rewriteUrl: pixRewriteUrl({ prefix: "/payments" }) })\n')
    expect(text).toContain('  await app.register(pixPlugin(pix), { prefix: "/payments" })\n')
    // The call has no second argument, which Nest before 11.1.10 doesn't take.
    expect(text).toContain('  app.enableShutdownHooks(["SIGTERM", "SIGINT"])\n')
    expect(text).toContain(
      'Add to drizzle.config.ts:\n\n  // Without this, drizzle-kit push drops tables of pixcharge.\n  schemaFilter: ["public"],\n',
    )
    expect(text).toContain(
      'Add to src/mikro-orm.config.ts:\n\n  // Without this, schema.update() drops tables of pixcharge.\n  schemaGenerator: { ignoreSchema: ["pixcharge"] },\n',
    )
  })

  it.each([
    [{}, "app", "lib"],
    [{ "src/app/page.tsx": "" }, "src/app", "src/lib"],
  ])(
    "writes files where Next.js looks for them (%j), and opens nothing when a module is loaded",
    async (files, app, lib) => {
      const { added, read: readFile } = await initIn({
        "package.json": manifest(["next", "pg"]),
        "tsconfig.json": "{}",
        ...files,
      })
      const instrumentation = `${app.replace(/app$/, "")}instrumentation.ts`
      const routes = [`${app}/api/buy/route.ts`, `${app}/api/payments/[...path]/route.ts`]
      const others = [".env.example", ".gitignore", instrumentation, `${lib}/pix.test.mjs`, `${lib}/pix.ts`]
      expect(added).toEqual([...routes, ...others].toSorted())
      for (const path of [...routes, instrumentation]) {
        const [, module = ""] = /(?:import\(|from )"(\..+)"/.exec(readFile(path)) ?? []
        expect(added, `${path} imports ${module}`).toContain(`${join(path, "..", module)}.ts`)
      }
      // `next build` warns of each API of Node in this file, even after the check of the runtime.
      expect(readFile(instrumentation)).not.toMatch(/process\.(?!env)/)
      const ends = '  process.once("SIGTERM", pix.endStreams).once("SIGINT", pix.endStreams)\n'
      expect(readFile(`${lib}/pix.ts`)).toContain(ends)
      // The module opens everything in `open`, whose result survives a reload.
      expect(readFile(`${lib}/pix.ts`)).toMatch(/const open = async \(\) => \{[^]*new Pool\([^]*createPix\([^]*\n\}\n/)
    },
  )

  it("prints the missing lines of an existing .gitignore and .env.example", async () => {
    const { text } = await initIn({
      ...inCommonJs,
      ".gitignore": "node_modules\n",
      ".env.example": "PUBLIC_URL=mine\n",
    })
    expect(text).toContain("Add to .gitignore:\n\n  .env\n\n")
    expect(text).toContain("Add to .env.example:\n\n  PIX_TOKEN_SECRET=\n\n")
  })

  it("writes no file if pix.js exists, because the other files would import it", async () => {
    const { text, added } = await initIn({ ...inCommonJs, "pix.js": "mine" })
    expect(added).toEqual([])
    expect(text).toMatch(/^No file was written: /)
    for (const path of ["pix.js", "payments.js", "pix.test.mjs", ".env.example", ".gitignore", "server.js"]) {
      expect(text).toContain(`Add to ${path}:\n\n  `)
    }
  })

  it("keeps existing files, writes through no link, and writes the other files", async () => {
    const folder = openFolder()
    put(folder, { ...inCommonJs, "payments.js": "mine" })
    symlinkSync(join(folder, "elsewhere"), join(folder, ".env.example"))
    const { text } = await init(folder, ["--yes"])
    expect(text).toMatch(/^Written: pix\.js, pix\.test\.mjs, \.gitignore\n/)
    expect(text).toMatch(/^Add to payments\.js:$/m)
    expect(read(folder, "payments.js")).toBe("mine")
    expect(existsSync(join(folder, "elsewhere"))).toBe(false)
  })

  it.each([
    ["of another framework", { "package.json": manifest(["koa"]) }],
    ["of several packages", { "package.json": manifest(["express"], { workspaces: ["apps/*"] }) }],
    ["without a manifest", { "main.py": "" }],
    [
      "of several Nest apps",
      {
        "package.json": manifest(["@nestjs/core"]),
        "tsconfig.json": "{}",
        "apps/shop/src/main.ts": 'import { NestFactory } from "@nestjs/core"\n',
      },
    ],
    [
      "of Nest in JavaScript",
      {
        "package.json": manifest(["@nestjs/core"]),
        "src/main.js": 'const { NestFactory } = require("@nestjs/core")\n',
      },
    ],
    ["of Next.js with only pages", { "package.json": manifest(["next"]), "pages/index.js": "" }],
    ["of Next.js with only src/pages", { "package.json": manifest(["next"]), "src/pages/index.js": "" }],
    [
      "of imports that TypeScript refuses",
      {
        "package.json": manifest(["express"]),
        "tsconfig.json": '{ "compilerOptions": { "verbatimModuleSyntax": true } }',
        "src/app.ts": 'import express = require("express")\n',
      },
    ],
  ])("only prints lines in a folder %s", async (_name, files: Readonly<Record<string, string>>) => {
    const { text, added, isDone } = await initIn(files)
    expect({ added, isDone }).toEqual({ added: [], isDone: true })
    expect(text).toMatch(/^No file was written: /)
    expect(text).toMatch(/^ {2}.*createPix\(/m)
  })

  it.each([
    [["hono", "wrangler"], true],
    [["hono", "wrangler", "@hono/node-server"], false],
    [["hono"], false],
  ])(
    "recognises whether the packages %j are for workerd, which pixcharge doesn't support",
    async (dependencies, isExpected) => {
      const { text, added } = await initIn({
        "package.json": manifest(dependencies),
        "src/index.js": 'import "hono"\n',
      })
      expect(text.includes("pixcharge is not supported on workerd")).toBe(isExpected)
      expect(added.length === 0).toBe(isExpected)
    },
  )

  it("prints lines for files in src/app if the pages of Next.js are in src/pages", async () => {
    const { text } = await initIn({ "package.json": manifest(["next"]), "src/pages/index.js": "" })
    const paths = [...text.matchAll(/^Add to (.+):$/gm)].map(([, path]) => path)
    expect(paths).toContain("src/app/api/buy/route.js")
    expect(paths).toContain("src/lib/pix.js")
  })

  it("writes files for a backend without a framework, although vitest begins like the foreign framework vite", async () => {
    const { added } = await initIn({ "package.json": manifest(["pg", "vitest"]), "index.js": "" })
    expect(added).toEqual([".env.example", ".gitignore", "issue.js", "pix.js", "pix.test.mjs"])
  })

  it("refuses the embedded database for CommonJS, which can't await it", async () => {
    const { text, isDone } = await initIn(inCommonJs, "--store", "embedded")
    expect({ text, isDone }).toEqual({
      text: "an embedded database needs a top-level await: in CommonJS, use --store postgres or memory",
      isDone: false,
    })
  })
})

describe("pixcharge init in a new folder", () => {
  it.each([
    ["{}", true],
    ['{ "type": "commonjs" }', true],
    ['{ "type": "module" }', false],
  ])(
    "prints the command that makes the package %s use ES modules, unless it already does",
    async (manifestText, isExpected) => {
      const { text } = await initIn({ "package.json": manifestText })
      expect(text.includes("\nnpm pkg set type=module\n")).toBe(isExpected)
    },
  )

  it("keeps an existing tsconfig.json", async () => {
    const { isDone, added } = await initIn({ "tsconfig.json": "mine" })
    expect(isDone).toBe(true)
    expect(added).toContain("src/server.ts")
  })

  it("writes files where Next.js looks for them", async () => {
    const { added } = await initIn({}, "--framework", "next")
    const routes = ["app/api/buy/route.ts", "app/api/payments/[...path]/route.ts"]
    const others = [".env.example", ".gitignore", "instrumentation.ts", "lib/pix.test.mjs", "lib/pix.ts"]
    expect(added).toEqual([...routes, ...others].toSorted())
  })
})
