import type { Exchange, Reply } from "@pixcharge/core"
import { type Asset, assetPath } from "./Asset.ts"
import { iconSvg, tokensCss } from "./assets.ts"

const cacheForAYear = "public, max-age=31536000, immutable"

const readAssetName = (path: string): string | undefined =>
  /^\/assets\/([\w.]+?)(?:-[\da-f]+)?(\.\w+)$/.exec(path)?.slice(1).join("")

/**
 * Serves an app's assets, and the assets that all apps share.
 *
 * Browsers cache an asset at the address with its hash, and revalidate it at other addresses. Pages of another release
 * therefore find their assets, and other sites can link to an asset.
 */
export const makeAssetReply = (assets: ReadonlyArray<Asset>) => {
  const byName = new Map([iconSvg, tokensCss, ...assets].map((asset) => [asset.name, asset]))
  return (exchange: Exchange, path: string): Reply | undefined => {
    if (exchange.method !== "GET" && exchange.method !== "HEAD") return undefined
    // Stryker disable next-line StringLiteral: no default value is the name of an asset
    const asset = byName.get(readAssetName(path) ?? "")
    if (asset === undefined) return undefined
    const etag = `"${asset.hash}"`
    const headers = {
      "cache-control": path === `/${assetPath(asset)}` ? cacheForAYear : "no-cache",
      "content-type": asset.type,
      etag,
    }
    const isKept = exchange.header("if-none-match")?.includes(etag) === true
    return isKept ? { status: 304, headers, body: "" } : { status: 200, headers, body: asset.text }
  }
}
