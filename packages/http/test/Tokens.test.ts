import { CompanyDirectory, type Exchange, RevokedTokens, StoreUnavailable } from "@pixcharge/core"
import { type Credential, type DirectoryEntry, makeKeyCheck } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type JWTPayload, SignJWT } from "jose"
import { describe, expect, it, vi } from "vitest"
import { makeCredentialMark } from "../src/tokens/Jwt.ts"
import { parseSecret } from "../src/tokens/authorization.ts"
import { forgedTokens, type Forging, soundTokens } from "./forgedTokens.ts"
import type { TokenOptions } from "../src/tokens/TokenOptions.ts"
import { InvalidTokenId, TokenClock, Tokens, Unauthenticated } from "../src/tokens/Tokens.ts"

const cnpj = "12345678000195" as Cnpj
const secret = "a signing secret of 32 bytes or more"
const ringKey = { kid: "one", secret }
const options: TokenOptions = { keys: [ringKey], environment: "sandbox" }
const secretPath = Buffer.from(`${cnpj}|chave`).toString("base64")
const start = Date.UTC(2026, 10, 20, 12)

const plainKey = (key: string, holder: Cnpj = cnpj): Credential => ({
  holder,
  key: { _tag: "Plain", key: Redacted.make(key) },
})
const aCredential = plainKey("chave")

/** Makes a directory of one company with a changeable credential, and a movable clock. */
const makeWorld = () => {
  const world = {
    now: start,
    credential: aCredential as Credential | undefined,
    revocations: [] as Array<{ readonly id: string; readonly until: number; readonly now: number }>,
    storeFails: false,
  }
  const find = (holder: Cnpj) =>
    Effect.sync((): DirectoryEntry | undefined =>
      holder === cnpj
        ? { company: { cnpj } as DirectoryEntry["company"], ...(world.credential && { credential: world.credential }) }
        : undefined,
    )
  const checkKey = makeKeyCheck()
  const verifyKey = (holder: Cnpj, key: string) =>
    Effect.flatMap(find(holder), (entry) => checkKey(key, entry?.credential))
  const services = Layer.mergeAll(
    Layer.succeed(RevokedTokens, {
      revoke: ({ id, until, now }) => Effect.sync(() => void world.revocations.push({ id, until, now })),
      list: (now) =>
        world.storeFails
          ? Effect.fail(new StoreUnavailable({ operation: "list", cause: "down" }))
          : Effect.sync(() => world.revocations.flatMap(({ id, until }) => (until > now ? [id] : []))),
    }),
    Layer.succeed(CompanyDirectory, { find, verifyKey, byPixKey: () => Effect.succeed(undefined) }),
    Layer.succeed(TokenClock, { now: () => world.now }),
  )
  const tokens = (over: Partial<TokenOptions> = {}) =>
    Effect.runPromise(
      Effect.provide(Effect.service(Tokens), Layer.provide(Tokens.layer({ ...options, ...over }), services)),
    )
  return Object.assign(world, { tokens })
}

const anExchange: Exchange = {
  method: "GET",
  url: "/",
  fullUrl: "/",
  address: "192.0.2.1",
  header: () => undefined,
  body: () => Promise.resolve({ _tag: "Unreadable" }),
  signal: new AbortController().signal,
}

type TokensService = Tokens["Service"]
const issue = (tokens: TokensService, path = secretPath, exchange: Exchange = anExchange) =>
  Effect.runPromise(tokens.issue(parseSecret(path), exchange))
const authenticateBy = async (tokens: TokensService, authorization: string | undefined) => {
  const exit = await Effect.runPromiseExit(tokens.authenticate(authorization))
  if (Exit.isSuccess(exit)) return exit.value
  expect(Exit.findErrorOption(exit)).toEqual(Option.some(new Unauthenticated()))
  return "refused"
}
const authenticate = (tokens: TokensService, token: string) => authenticateBy(tokens, `Bearer ${token}`)

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

const seconds = (ms: number): number => Math.floor(ms / 1_000)
const goodClaims: JWTPayload = {
  iss: "pixcharge",
  aud: "pixcharge:sandbox",
  sub: cnpj,
  iat: seconds(start),
  nbf: seconds(start),
  exp: seconds(start) + 3_600,
  jti: "1",
  env: "sandbox",
  cred: makeCredentialMark(secret)(aCredential),
}

const otherHoldersMark = makeCredentialMark(secret)(plainKey("chave", "11222333000181" as Cnpj))

const forge = (claims: JWTPayload, header: object = {}, key = secret): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: "one", ...header })
    .sign(new TextEncoder().encode(key), { crit: { "urn:example:unknown": true } })

