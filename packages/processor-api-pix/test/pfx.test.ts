import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { apiPix, type ApiPixConnection } from "@pixcharge/processor-api-pix"
import { company } from "./bank/openBank.ts"

/**
 * Two files with the same certificate, key and passphrase: `oldPfx` as OpenSSL 1 and Windows wrote such files (40-bit
 * RC2), and `newPfx` as OpenSSL 3 writes them.
 */
const passphrase = "segredo"
const oldPfx = `
MIIDmgIBAzCCA2AGCSqGSIb3DQEHAaCCA1EEggNNMIIDSTCCAj8GCSqGSIb3DQEHBqCCAjAwggIsAgEAMIICJQYJKoZIhvcNAQcB
MBwGCiqGSIb3DQEMAQYwDgQIvF3xBAREWqkCAggAgIIB+HdiyvDA0BSjJzBlyjFG+NHTnDGdJ+RaNgwx3xKxMVzj99DVF8EJProZ
Y6+PqfTOJ3RhX/Kt4O60o1Q2iC5IzsrWG7wDqKsbJgl3TQojP4Tk8nV4ORFlD+QXQVIxpdkbHl9LngN5IgktuPn4eEoklEqnfeN4
eVSp8yb2ZzWsvUoJ/BvyFGCIpzatyLiCr5gQzsPtFY0YMN3XJaVHqZjrZor8h1NKvTPaGzAuE73tazhONg9pP1EwfHUbHW9MvAzO
Df601RlddvP1y1cqFXmM+y3CgkRmiHesfh8ZUaGj8vfLV3JWndSXV50RuNop2NnFQ3gnUI1TfvTsy2Mg00fC6cpbijM70aFXp0sR
lvqtTe8wa+vhdSCiWTe1YXyimtcZIyHdstph+6dHtngDGftHLAcsSewfhcSwILhS3SoWfXsT5YStNaQ+mtrmmDvS20C4Rpyjb397
42OT9VqtS9WLelToUVYr2sEM+f+SAq5Vumz3TW5/N4ZXm7bvyCq3FrSbHW6N1VXw/gp1sH7SGv+rQ44hNfU42lMCYyDMe8m2J8qp
sl4/PuCRKKAoUTje4HrrY1Z8fkxnoLSWML+0/01X7e7GCzJMqRtafxf8gXEWoZFn3Y8y5rQdKBOLWKjxLBh+/jiFu215IsaY89n8
Mxlh92xxc9XDOYyrCzCCAQIGCSqGSIb3DQEHAaCB9ASB8TCB7jCB6wYLKoZIhvcNAQwKAQKggbQwgbEwHAYKKoZIhvcNAQwBAzAO
BAgM0JICr/oU/QICCAAEgZDlqXclIbcDnKH11kAvxjpwzPOtTktIGYJfzx9KP2TLpu4sC53okgqu0Drf8Q5oGUgbkHap+VOnMYVP
UbUDnEReSremRhXLQn8QdUiS9dyY3lhKL44zmN+xIroJslfGTrdxWkyz7HIX9Y+NTzhBzaCKStxuWUK+vyeM41KezCSVmNJ0rIbK
l4KnqHkDF1qQ3+kxJTAjBgkqhkiG9w0BCRUxFgQUIoCl9c767cWCOr+vYhai5SY2xhswMTAhMAkGBSsOAwIaBQAEFBvf5TYp4SUC
p7Txgs0mEmfILs+QBAiu7QLLc+l6aAICCAA=`
const newPfx = `
MIIELAIBAzCCA+IGCSqGSIb3DQEHAaCCA9MEggPPMIIDyzCCAoIGCSqGSIb3DQEHBqCCAnMwggJvAgEAMIICaAYJKoZIhvcNAQcB
MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhJaHo4fiRtRgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECl9
sNwu/N+jM4OkWCajvMuAggIA3/DyEQuavUvTNCvDmQiDeTdXf/lkrDx4pezdBqAACYkm/Qwa3HjhwISfmXhXXVD25iRREhiJgXfB
f/M0AEsg5pUcJwh5edR5DcDDsXVzf+PMlCRWLwr1D20nRF+1PxUGGniImaKtTXOAFoVAcGlnBnlV9yGvfhLKAffe/Do5aI+PylPr
M1mvVtv/xH35Y2cFpQMm+7ZIvHCOjeLad4cGhDt/+/uatEydfhB44SvAKHkBVbyWIo/OuZBAoMMrSl+u1E+N8xECH2nCPgLmjYfh
8isBUlGKkr8J5lNaN2I9SHOZ78Ab+tI9kXakAQi1LzMJbI9abXTeC6Hoe4hE735izjuPuYkqv4bsgU49RuVKbDCDoEnWxeyF5sNG
y01KGER+VdETrEO/OVxk5JvuIyfJUOFrzf8Vtqo1p7WT0rDrvXMcWvK/fraruYV/dODsCxQhCoqMdEEeBRnPnbuYquS/YTc29AvL
FhUVPwo+DDeK3e88Pu7b+yrY7DqI8Vb6U0+GlnDmEhnS2srB/8UL+ws6B3qiZaf+mo6Iu8kl46qOFCPHe0mZU5jLy0wdqgPMqrkH
vSIQ4P/QYv0VETvGoBIuMK3YaXuqLCkzMvYZsnZ+CQr+nM/QT/XYRbuc3ZnHbayKLrgBLh4AaquXfAd1cn6DcHhm0TYSC3StV3gw
ZKLWSGowggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkq
hkiG9w0BBQwwHAQIPeHSW3P1FcACAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBAJLdac4OQpjrxFRKkRal+yBIGQx1rr
iFWlbK26QVlpTyteR5YE6pn4KIUVbrXgWqlHRP/06VF2Rldr1Llpvb0qZW0qy+gluL56eQtCA0DCgZWdl0zgXGwwQVfeG4B1F/m4
wC4AJyXkcPmvZ82ewa6/OscdCPphZt4sRKQUB/ApsJ8v2yVc2l15lIhgGSs8mctMxXkMUhUvsSGT2vTP8eO7qGmyMSUwIwYJKoZI
hvcNAQkVMRYEFCKApfXO+u3Fgjq/r2IWouUmNsYbMEEwMTANBglghkgBZQMEAgEFAAQgoPy/uWVrZ5OO2BRtfWmgshbv6INcu2O2
pILgBEx/CIMECK0UWjoSbxq0AgIIAA==`

