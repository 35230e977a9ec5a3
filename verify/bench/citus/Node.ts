import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"

/** A node of the cluster, on this machine. */
export interface Node {
  readonly isCoordinator: boolean
  readonly host: string
  readonly port: number
  readonly url: string
  /** Nanoseconds of CPU that its sessions have taken, those of other nodes too. */
  readonly cpuNs: () => number
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The process has ended.
    return ""
  }
}

/** A session names its client's address; the server's own processes name none. */
const isSession = (pid: string): boolean => /^postgres: .*\(\d+\)/.test(read(`/proc/${pid}/cmdline`))

const parentOf = (pid: string): string =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ")[1] ?? ""

/** The first figure is the time on a CPU, in nanoseconds; that of `stat` counts in hundredths of a second. */
const cpuOf = (pid: string): number => Number(read(`/proc/${pid}/schedstat`).split(" ")[0])

const sessionsOf = (postmaster: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster && isSession(pid))

/** The node that is reached there. Throws where its server runs on another machine, or under a user whose files are closed to us. */
const openNode = async (clusterUrl: string, group: number, host: string, port: number): Promise<Node> => {
  const address = new URL(clusterUrl)
  address.host = `${host}:${port}`
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  const { rows } = await client.query("SELECT current_setting('data_directory') AS folder")
  await client.end()
  const postmaster = readFileSync(join(rows[0].folder, "postmaster.pid"), "utf8").split("\n")[0] ?? ""
  // What a session has taken still counts once it has ended.
  const taken = new Map<string, number>()
  return {
    isCoordinator: group === 0,
    host,
    port,
    url: address.href,
    cpuNs: () => {
      for (const pid of sessionsOf(postmaster)) taken.set(pid, cpuOf(pid))
      return [...taken.values()].reduce((sum, cpu) => sum + cpu, 0)
    },
  }
}

/** Every node of the cluster, the coordinator first. */
export const openNodes = async (coordinator: pg.Pool, url: string): Promise<ReadonlyArray<Node>> => {
  const { rows } = await coordinator.query(
    "SELECT groupid, nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
  )
  return Promise.all(rows.map(({ groupid, nodename, nodeport }) => openNode(url, groupid, nodename, nodeport)))
}
