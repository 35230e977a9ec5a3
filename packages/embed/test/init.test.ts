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

/** Writes into a folder, with these lines as answers. */
const init = async (folder: string, args: ReadonlyArray<string>, lines = "") => {
  let asked = ""
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      asked += String(chunk)
      done()
    },
  })
  const { text, isDone } = await runInit([...args, "--dir", folder], { input: Readable.from([lines]), output })
  return { asked, text, isDone }
}

const listIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

const read = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8")

const common = [".env.example", "src/pix.test.ts", "src/pix.ts", "src/settings.ts", "tsconfig.json"]

describe("pixcharge init", () => {
  it("asks nothing with --yes, and writes for Express, the embedded database and the sandbox", async () => {
    const folder = openFolder()
    const { asked, isDone } = await init(folder, ["--yes"])
    expect({ asked, isDone }).toEqual({ asked: "", isDone: true })
    expect(listIn(folder)).toEqual([...common, "src/server.ts"].toSorted())
    expect(read(folder, "src/pix.ts")).toContain("sandboxProcessor()")
    expect(read(folder, "src/pix.ts")).toContain("embeddedDatabase(")
    expect(read(folder, "src/server.ts")).toContain("pixRouter(pix)")
  })

  it("asks for framework, bank and store, and takes an empty line for the default", async () => {
    const folder = openFolder()
    const { asked } = await init(folder, [], "\nitau\npostgres\n")
    expect(asked).toMatch(
      /^framework \(.*\) \[express\]: bank \(.*\) \[sandbox\]: store \(embedded, postgres\) \[embedded\]: $/,
    )
    expect(read(folder, "src/pix.ts")).toMatch(/psp: "itau"[\s\S]*postgresStore\(\{ db: pool \}\)/)
    expect(read(folder, "src/server.ts")).toContain("pixRouter(pix)")
  })

  it("asks for what isn't given alone", async () => {
    const folder = openFolder()
    const { asked } = await init(folder, ["--framework", "hono", "--store=memory"], "Sandbox\n")
    expect(asked).toMatch(/^bank \([^()]*\) \[sandbox\]: $/)
    expect(read(folder, "src/server.ts")).toContain("pixRoutes(pix)")
    expect(read(folder, "src/pix.ts")).toContain("memoryStore()")
  })

  it("asks once more after an invalid answer", async () => {
    const folder = openFolder()
    const { asked, isDone } = await init(folder, ["--bank", "sandbox", "--store", "memory"], "expres\nnone\n")
    expect(isDone).toBe(true)
    expect(asked).toContain('there is no framework "expres" (did you mean express?): --framework takes express, ')
    expect(listIn(folder)).toEqual(["src/issue.ts", "src/pix.test.ts", "src/pix.ts", "tsconfig.json"])
  })

  it("writes nothing where the input ends before the last answer", async () => {
    const folder = openFolder()
    const { text, isDone } = await init(folder, [], "express\n")
    expect(isDone).toBe(false)
    expect(text).toBe("no bank is chosen: name it by --bank, or take the defaults by --yes")
    expect(listIn(folder)).toEqual([])
  })

  it("makes the folder of --dir, and says how to go there", async () => {
    const folder = join(openFolder(), "shops/mine")
    expect((await init(folder, ["-y"])).text).toContain(`\ncd ${folder}\n`)
    expect(listIn(folder)).toContain("src/pix.ts")
    const spaced = join(openFolder(), "loja são joão")
    expect((await init(spaced, ["-y"])).text).toContain(`\ncd "${spaced}"\n`)
  })

  it.each([
    [["--framework", "nest"], 'there is no framework "nest" (did you mean next?): --framework takes express, '],
    [["--bank=Itaú"], 'there is no bank "Itaú" (did you mean itau?): --bank takes sandbox, standard, bancoDoBrasil, '],
    [["--store", "sqlite"], 'there is no store "sqlite": --store takes embedded, postgres, memory'],
    [
      ["--framwork", "hono"],
      "there is no option --framwork (did you mean --framework?): the options are --framework, ",
    ],
    [["--toString"], "there is no option --toString: "],
    [["--store"], "--store takes a value"],
    [["--yes=no"], "--yes takes no value"],
    [["express"], '"express" belongs to no option'],
    [["--yes", "--bank", "inter", "--store", "memory"], "at a bank, --store takes embedded or postgres"],
  ])("refuses %j, and writes nothing", async (args, message) => {
    const folder = openFolder()
    const { text, isDone } = await init(folder, args)
    expect(isDone).toBe(false)
    expect(text).toContain(message)
    expect(listIn(folder)).toEqual([])
  })

  it.each(["--help", "-h"])("says by %s what each option takes", async (flag) => {
    const { text, isDone } = await init(openFolder(), [flag])
    expect(isDone).toBe(true)
    for (const word of ["--framework", "fastify", "--bank", "sicoob", "--store", "embedded", "--dir", "--yes"]) {
      expect(text).toContain(word)
    }
  })

  it("is a command that reads its answers from a pipe, into the current folder, and ends with 1 where it refuses", () => {
    const bin = join(import.meta.dirname, "../dist/bin/pixcharge.js")
    const cwd = openFolder()
    const run = () =>
      spawnSync(process.execPath, [bin, "init"], { cwd, input: "fastify\n\nmemory\n", encoding: "utf8" })
    const first = run()
    expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: "" })
    expect(first.stdout).toContain("npm install ")
    expect(first.stdout).toContain("\ncat .env.example >> .env\n")
    expect(first.stdout).not.toContain("\ncd ")
    expect(read(cwd, "src/server.ts")).toContain("pixPlugin(pix)")
    const second = run()
    expect(second.status).toBe(1)
    expect(second.stderr).toMatch(/^nothing is written, .*src\/server\.ts.*\n$/)
    expect(second.stdout).not.toContain("npm install ")
  })
})

