import { afterAll } from "vitest"
import { type Cluster, openCluster } from "../Cluster.ts"

/** The cluster of `CITUS_URL`, for the tests of a file. */
export const testCluster = async (): Promise<Cluster> => {
  const url = process.env["CITUS_URL"]
  if (url === undefined) throw new Error("CITUS_URL names no coordinator")
  const cluster = await openCluster(url)
  afterAll(() => cluster.close())
  return cluster
}
