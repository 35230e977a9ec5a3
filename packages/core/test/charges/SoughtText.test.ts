import { expect, it } from "vitest"
import { readSoughtText } from "../../src/model/charge/SoughtText.ts"

it.each([
  ["the beginning with the payer's institution", "E12345678"],
  ["a whole id", `E${"1".repeat(31)}`],
])("readSoughtText reads %s as an endToEndId", (_, text) => {
  expect(readSoughtText(text).endToEndId).toBe(text)
})

it.each([
  ["19,90", 1_990],
  ["R$ 1.234,56", 123_456],
  ["R$0,01", 1],
  ["1234567890,12", 123_456_789_012],
  ["19", 1_900],
  ["1.234", 123_400],
  ["R$ 12345678", 1_234_567_800],
  ["12345678", undefined],
  ["19,9", undefined],
  ["1.23,45", undefined],
  ["19.90", undefined],
])("readSoughtText reads %s as %s cents", (text, cents) => {
  expect(readSoughtText(text).amountCents).toBe(cents)
})

it.each([
  ["fewer characters than that", "E1234567"],
  ["more characters than an id has", `E${"1".repeat(32)}`],
  ["something before it", "xE12345678"],
])("readSoughtText doesn't read %s as an endToEndId", (_, text) => {
  expect(readSoughtText(text).endToEndId).toBeUndefined()
})

it.each([
  ["silva", ["silva"]],
  ["  João   d'Água ", ["joao", "d", "agua"]],
  ["Sá-Carneiro", ["sa", "carneiro"]],
  ["19", ["19"]],
  ["7", undefined],
  [" j ", undefined],
  ["R$ 19", undefined],
  ["loja 24 horas", ["loja", "24", "horas"]],
  ["deadbeef", ["deadbeef"]],
  ["deadbee7", undefined],
  ["529.982.247-25", undefined],
  ["R$ 12,50", undefined],
])("readSoughtText reads %s as the words %s of a name", (text, words) => {
  expect(readSoughtText(text).payerWords).toEqual(words)
})
