import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { tell } from "../../world/commandLine.ts"
import { pack } from "../pack.ts"
import { packages } from "../packages.ts"
import { tarballFlaws } from "../tarballFlaws.ts"
import { checkBrowsers } from "./browsers.ts"
import { checkCommand } from "./checkCommand.ts"
import { checkPart, parts } from "./parts.ts"
import { checkTogether } from "./together.ts"
import { runFirst } from "./runFirst.ts"

const packAll = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const packed = await pack(folder)
  const flaws = packed.flatMap(({ name, files, isImported }) =>
    tarballFlaws(files, isImported).map((flaw) => `${name}: in the tarball, ${flaw}`),
  )
  if (flaws.length > 0) throw new Error(flaws.join("\n"))
  return Object.fromEntries(packed.map(({ name, filename }) => [name, filename]))
}

const lint = async (tarballs: Readonly<Record<string, string>>): Promise<void> => {
  for (const { manifest } of packages) {
    const file = new Uint8Array(readFileSync(tarballs[manifest.name] ?? ""))
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: file.buffer } })
    const said = messages.map((message) => `${manifest.name}: ${formatMessage(message, pkg)}`)
    if (said.length > 0) throw new Error(said.join("\n"))
  }
}

/**
 * Checks the packages as users get them. Packs them, checks that no file is missing or superfluous, lints them with
 * publint, and installs them in an empty folder. There it imports every export, type-checks the docs' snippets, bundles
 * the exports for browsers, runs README's first program, and runs the commands. Then it installs each of `parts` alone:
 * the part must load with its declared dependencies, bring no other packages, and pass its users' tests.
 */
export const checkPackages = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-packages-"))
  try {
    const tarballs = await packAll(folder)
    await lint(tarballs)
    const files = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]))
    const counted = await checkTogether(join(folder, "all"), files)
    const forBrowsers = await checkBrowsers(join(folder, "browsers"), files)
    await runFirst(join(folder, "first"), tarballs)
    await checkCommand(join(folder, "command"), new Map(Object.entries(tarballs)))
    for (const [index, part] of parts.entries()) await checkPart(join(folder, `alone${index}`), part, files)
    tell(
      `${packages.length} packages, ${counted}, ${forBrowsers} exports for browsers and ${parts.length} parts alone work`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
