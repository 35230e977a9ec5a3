/**
 * Proves that the tests can fail: plants packages with one fault each beside the real ones, and runs them under the very
 * configuration of `pnpm test`, with `CI` set and without. A faulty package must end the run with 1, a sound one with 0. Faults
 * that Vitest counts as failed tests share a run, which must count them all and name each. Each package is planted with and
 * without a global setup that imports the real ones: what they import lives in the process whose exit code counts. Without one its
 * tests share workers with those of the others. The simulation and the fuzz must end with 1 too, over a store with a fault and
 * with options that have nothing run; and so must steps that run together when one of them fails, in whatever way. Faults of the
 * repository itself are planted in a copy of it.
 */
import { execFileSync, spawn } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"

const root = join(import.meta.dirname, "..")
const timeoutMs = 300_000
const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", "vitest.workspace.ts", "--cache=false"]
const planted = mkdtempSync(join(tmpdir(), "pixcharge-gate-"))

const imports = 'import { expect, it } from "vitest"'

/** The text of a test file: one sound test and these lines. */
const testFile = (...lines) => [imports, 'it("holds", () => expect(1).toBe(1))', ...lines, ""].join("\n")
const failing = 'it("does not hold", () => expect(1).toBe(2))'

/**
 * The test files of each package; nothing but the fault that it is named for can fail it. `fails`: what Vitest names as failed
 * of a package whose fault it counts; those share a run. `setUp` and `end`: what its set-up does, and the end of that.
 */
const packages = {
  sound: { files: { "test/a.test.ts": testFile() } },
  failing: { files: { "test/a.test.ts": testFile(failing) }, fails: "test/a.test.ts > does not hold" },
  failingSpec: {
    files: { "test/a.test.ts": testFile(), "src/b.spec.ts": testFile(failing) },
    fails: "src/b.spec.ts > does not hold",
  },
  ...Object.fromEntries(
    ["tsx", "mts", "cts", "js", "mjs"].map((kind) => [
      `failing${kind}`,
      { files: { [`test/a.test.${kind}`]: testFile(failing) }, fails: `test/a.test.${kind} > does not hold` },
    ]),
  ),
  failingAlone: {
    files: { "test/alone/a.test.ts": testFile(failing) },
    fails: "test/alone/a.test.ts > does not hold",
  },
  // No other test, which would be skipped: a fault of its own.
  focused: {
    files: { "test/a.test.ts": `${imports}\nit.only("has the focus", () => expect(1).toBe(1))\n` },
    fails: "test/a.test.ts",
  },
  skipped: { files: { "test/a.test.ts": testFile('it.skip("does not hold", () => expect(1).toBe(2))') } },
  assertsNothing: {
    files: { "test/a.test.ts": testFile('it("asserts nothing", () => {})') },
    fails: "test/a.test.ts > asserts nothing",
  },
  returnsEffect: {
    files: {
      "test/a.test.ts": testFile(
        'import * as Effect from "effect/Effect"',
        'it("asserts what nobody runs", () => {',
        "  expect(1).toBe(1)",
        "  return Effect.sync(() => expect(1).toBe(2))",
        "})",
      ),
    },
    fails: "test/a.test.ts > asserts what nobody runs",
  },
  setupThrows: { files: { "test/a.test.ts": testFile() }, setUp: 'throw new Error("planted")', says: "Error: planted" },
  endThrows: { files: { "test/a.test.ts": testFile() }, end: 'throw new Error("planted")', says: "Error: planted" },
  endHangs: {
    files: { "test/a.test.ts": testFile() },
    end: "return new Promise(() => setInterval(() => {}, 1_000))",
    flags: ["--teardownTimeout=2000"],
    says: "it hasn't ended after 2 s",
  },
}

const counted = Object.keys(packages).filter((name) => packages[name].fails !== undefined)

const realSetups = [...readdirSync(join(root, "packages")).map((name) => join("packages", name)), "browser"]
  .map((place) => join(root, place, "test/globalSetup.ts"))
  .filter((file) => existsSync(file))

