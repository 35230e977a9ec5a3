/** What V8 writes of a process that runs under `--cpu-prof`. */
export interface CpuProfile {
  readonly nodes: ReadonlyArray<ProfileNode>
  /** Microseconds of the steady clock that all processes of the machine share. */
  readonly startTime: number
  /** The node that ran at each sample, by its id. */
  readonly samples: ReadonlyArray<number>
  /** Microseconds from the sample before to each sample. */
  readonly timeDeltas: ReadonlyArray<number>
}

/** A function, called by the functions above it: the same function has a node for each way to it. */
export interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: ReadonlyArray<number>
}

/** Whose code it is in which a server's time is spent. */
export const parts = [
  "pixcharge",
  "Effect",
  "the framework",
  "writes to sockets",
  "Node's HTTP and sockets, but for writes",
  "pg",
  "JSON",
  "jose and Node's crypto",
  "garbage collection",
  "native code outside of JavaScript",
  "other",
] as const
export type Part = (typeof parts)[number]

/** What V8 names that is no function. */
const states: Readonly<Record<string, Part>> = {
  "(garbage collector)": "garbage collection",
  "(program)": "native code outside of JavaScript",
}

/** Functions of Node's that are not JavaScript. */
const nativeFunctions: ReadonlyArray<readonly [RegExp, Part]> = [
  [/^write(v|Buffer|(Ascii|Latin1|Utf8|Ucs2)String)$/, "writes to sockets"],
]

/** Packages that are loaded from `node_modules`, by the beginning of their names. */
const packages: ReadonlyArray<readonly [RegExp, Part]> = [
  [/^effect$/, "Effect"],
  [/^(pg|postgres)\b/, "pg"],
  [/^jose$/, "jose and Node's crypto"],
  [
    /^(express|router|hono|@hono\/node-server|body-parser|content-type|depd|encodeurl|etag|finalhandler|mime-types|parseurl|path-to-regexp|qs|raw-body|send|type-is|vary)$/,
    "the framework",
  ],
]

/** Modules of Node; its general ones, as events, buffers and timers, count for whoever calls them. */
const nodeModules: ReadonlyArray<readonly [RegExp, Part]> = [
  [/crypto/, "jose and Node's crypto"],
  [
    /^node:(_http|http|net\b|internal\/(http|net|streams?|stream_base_commons|js_stream)|_?stream)/,
    "Node's HTTP and sockets, but for writes",
  ],
]

const find = (rules: ReadonlyArray<readonly [RegExp, Part]>, name: string): Part | undefined =>
  rules.find(([pattern]) => pattern.test(name))?.[1]

/** The part to which a function belongs by itself; none for one that works for its caller. */
const ownPart = ({ functionName, url }: ProfileNode["callFrame"]): Part | undefined => {
  if (url === "") return states[functionName] ?? find(nativeFunctions, functionName)
  if (url.endsWith("/verify/dist/bench/profile/nameJson.js")) return "JSON"
  if (url.startsWith("node:")) return find(nodeModules, url)
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
  if (name !== undefined) return find(packages, name) ?? "other"
  return /\/packages\/[^/]+\/dist\//.test(url) ? "pixcharge" : "other"
}

/**
 * The part of each node, by its id; idle time has none. A native function, and a general one of Node's, counts for the
 * nearest caller that is somebody's, so that a digest is the crypto's.
 */
export const classifyNodes = ({ nodes }: Pick<CpuProfile, "nodes">): ReadonlyMap<number, Part> => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Map<number, Part>()
  const callees = new Set(nodes.flatMap(({ children = [] }) => children))
  const waiting = nodes.filter(({ id }) => !callees.has(id)).map((node) => ({ node, caller: "other" as Part }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, caller } = next
    if (node.callFrame.functionName === "(idle)") continue
    const part = ownPart(node.callFrame) ?? caller
    found.set(node.id, part)
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined) waiting.push({ node: child, caller: part })
    }
  }
  return found
}
