import { integratorKeyDigest } from "@pixcharge/http"
import { expect, it } from "vitest"
import { digestKey } from "../src/directory/keys.ts"

it("the digest that the directory keeps of a holder's key is the one that the HTTP service checks keys with", () => {
  const peppers = ["a pepper of thirty-two bytes or more", "pimenta com acentuação, também válida"]
  for (const pepper of peppers) {
    for (const key of ["chave", "chave com acentuação", "x".repeat(200)]) {
      const ringKey = { kid: "1", secret: pepper }
      for (const holder of ["12345678000195", "12ABC34501DE35"]) {
        expect(digestKey(ringKey, holder, key)).toEqual(integratorKeyDigest(ringKey, holder, key))
      }
    }
  }
})
