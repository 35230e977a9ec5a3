import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"
import { planted, type Run, testFile, vitest } from "./Run.ts"

const copyFiles = (name: string, form: RegExp): string => {
  const copy = join(planted, name)
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  for (const file of String(listed).split("\0")) {
    if (form.test(file) && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
  }
  return copy
}

const plantInCopy = (): string => {
  const copy = copyFiles("copy", /./)
  const parts = ["packages", "examples"].flatMap((one) => readdirSync(join(root, one)).map((name) => join(one, name)))
  for (const place of ["", "verify", ...parts]) {
    const modules = join(place, "node_modules")
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(copy, modules))
  }
  execFileSync("git", ["init", "--quiet"], { cwd: copy })
  rmSync(join(copy, "verify/gate/exports/hono.txt"))
  appendFileSync(join(copy, "verify/gate/exports/express.txt"), "planted\n")
  writeFileSync(join(copy, "planted.ts"), "export const planted = 1\n")
  writeFileSync(join(copy, "planted.test.mjs"), testFile())
  writeFileSync(join(copy, "verify/hosts/express/src/planted.ts"), 'export const planted: number = "planted"\n')
  return copy
}

const lockfileRun = (): Run => {
  const cwd = copyFiles("manifests", /(^|\/)(package\.json|pnpm-.*\.yaml)$/)
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))
  manifest.dependencies.effect = "4.0.0"
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest))
  const install = manifest.scripts.build.split(" && ").find((step: string) => step.startsWith("pnpm install"))
  return { what: install, command: "sh", args: ["-c", install], cwd, says: ["lockfile"] }
}

/** Selects tests by name, because the other tests of these files have no planted fault and load all our sources. */
const tests = ["everyFile", "exports"].map((name) => `verify/gate/test/${name}.test.ts`)
const named = ["--testNamePattern", "every file|exports what gate/exports lists"]
const noBuild = ["--noEmit", "--composite", "false", "--incremental", "false"]

export const copyRuns = (): ReadonlyArray<Run> => {
  const cwd = plantInCopy()
  return [
    {
      what: "files that tests write with --update alone, and files that nothing reads",
      args: [...vitest, ...tests, ...named],
      cwd,
      says: [
        // The output also names passing tests, so FAIL is part of the expected line.
        "FAIL  |shared| verify/gate/test/exports.test.ts > the exports of each package > hono exports",
        "FAIL  |shared| verify/gate/test/exports.test.ts > the exports of each package > express exports",
        '"planted.ts"',
        '"planted.test.mjs"',
      ],
    },
    {
      what: "the types of a host",
      args: [join(root, "node_modules/typescript/bin/tsc"), "-p", "verify/hosts", ...noBuild],
      cwd,
      says: ["planted.ts(1,14): error TS2322"],
    },
    lockfileRun(),
  ]
}
