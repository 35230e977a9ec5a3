/**
 * Packs the published packages, and says how they are installed while no registry has them. Run as a script it leaves them in
 * `tarballs/`, and prints the `npm install` line that takes those from there which its arguments name, by default README's first.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "..")

/** The published packages of a repository of ours: their folders and manifests. */
export const packagesIn = (source) =>
  readdirSync(join(source, "packages"))
    .map((name) => join(source, "packages", name))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)

/** Those of this one. */
export const packages = packagesIn(root)

/** Those that these need by their names, themselves included. */
export const neededBy = (names, known = packages) => {
  const manifests = new Map(known.map((one) => [one.manifest.name, one.manifest]))
  const needed = new Set(names)
  // What is added while it is gone through is gone through as well.
  for (const name of needed) {
    const { dependencies = {} } = manifests.get(name)
    for (const other of Object.keys(dependencies)) if (manifests.has(other)) needed.add(other)
  }
  return known.filter(({ manifest }) => needed.has(manifest.name))
}

/** Packs packages into a folder; every published one by default. */
export const pack = (destination, chosen = packages) =>
  chosen.map(({ folder, manifest }) => {
    const command = ["pack", "--json", "--pack-destination", destination]
    const printed = execFileSync("pnpm", command, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] }).toString()
    const { filename, files } = JSON.parse(printed.slice(printed.indexOf("{")))
    return { name: manifest.name, filename, files: files.map(({ path }) => path) }
  })

/** What README's first line installs. */
export const firstInstalled = () =>
  /^npm install (.+)$/m.exec(readFileSync(join(root, "README.md"), "utf8"))[1].split(" ")

/** The line that installs these, ours from their tarballs, which are given by name. */
export const installLine = (words, tarballs) => {
  const ours = words.filter((word) => word in tarballs)
  const files = neededBy(ours).map(({ manifest }) => `'${tarballs[manifest.name].replaceAll("'", String.raw`'\''`)}'`)
  return ["npm install", ...words.filter((word) => !ours.includes(word)), ...files].join(" ")
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(root, "tarballs")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const tarballs = Object.fromEntries(pack(folder).map(({ name, filename }) => [name, filename]))
  const words = process.argv.slice(2)
  console.log(`
${packages.length} packages are in ${folder}. In the folder of your app:

${installLine(words.length > 0 ? words : firstInstalled(), tarballs)}

For others, name after \`npx -y pnpm@12 run tarballs\` what a page has after \`npm install\`.`)
}
