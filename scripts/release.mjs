/**
 * Makes a release ready, and stops before publishing: checks that the tree is what is released, builds and checks the
 * packages, runs the hosts of the guides on every runtime, checks types, and leaves the tarballs with their digests in
 * `release/`. `--packages` leaves out the tree and the hosts: for trying it.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { pack, packages, root } from "./pack.mjs"
import { releaseFlaws } from "./releaseFlaws.mjs"
import { typeFlaws } from "./typeFlaws.mjs"

const packagesAlone = process.argv.includes("--packages")

const read = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim()
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" })

const stopAt = (flaws) => {
  if (flaws.length === 0) return
  for (const flaw of flaws) console.error(flaw)
  process.exit(1)
}

if (!packagesAlone) {
  stopAt(
    releaseFlaws({
      changedFiles: read("git", "status", "--porcelain"),
      origin: read("git", "remote", "get-url", "origin"),
      packages: packages.map(({ folder, manifest }) => ({
        ...manifest,
        changelog: readFileSync(join(folder, "CHANGELOG.md"), "utf8"),
      })),
    }),
  )
}

run("pnpm", "build")
run("node", "scripts/checkPackages.mjs")
if (!packagesAlone) run("pnpm", "test:hosts")

const folder = join(root, "release")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const digests = []
for (const { name, filename } of pack(folder)) {
  const tarball = readFileSync(filename)
  stopAt((await typeFlaws(tarball)).map((flaw) => `${name}: ${flaw}`))
  digests.push(`${createHash("sha256").update(tarball).digest("hex")}  ${basename(filename)}`)
}
writeFileSync(join(folder, "SHA256SUMS"), `${digests.join("\n")}\n`)

console.log(`${digests.length} packages are ready in release/. Nothing is published. To publish exactly these:

  (cd release && sha256sum --check SHA256SUMS && for tarball in *.tgz; do npm publish "$tarball" --access public; done)
  npx -y pnpm@12 changeset tag && git push --follow-tags`)
