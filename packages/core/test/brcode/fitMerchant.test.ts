import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeBrCode, fitMerchant } from "../../src/model/brcode/index.ts"

describe("fitMerchant", () => {
  it.each([
    ["Padaria São João", "Brasília", "Padaria Sao Joao", "Brasilia"],
    ["Comércio de Pães e Bolos Ltda", "São José dos Campos", "Comercio de Paes e Bolos", "Sao Jose dos Ca"],
    ["Æsir & Groß", "Łódź", "AEsir & Gross", "Lodz"],
    [" Loja\t do \n Zé ", "Rio  Branco", "Loja do Ze", "Rio Branco"],
    ["株式会社 Brasil", "東京", "Brasil", "Brasil"],
    ["", "", "Recebedor", "Brasil"],
  ])("fits %j and %j to %j and %j", (name, city, merchantName, merchantCity) => {
    expect(fitMerchant({ name, city })).toEqual({ merchantName, merchantCity })
  })

  it("always gives a writable name and city", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (name, city) =>
        Result.isSuccess(encodeBrCode({ _tag: "Dynamic", url: "pix.example.com/1", ...fitMerchant({ name, city }) })),
      ),
    )
  })
})
