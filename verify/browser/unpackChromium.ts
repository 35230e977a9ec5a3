import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../world/root.ts"

export interface Chromium {
  readonly executablePath: string
  readonly environment: Readonly<Record<string, string>>
}

/** The fontconfig settings. Without them fontconfig would search other folders, and all text would have no height. */
const fontsFile = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

const program = 'const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath()'

/**
 * Unpacks Chromium into the folder, which the package finds in TMPDIR. The package unpacks its libraries only if it
 * seems to run on a Lambda.
 */
const unpackInto = async (folder: string): Promise<void> => {
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "20.x" }
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(root, "verify"),
    env,
  })
}

/**
 * The Chromium that `@sparticuz/chromium` brings, with its fonts and shared libraries, unpacked on the first call into
 * a folder named by the package's version. The folder gets its name only once it is complete, because the package's
 * `executablePath()` can return a file that another process is still writing.
 *
 * @param cache The folder that keeps Chromium between runs.
 */
export const unpackChromium = async (cache = join(root, "node_modules/.cache")): Promise<Chromium> => {
  const { dependencies } = JSON.parse(await readFile(join(root, "verify/package.json"), "utf8"))
  const folder = join(cache, `chromium-${dependencies["@sparticuz/chromium"]}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const unfinished = mkdtempSync(`${folder}-`)
    const remove = () => rmSync(unfinished, { recursive: true, force: true })
    process.once("exit", remove)
    try {
      await unpackInto(unfinished)
      await writeFile(join(unfinished, "fonts.conf"), fontsFile(folder))
      await rename(unfinished, folder)
    } catch (cause) {
      remove()
      // The folder exists if another run unpacked it first.
      if (!existsSync(folder)) throw cause
    }
  }
  return {
    executablePath: join(folder, "chromium"),
    environment: { FONTCONFIG_FILE: join(folder, "fonts.conf"), LD_LIBRARY_PATH: join(folder, "al2023/lib") },
  }
}
