import { apiPix, type ProfileName, pspProfiles } from "@pixcharge/processor-api-pix"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { renamedBanks, unsupportedBanks } from "../src/profiles/pspProfiles.ts"
import { company } from "./bank/openBank.ts"

/** Returns the error of a host that names this bank. Plain JavaScript can pass any name. */
const findRefusal = (psp: string): Promise<string> => {
  const connection = { psp: psp as ProfileName, clientId: "id", clientSecret: "s+cret", fetch }
  const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
  const boot = Effect.scoped(Layer.build(processor))
  return Effect.runPromise(Effect.match(boot, { onFailure: ({ message }) => message, onSuccess: () => "it starts" }))
}

const possible = `psp can be ${Object.keys(pspProfiles).join(", ")}; describe any other bank by a profile of your own`

describe("a host with a bank without a profile", () => {
  it.each(Object.entries(unsupportedBanks))("rejects %s with an error that says what is missing", async (name, why) => {
    expect(await findRefusal(name)).toBe(
      `The API Pix connection of ${company.cnpj} can't work: there is no profile of the bank that psp names, because ${why}: ${possible}.`,
    )
  })

  it("has a reason for each common bank that has no profile", () => {
    const banks = ["caixa", "nubank", "btg", "safra", "original", "bs2", "ailos", "cresol", "bnb", "cora"]
    const institutions = ["stone", "mercadopago", "asaas", "picpay", "iugu", "celcoin", "dock", "bankly", "woovi"]
    expect(Object.keys(unsupportedBanks)).toEqual(expect.arrayContaining([...banks, ...institutions]))
  })

  it.each(["mercadoPago", "Mercado Pago", "mercado-pago", "MERCADO_PAGO"])("rejects the spelling %s", async (name) => {
    expect(await findRefusal(name)).toContain("because Mercado Pago has an API of its own in place of API Pix")
  })

  it.each(Object.entries(renamedBanks))(
    "rejects the former name %s, and says that the bank is now %s",
    async (name, now) => {
      expect(await findRefusal(name)).toContain(`psp must name the bank as "${now}"`)
      expect(await findRefusal(name.toUpperCase())).toContain(`psp must name the bank as "${now}"`)
      expect(Object.keys(pspProfiles)).toContain(now)
    },
  )

  it.each([
    ["Itaú", "itau"],
    ["ITAU", "itau"],
    ["Efí", "efi"],
    ["Banco do Brasil", "bancoDoBrasil"],
    ["pag-bank", "pagbank"],
  ])("rejects the spelling %s, and says that the name is %s", async (name, proper) => {
    expect(await findRefusal(name)).toContain(`psp must name the bank as "${proper}"`)
  })

  it.each(["bradescard", "constructor", "__proto__", "toString", ""])(
    "rejects the unknown name %j, and lists the known names",
    async (name) => {
      expect(await findRefusal(name)).toContain(`psp names an unknown bank: ${possible}`)
    },
  )

  it("isn't rejected for a known bank, and all refused names are simplified", () => {
    const refused = [...Object.keys(unsupportedBanks), ...Object.keys(renamedBanks)]
    expect(refused.filter((name) => Object.hasOwn(pspProfiles, name) || !/^[a-z0-9]+$/.test(name))).toEqual([])
    expect(new Set(refused).size).toBe(refused.length)
  })
})
