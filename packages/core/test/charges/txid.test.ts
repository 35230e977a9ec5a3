import { chargeIdFromTxid, chargeTxid, isTxidOfAnother, parseChargeId } from "@pixcharge/core/charges"
import { alphanumericCnpj, aChargeId, aCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import { txidOf } from "@pixcharge/verify/simulate/judge"
import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const companies = [aCnpj, anotherCnpj, alphanumericCnpj]
const anId = fc.uuid().map((uuid) => Result.getOrThrow(parseChargeId(uuid)))
const aTxid = () => chargeTxid(aCnpj, aChargeId())

const change = (text: string, at: number, letter: string): string => text.slice(0, at) + letter + text.slice(at + 1)

describe("a txid", () => {
  it("has 35 digits and small letters, from which company and charge can be read", () => {
    fc.assert(
      fc.property(anId, fc.constantFrom(...companies), (id, issuer) => {
        const txid = chargeTxid(issuer, id)
        expect(txid).toMatch(/^[0-9a-z]{35}$/)
        expect(txid).toBe(txidOf(issuer, id))
        for (const written of [txid, txid.toUpperCase()]) {
          expect(companies.map((company) => chargeIdFromTxid(company, written))).toEqual(
            companies.map((company) => (company === issuer ? id : undefined)),
          )
          expect(companies.map((company) => isTxidOfAnother(company, written))).toEqual(
            companies.map((company) => company !== issuer),
          )
        }
      }),
    )
  })

  it("never changes between releases, because books and banks store it", () => {
    const ids = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]
    const made = ids.map((id) => chargeTxid(aCnpj, Result.getOrThrow(parseChargeId(id))))
    expect(made).toEqual(["00000000000000000000000000q0qxl0r2n", "f5lxx1zz5pnorynqglhzmsp330q0qxlducx"])
  })

  it("differs between ten thousand companies", () => {
    const id = aChargeId()
    const made = Array.from({ length: 10_000 }, (_, n) => chargeTxid(`${10_000_000_000_000 + n}` as never, id))
    expect(new Set(made).size).toBe(10_000)
  })

  it("belongs to no company if one or two digits are wrong", () => {
    const txid = aTxid()
    for (let index = 0; index < 35; index++) {
      for (const letter of "0123456789abcdefghijklmnopqrstuvwxyz") {
        if (txid[index] === letter) continue
        const wrong = change(txid, index, letter)
        expect([chargeIdFromTxid(aCnpj, wrong), isTxidOfAnother(aCnpj, wrong)]).toEqual([undefined, false])
      }
      const swapped = `${txid.slice(0, index)}${txid[index + 1] ?? ""}${txid[index]}${txid.slice(index + 2)}`
      if (swapped !== txid) expect([swapped, isTxidOfAnother(anotherCnpj, swapped)]).toEqual([swapped, false])
    }
  })

  it("names no company if it comes from another system, even if it looks like ours", () => {
    const txids = [
      "",
      "***",
      "z".repeat(35),
      "0".repeat(34),
      "7f9c2b1a3d4e4f5a8b6c0d1e2f3a4b5c",
      ` ${aTxid().slice(1)}`,
      `${aTxid()} `,
      `${aTxid()}0`,
      `-${aTxid().slice(1)}`,
    ]
    for (const txid of [...txids, undefined]) {
      expect([txid, chargeIdFromTxid(aCnpj, txid), isTxidOfAnother(aCnpj, txid)]).toEqual([txid, undefined, false])
    }
    const random = () => Array.from({ length: 35 }, () => Math.floor(Math.random() * 36).toString(36)).join("")
    const passed = Array.from({ length: 20_000 }, random).filter((txid) => isTxidOfAnother(aCnpj, txid))
    // One in four million passes by chance.
    expect(passed.length).toBeLessThan(2)
  })
})