/** A global setup; starting what the real ones start takes seconds, so only two packages do. */
const setupFor = (name, importsReal) => {
  const setups = importsReal ? realSetups : []
  const starts = name === "sound" || name === "failing"
  const { setUp = "", end = "" } = packages[name]
  return [
    ...setups.map((file, at) => `import setup${at} from ${JSON.stringify(file)}`),
    `const setups = [${setups.map((_, at) => `setup${at}`).join(", ")}]`,
    "export default async (project) => {",
    `  ${setUp}`,
    `  const removals = await Promise.all(${starts ? "setups.map((setup) => setup(project))" : "[]"})`,
    "  return async () => {",
    "    await Promise.all(removals.map((remove) => remove?.()))",
    `    ${end}`,
    "  }",
    "}",
  ].join("\n")
}

const hasOwnSetup = (name) => packages[name].setUp !== undefined || packages[name].end !== undefined

const partOf = (name, hasSetup) => (hasSetup ? `${name}-setup` : name)

const folderOf = (name, hasSetup) => join(planted, "packages", partOf(name, hasSetup))

/** The project of vitest.workspace.ts that has a package's tests. */
const projectOf = (name, hasSetup) => {
  if (name === "failingAlone") return "alone"
  return hasSetup || hasOwnSetup(name) ? partOf(name, hasSetup) : "shared"
}

const plant = (name, hasSetup) => {
  const folder = folderOf(name, hasSetup)
  const setup = hasSetup || hasOwnSetup(name) ? { "test/globalSetup.ts": setupFor(name, hasSetup) } : {}
  for (const [file, text] of Object.entries({ ...packages[name].files, ...setup })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

const environment = (isCi) => {
  const { CI: _ci, LONG: _long, ...rest } = process.env
  return { ...rest, ...(isCi && { CI: "true" }), NO_COLOR: "1", PLANTED_PACKAGES: join(planted, "packages") }
}

/** How a command ends, by default one of Node's: its exit code, or the signal that had to end it. */
const exitOf = ({ command = process.execPath, args, env, cwd = root }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, timeout: timeoutMs })
    const output = []
    child.stdout.on("data", (data) => output.push(data))
    child.stderr.on("data", (data) => output.push(data))
    child.once("close", (code, signal) => resolve({ exit: code ?? signal, output: Buffer.concat(output).toString() }))
  })

/** A run of Vitest on planted packages, with or without setups. */
const packageRun = (names, hasSetup, isCi) => {
  const projects = new Set(names.map((name) => projectOf(name, hasSetup)))
  return {
    what: `${names.map((name) => partOf(name, hasSetup)).join(", ")} with${isCi ? "" : "out"} CI`,
    args: [
      ...vitest,
      ...names.flatMap((name) => packages[name].flags ?? []),
      ...[...projects].flatMap((one) => ["--project", one]),
      ...names.map((name) => join(folderOf(name, hasSetup), "/")),
    ],
    env: environment(isCi),
    expected: names.includes("sound") ? 0 : 1,
    says: names.flatMap((name) => {
      const { fails, says = [] } = packages[name]
      return fails === undefined
        ? says
        : [`FAIL  |${projectOf(name, hasSetup)}| ${relative(root, join(folderOf(name, hasSetup), fails))}`]
    }),
  }
}

/** A run of a script that must end with 1 and say this. */
const scriptRun = (script) => (flags, says) => ({
  what: `${script} ${flags.join(" ")}`,
  args: [join(root, "scripts", script), ...flags],
  env: process.env,
  expected: 1,
  says: [says],
})
const simulationRun = scriptRun("simulate.mjs")
const fuzzRun = scriptRun("fuzz.mjs")
const togetherRun = scriptRun("runTogether.mjs")

/** A module that is no store. */
const plantModule = (name, text) => {
  const file = join(planted, `${name}.mjs`)
  writeFileSync(file, text)
  return file
}

