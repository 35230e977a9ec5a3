import pg from "pg"
import { sessionsCpu } from "../processes/ServerCpu.ts"

export interface Node {
  readonly host: string
  readonly port: number
  readonly url: string
  /** The CPU time of the node's sessions in nanoseconds, including sessions that other nodes opened. */
  readonly cpuNs: () => number
}

const openNode = async (clusterUrl: string, host: string, port: number): Promise<Node> => {
  const address = new URL(clusterUrl)
  address.host = `${host}:${port}`
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  const cpuNs = await sessionsCpu(client)
  await client.end()
  return { host, port, url: address.href, cpuNs }
}

export const openNodes = async (coordinator: pg.Pool, url: string): Promise<ReadonlyArray<Node>> => {
  const { rows } = await coordinator.query(
    "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
  )
  return Promise.all(rows.map(({ nodename, nodeport }) => openNode(url, nodename, nodeport)))
}
