import { createHmac, createHash, randomBytes } from "node:crypto"
import { deflateRawSync } from "node:zlib"

/** The material of a forger. Rows whose only flaw is the content use the real signing secret. */
export interface Forging {
  /** A good token. */
  readonly token: string
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
  /** The signing secret. */
  readonly secret: string
  /** The `cred` of another company with the same key, and of another key of this company. */
  readonly marks: { readonly otherHolder: string; readonly otherKey: string }
  /** Epoch seconds. */
  readonly now: number
}

/** A token that must be rejected. `why` names the rule that it breaks. */
export interface ForgedToken {
  readonly name: string
  readonly why: string
  readonly make: (forging: Forging) => string
}

const base64url = (content: string | Uint8Array): string => Buffer.from(content).toString("base64url")

const segment = (content: object | string | Uint8Array): string =>
  base64url(typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content))

/** The last segment of a token; by default HMAC-SHA256, as in a good token. */
const signature = (text: string, secret: string | Uint8Array, hash = "sha256"): string =>
  createHmac(hash, secret).update(text).digest("base64url")

/** Makes a token that is signed like a good one. A string as header or content is used as raw JSON. */
export const signed = (
  header: object | string,
  content: object | string | Uint8Array,
  secret: string | Uint8Array,
  hash?: string,
): string => {
  const text = `${segment(header)}.${segment(content)}`
  return `${text}.${signature(text, secret, hash)}`
}

const parts = (token: string): readonly [header: string, content: string, signature: string] => {
  const [header = "", content = "", end = ""] = token.split(".")
  return [header, content, end]
}

type Row = readonly [name: string, make: (forging: Forging) => string]

const group = (why: string, rows: ReadonlyArray<Row>): ReadonlyArray<ForgedToken> =>
  rows.map(([name, make]) => ({ name, why, make }))

/** A token that is wrong only in its header. */
const withHeader = (name: string, over: object): Row => [
  name,
  ({ header, claims, secret }) => signed({ ...header, ...over }, claims, secret),
]

/** A token that is wrong only in its claims. */
const withClaims = (name: string, over: (forging: Forging) => object): Row => [
  name,
  (forging) => signed(forging.header, { ...forging.claims, ...over(forging) }, forging.secret),
]

/** A token that is wrong only in the content that replaces its claims. */
const withContent = (name: string, content: (forging: Forging) => string | Uint8Array): Row => [
  name,
  (forging) => signed(forging.header, content(forging), forging.secret),
]

/** A token that is wrong only in its signing secret. */
const withSecret = (name: string, secret: (forging: Forging) => string | Uint8Array): Row => [
  name,
  (forging) => signed(forging.header, forging.claims, secret(forging)),
]

/** A token made from the good token's segments. */
const withSegments = (
  name: string,
  over: (segments: readonly [string, string, string], forging: Forging) => string,
): Row => [name, (forging) => over(parts(forging.token), forging)]

const aPublicKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9
q9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==
-----END PUBLIC KEY-----
`

const unsigned = (alg: unknown): Row => [
  `the algorithm ${JSON.stringify(alg)} and no signature`,
  ({ header, claims }) => `${segment({ ...header, alg })}.${segment(claims)}.`,
]

const hmacUnder = (alg: string, hash: string): Row => [
  `the algorithm ${alg}, signed with it and the right secret`,
  ({ header, claims, secret }) => signed({ ...header, alg }, claims, secret, hash),
]

const anotherSecret = "another secret that is long enough!"

const embeddedKey = { kty: "oct", alg: "HS256", k: base64url(anotherSecret) }

/** A token whose header refers to a key of the forger. */
const withOwnKey = (name: string, over: object): Row => [
  name,
  ({ header, claims }) => signed({ ...header, ...over }, claims, anotherSecret),
]

const day = 86_400

/**
 * Tokens that must be rejected (RFC 8725, by its sections).
 *
 * A new row needs a unique name and a function that makes the token. `Tokens.test.ts` tests every row.
 */
export const forgedTokens: ReadonlyArray<ForgedToken> = [
  ...group("2.1: a verifier that trusts the token's algorithm accepts unsigned tokens", [
    ...["none", "None", "NONE", "nOnE", "", null, 0, ["none"]].map(unsigned),
    [
      "no algorithm and no signature",
      ({ header, claims }) => `${segment({ ...header, alg: undefined })}.${segment(claims)}.`,
    ],
    [
      "the algorithm none and the good token's signature",
      ({ header, token, claims }) => {
        return `${segment({ ...header, alg: "none" })}.${segment(claims)}.${parts(token)[2]}`
      },
    ],
    [
      "the algorithm none, signed with the right secret",
      ({ header, claims, secret }) => signed({ ...header, alg: "none" }, claims, secret),
    ],
    ["the right algorithm and no signature", ({ header, claims }) => `${segment(header)}.${segment(claims)}.`],
    ["the right algorithm and no third segment", ({ header, claims }) => `${segment(header)}.${segment(claims)}`],
  ]),
  ...group("2.1, 3.1: only the signing algorithm is valid, in its exact spelling", [
    hmacUnder("HS384", "sha384"),
    hmacUnder("HS512", "sha512"),
    hmacUnder("HS1", "sha1"),
    ...["RS256", "PS256", "ES256", "ES256K", "EdDSA", "dir", "hs256", "HS256 ", "HMAC-SHA256"].map((alg) =>
      hmacUnder(alg, "sha256"),
    ),
    withHeader("the algorithm in a list", { alg: ["HS256"] }),
    withHeader("no algorithm, signed with the right secret", { alg: undefined }),
    ["HS256 declared and SHA-512 used", ({ header, claims, secret }) => signed(header, claims, secret, "sha512")],
    [
      "a second algorithm that wins",
      ({ claims, secret }) => signed('{"alg":"HS256","typ":"JWT","kid":"one","alg":"none"}', claims, secret),
    ],
  ]),
  ...group("2.2, 3.5: known, short or foreign secrets must not sign tokens", [
    withSecret("another secret", () => anotherSecret),
    withSecret("an empty secret", () => ""),
    withSecret("32 bytes of value 1 for a secret", () => new Uint8Array(32).fill(1)),
    withSecret("the kid for a secret", ({ header }) => String(header["kid"])),
    withSecret("the issuer for a secret", () => "pixcharge"),
    withSecret("the word secret for a secret", () => "secret"),
    withSecret("the right secret and a line feed", ({ secret }) => `${secret}\n`),
    withSecret("the right secret without its last character", ({ secret }) => secret.slice(0, -1)),
    withSecret("the right secret in upper case", ({ secret }) => secret.toUpperCase()),
    withSecret("the right secret in Base64", ({ secret }) => Buffer.from(secret).toString("base64")),
    withSecret("the right secret in hexadecimal", ({ secret }) => Buffer.from(secret).toString("hex")),
    withSecret("the digest of the right secret", ({ secret }) => createHash("sha256").update(secret).digest()),
    withSecret("the secret of credential marks", ({ secret }) =>
      createHmac("sha256", secret).update("pixcharge credential mark").digest(),
    ),
    withSecret("a public key for a secret", () => aPublicKey),
    withSecret("a public key in bytes for a secret", () =>
      Buffer.from(aPublicKey.replaceAll(/-----[^-]+-----|\s/g, ""), "base64"),
    ),
  ]),
  ...group("3.10: the header must not choose the key", [
    withHeader("an unknown kid", { kid: "two" }),
    withHeader("no kid", { kid: undefined }),
    withHeader("an empty kid", { kid: "" }),
    withHeader("a kid in upper case", { kid: "ONE" }),
    withHeader("a kid with a blank before it", { kid: " one" }),
    withHeader("a kid with a trailing zero byte", { kid: "one\u0000" }),
    withHeader("a kid in a list", { kid: ["one"] }),
    withHeader("a kid that is null", { kid: null }),
    withHeader("a kid that is a number", { kid: 0 }),
    withHeader("a kid that is an object", { kid: { toString: "one" } }),
    [
      "a kid that is a path to an empty file",
      ({ header, claims }) => signed({ ...header, kid: "../../../../dev/null" }, claims, ""),
    ],
    [
      "a kid that is a query for a secret",
      ({ header, claims }) => signed({ ...header, kid: "x' UNION SELECT 'secret" }, claims, "secret"),
    ],
    [
      "a kid that is a command",
      ({ header, claims }) => signed({ ...header, kid: "one|echo secret" }, claims, "secret"),
    ],
    [
      "a kid that is a URL",
      ({ header, claims }) => signed({ ...header, kid: "https://example.com/key" }, claims, anotherSecret),
    ],
    ["a kid that every object has", ({ header, claims }) => signed({ ...header, kid: "constructor" }, claims, "")],
    [
      "a kid that is the prototype of objects",
      ({ header, claims }) => signed({ ...header, kid: "__proto__" }, claims, ""),
    ],
    [
      "a second kid that wins",
      ({ claims, secret }) => signed('{"alg":"HS256","typ":"JWT","kid":"one","kid":"two"}', claims, secret),
    ],
    withOwnKey("an embedded key (jwk)", { jwk: embeddedKey }),
    withOwnKey("the URL of a key set (jku)", { jku: "https://192.0.2.1/jwks.json" }),
    withOwnKey("the URL of a certificate (x5u)", { x5u: "https://192.0.2.1/cert.pem" }),
    withOwnKey("an embedded certificate (x5c)", { x5c: [base64url("certificate")] }),
    withOwnKey("a certificate's thumbprint (x5t)", { x5t: base64url("thumbprint") }),
    withOwnKey("an embedded key, and no kid", { jwk: embeddedKey, kid: undefined }),
  ]),
  ...group("RFC 7515, 4.1.11: unknown critical headers must be rejected", [
    withHeader("an unknown critical header", { crit: ["urn:example:unknown"], "urn:example:unknown": 1 }),
    withHeader("a critical header that is missing", { crit: ["exp"] }),
    withHeader("an empty list of critical headers", { crit: [] }),
    withHeader("critical headers that aren't a list", { crit: "b64" }),
    withHeader("a critical header that the standard defines", { crit: ["alg"] }),
    withHeader("critical headers that aren't texts", { crit: [1] }),
    [
      "content that is not encoded (b64)",
      ({ header, claims, secret }) => {
        const text = `${segment({ ...header, b64: false, crit: ["b64"] })}.${JSON.stringify(claims)}`
        return `${text}.${signature(text, secret)}`
      },
    ],
    [
      "encoded content declared as unencoded (b64)",
      ({ header, claims, secret }) => signed({ ...header, b64: false, crit: ["b64"] }, claims, secret),
    ],
  ]),
  ...group("2.8, 3.11, 3.12: another type of token with the same secret must be rejected", [
    withHeader("another type", { typ: "at+jwt" }),
    withHeader("the type of an identity token", { typ: "id_token" }),
    withHeader("no type", { typ: undefined }),
    withHeader("an empty type", { typ: "" }),
    withHeader("a type in a list", { typ: ["JWT"] }),
    withHeader("the type of an encrypted token", { typ: "JWE" }),
  ]),
  ...group("3.8, 3.9, 2.7: issuer, subject and audience must match exactly", [
    ...["iss", "aud", "sub", "iat", "nbf", "exp", "jti", "env", "cred"].flatMap((claim) => [
      withClaims(`no ${claim}`, () => ({ [claim]: undefined })),
      withClaims(`${claim} that is null`, () => ({ [claim]: null })),
      withClaims(`${claim} in an object`, ({ claims }) => ({ [claim]: { 0: claims[claim] } })),
    ]),
    withClaims("another issuer", () => ({ iss: "other" })),
    withClaims("an issuer with capital letters", () => ({ iss: "PixCharge" })),
    withClaims("an issuer with an invisible character", () => ({ iss: "pixcharge\u200b" })),
    withClaims("an issuer in a list", () => ({ iss: ["pixcharge"] })),
    withClaims("the audience of production", () => ({ aud: "pixcharge:production" })),
    withClaims("an audience of both environments' beginnings", () => ({ aud: "pixcharge:" })),
    withClaims("an empty list of audiences", () => ({ aud: [] })),
    withClaims("a list of other audiences", () => ({ aud: ["pixcharge", "sandbox"] })),
    withClaims("another environment", () => ({ env: "production" })),
    withClaims("an environment in a list", () => ({ env: ["sandbox"] })),
    withClaims("an environment with a Cyrillic letter", () => ({ env: "sandb\u043ex" })),
    withClaims("the CNPJ of another company", () => ({ sub: "11222333000181" })),
    withClaims("the CNPJ and mark of another company", ({ marks }) => ({
      sub: "11222333000181",
      cred: marks.otherHolder,
    })),
    withClaims("a CNPJ with its punctuation", () => ({ sub: "12.345.678/0001-95" })),
    withClaims("a CNPJ in digits of full width", () => ({ sub: "１２３４５６７８０００１９５" })),
    withClaims("a CNPJ with a blank", () => ({ sub: "12345678000195 " })),
    withClaims("a CNPJ with a zero byte", () => ({ sub: "12345678000195\u0000" })),
    withClaims("a CNPJ that is a number", () => ({ sub: 12_345_678_000_195 })),
    withClaims("a CNPJ in a list", ({ claims }) => ({ sub: [claims["sub"]] })),
    withClaims("an empty subject", () => ({ sub: "" })),
    withClaims("a subject that every object has", () => ({ sub: "__proto__" })),
    withClaims("an id that is a number", () => ({ jti: 1 })),
    withClaims("an id in a list", ({ claims }) => ({ jti: [claims["jti"]] })),
    withClaims("the mark of a key that was replaced", ({ marks }) => ({ cred: marks.otherKey })),
    withClaims("the mark of the same key of another holder", ({ marks }) => ({ cred: marks.otherHolder })),
    withClaims("a mark without its last character", ({ claims }) => ({ cred: String(claims["cred"]).slice(0, -1) })),
    withClaims("a mark in a list", ({ claims }) => ({ cred: [claims["cred"]] })),
    withClaims("an empty mark", () => ({ cred: "" })),
    withClaims("a mark that is true", () => ({ cred: true })),
    [
      "a second subject that wins",
      ({ header, claims, secret }) =>
        signed(header, JSON.stringify(claims).replace(/\}$/, ',"sub":"11222333000181"}'), secret),
    ],
    ["claims below another name", ({ header, claims, secret }) => signed(header, { claims }, secret)],
    ["claims in the header", ({ header, claims, secret }) => signed({ ...header, ...claims }, {}, secret)],
  ]),
  ...group("RFC 7519, 4.1: a token is valid only in its time, with a tolerance of 60 s", [
    withClaims("an end 60 s ago", ({ now }) => ({ exp: now - 60 })),
    withClaims("an end a day ago", ({ now }) => ({ exp: now - day })),
    withClaims("an end in 1970", () => ({ exp: 0 })),
    withClaims("an end before 1970", () => ({ exp: -1 })),
    withClaims("an end that is a text", ({ now }) => ({ exp: String(now + 3_600) })),
    withClaims("an end that is a date", () => ({ exp: "2099-01-01T00:00:00Z" })),
    withClaims("an end in a list", ({ now }) => ({ exp: [now + 3_600] })),
    withClaims("an end that is true", () => ({ exp: true })),
    withClaims("a start in 61 s", ({ now }) => ({ nbf: now + 61 })),
    withClaims("a start in a day", ({ now }) => ({ nbf: now + day })),
    withClaims("a start in milliseconds", ({ now }) => ({ nbf: now * 1_000 })),
    withClaims("a start that is a text", () => ({ nbf: "0" })),
    withClaims("an issue in 61 s", ({ now }) => ({ iat: now + 61 })),
    withClaims("an issue in milliseconds", ({ now }) => ({ iat: now * 1_000 })),
    withClaims("an issue 72 h and 61 s ago", ({ now }) => ({ iat: now - 3 * day - 61 })),
    withClaims("an issue in 1970", () => ({ iat: 0 })),
    withClaims("an issue that is a text", ({ now }) => ({ iat: String(now) })),
    [
      "a second expiry that wins",
      ({ header, claims, secret }) => signed(header, JSON.stringify(claims).replace(/\}$/, ',"exp":1}'), secret),
    ],
  ]),
  ...group("2.5, 3.6, 3.7: a token is a signed JSON object of its claims in UTF-8", [
    withContent("a token within the token", ({ token }) => token),
    [
      "a declared token within the token (cty)",
      ({ header, token, secret }) => signed({ ...header, cty: "JWT" }, token, secret),
    ],
    withContent("a JSON text that holds the token", ({ token }) => JSON.stringify(token)),
    withContent("no content", () => ""),
    withContent("an empty object", () => "{}"),
    withContent("null", () => "null"),
    withContent("a list of the claims", ({ claims }) => JSON.stringify([claims])),
    withContent("a number", () => "1"),
    withContent("JSON that is cut off", ({ claims }) => JSON.stringify(claims).slice(0, -1)),
    withContent("JSON with a trailing object", ({ claims }) => `${JSON.stringify(claims)}{}`),
    withContent("JSON with a comment", ({ claims }) => `/**/${JSON.stringify(claims)}`),
    withContent("JSON in single quotes", ({ claims }) => JSON.stringify(claims).replaceAll('"', "'")),
    withContent("JSON in UTF-16", ({ claims }) => Buffer.from(JSON.stringify(claims), "utf16le")),
    withContent("random bytes", () => randomBytes(64)),
    withContent("a form instead of JSON", ({ claims }) =>
      Object.entries(claims)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join("&"),
    ),
    withContent("compressed claims", ({ claims }) => deflateRawSync(JSON.stringify(claims))),
    [
      "declared compressed claims (zip)",
      ({ header, claims, secret }) => signed({ ...header, zip: "DEF" }, deflateRawSync(JSON.stringify(claims)), secret),
    ],
    ["a header that is a list", ({ header, claims, secret }) => signed([header], claims, secret)],
    ["a header that is a text", ({ claims, secret }) => signed('"HS256"', claims, secret)],
    ["a header that is null", ({ claims, secret }) => signed("null", claims, secret)],
    ["an empty header", ({ claims, secret }) => signed("", claims, secret)],
    [
      "a header in UTF-16",
      ({ header, claims, secret }) => signed(Buffer.from(JSON.stringify(header), "utf16le"), claims, secret),
    ],
    withSegments(
      "an encrypted token's five segments",
      ([header, content, end]) => `${header}.${content}.${content}.${content}.${end}`,
    ),
    [
      "a declared encrypted token's five segments (JWE)",
      ({ header, token }) =>
        `${segment({ ...header, alg: "dir", enc: "A256GCM" })}..${base64url(randomBytes(12))}.${parts(token)[1]}.${base64url(randomBytes(16))}`,
    ],
    withSegments("JSON instead of segments", ([header, content, end]) =>
      JSON.stringify({ protected: header, payload: content, signature: end }),
    ),
    withSegments("JSON with several signatures", ([header, content, end]) =>
      JSON.stringify({ payload: content, signatures: [{ protected: header, signature: end }] }),
    ),
    ["20 000 letters", () => "a".repeat(20_000)],
    ["2 000 dots", () => ".".repeat(2_000)],
    ["an empty text", () => ""],
    ["a dot", () => "."],
    ["two dots", () => ".."],
    ["three letters", () => "a.b.c"],
  ]),
  ...group("2.3: every byte of header and content is signed, and every byte of the signature counts", [
    withSegments("half a signature", ([header, content, end]) => `${header}.${content}.${end.slice(0, 22)}`),
    withSegments(
      "a signature without its last character",
      ([header, content, end]) => `${header}.${content}.${end.slice(0, -1)}`,
    ),
    withSegments("a signature of one character", ([header, content, end]) => `${header}.${content}.${end.slice(0, 1)}`),
    withSegments(
      "a signature with four characters more",
      ([header, content, end]) => `${header}.${content}.${end}AAAA`,
    ),
    withSegments("a signature of zeros", ([header, content, end]) => `${header}.${content}.${"A".repeat(end.length)}`),
    withSegments(
      "a reversed signature",
      ([header, content, end]) => `${header}.${content}.${[...end].toReversed().join("")}`,
    ),
    withSegments("the signature twice", ([header, content, end]) => `${header}.${content}.${end}${end}`),
    withSegments(
      "the signature in hexadecimal",
      ([header, content, end]) => `${header}.${content}.${Buffer.from(end, "base64url").toString("hex")}`,
    ),
    withSegments("the signature's last bit changed", ([header, content, end]) => {
      const bytes = Buffer.from(end, "base64url")
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      return `${header}.${content}.${base64url(bytes)}`
    }),
    withSegments(
      "the signature of the content alone",
      ([header, content], { secret }) => `${header}.${content}.${signature(content, secret)}`,
    ),
    withSegments(
      "the signature of the header alone",
      ([header, content], { secret }) => `${header}.${content}.${signature(header, secret)}`,
    ),
    withSegments(
      "the signature of both without the dot",
      ([header, content], { secret }) => `${header}.${content}.${signature(header + content, secret)}`,
    ),
    withSegments(
      "the signature of the decoded text",
      ([header, content], forging) =>
        `${header}.${content}.${signature(`${JSON.stringify(forging.header)}.${JSON.stringify(forging.claims)}`, forging.secret)}`,
    ),
    withSegments(
      "a digest instead of the signature",
      ([header, content]) =>
        `${header}.${content}.${createHash("sha256").update(`${header}.${content}`).digest("base64url")}`,
    ),
    withSegments(
      "another token's content and the good signature",
      ([header, , end], { claims }) => `${header}.${segment({ ...claims, sub: "11222333000181" })}.${end}`,
    ),
    withSegments(
      "a later end and the good signature",
      ([header, , end], { claims, now }) => `${header}.${segment({ ...claims, exp: now + 3 * day })}.${end}`,
    ),
    withSegments(
      "the same claims in another order and the good signature",
      ([header, , end], { claims }) =>
        `${header}.${segment(Object.fromEntries(Object.entries(claims).toReversed()))}.${end}`,
    ),
    withSegments("header and content swapped", ([header, content, end]) => `${content}.${header}.${end}`),
  ]),
  ...group("decision 4: a token has one spelling, so that lists and logs can find it", [
    withSegments("padding after the signature", ([header, content, end]) => `${header}.${content}.${end}=`),
    withSegments("padding after every segment", ([header, content, end]) => `${header}=.${content}=.${end}=`),
    withSegments(
      "a blank in the signature",
      ([header, content, end]) => `${header}.${content}.${end.slice(0, 9)} ${end.slice(9)}`,
    ),
    withSegments(
      "a line feed in the content",
      ([header, content, end]) => `${header}.${content.slice(0, 9)}\n${content.slice(9)}.${end}`,
    ),
    withSegments("a tab before the header", ([header, content, end]) => `\t${header}.${content}.${end}`),
    withSegments("a trailing dot", ([header, content, end]) => `${header}.${content}.${end}.`),
    withSegments("a leading dot", ([header, content, end]) => `.${header}.${content}.${end}`),
    withSegments("doubled dots", ([header, content, end]) => `${header}..${content}..${end}`),
    withSegments("percent-encoded dots", ([header, content, end]) => `${header}%2E${content}%2E${end}`),
    withSegments("dots of full width", ([header, content, end]) => `${header}\uff0e${content}\uff0e${end}`),
    withSegments("quotes around the token", ([header, content, end]) => `"${header}.${content}.${end}"`),
    withSegments(
      "the token twice, with a comma between",
      ([header, content, end]) => `${header}.${content}.${end},${header}.${content}.${end}`,
    ),
    withSegments(
      "the token twice, with a dot between",
      ([header, content, end]) => `${header}.${content}.${end}.${header}.${content}.${end}`,
    ),
    withSegments("all in upper case", ([header, content, end]) => `${header}.${content}.${end}`.toUpperCase()),
    withSegments(
      "another last character that decodes to the same signature",
      ([header, content, end]) =>
        `${header}.${content}.${end.slice(0, -1)}${String.fromCharCode(end.charCodeAt(end.length - 1) + 1)}`,
    ),
    [
      "a signature in the other Base64 alphabet",
      ({ header, claims, secret }) => {
        // Searches for a signature with a character that differs between the alphabets.
        for (let jti = 0; ; jti++) {
          const [head, content, end] = parts(signed(header, { ...claims, jti: String(jti) }, secret))
          if (/[-_]/.test(end)) return `${head}.${content}.${end.replaceAll("-", "+").replaceAll("_", "/")}`
        }
      },
    ],
  ]),
]

/** Good tokens made in the same way. They show that only the forger's change causes a rejection. */
export const soundTokens: ReadonlyArray<Omit<ForgedToken, "why">> = [
  { name: "its parts signed again", make: ({ header, claims, secret }) => signed(header, claims, secret) },
  {
    name: "an end 59 s ago",
    make: ({ header, claims, secret, now }) => signed(header, { ...claims, exp: now - 59 }, secret),
  },
  {
    name: "a start in 60 s",
    make: ({ header, claims, secret, now }) => signed(header, { ...claims, nbf: now + 60 }, secret),
  },
  {
    name: "an issue 72 h and 60 s ago",
    make: ({ header, claims, secret, now }) => signed(header, { ...claims, iat: now - 3 * day - 60 }, secret),
  },
  {
    name: "an unknown claim",
    make: ({ header, claims, secret }) => signed(header, { ...claims, outra: 1 }, secret),
  },
]