/** In all four settings, or in two: with `CI` and a setup, and without both. */
const packageRuns = () => [
  ...[["sound"], counted].flatMap((names) =>
    [true, false].flatMap((hasSetup) => [true, false].map((isCi) => packageRun(names, hasSetup, isCi))),
  ),
  ...["skipped", "setupThrows", "endThrows", "endHangs"].flatMap((name) =>
    [true, false].map((both) => packageRun([name], both, both)),
  ),
]

const heedless = ["--store", join(root, "packages/testkit/test/simulation/heedlessStore.mjs")]
/** What is printed of a seed that breaks a rule. */
const failureParts = ["breaks", "It also happens (trace ", "await simulate({", "plan: [", "by the second:"]

const simulationRuns = () => [
  { ...simulationRun(heedless), says: failureParts, next: replayOf },
  simulationRun(["--store", plantModule("throws", 'throw new Error("planted")')], "ends by an error: Error: planted"),
  simulationRun(["--store", plantModule("missing", "export const store = 1")], "has no default export"),
  simulationRun(["--store", plantModule("ends", "process.exit(0)")], "Only 0 of 3000 seeds have run"),
  simulationRun(["--seeds", "3_000"], "--seeds must be a whole number"),
  ...["--seeds", "--hosts"].map((option) => simulationRun([option, "0"], `${option} must be a whole number`)),
  simulationRun(["--seeds", "2", "--from", "4294967295"], "the last seed is 4294967295"),
  simulationRun(["--postgres", ...heedless], "--store doesn't go with --postgres"),
  simulationRun(["--postgres", "--history"], "--history doesn't go with --postgres"),
]

/** The history of the seed that failed, which must have the trace of the run that failed. */
const replayOf = (output) => {
  const [, seed = "", trace = ""] = /Seed (\d+) \(trace (\w+)\)/.exec(output) ?? []
  return simulationRun([...heedless, "--history", "--from", seed], `trace ${trace}`)
}

/** A store whose look-ups of charges end in a defect. */
const defectiveStore = `
  import { ChargeStore } from "@pixcharge/core"
  import { memoryStore } from "@pixcharge/store-memory"
  import * as Effect from "effect/Effect"
  import * as Layer from "effect/Layer"
  const broken = Effect.map(ChargeStore, (store) => ({ ...store, find: () => Effect.die("planted") }))
  export default Layer.provideMerge(Layer.effect(ChargeStore, broken), memoryStore())`

const fuzzRuns = () => [
  fuzzRun(["--store", plantModule("defective", defectiveStore)], "of seed 1 breaks a rule"),
  fuzzRun(["--store", join(planted, "throws.mjs")], "ends by an error: Error: planted"),
  fuzzRun(["--store", join(planted, "missing.mjs")], "has no default export"),
  fuzzRun(["--store", join(planted, "ends.mjs")], "The worker ended with 0 at request 1"),
  ...["--count", "--from"].map((option) => fuzzRun([option, "0"], `${option} must be a whole number`)),
]

/** A sound step beside one that fails; what both have said is shown. */
const togetherRuns = () => {
  const sound = plantModule("sound", 'setTimeout(() => console.log("the sound one ended"), 500)')
  const killed = plantModule("killed", 'process.kill(process.pid, "SIGKILL")')
  const ends = plantModule("endsWith2", "process.exitCode = 2")
  const hangs = plantModule("hangs", "setInterval(() => {}, 1_000)")
  return [
    togetherRun([sound, join(planted, "throws.mjs")], "the sound one ended"),
    togetherRun([join(planted, "throws.mjs"), sound], "Error: planted"),
    togetherRun([sound, ends], "endsWith2.mjs ended with 2"),
    togetherRun([killed, sound], "killed.mjs ended with SIGKILL"),
    togetherRun([sound, join(planted, "none.mjs")], "Cannot find module"),
    togetherRun(
      ["--minutes", "0.05", hangs, sound],
      "hangs.mjs ended with SIGKILL, for it took longer than 0.05 minutes",
    ),
    togetherRun([], "name at least one command"),
    { ...togetherRun([sound, sound], "the sound one ended"), expected: 0 },
  ]
}

