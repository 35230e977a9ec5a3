import { integratorKeyDigest } from "@pixcharge/http"
import { expect, it } from "vitest"
import { digestKey } from "../src/directory/keys.ts"

it("the digest that the directory keeps of a key is the one that the HTTP service checks keys with", () => {
  const peppers = ["a pepper of thirty-two bytes or more", "pimenta com acentuação, também válida"]
  for (const pepper of peppers) {
    for (const key of ["chave", "chave com acentuação", "x".repeat(200)]) {
      expect(digestKey(pepper, key)).toBe(integratorKeyDigest(key, pepper))
    }
  }
})