const replacedKeysMark = makeCredentialMark(secret)(plainKey("outra"))

/** The basis of forged and sound tokens: a token that the service issued. */
const forging = async (): Promise<Forging> => {
  const token = await issue(await makeWorld().tokens())
  const [header, claims] = token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()))
  return {
    token,
    header,
    claims,
    secret,
    marks: { otherHolder: otherHoldersMark, otherKey: replacedKeysMark },
    now: seconds(start),
  }
}

describe("tokens", () => {
  it("identify their company until their lifetime and the tolerance end", async () => {
    const world = makeWorld()
    const tokens = await world.tokens()
    const token = await issue(tokens)
    expect(await authenticate(tokens, token)).toBe(cnpj)
    world.now = start + 48 * 3_600_000 + 59_000
    expect(await authenticate(await world.tokens(), token)).toBe(cnpj)
    world.now += 2_000
    expect(await authenticate(await world.tokens(), token)).toBe("refused")
    expect(await authenticate(tokens, token)).toBe("refused")
  })

  it("end at the same millisecond whether or not they were verified before", async () => {
    const world = makeWorld()
    const tokens = await world.tokens()
    const token = await issue(tokens)
    await authenticate(tokens, token)
    const both = async () => [await authenticate(tokens, token), await authenticate(await world.tokens(), token)]
    world.now = start + 48 * 3_600_000 + 60_000 - 1
    expect(await both()).toEqual([cnpj, cnpj])
    world.now += 1
    expect(await both()).toEqual(["refused", "refused"])
  })

  it.each(soundTokens)("are accepted with $name", async ({ make }) => {
    expect(await authenticate(await makeWorld().tokens(), make(await forging()))).toBe(cnpj)
  })

  it.each(forgedTokens)("are rejected with $name", async ({ make, why }) => {
    expect(await authenticate(await makeWorld().tokens(), make(await forging())), why).toBe("refused")
  })

  it("are tested with more than 80 different forgeries", async () => {
    const good = await forging()
    expect(forgedTokens.length).toBeGreaterThan(80)
    expect(new Set(forgedTokens.map(({ name }) => name)).size).toBe(forgedTokens.length)
    const namesByToken = new Map<string, string>()
    for (const { name, make } of [...forgedTokens, ...soundTokens]) {
      const token = make(good)
      expect(namesByToken.get(token), name).toBeUndefined()
      namesByToken.set(token, name)
    }
  })

  it("are rejected with any changed character, even at a segment's end", async () => {
    const tokens = await makeWorld().tokens()
    const token = await issue(tokens)
    const ends = [token.indexOf(".") - 1, token.lastIndexOf(".") - 1, token.length - 1]
    const places = [...Array.from({ length: Math.floor(token.length / 3) }, (_, n) => 3 * n), ...ends]
    for (const at of places) {
      const changed = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`
      expect(await authenticate(tokens, changed), `at ${at}`).toBe("refused")
    }
  })

  it("are rejected in every other spelling of the same bytes", async () => {
    const world = makeWorld()
    const token = await issue(await world.tokens())
    const segments = token.split(".")
    const bytes = (text: string) => Buffer.from(text, "base64url")
    const others = segments
      .flatMap((segment, index) => [
        ...[...base64url].map((last) => segments.with(index, segment.slice(0, -1) + last)),
        ...[" ", "\t", "\n", "\u00a0", "=", "=="].flatMap((odd) => [
          segments.with(index, segment + odd),
          segments.with(index, segment.slice(0, 8) + odd + segment.slice(8)),
        ]),
      ])
      .filter((spelled) => spelled.every((text, index) => bytes(text).equals(bytes(segments[index] ?? ""))))
      .map((spelled) => spelled.join("."))
      // The header trims blanks after the token.
      .filter((other) => other.trimEnd() !== token)
    expect(others.length).toBeGreaterThan(25)
    const tokens = await world.tokens()
    for (const other of others)
      expect(await authenticate(tokens, other), JSON.stringify(other.slice(-50))).toBe("refused")
    expect(await authenticate(tokens, token)).toBe(cnpj)
  })

  it("are signed with the ring's first key, and accepted if a later key signed them", async () => {
    const world = makeWorld()
    const old = await issue(await world.tokens())
    const rotated = await world.tokens({ keys: [{ kid: "two", secret: `${secret} again` }, ...options.keys] })
    expect(await authenticate(rotated, old)).toBe(cnpj)
    expect(JSON.parse(Buffer.from((await issue(rotated)).split(".")[0] ?? "", "base64url").toString()).kid).toBe("two")
    expect(await authenticate(await world.tokens({ keys: [{ kid: "two", secret: `${secret} again` }] }), old)).toBe(
      "refused",
    )
  })

  it("end with their integrator key, whether or not they were verified before", async () => {
    const world = makeWorld()
    const tokens = await world.tokens()
    const token = await issue(tokens)
    expect(await authenticate(tokens, token)).toBe(cnpj)
    world.credential = plainKey("outra")
    expect(await authenticate(tokens, token)).toBe("refused")
    expect(await authenticate(await world.tokens(), token)).toBe("refused")
    world.credential = undefined
    expect(await authenticate(tokens, token)).toBe("refused")
  })

  it("don't reveal their integrator key", async () => {
    const tokens = await makeWorld().tokens()
    const marks = [plainKey("chave"), plainKey("outra"), plainKey("chave", "11222333000181" as Cnpj)].map(
      makeCredentialMark(secret),
    )
    expect(new Set([...marks, makeCredentialMark("x")(aCredential)]).size).toBe(4)
    const [, payload = ""] = (await issue(tokens)).split(".")
    expect(JSON.parse(Buffer.from(payload, "base64url").toString()).cred).toBe(marks[0])
    expect(marks[0]).toMatch(/^[\w-]{43}$/)
  })

  it("are verified once if they are used again", async () => {
    const tokens = await makeWorld().tokens()
    const token = await issue(tokens)
    const verify = vi.spyOn(crypto.subtle, "verify")
    for (let call = 0; call < 5; call++) await authenticate(tokens, token)
    expect(verify).toHaveBeenCalledTimes(1)
    verify.mockRestore()
  })

  it("are verified again after two hours without use", async () => {
    const world = makeWorld()
    const tokens = await world.tokens()
    const [idle, used] = [await issue(tokens), await issue(tokens)]
    for (const token of [idle, used]) await authenticate(tokens, token)
    const verify = vi.spyOn(crypto.subtle, "verify")
    for (let hour = 0; hour < 3; hour++) {
      world.now += 3_600_000
      await authenticate(tokens, used)
    }
    expect(verify).toHaveBeenCalledTimes(0)
    await authenticate(tokens, idle)
    expect(verify).toHaveBeenCalledTimes(1)
    verify.mockRestore()
  })

  it("are remembered once verified, at least the last 5 000 and at most 10 000", async () => {
    const tokens = await makeWorld().tokens()
    const token = await issue(tokens)
    const verify = vi.spyOn(crypto.subtle, "verify").mockResolvedValue(true)
    const [content] = token.split(/\.(?=[^.]*$)/)
    // The mock accepts every signature, so each of these is a different token.
    const authenticateOthers = async (from: number, count: number) => {
      for (let n = from; n < from + count; n++)
        await authenticate(tokens, `${content}.${n.toString().padStart(44, "0")}`)
    }
    const isVerifiedAgain = async () => {
      verify.mockClear()
      await authenticate(tokens, token)
      return verify.mock.calls.length > 0
    }
    await authenticateOthers(0, 4_998)
    await authenticate(tokens, token)
    await authenticateOthers(5_000, 5_000)
    expect(await isVerifiedAgain()).toBe(false)
    await authenticateOthers(10_000, 10_000)
    expect(await isVerifiedAgain()).toBe(true)
    verify.mockRestore()
  })

  it.each([
    ["a company that the directory doesn't know", "11222333000181|chave"],
    ["an invalid CNPJ", "11111111111111|chave"],
    ["another key", `${cnpj}|outra`],
  ])("aren't issued for a secret of %s", async (_, text) => {
    const path = Buffer.from(text).toString("base64")
    await expect(issue(await makeWorld().tokens(), path)).rejects.toMatchObject({ _tag: "Unauthenticated" })
  })

  describe("failed requests", () => {
    const wrong = Buffer.from(`${cnpj}|errada`).toString("base64")
    const failures = async (tokens: TokensService, times: number, exchange: Exchange) => {
      const tags: Array<string> = []
      for (let n = 0; n < times; n++) {
        tags.push((await Effect.runPromise(Effect.flip(tokens.issue(parseSecret(wrong), exchange))))._tag)
      }
      return tags.filter((tag) => tag === "TooManyFailures").length
    }
    const from = (address: string | undefined, forwarded = ""): Exchange => ({
      ...anExchange,
      address,
      header: (name) => (name === "x-forwarded-for" ? forwarded : undefined),
    })

    it("are counted by the binding's address, and together without an address", async () => {
      const tokens = await makeWorld().tokens()
      expect(await failures(tokens, 21, from("192.0.2.1"))).toBe(1)
      expect(await failures(tokens, 20, from("192.0.2.2"))).toBe(0)
      expect(await failures(tokens, 21, from(undefined))).toBe(1)
    })

    it("are too many until ten minutes after the first, and report the time left", async () => {
      const tokens = await makeWorld().tokens()
      const refused = Effect.flip(tokens.issue(parseSecret(wrong), anExchange))
      const answers = Effect.gen(function* () {
        for (let n = 0; n < 20; n++) yield* refused
        yield* TestClock.adjust("4 minutes")
        return yield* refused
      })
      expect(await Effect.runPromise(Effect.provide(answers, TestClock.layer()))).toMatchObject({
        _tag: "TooManyFailures",
        retryAfterMs: 6 * 60_000,
      })
    })

    it("are counted by the address that the host names", async () => {
      const tokens = await makeWorld().tokens({ limits: { address: ({ header }) => header("x-forwarded-for") } })
      expect(await failures(tokens, 20, from("192.0.2.1", "198.51.100.1"))).toBe(0)
      expect(await failures(tokens, 20, from("192.0.2.1", "198.51.100.2"))).toBe(0)
      expect(await failures(tokens, 1, from("192.0.2.2", "198.51.100.2"))).toBe(1)
    })

    it("aren't counted for a host with its own limits", async () => {
      expect(await failures(await makeWorld().tokens({ limits: false }), 200, from("192.0.2.1"))).toBe(0)
    })

    it("don't prevent a right key from getting a token", async () => {
      const tokens = await makeWorld().tokens()
      expect(await failures(tokens, 200, from("192.0.2.1"))).toBe(180)
      expect(await issue(tokens, secretPath, from("192.0.2.1"))).toMatch(/^ey/)
    })
  })

  it("aren't issued for a company without a key", async () => {
    const world = makeWorld()
    world.credential = undefined
    await expect(issue(await world.tokens())).rejects.toMatchObject({ _tag: "Unauthenticated" })
  })

  it.each<readonly [string, Partial<TokenOptions>, string]>([
    ["a secret of 31 bytes", { keys: [{ kid: "one", secret: "x".repeat(31) }] }, '"one" is shorter than 32 bytes'],
    ["a short secret behind a good one", { keys: [...options.keys, { kid: "two", secret: "x" }] }, '"two" is shorter'],
    ["an empty kid", { keys: [{ kid: "", secret }] }, "empty kid"],
    ["an empty kid behind a good one", { keys: [...options.keys, { kid: "", secret }] }, "empty kid"],
    ["no key", { keys: [] as never }, "tokens.keys needs at least one key"],
    ["a key outside a list", { keys: secret as never }, "tokens.keys needs at least one key"],
    [
      "a pepper, which belongs to the directory",
      { pepper: options.keys } as never,
      'tokens: the option "pepper" must be left out: it moved to the directory',
    ],
    ["two keys of one kid", { keys: [ringKey, ringKey] }, "share a kid"],
    ["a lifetime under five minutes", { lifetimeMs: 5 * 60_000 - 1 }, "5 minutes"],
    ["a lifetime over 72 hours", { lifetimeMs: 72 * 3_600_000 + 1 }, "72 hours"],
    [
      "limits without an address function",
      { limits: true as never },
      "must be false, or an object with the function address",
    ],
    ["a path set to true", { path: true as never }, "must be false, or left out"],
    ["a lifetime that isn't a number", { lifetimeMs: Number.NaN }, "lifetime"],
  ])("aren't made with %s, and the start fails with the reason", async (_, over, reason) => {
    await expect(makeWorld().tokens(over)).rejects.toMatchObject({
      _tag: "InvalidTokenOptions",
      message: expect.stringContaining(reason),
    })
  })

  it.each<readonly [string, Partial<TokenOptions>]>([
    ["a secret of 32 bytes in fewer characters", { keys: [{ kid: "one", secret: "é".repeat(16) }] }],
    ["a lifetime of five minutes", { lifetimeMs: 5 * 60_000 }],
    ["a lifetime of 72 hours", { lifetimeMs: 72 * 3_600_000 }],
  ])("are made with %s", async (_, over) => {
    const tokens = await makeWorld().tokens(over)
    expect(await authenticate(tokens, await issue(tokens))).toBe(cnpj)
  })
})

describe("a revoked token", () => {
  const readId = (token: string): string =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).jti

  it("ends immediately in this process, without affecting other tokens", async () => {
    const tokens = await makeWorld().tokens()
    const [verified, unverified, another] = [await issue(tokens), await issue(tokens), await issue(tokens)]
    expect(await authenticate(tokens, verified)).toBe(cnpj)
    for (const token of [verified, unverified]) await Effect.runPromise(tokens.revoke(readId(token)))
    for (const token of [verified, unverified]) expect(await authenticate(tokens, token)).toBe("refused")
    expect(await authenticate(tokens, another)).toBe(cnpj)
  })

  it("ends within five seconds in other processes, and stays revoked as long as any token lives", async () => {
    const world = makeWorld()
    const [here, there] = [await world.tokens(), await world.tokens({ lifetimeMs: 72 * 3_600_000 })]
    const token = await issue(there)
    let elapsedMs = 0
    const clock: Clock.Clock = Object.assign(Object.create(Effect.runSync(Clock.clockWith(Effect.succeed))), {
      monotonicTimeNanosUnsafe: () => BigInt(elapsedMs) * 1_000_000n,
    })
    const isAcceptedThere = async () =>
      Exit.isSuccess(
        await Effect.runPromiseExit(Effect.provideService(there.authenticate(`Bearer ${token}`), Clock.Clock, clock)),
      )
    expect(await isAcceptedThere()).toBe(true)
    await Effect.runPromise(here.revoke(readId(token)))
    elapsedMs = 4_999
    expect(await isAcceptedThere()).toBe(true)
    elapsedMs = 5_000
    expect(await isAcceptedThere()).toBe(false)
    world.now = start + 72 * 3_600_000 + 59_999
    expect(await authenticate(await world.tokens(), token)).toBe("refused")
    expect(world.revocations).toEqual([{ id: readId(token), until: start + 72 * 3_600_000 + 60_000, now: start }])
  })

  it.each([
    "",
    "x",
    "0E4C8A5E-4A07-4A3F-9D0C-2F5F0F6F7A01",
    "0e4c8a5e-4a07-4a3f-9d0c-2f5f0f6f7a01 ",
    undefined as never,
    ["0e4c8a5e-4a07-4a3f-9d0c-2f5f0f6f7a01"] as never,
  ])("can't be named by the id %j", async (id) => {
    const world = makeWorld()
    const failure = await Effect.runPromise(Effect.flip((await world.tokens()).revoke(id)))
    expect(failure).toEqual(new InvalidTokenId())
    expect(world.revocations).toEqual([])
  })

  it("isn't accepted while the list of revoked tokens can't be read", async () => {
    const world = makeWorld()
    const tokens = await world.tokens()
    const token = await issue(tokens)
    world.storeFails = true
    const failure = await Effect.runPromise(Effect.flip(tokens.authenticate(`Bearer ${token}`)))
    expect(failure).toMatchObject({ _tag: "StoreUnavailable" })
    world.storeFails = false
    expect(await authenticate(tokens, token)).toBe(cnpj)
  })
})

/** Makes a token of this length: a claim fills it up, and a header field adds the last characters. */
const tokenOfLength = async (length: number): Promise<string> => {
  const padded = (pad: number, header: object) => forge({ ...goodClaims, pad: "x".repeat(pad) }, header)
  const room = Math.floor(((length - (await padded(0, {})).length) * 3) / 4)
  for (const header of [{}, { x: "" }, { x: "1" }]) {
    for (let pad = room - 16; pad <= room; pad++) {
      const token = await padded(pad, header)
      if (token.length === length) return token
    }
  }
  throw new Error(`no token has ${length} characters`)
}

describe("the Authorization header", () => {
  it("accepts the scheme in upper or lower case, and several spaces before the token", async () => {
    const tokens = await makeWorld().tokens()
    const token = await issue(tokens)
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `]) {
      expect(await authenticateBy(tokens, header)).toBe(cnpj)
    }
  })

  it("rejects a good token under another scheme or none", async () => {
    const tokens = await makeWorld().tokens()
    const token = await issue(tokens)
    const others = ["Basic  ", "Digest ", "Bearer", "Bearer\t", "Bearer-", "XBearer ", " Bearer ", "", "Bearer Bearer "]
    for (const scheme of others) expect(await authenticateBy(tokens, `${scheme}${token}`), scheme).toBe("refused")
    for (const header of [undefined, "", "Bearer", "Bearer "]) {
      expect(await authenticateBy(tokens, header)).toBe("refused")
    }
  })

  it("accepts a token of 2 048 characters, and no longer one", async () => {
    const tokens = await makeWorld().tokens()
    expect(await authenticate(tokens, await tokenOfLength(2_048))).toBe(cnpj)
    expect(await authenticate(tokens, await tokenOfLength(2_049))).toBe("refused")
  })
})
