import { checkUrl, isOpenAddress } from "@pixcharge/callback-fetch"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { hostileAddresses, hostileUrls, metadataAddresses, urlOfAddress } from "./ssrf.ts"

const brokenRule = (url: string, policy = {}) => {
  const checked = checkUrl(url, policy)
  return Result.isFailure(checked) ? checked.failure.rule : "open"
}

describe("checkUrl", () => {
  it.each(hostileUrls)("never opens $url", ({ url, why }) => {
    expect(brokenRule(url), why).not.toBe("open")
  })

  it("has many hostile URLs and addresses, each once", () => {
    expect(new Set(hostileUrls.map(({ url }) => url)).size).toBe(hostileUrls.length)
    expect(hostileUrls.length).toBeGreaterThan(200)
  })

  it.each([
    "https://receiver.example/",
    "https://receiver.example:443/eventos?a=1#x",
    "https://loja.com.br./pix",
    "https://xn--caf-dma.example/",
    "https://café.example/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "HTTPS://RECEIVER.EXAMPLE/",
    "https://172.32.0.1/",
    "https://100.128.0.1/",
  ])("allows %s", (url) => {
    expect(brokenRule(url)).toBe("open")
  })

  it("always decides the same about a URL", () => {
    const rules = Array.from({ length: 50_000 }, () => brokenRule("https://café.example/"))
    expect(new Set(rules)).toEqual(new Set(["open"]))
  })

  it.each([
    ["https://", "malformed"],
    ["https://receiver.example/a b", "malformed"],
    ["https://user@receiver.example/", "credentials"],
    ["https://:secret@receiver.example/", "credentials"],
    ["https://receiver/", "host"],
    ["https://receiver.local/", "host"],
  ])("names the rule that %s breaks: %s", (url, rule) => {
    expect(brokenRule(url)).toBe(rule)
  })

  it("opens http and private networks only if the options say so", () => {
    expect(brokenRule("http://receiver.example/", { allowHttp: true })).toBe("open")
    expect(brokenRule("http://127.0.0.1/", { allowHttp: true })).toBe("address")
    expect(brokenRule("https://127.0.0.1/", { allowPrivateNetworks: true })).toBe("open")
    expect(brokenRule("http://127.0.0.1/", { allowPrivateNetworks: true })).toBe("scheme")
    expect(brokenRule("https://app/", { allowPrivateNetworks: true })).toBe("open")
  })

  // These schemes have no default port, so only the rule about schemes can forbid them.
  it.each(["ftp://receiver.example/", "ws://receiver.example/", "httpx://receiver.example/"])(
    "keeps %s closed even with http open",
    (url) => {
      expect(brokenRule(url, { allowHttp: true, allowPrivateNetworks: true, ports: "any" })).toBe("scheme")
    },
  )

  it("opens only the listed ports", () => {
    expect(brokenRule("http://receiver.example:443/", { allowHttp: true })).toBe("open")
    expect(brokenRule("http://receiver.example:8080/", { allowHttp: true })).toBe("port")
    expect(brokenRule("https://receiver.example:8443/", { ports: [8443] })).toBe("open")
    expect(brokenRule("https://receiver.example/", { ports: [8443] })).toBe("port")
    expect(brokenRule("https://receiver.example:1/", { ports: "any" })).toBe("open")
  })

  it.each([
    ...metadataAddresses.map(urlOfAddress),
    "https://[fe80::1]/",
    "https://0.0.0.0/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[2002:a9fe:a9fe::]/",
  ])("keeps %s closed even with private networks open", (url) => {
    expect(brokenRule(url, { allowPrivateNetworks: true, ports: "any" })).toBe("address")
  })
})

describe("isOpenAddress", () => {
  it.each(hostileAddresses)("never opens $address", ({ address }) => {
    expect(isOpenAddress(address, {})).toBe(false)
  })

  it.each([...metadataAddresses, "fd00:ec2::254%eth0", "fd12::1%eth0", "::1%lo"])(
    "keeps %s closed even with private networks open",
    (address) => {
      expect(isOpenAddress(address, { allowPrivateNetworks: true })).toBe(false)
    },
  )

  it.each(["10.0.0.1", "127.0.0.1", "::1", "100.64.0.1", "fd12:3456::1", "8.8.8.8"])(
    "opens %s with private networks open",
    (address) => {
      expect(isOpenAddress(address, { allowPrivateNetworks: true })).toBe(true)
    },
  )

  it.each(["8.8.8.8", "168.63.129.17", "200.160.2.3", "2606:4700:4700::1111", "2001:12ff:0:2::3"])(
    "opens %s",
    (address) => {
      expect(isOpenAddress(address, {})).toBe(true)
    },
  )
})
