import { verifyEvent } from "@pixcharge/callback-fetch/receiver"
import { describe, expect, it } from "vitest"
import { olderSecret, paidBody, paidEvent, secret, signedHeaders } from "./requests.ts"

const verify = (
  headers: Record<string, string>,
  body = paidBody,
  secrets: ReadonlyArray<string> = [secret],
  now = Date.now(),
) => verifyEvent({ header: (name) => headers[name], body }, secrets, now)

describe("verifyEvent", () => {
  it("accepts an event signed by the Standard Webhooks library", () => {
    expect(verify(signedHeaders())).toEqual(paidEvent)
  })

  it("accepts any one of the secrets, and any one of the signatures", () => {
    const headers = signedHeaders(paidBody, { key: olderSecret })
    expect(verify(headers)).toBe("forged")
    expect(verify(headers, paidBody, [secret, olderSecret])).toEqual(paidEvent)
    const both = `${signedHeaders()["webhook-signature"]} v1a,b2k= ${headers["webhook-signature"]}`
    expect(verify({ ...headers, "webhook-signature": both })).toEqual(paidEvent)
  })

  it("rejects a change of any character of the body as forged", () => {
    const headers = signedHeaders()
    for (let index = 0; index < paidBody.length; index++) {
      const other = paidBody[index] === "0" ? "1" : "0"
      expect(verify(headers, paidBody.slice(0, index) + other + paidBody.slice(index + 1))).toBe("forged")
    }
    expect(verify(headers, `${paidBody} `)).toBe("forged")
    expect(verify(headers, paidBody.slice(1))).toBe("forged")
  })

  it("rejects an id, timestamp or version that differs from the signed one as forged", () => {
    const headers = signedHeaders()
    const later = String(Number(headers["webhook-timestamp"]) + 1)
    expect(verify({ ...headers, "webhook-id": "evt_other" })).toBe("forged")
    expect(verify({ ...headers, "webhook-timestamp": later })).toBe("forged")
    const [, signature = ""] = headers["webhook-signature"]?.split(",") ?? []
    for (const forged of [`v2,${signature}`, signature, "", "v1,", `V1,${signature}`, `v1,${signature}=`]) {
      expect(verify({ ...headers, "webhook-signature": forged })).toBe("forged")
    }
  })

  it("rejects a signature more than five minutes old or ahead as stale", () => {
    const now = 1_780_000_000_000
    for (const seconds of [-300, 0, 300]) {
      expect(verify(signedHeaders(paidBody, { at: now + seconds * 1_000 }), paidBody, [secret], now)).toEqual(paidEvent)
    }
    for (const seconds of [-301, 301]) {
      expect(verify(signedHeaders(paidBody, { at: now + seconds * 1_000 }), paidBody, [secret], now)).toBe("stale")
    }
  })

  it("rejects a request without one of the three headers, or with an invalid timestamp, as unsigned", () => {
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      const { [name]: _, ...rest } = signedHeaders()
      expect(verify(rest)).toBe("unsigned")
    }
    expect(verify({ ...signedHeaders(), "webhook-timestamp": "1e9" })).toBe("unsigned")
  })

  it("rejects a signed body that isn't one of our events as malformed", () => {
    const id = paidEvent.id
    const bodies = [
      "",
      "null",
      "[]",
      "{",
      "{}",
      paidBody.replace("pix.pago", "pix.outro"),
      paidBody.replace("19.9", "19.999"),
      paidBody.replace("19.9", '"19.9"'),
      paidBody.replace("2026-07-01T12:00:00.000Z", "ontem"),
      paidBody.replace(id, "evt_other"),
      paidBody.replace("pagamento", "outro"),
      // These bodies each lack one field.
      ...["id", "tipo", "timestamp", "dados", "empresa", "cnpj", "nome"].map((name) =>
        paidBody.replace(`"${name}"`, '"x"'),
      ),
      ...["idFaturaPag", "txid", "endToEndId", "valor"].map((name) => paidBody.replace(`"${name}"`, '"x"')),
    ]
    for (const body of bodies) expect(verify(signedHeaders(body), body)).toBe("malformed")
  })

  it("accepts a body with unknown fields", () => {
    const body = paidBody.replace('"dados"', '"versao":2,"dados"')
    expect(verify(signedHeaders(body), body)).toEqual(paidEvent)
  })

  it("refuses invalid secrets immediately", () => {
    for (const secrets of [
      [],
      [""],
      ["whsec_"],
      ["whsec_não é base64"],
      [secret.slice(6)],
      [secret, "whsec_c2VncmVkbw=="],
    ]) {
      expect(() => verify(signedHeaders(), paidBody, secrets)).toThrow(TypeError)
    }
  })
})
