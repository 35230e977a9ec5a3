import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { pspProfiles, type PspValue } from "@pixcharge/processor-api-pix"
import { freePort, root } from "@pixcharge/verify/world"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { answers } from "../src/init/choices.ts"
import { runInit } from "../src/init/runInit.ts"

const { bank: banks, store: stores } = answers
// Nest projects are made by Nest's own command.
const frameworks = answers.framework.filter((framework) => framework !== "nest")

const all = frameworks.flatMap((framework) =>
  banks.flatMap((bank) =>
    stores
      .filter((store) => bank === "sandbox" || store !== "memory")
      .map((store) => ({ framework, bank, store, name: `${framework}-${bank}-${store}` })),
  ),
)

type Project = (typeof all)[number]

const makeFolder = (within = tmpdir()): string => {
  mkdirSync(within, { recursive: true })
  return mkdtempSync(join(within, "pixcharge-init-"))
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, maxRetries: 5 })

const openFolder = (within?: string): string => {
  const folder = makeFolder(within)
  onTestFinished(() => remove(folder))
  return folder
}

const oxfmt = join(root, "node_modules/oxfmt/bin/oxfmt")

const nobody = { input: Readable.from([]), output: new Writable() }

/** Writes a project. Returns the printed text, and the text of each written file. */
const write = async ({ framework, bank, store }: Omit<Project, "name">, dir: string) => {
  const args = ["--framework", framework, "--bank", bank, "--store", store, "--dir", dir]
  const { text } = await runInit(args, nobody)
  const [, names = ""] = /^Written: (.+)$/m.exec(text) ?? []
  const files = names.split(", ").map((path) => [path, readFileSync(join(dir, path), "utf8")] as const)
  return { printed: text, files }
}

const nameOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

const listImported = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:from |import\()"([^".][^"]*)"/g)]
    .map(([, specifier = ""]) => specifier)
    .filter((specifier) => !specifier.startsWith("node:"))
    .map(nameOf)

/** The settings that a file reads, without the settings that Next.js sets. */
const listRead = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:setting\(|process\.env\[)"([A-Z_]+)"/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !name.startsWith("NEXT_"))

const types: Readonly<Record<string, string>> = { express: "@types/express", pg: "@types/pg" }

