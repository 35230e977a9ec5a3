import { posix } from "node:path"

/** The code of a package's source files, by path below `src`. */
export type Sources = ReadonlyMap<string, string>

const top = "src"

/** Lists of exports, and generated files. */
const isOutside = (path: string): boolean => /^(?:index|assets|internal\/\w+)\.ts$/.test(path)

const folderOf = (path: string, order: ReadonlyArray<string>): string | undefined =>
  order.find((folder) => (folder === top ? !path.includes("/") : path.startsWith(`${folder}/`)))

const importedPaths = (path: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, from = ""]) =>
    posix.normalize(posix.join(posix.dirname(path), from)),
  )

/**
 * The imports that break the order of a package's folders, lowest layer first. A folder can import only from itself and
 * from lower ones.
 */
export const layerFlaws = (order: ReadonlyArray<string>, sources: Sources): ReadonlyArray<string> =>
  [...sources].flatMap(([path, text]) => {
    if (isOutside(path)) return []
    const folder = folderOf(path, order)
    if (folder === undefined) return [`${path} is in no folder of the table`]
    return importedPaths(path, text).flatMap((imported) => {
      if (imported === "assets.ts") return []
      const below = isOutside(imported) ? undefined : folderOf(imported, order)
      return below !== undefined && order.indexOf(below) <= order.indexOf(folder) ? [] : [`${path} imports ${imported}`]
    })
  })
