import { readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { root } from "../../world/root.ts"

const signal = z.enum(["SIGTERM", "SIGINT"])

const Row = z.object({
  name: z.string(),
  folder: z.string(),
  /** The folder whose files it has as well. */
  base: z.string().optional(),
  /** The example whose code and settings it has as well. */
  example: z.string().optional(),
  /** Whether `DATABASE_URL` is that of an empty Postgres of its own. */
  hasPostgres: z.boolean().default(false),
  /** Where the file that its hosts share is copied to. */
  pix: z.string().optional(),
  /** The pages that are open when it ends. A `pix` that has them takes the place of its own. */
  pages: z.array(z.enum(["checkout", "portal", "console"])).default([]),
  overrides: z.record(z.string(), z.string()).default({}),
  /** What lays out its `node_modules`. */
  installer: z.enum(["pnpm", "npm", "yarn"]).default("pnpm"),
  build: z.string().default("build"),
  /** How the host is started; a project without it is what `test` says. */
  start: z.array(z.string()).optional(),
  test: z.array(z.string()).default([]),
  prefix: z.string().default(""),
  hasOwnRoutesBelow: z.boolean().default(false),
  hasHome: z.boolean().default(true),
  /** `/buy` issues a charge, and leads to its payer's page. */
  hasShop: z.boolean().default(true),
  /** The signals that end it, one in each run, and its exit code then, or the signal that it raises again. */
  ends: z.partialRecord(signal, z.union([z.number(), signal])).default({ SIGTERM: 0 }),
  /** The files that are edited under it while it runs, on the one runtime of its row. */
  edits: z.array(z.string()).optional(),
  runtimes: z.array(z.string()),
})

/** A row of the table: a project in a folder, and the runtimes that it is run on. */
export type Row = z.infer<typeof Row>

export const { runtimes, rows } = z
  .object({ runtimes: z.array(z.string()), rows: z.array(Row) })
  .parse(JSON.parse(readFileSync(join(root, "verify/hosts/hosts.json"), "utf8")))