const opened = (pfx: string, given: string) => {
  const connection = {
    baseUrl: "https://bank.example",
    clientId: "id",
    clientSecret: "s+cret",
    pfx: Buffer.from(pfx, "base64"),
    passphrase: given,
  } as ApiPixConnection
  const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
  return Effect.scoped(Layer.build(processor))
}

const refusal = (pfx: string, given: string) => Effect.map(Effect.flip(opened(pfx, given)), ({ message }) => message)

describe("a certificate and its key in one file (PKCS #12)", () => {
  it.live("is accepted with its passphrase", () =>
    Effect.gen(function* () {
      expect((yield* Effect.result(opened(newPfx, passphrase)))._tag).toBe("Success")
    }),
  )

  it.live("is rejected with an old cipher, and the error says how to convert the file", () =>
    Effect.gen(function* () {
      expect(yield* refusal(oldPfx, passphrase)).toBe(
        `The API Pix connection of ${company.cnpj} can't work: its pfx is encrypted in an old way (RC2) that OpenSSL 3 doesn't ` +
          "read: write it as PEM with `openssl pkcs12 -legacy -in client.p12 -nodes -out client.pem`, and give that file as " +
          "cert and as key.",
      )
    }),
  )

  it.live("is rejected with a wrong passphrase, which the error doesn't repeat", () =>
    Effect.gen(function* () {
      for (const pfx of [oldPfx, newPfx]) {
        expect(yield* refusal(pfx, "outro")).toBe(
          `The API Pix connection of ${company.cnpj} can't work: its passphrase doesn't open its pfx.`,
        )
      }
    }),
  )

  it.live("is rejected if it isn't a PKCS #12 file", () =>
    Effect.gen(function* () {
      expect(yield* refusal("AAAA", passphrase)).toContain("its certificate or key can't be read")
    }),
  )
})
