import { hasTag } from "@pixcharge/core/internal"
import type { Connection, SqlFailure } from "@pixcharge/store-postgres"
import {
  type Database,
  makeDatabase,
  repeatable,
  isTrue,
  numberIn,
  textIn,
  textOr,
  type SchemaName,
} from "@pixcharge/store-postgres/internal"
import { CitusUnusable } from "../shards/Shards.ts"

/**
 * The releases that passed all suites. Other releases are refused, because Citus doesn't document how it names and moves shards.
 */
const triedCitus = ["13.2"]
const triedPostgres = [15]

interface Versions {
  readonly citus: string
  readonly postgres: number
}

const selectVersions = `json_build_object(
  'citus', (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'citus'),
  'postgres', current_setting('server_version_num')::integer / 10000
)::text`

const findHere = repeatable(`SELECT ${selectVersions} AS versions`)

const findEverywhere = repeatable(`
SELECT nodename || ':' || nodeport AS node, CASE WHEN success THEN result END AS versions
FROM run_command_on_all_nodes($command$SELECT ${selectVersions}$command$) JOIN pg_catalog.pg_dist_node USING (nodeid)
ORDER BY nodeid`)

const checkNode = (text: string, place: string): Versions => {
  const row = JSON.parse(text) as Readonly<Record<string, unknown>>
  // An extension's version ends with the number of its script: 13.2-1.
  const citus = textOr(row["citus"])?.replace(/-.*/, "")
  const postgres = numberIn(row, "postgres")
  if (citus === undefined) {
    throw new CitusUnusable({ message: `${place} has no Citus: run CREATE EXTENSION citus on every node.` })
  }
  if (triedCitus.includes(citus) && triedPostgres.includes(postgres)) return { citus, postgres }
  const tried = `Citus ${triedCitus.join(", ")} on PostgreSQL ${triedPostgres.join(", ")}`
  throw new CitusUnusable({
    message: `${place} has Citus ${citus} on PostgreSQL ${postgres}, but this release was tested only with ${tried}.`,
  })
}

/** A host must be able to start while a node is silent. */
const nodesAnswerMs = 5_000

/** Reads each node's versions, null for an unreachable node. Resolves to undefined if a node is silent. */
const readNodes = async ({ read }: Database) => {
  try {
    return await read(findEverywhere, [])
  } catch (error) {
    if (hasTag<SqlFailure>(error, "SqlFailure") && error.kind === "lost") return undefined
    throw error
  }
}

export interface CheckedVersions extends Versions {
  readonly allAnswered: boolean
}

export const checkVersions = async (db: Connection, schema: SchemaName): Promise<CheckedVersions> => {
  const [row = {}] = await makeDatabase(db, schema).read(findHere, [])
  const here = checkNode(textIn(row, "versions"), "The database")
  const nodes = await readNodes(makeDatabase(db, schema, { answerMs: nodesAnswerMs }))
  for (const node of nodes ?? []) {
    const versions = textOr(node["versions"])
    if (versions !== undefined) checkNode(versions, `Node ${textIn(node, "node")}`)
  }
  const allAnswered = nodes?.every((node) => textOr(node["versions"]) !== undefined) ?? false
  return { ...here, allAnswered }
}

const findNodes = repeatable(`
SELECT citus_is_coordinator() AS is_coordinator,
  EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0) AS knows_coordinator,
  (SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards) AS nodes`)

export const checkCoordinator = async ({ read }: Database): Promise<void> => {
  const [row = {}] = await read(findNodes, [])
  if (!isTrue(row["is_coordinator"])) {
    throw new CitusUnusable({
      message: "This is a connection to a worker: distribute tables over a connection to the coordinator.",
    })
  }
  if (!isTrue(row["knows_coordinator"])) {
    throw new CitusUnusable({ message: "The cluster doesn't know its coordinator: run citus_set_coordinator_host." })
  }
  if (numberIn(row, "nodes") === 0) {
    throw new CitusUnusable({ message: "The cluster has no node for shards: run citus_add_node for each worker." })
  }
}