describe("pixcharge init overwrites nothing", () => {
  const put = (folder: string, path: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true })
    writeFileSync(join(folder, path), "mine")
  }

  it.each(["src/pix.ts", "src/server.ts", "src/settings.ts", "src/pix.test.ts", ".env.example"])(
    "where %s is there, it writes no file at all, and says why",
    async (path) => {
      const folder = openFolder()
      put(folder, path)
      const { text, isDone } = await init(folder, ["--yes"])
      expect({ text, isDone }).toEqual({
        text: `nothing is written, because of what is there already: ${path}`,
        isDone: false,
      })
      expect(listIn(folder)).toEqual([path])
      expect(read(folder, path)).toBe("mine")
    },
  )

  it("names each file that is in the way, and follows no link to write through it", async () => {
    const folder = openFolder()
    put(folder, "src/pix.ts")
    symlinkSync(join(folder, "elsewhere"), join(folder, ".env.example"))
    const { text, isDone } = await init(folder, ["--yes"])
    expect(isDone).toBe(false)
    expect(text).toMatch(/already: src\/pix\.ts, \.env\.example$/)
    expect(existsSync(join(folder, "elsewhere"))).toBe(false)
  })

  it("says what is in the way of a folder", async () => {
    const folder = openFolder()
    put(folder, "src")
    const { text, isDone } = await init(folder, ["--yes"])
    expect({ isDone, files: listIn(folder) }).toEqual({ isDone: false, files: ["src"] })
    expect(text).toContain(join(folder, "src"))
  })

  it("leaves a tsconfig.json as it is", async () => {
    const folder = openFolder()
    put(folder, "tsconfig.json")
    expect((await init(folder, ["--yes"])).isDone).toBe(true)
    expect(read(folder, "tsconfig.json")).toBe("mine")
  })

  it("says how a package becomes one of ES modules, unless it is", async () => {
    const folder = openFolder()
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    expect((await init(folder, ["--yes"])).text).not.toContain("npm pkg set type=module")
    expect((await init(openFolder(), ["--yes"])).text).toContain("\nnpm pkg set type=module\n")
  })

  it.each([
    [false, ["app/api/payments/[...path]/route.ts", "instrumentation.ts"]],
    [true, ["src/app/api/payments/[...path]/route.ts", "src/instrumentation.ts"]],
  ])("writes where Next.js looks, also where the app is in src (%s)", async (isInSrc, paths) => {
    const folder = openFolder()
    if (isInSrc) mkdirSync(join(folder, "src/app"), { recursive: true })
    expect((await init(folder, ["--yes", "--framework", "next"])).isDone).toBe(true)
    const others = [".env.example", "src/pix.test.mjs", "src/pix.ts", "src/settings.ts"]
    expect(listIn(folder)).toEqual([...paths, ...others].toSorted())
    for (const path of paths) {
      for (const [, module = ""] of read(folder, path).matchAll(/import\("(.+)"\)/g)) {
        expect(existsSync(join(folder, path, "..", `${module}.ts`)), `${path} imports ${module}`).toBe(true)
      }
    }
  })
})
