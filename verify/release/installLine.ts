import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"
import { run } from "../world/run.ts"
import { findNeeded } from "./packages.ts"

export const firstInstalled = (): ReadonlyArray<string> =>
  (/^npm install (.+)$/m.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "").split(" ")

export const installLine = (words: ReadonlyArray<string>, tarballs: ReadonlyMap<string, string>): string => {
  const ours = words.filter((word) => tarballs.has(word))
  const files = findNeeded(ours).map(
    ({ manifest }) => `'${tarballs.get(manifest.name)?.replaceAll("'", String.raw`'\''`)}'`,
  )
  return ["npm install", ...words.filter((word) => !ours.includes(word)), ...files].join(" ")
}

export const runInstall = async (
  folder: string,
  words: ReadonlyArray<string>,
  tarballs: ReadonlyMap<string, string>,
) => {
  mkdirSync(folder)
  await run("sh", ["-c", `${installLine(words, tarballs)} --prefer-offline --no-audit --no-fund`], folder)
}
