import type { Finding } from "@pixcharge/core"
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/** The oldest supported versions, as in `engines` and `peerDependencies` of our packages. */
const oldestNode = [20, 19] as const
const oldestEffect = [4, 1] as const

const isAtLeast = (version: string, [major, minor]: readonly [number, number]): boolean => {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

export const checkNode = (version: string = process.versions.node): Finding =>
  isAtLeast(version, oldestNode)
    ? { check: "node", status: "ok", message: `Node ${version}` }
    : {
        check: "node",
        status: "failed",
        message: `Node ${version} is too old: install ${oldestNode.join(".")} or newer`,
      }

interface Installed {
  /** The real folder, with links resolved. */
  readonly folder: string
  readonly version: string
}

const listAncestors = (folder: string): ReadonlyArray<string> =>
  dirname(folder) === folder ? [folder] : [folder, ...listAncestors(dirname(folder))]

const listModuleFolders = (folder: string): ReadonlyArray<string> =>
  listAncestors(folder).map((ancestor) => join(ancestor, "node_modules"))

const findInstalled = (folder: string, name: string): Installed | undefined => {
  const packageFolder = listModuleFolders(folder)
    .map((modules) => join(modules, name))
    .find((place) => existsSync(join(place, "package.json")))
  if (packageFolder === undefined) return undefined
  const real = realpathSync(packageFolder)
  const { version } = JSON.parse(readFileSync(join(real, "package.json"), "utf8")) as { readonly version: string }
  return { folder: real, version }
}

const findOurs = (folder: string): ReadonlyArray<string> =>
  listModuleFolders(folder)
    .map((modules) => join(modules, "@pixcharge"))
    .filter(existsSync)
    .flatMap((scope) => readdirSync(scope).map((name) => realpathSync(join(scope, name))))

/** The host and our packages must load one copy of Effect. */
export const checkEffect = (folder: string): Finding => {
  const check = "effect"
  const places = [folder, ...findOurs(folder)].flatMap((place) => findInstalled(place, "effect") ?? [])
  const copies = new Map(places.map((installed) => [installed.folder, installed.version]))
  const [version] = copies.values()
  if (version === undefined) return { check, status: "failed", message: "it isn't installed: npm install effect" }
  if (copies.size > 1) {
    const versions = [...copies.values()].join(" and ")
    return {
      check,
      status: "failed",
      message: `found ${copies.size} copies (${versions}): npm dedupe, or pin one version`,
    }
  }
  return isAtLeast(version, oldestEffect) && version.startsWith(`${oldestEffect[0]}.`)
    ? { check, status: "ok", message: `effect ${version}, one copy` }
    : {
        check,
        status: "failed",
        message: `effect ${version} doesn't fit: npm install effect@^${oldestEffect.join(".")}.0`,
      }
}

const limitMs = 5_000

const readCode = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const errorFacts = Object(cause) as { readonly code?: unknown; readonly name?: unknown }
  return typeof errorFacts.code === "string" ? errorFacts.code : String(errorFacts.name)
}

/** Sends one HEAD request, without an event. The URL's path can be a secret and isn't printed. */
export const checkReceiver = async (written: string): Promise<Finding> => {
  if (!URL.canParse(written)) return { check: "receiver", status: "failed", message: "--receiver needs a URL" }
  const url = new URL(written)
  const check = `receiver ${url.origin}`
  try {
    const { status } = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(limitMs) })
    if (status >= 300 && status < 400) {
      return {
        check,
        status: "failed",
        message: `it redirects (HTTP ${status}): register the URL that it redirects to`,
      }
    }
    if (status >= 500) return { check, status: "failed", message: `it fails (HTTP ${status}): see its log` }
    return { check, status: "ok", message: `it answers (HTTP ${status})` }
  } catch (error) {
    return {
      check,
      status: "failed",
      message: `no answer (${readCode(error)}): check name, port, firewall and certificate`,
    }
  }
}
