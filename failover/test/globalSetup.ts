import { execFile } from "node:child_process"
import { promisify } from "node:util"

const root = `${import.meta.dirname}/../..`

const packages = ["callback-fetch", "embed", "processor-api-pix", "store-postgres"].map(
  (name) => `${root}/packages/${name}`,
)

/** Builds what the hosts run. */
export default async (): Promise<void> => {
  await promisify(execFile)(`${root}/node_modules/.bin/tsc`, ["-b", ...packages])
}
