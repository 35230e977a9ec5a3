import { posix } from "node:path"

/** The source files of one package, by their paths below `src`. */
export type Sources = ReadonlyMap<string, string>

/** Stands in the table for the files that lie directly in `src`. */
const top = "src"

/** What only gathers others, and what is made from a folder `browser`. */
const isOutside = (path: string): boolean => ["index.ts", "internal/index.ts", "assets.ts"].includes(path)

/** The folder of the table in which a file lies; undefined if it has none. */
const folderOf = (path: string, order: ReadonlyArray<string>): string | undefined =>
  order.find((folder) => (folder === top ? !path.includes("/") : path.startsWith(`${folder}/`)))

const importedPaths = (path: string, text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g)].map(([, from = ""]) =>
    posix.normalize(posix.join(posix.dirname(path), from)),
  )

/** What breaks the order of a package's folders, from the ground up: one imports only from itself and from those before it. */
export const layerFlaws = (order: ReadonlyArray<string>, sources: Sources): ReadonlyArray<string> =>
  [...sources].flatMap(([path, text]) => {
    if (isOutside(path)) return []
    const folder = folderOf(path, order)
    if (folder === undefined) return [`${path} lies in no folder of the table`]
    return importedPaths(path, text).flatMap((imported) => {
      if (imported === "assets.ts") return []
      const below = isOutside(imported) ? undefined : folderOf(imported, order)
      return below !== undefined && order.indexOf(below) <= order.indexOf(folder) ? [] : [`${path} imports ${imported}`]
    })
  })
