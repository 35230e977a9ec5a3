import { InvalidRegistration } from "@pixcharge/core/directory"
import { memoryDirectory, type MemoryDirectoryOptions } from "@pixcharge/store-memory"
import { describe, expect, it } from "vitest"

const reseller = { cnpj: "00.000.000/0001-91", name: "Revenda", integratorKey: "chave da revenda" }
const member = {
  cnpj: "12.345.678/0001-95",
  name: "Loja",
  city: "São Paulo",
  pixKey: "loja@example.com",
  graceDays: 5,
  reseller: "00000000000191",
}
const independent = {
  cnpj: "11222333000181",
  name: "Vizinho",
  city: "Recife",
  pixKey: "vizinho@example.com",
  graceDays: 1,
  integratorKey: "chave do vizinho",
}
const callback = { url: "https://x.example.com", secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="] }

const catchRefusal = (act: () => unknown): InvalidRegistration => {
  try {
    act()
  } catch (error) {
    if (error instanceof InvalidRegistration) return error
    throw error
  }
  throw new Error("expected an InvalidRegistration")
}

const readRefusal = (options: MemoryDirectoryOptions) => {
  const { cnpj, field, problem, message } = catchRefusal(() => memoryDirectory(options))
  expect(message).toContain(cnpj)
  return [field, problem]
}

describe("a list of registrations", () => {
  it("can have CNPJs with punctuation, and resellers in any order", () => {
    expect(() => memoryDirectory({ companies: [independent, member], resellers: [reseller] })).not.toThrow()
    expect(() => memoryDirectory({ companies: [] })).not.toThrow()
  })

  it.each([null, 5, "12345678000195", {}, { cnpj: 12_345_678_000_195 }])(
    "must contain registrations, not %j",
    (entry) => {
      for (const options of [{ companies: [entry] }, { companies: [], resellers: [entry] }]) {
        expect(() => memoryDirectory(options as never)).toThrow(
          expect.objectContaining({
            _tag: "InvalidOption",
            message: expect.stringContaining("registrations, each with its cnpj as a string") as string,
          }) as Error,
        )
      }
    },
  )

  it("is refused with the flawed registration and the reason", () => {
    expect(readRefusal({ companies: [member] })).toEqual([
      "reseller",
      "must be the CNPJ of a registered reseller: list it among the resellers, or register it first",
    ])
    expect(readRefusal({ companies: [independent, { ...independent, pixKey: "b@example.com" }] })).toEqual([
      "cnpj",
      "is registered twice",
    ])
    expect(readRefusal({ companies: [], resellers: [reseller, reseller] })).toEqual(["cnpj", "is registered twice"])
    expect(
      readRefusal({ companies: [member, { ...independent, pixKey: member.pixKey }], resellers: [reseller] }),
    ).toEqual(["pixKey", "is another company's"])
    expect(readRefusal({ companies: [{ ...independent, cnpj: "11222333000182" }] })).toEqual([
      "cnpj",
      "must be a CNPJ with right check digits, with or without punctuation",
    ])
    expect(readRefusal({ companies: [{ ...independent, graceDays: 0 }] })[0]).toBe("graceDays")
    expect(readRefusal({ companies: [{ ...independent, pixKey: "não é chave" }] })[0]).toBe("pixKey")
    expect(readRefusal({ companies: [{ ...independent, integratorKey: "" }] })).toEqual([
      "integratorKey",
      "must have at least 12 characters",
    ])
    expect(readRefusal({ companies: [], resellers: [{ ...reseller, integratorKey: "" }] })).toEqual([
      "integratorKey",
      "must have at least 12 characters",
    ])
    expect(readRefusal({ companies: [], resellers: [{ ...reseller, name: "" }] })).toEqual([
      "name",
      "must have 1 to 200 characters, one of them visible, and no control characters",
    ])
    expect(readRefusal({ companies: [], resellers: [{ ...reseller, name: "A\nB" }] })[0]).toBe("name")
  })

  it("can't give a reseller's company its own key or a second callback", () => {
    const withKey = { ...member, integratorKey: "chave própria" }
    expect(readRefusal({ companies: [withKey], resellers: [reseller] })[0]).toBe("integratorKey")
    const itself = { ...independent, cnpj: "00000000000191" }
    expect(readRefusal({ companies: [itself], resellers: [reseller] })[0]).toBe("integratorKey")
    const { integratorKey: _, ...keyless } = itself
    expect(readRefusal({ companies: [{ ...keyless, callback }], resellers: [reseller] })[0]).toBe("callback")
  })

  it("refuses callbacks without an address, without secrets or of unknown kinds", () => {
    const broken = [
      ["callback.url", { ...callback, url: "ftp://x" }],
      ["callback.secrets", { ...callback, secrets: [] }],
      ["callback.secrets", { ...callback, secrets: ["segredo"] }],
      ["callback.secrets", { ...callback, secrets: [...callback.secrets, "whsec_c2VncmVkbw=="] }],
      ["callback.kinds", { ...callback, kinds: ["pix.pago" as never] }],
    ] as const
    for (const [field, wrong] of broken) {
      expect(readRefusal({ companies: [{ ...independent, callback: wrong }] })[0]).toBe(field)
      expect(readRefusal({ companies: [], resellers: [{ ...reseller, callback: wrong }] })[0]).toBe(field)
    }
  })
})
