import { readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { root } from "../../world/root.ts"

const signal = z.enum(["SIGTERM", "SIGINT"])

const Row = z.object({
  name: z.string(),
  folder: z.string(),
  /** The folder of a project whose files this one shares. */
  base: z.string().optional(),
  /** The example whose code and settings this one shares. */
  example: z.string().optional(),
  /** True if the project gets its own empty Postgres in `DATABASE_URL`. */
  hasPostgres: z.boolean().default(false),
  /** The path at which the project gets its copy of the hosts' shared file. */
  pix: z.string().optional(),
  /** The pages that are open when the host ends. A `pix` with these pages replaces the host's. */
  pages: z.array(z.enum(["checkout", "portal", "console"])).default([]),
  overrides: z.record(z.string(), z.string()).default({}),
  /** The package manager that installs the project. */
  installer: z.enum(["pnpm", "npm", "yarn"]).default("pnpm"),
  build: z.string().default("build"),
  /** The arguments that start the host. A project without a host has only `test`. */
  start: z.array(z.string()).optional(),
  test: z.array(z.string()).default([]),
  prefix: z.string().default(""),
  hasOwnRoutesBelow: z.boolean().default(false),
  hasHome: z.boolean().default(true),
  /** True if `/buy` issues a charge and redirects to its payer's page. */
  hasShop: z.boolean().default(true),
  /**
   * The signals that end the host, each in its own run, with the expected exit code or the signal that the host raises
   * again.
   */
  ends: z.partialRecord(signal, z.union([z.number(), signal])).default({ SIGTERM: 0 }),
  /** The files that are edited during a run. Such a row has only one runtime. */
  edits: z.array(z.string()).optional(),
  runtimes: z.array(z.string()),
})

/** A row of the table: a project in a folder, and its runtimes. */
export type Row = z.infer<typeof Row>

export const { runtimes, rows } = z
  .object({ runtimes: z.array(z.string()), rows: z.array(Row) })
  .parse(JSON.parse(readFileSync(join(root, "verify/hosts/hosts.json"), "utf8")))
