import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { makeTokens } from "../src/makeTokens.ts"

const begun = Date.UTC(2026, 10, 24)

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Makes a JWT with this lifetime. */
const makeToken = (lifeSeconds: number, more: object = {}): string => {
  const iat = 1_700_000_000
  return `${base64url({ alg: "HS256" })}.${base64url({ iat, exp: iat + lifeSeconds, ...more })}.c2ln`
}

/** A source of tokens that returns these tokens in order and counts the fetches. */
const fetching = (...tokens: ReadonlyArray<string>) => {
  let fetched = 0
  const next = async (): Promise<string> => tokens[Math.min(fetched++, tokens.length - 1)] ?? ""
  return { ...makeTokens(next), fetched: () => fetched }
}

/** The number of fetches after two requests for a token, `ms` milliseconds apart. */
const fetchedAfter = async (token: string, ms: number): Promise<number> => {
  vi.setSystemTime(begun)
  const { get, fetched } = fetching(token)
  await get()
  vi.setSystemTime(begun + ms)
  await get()
  return fetched()
}

describe("a token", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: begun })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ["an hour a minute before its end", makeToken(3_600), 3_540_000],
    ["two minutes a minute before its end", makeToken(120), 60_000],
    ["a minute and a half halfway", makeToken(90), 45_000],
    ["a second halfway", makeToken(1), 500],
  ])("renews a token of %s", async (_, token, ms) => {
    expect([await fetchedAfter(token, ms - 1), await fetchedAfter(token, ms)]).toEqual([1, 2])
  })

  // The encoding of `???>>>` contains `-` and `_`, which only base64url has.
  it("decodes a token as base64url", async () => {
    const token = makeToken(60, { sub: "???>>>ÿþ" })
    expect(token.split(".")[1]).toMatch(/[-_]/)
    expect([await fetchedAfter(token, 29_999), await fetchedAfter(token, 30_000)]).toEqual([1, 2])
  })

  it.each([
    ["isn't a JWT", "opaque"],
    ["has unreadable claims", "a.b.c"],
    ["has no expiry", makeToken(60, { exp: undefined })],
    ["expires when it is issued", makeToken(0)],
    ["expires before it is issued", makeToken(-60)],
  ])("keeps a token that %s until it is refused", async (_, token) => {
    expect(await fetchedAfter(token, 10 * 365 * 86_400_000)).toBe(1)
  })

  it("fetches a new token after the refusal of the current token, not of an older token", async () => {
    const { get, refuse, fetched } = fetching("old", "new", "newest")
    refuse("old")
    expect(await get()).toBe("old")
    refuse("old")
    expect(await get()).toBe("new")
    refuse("old")
    expect(await get()).toBe("new")
    refuse("new")
    expect([await get(), fetched()]).toEqual(["newest", 3])
  })
})
