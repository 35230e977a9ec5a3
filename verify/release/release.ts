import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { refuse, tell } from "../world/commandLine.ts"
import { root } from "../world/root.ts"
import { run } from "../world/run.ts"
import { checkPackages } from "./check/checkPackages.ts"
import { pack } from "./pack.ts"
import { packages } from "./packages.ts"
import { releaseFlaws } from "./releaseFlaws.ts"
import { typeFlaws } from "./typeFlaws.ts"

const stopAt = (flaws: ReadonlyArray<string>): void => {
  if (flaws.length > 0) refuse(flaws.join("\n"))
}

const checkTree = async (): Promise<void> =>
  stopAt(
    releaseFlaws({
      changedFiles: await run("git", ["status", "--porcelain"]),
      origin: await run("git", ["remote", "get-url", "origin"]),
      packages: packages.map(({ folder, manifest }) => ({
        ...manifest,
        changelog: readFileSync(join(folder, "CHANGELOG.md"), "utf8"),
      })),
    }),
  )

/**
 * Prepares a release, but doesn't publish it. Checks the Git tree, the packages and their types, runs the guides' hosts
 * on every runtime, and writes the tarballs with their digests to `release/`.
 */
export const release = async (isTrial: boolean): Promise<void> => {
  if (!isTrial) await checkTree()
  await checkPackages()
  if (!isTrial) tell(await run("pnpm", ["test:hosts"]))

  const folder = join(root, "release")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const digests = []
  for (const { name, filename, isImported } of await pack(folder)) {
    const tarball = readFileSync(filename)
    if (isImported) stopAt((await typeFlaws(tarball)).map((flaw) => `${name}: ${flaw}`))
    digests.push(`${createHash("sha256").update(tarball).digest("hex")}  ${basename(filename)}`)
  }
  writeFileSync(join(folder, "SHA256SUMS"), `${digests.join("\n")}\n`)

  tell(`${digests.length} packages are ready in release/. Nothing is published. To publish exactly these:

  (cd release && sha256sum --check SHA256SUMS && for tarball in *.tgz; do npm publish "$tarball" --access public; done)
  npx -y pnpm@12 changeset tag && git push --follow-tags`)
}