describe("the projects of pixcharge init", () => {
  let folder: string
  let projects: ReadonlyArray<Project & Awaited<ReturnType<typeof write>>>
  const listIn = (framework: Project["framework"]) => projects.filter((project) => project.framework === framework)

  beforeAll(async () => {
    folder = makeFolder()
    projects = await Promise.all(
      all.map(async (project) => ({ ...project, ...(await write(project, join(folder, project.name))) })),
    )
    return () => remove(folder)
  })

  it("cover each framework, bank and store, except memory at a bank", () => {
    expect(all).toHaveLength(5 * (3 + 2 * Object.keys(pspProfiles).length))
  })

  it("are formatted", () => {
    const config = join(openFolder(), "style.json")
    writeFileSync(config, JSON.stringify({ semi: false, printWidth: 100 }))
    const { status, stdout } = spawnSync(process.execPath, [oxfmt, "--check", "-c", config, folder], {
      cwd: folder,
      encoding: "utf8",
    })
    expect({ status, stdout }).toMatchObject({ status: 0 })
  })

  it("open nothing when Next.js loads their modules, because `next build` loads them without settings", () => {
    const modules = listIn("next").map(({ name, files }) => [
      name,
      files.find(([path]) => path === "lib/pix.ts")?.[1] ?? "",
    ])
    expect(modules.length).toBeGreaterThan(20)
    for (const [name = "", text = ""] of modules) {
      const [, opened = ""] = /^const open = async \(\) => \{\n([^]*?)^\}\n/m.exec(text) ?? []
      expect(opened, name).toContain("createPix({")
      expect(text.replace(opened, ""), name).not.toMatch(
        /(?:setting|readFileSync|Pool|createPix|embeddedDatabase|openPix)\(/,
      )
      // The result of `open` survives a reload.
      expect(text, name).toContain("(shared.pixcharge ??= open().catch(")
      // Settings are read before the database is opened. Otherwise a missing setting would leave it open, and in use for the
      // next try.
      expect(opened.split("await embeddedDatabase(")[1] ?? "", name).not.toMatch(/(?:setting|readFileSync)\(/)
    }
  })

  it.each(frameworks)("install exactly the imported packages for %s", (framework) => {
    for (const { name, bank, printed, files } of listIn(framework)) {
      const own = files.filter(([path]) => path.endsWith(".ts")).map(([, text]) => text)
      const imported = new Set(own.flatMap(listImported))
      const needed = [
        "effect",
        ...imported,
        ...(own.some((text) => text.includes('"@pixcharge/store-postgres/pglite"')) ? ["@electric-sql/pglite"] : []),
        ...(framework === "next" ? ["next", "react", "react-dom"] : []),
      ]
      const developing = [
        ...(bank === "sandbox" ? [] : ["@pixcharge/simulated-bank"]),
        "@pixcharge/testing",
        "@types/node",
        "typescript",
        ...[...imported].flatMap((its) => types[its] ?? []),
        ...(framework === "next" ? ["@types/react"] : []),
      ]
      const [, installed = ""] = /^npm install (@.+)$/m.exec(printed) ?? []
      const [, installedToDevelop = ""] = /^npm install --save-dev (.+)$/m.exec(printed) ?? []
      expect(installed.split(" "), name).toEqual(needed.toSorted())
      expect(installedToDevelop.split(" "), name).toEqual(developing.toSorted())
    }
  })

  it.each(frameworks)(
    "list each setting that the code for %s reads, with a comment and without a secret",
    (framework) => {
      for (const { name: projectName, printed, files } of listIn(framework)) {
        const texts = files.filter(([path]) => path.endsWith(".ts")).map(([, text]) => text)
        const read = new Set(texts.flatMap(listRead))
        const [, example = ""] = files.find(([path]) => path === ".env.example") ?? []
        const listedSettings = [...example.matchAll(/^# .+\n([A-Z_]+)=(.*)$/gm)].map(([, name = "", value]) => ({
          name,
          value,
        }))
        expect(listedSettings.map(({ name }) => name).toSorted(), projectName).toEqual([...read].toSorted())
        expect(example.split("=")).toHaveLength(listedSettings.length + 1)
        const url = `http://localhost:3000${framework === "next" ? "/api" : ""}/payments`
        const isSandbox = projectName.includes("-sandbox-")
        expect(listedSettings.filter(({ value }) => value !== "")).toEqual([
          ...(read.has("PORT") ? [{ name: "PORT", value: "3000" }] : []),
          ...(isSandbox && framework !== "none" ? [{ name: "PUBLIC_URL", value: url }] : []),
        ])
        // The sandbox requires only DATABASE_URL.
        const needed = listedSettings
          .map(({ name }) => name)
          .filter((name) => (isSandbox ? name === "DATABASE_URL" : name !== "PORT"))
        const [, toFill = ""] = /^# fill in .env: (.*)$/m.exec(printed) ?? []
        expect(toFill.split(", ")).toEqual(needed.length === 0 ? [""] : needed)
      }
    },
  )
})

describe("the banks of pixcharge init", () => {
  /** The fields of a connection that a profile reads. */
  const listNamed = (values: Readonly<Record<string, PspValue>>) =>
    Object.values(values).flatMap((value) => (typeof value === "object" && "from" in value ? [value] : []))

  it.each(Object.entries(pspProfiles))("require the settings that the profile of %s reads", async (bank, profile) => {
    const { files } = await write({ framework: "hono", store: "postgres", bank: bank as Project["bank"] }, openFolder())
    const [, pix = ""] = files.find(([path]) => path === "src/pix.ts") ?? []
    const givenFields = [...pix.matchAll(/^ {6}(\w+): (?:setting|readFileSync)\(/gm)].map(([, name]) => name)
    const namedFields = [profile.tokenQuery, profile.tokenHeaders, profile.headers, profile.query].flatMap(listNamed)
    const demanded = namedFields.filter(({ isOptional, otherwise }) => isOptional !== true && otherwise === undefined)
    const optional = namedFields.filter((value) => !demanded.includes(value)).map(({ from }) => from)
    const expected = new Set([
      "clientId",
      "cert",
      "key",
      ...(profile.clientAuthentication === "certificate" ? [] : ["clientSecret"]),
      ...(profile.production === undefined ? ["baseUrl", "ca"] : []),
      ...demanded.map(({ from }) => from),
    ])
    expect(givenFields.toSorted()).toEqual([...expected].toSorted())
    for (const name of optional) expect(pix).toContain(`      // ${name}: `)
    if (Object.keys(profile.skipWebhookMtlsHeaders).length > 0) expect(pix).toContain("      // skipWebhookMtls: ")
  })
})

describe("a project of pixcharge init", () => {
  const run = promisify(execFile)
  const command = join(root, "packages/cli/dist/bin/pixcharge.js")

  /** Starts a server. Returns functions that call and end it. */
  const serve = async (cwd: string, entry: string) => {
    const port = await freePort()
    const child = spawn(process.execPath, [entry], { cwd, env: { PORT: String(port) } })
    onTestFinished(() => void child.kill("SIGKILL"))
    let complaints = ""
    let printed = ""
    child.stderr.on("data", (text) => (complaints += String(text)))
    child.stdout.on("data", (text) => (printed += String(text)))
    const ended = once(child, "close") as Promise<[number | null]>
    const origin = `http://127.0.0.1:${port}`
    while (!(await fetch(origin).catch(() => undefined))) {
      if (child.exitCode !== null) throw new Error(complaints)
      await setTimeout(50)
    }
    const ask = async (method: string, path: string, body?: object, token = "") => {
      const response = await fetch(origin + path, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}`, connection: "close" },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    }
    return {
      ask,
      /** Issues a charge and opens its page; returns its id. */
      buy: async (): Promise<string> => {
        const { id, link } = JSON.parse((await ask("POST", "/buy")).text) as {
          readonly id: string
          readonly link: string
        }
        const page = await ask("GET", link.replace("http://localhost:3000", ""))
        expect(page).toEqual({ status: 200, text: expect.stringContaining("Minha Loja") })
        return id
      },
      end: async () => {
        child.kill("SIGTERM")
        const [exitCode] = await ended
        // A busy machine can freeze the process.
        return { exitCode, complaints: complaints.replaceAll(/^.*This process was frozen for .*\n/gm, ""), printed }
      },
      printed: () => printed,
    }
  }

  it("compiles, starts, issues a charge, gets it paid and ends, from an empty folder", async () => {
    const cwd = openFolder(join(root, "node_modules/.cache"))
    writeFileSync(join(cwd, "package.json"), '{ "type": "module" }')
    await run(process.execPath, [command, "init", "--yes"], { cwd })
    const pix = join(cwd, "src/pix.ts")
    writeFileSync(
      pix,
      readFileSync(pix, "utf8").replace(/\/\/ integratorKey.*/, 'integratorKey: "the key of an integrator",'),
    )
    await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], { cwd })

    const { ask, buy, end, printed } = await serve(cwd, "dist/server.js")
    const id = await buy()
    const order = { cnpj: "12345678000195", chave: "the key of an integrator" }
    const { data: token } = JSON.parse((await ask("POST", "/payments/api/token", order)).text) as {
      readonly data: string
    }
    const paid = await ask("POST", `/payments/api/pix/simular-pagamento/${id}`, undefined, token)
    expect(paid.status).toBe(200)
    await expect.poll(printed).toBe(`paid: ${id}\n`)
    expect(await end()).toEqual({ exitCode: 0, complaints: "", printed: `paid: ${id}\n` })
  })

  it("opens in Next.js at the next call once its database is no longer in use", async () => {
    const cwd = openFolder(join(root, "node_modules/.cache"))
    writeFileSync(join(cwd, "package.json"), '{ "type": "module", "dependencies": { "next": "*" } }')
    await run(process.execPath, [command, "init", "--yes", "--store", "embedded"], { cwd })
    const script = `import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
const database = await embeddedDatabase(".pixcharge")
const { openPix } = await import("./lib/pix.js")
const refusals = await Promise.allSettled([openPix(), openPix()])
console.log(refusals.map(({ reason }) => reason?.name).join())
await database.close()
const [{ pix, shop }, again] = await Promise.all([openPix(), openPix()])
const { status } = await pix.issue(shop.cnpj, { id: crypto.randomUUID(), amountCents: 1990 })
console.log(status, pix === again.pix)
process.exit()
`
    writeFileSync(join(cwd, "open.js"), script)
    const { stdout } = await run(process.execPath, ["open.js"], { cwd })
    expect(stdout).toBe("FolderInUse,FolderInUse\npending true\n")
  })

  it("keeps a CommonJS app of Express working, and issues charges once the printed lines are added", async () => {
    const cwd = openFolder(join(root, "node_modules/.cache"))
    const server = `const express = require("express")
const app = express()
app.get("/", (_request, response) => response.send("mine"))
const main = async () => {
  // start
  const server = app.listen(process.env.PORT)
  process.once("SIGTERM", () => {
    // before the end
    server.close(async () => {
      // end
    })
  })
}
// mount
void main()
`
    writeFileSync(join(cwd, "package.json"), '{ "dependencies": { "express": "*" } }')
    writeFileSync(join(cwd, "server.js"), server)
    const { stdout: printed } = await run(process.execPath, [command, "init", "--yes"], { cwd })
    const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap"], { cwd })
    expect(stdout).toMatch(/^# pass 1$/m)

    // Adds each printed line in its place.
    const line = (pattern: RegExp): string => pattern.exec(printed)?.[0] ?? "the line is not printed"
    const imports = [line(/const \{ payments \} = .*/), line(/const \{ pix \} = .*/)].join("\n")
    const edited = server
      .replace("// mount", `${imports}\n${line(/app\.use\(.*/)}`)
      .replace("// start", line(/await pix\.ready.*/))
      .replace("// before the end", line(/pix\.endStreams.*/))
      .replace("// end", line(/await pix\.dispose.*/))
    writeFileSync(join(cwd, "server.js"), edited)
    const { ask, buy, end } = await serve(cwd, "server.js")
    await buy()
    expect(await ask("GET", "/")).toEqual({ status: 200, text: "mine" })
    expect(await end()).toEqual({ exitCode: 0, complaints: "", printed: "" })
  })
})