/** The files of the repository that match, copied into a folder. */
const copyFiles = (name, form) => {
  const copy = join(planted, name)
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  for (const file of String(listed).split("\0")) {
    if (form.test(file) && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
  }
  return copy
}

const wrongType = 'export const planted: number = "planted"\n'

/** A copy of the repository without files that tests hold to its code, with wrong types, and a test that nothing runs. */
const plantInCopy = () => {
  const copy = copyFiles("copy", /./)
  for (const place of [
    "",
    ...["packages", "examples"].flatMap((one) => readdirSync(join(root, one)).map((name) => join(one, name))),
  ]) {
    if (existsSync(join(root, place, "node_modules"))) {
      symlinkSync(join(root, place, "node_modules"), join(copy, place, "node_modules"))
    }
  }
  execFileSync("git", ["init", "--quiet"], { cwd: copy })
  for (const file of ["gate/exports/hono.txt", "packages/http/openapi.json"]) rmSync(join(copy, file))
  appendFileSync(join(copy, "docs/errors.md"), "planted\n")
  for (const file of ["hosts/express/src", "packages/mutation/test", "scripts"]) {
    writeFileSync(join(copy, file, "planted.ts"), wrongType)
  }
  writeFileSync(join(copy, "scripts/planted.test.ts"), testFile())
  return copy
}

const copyRuns = () => {
  const cwd = plantInCopy()
  const tests = ["docs/test/errors", "gate/test/everyFile", "gate/test/exports", "packages/http/test/openApiDocument"]
  const run = { env: environment(false), expected: 1, cwd }
  const types = (project) => ({
    ...run,
    what: `the types of ${project}`,
    args: [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      project,
      "--noEmit",
      "--composite",
      "false",
      "--incremental",
      "false",
    ],
    says: ["planted.ts(1,14): error TS2322"],
  })
  const files = {
    ...run,
    what: "files that tests write with --update alone, and files that nothing reads",
    args: [...vitest, ...tests.map((test) => `${test}.test.ts`)],
    says: [
      "docs/errors.md says what the classes say",
      "hono exports what gate/exports lists",
      "is the file of the package",
      "scripts/planted.ts",
      "scripts/planted.test.ts",
    ],
  }
  return [files, types("hosts"), types("packages/mutation/test"), lockfileRun()]
}

/** The first step of the gate, where a dependency isn't the one of the lockfile. */
const lockfileRun = () => {
  const cwd = copyFiles("manifests", /(^|\/)(package\.json|pnpm-.*\.yaml)$/)
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))
  manifest.devDependencies.effect = "4.0.0"
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest))
  const [first] = manifest.scripts.test.split(" && ")
  return {
    what: first,
    command: "sh",
    args: ["-c", first],
    cwd,
    env: environment(false),
    expected: 1,
    says: ["lockfile"],
  }
}

try {
  for (const name of Object.keys(packages)) for (const hasSetup of [true, false]) plant(name, hasSetup)
  symlinkSync(join(root, "node_modules"), join(planted, "node_modules"))
  const runs = [...packageRuns(), ...simulationRuns(), ...fuzzRuns(), ...togetherRuns(), ...copyRuns()]
  const waiting = [...runs]
  const wrong = []
  const work = async () => {
    for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
      const { exit, output } = await exitOf(run)
      if (run.next !== undefined) {
        const next = run.next(output)
        runs.push(next)
        waiting.push(next)
      }
      if (exit !== run.expected || run.says.some((text) => !output.includes(text))) wrong.push({ ...run, exit, output })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  for (const { what, exit, expected, says, output } of wrong) {
    console.error(
      `${output}\n${what}: the run ended with ${exit}; it must end with ${expected} and say "${says.join('" and "')}"`,
    )
  }
  if (wrong.length > 0) process.exitCode = 1
  else console.log(`The gate can fail: ${runs.length} runs on planted faults ended as they must`)
} finally {
  rmSync(planted, { recursive: true, force: true })
}
