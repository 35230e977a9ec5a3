import { type Cnpj, isValidCnpj } from "@pixcharge/core/party"

export const companyCnpj = (index: number): Cnpj => {
  const base = `${String(index).padStart(8, "0")}0001`
  for (let check = 0; ; check++) {
    const cnpj = `${base}${String(check).padStart(2, "0")}`
    if (isValidCnpj(cnpj)) return cnpj as Cnpj
  }
}
