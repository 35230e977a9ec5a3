import { expect, it } from "vitest"
import { readText, sourceFiles } from "./pages.ts"

/** The places where decision 34 allows Portuguese. */
const places = [
  /\/src\/wire\//,
  /^packages\/client\/src\/bodies\.ts$/,
  /^packages\/processor-api-pix\/src\/profiles\//,
  /^packages\/http\/src\/contract\//,
  /^packages\/core\/src\/model\/charge\/Receipt\.ts$/,
  /^packages\/core\/src\/model\/calendar\/Holidays\.ts$/,
  /^packages\/web\/src\/formats\.ts$/,
  /^packages\/portal\/src\//,
  // The letters whose accents a search ignores.
  /^packages\/store-postgres\/src\/schema\/0001\/functions\.sql\.ts$/,
  /^packages\/checkout\/src\/(view\/texts|pages\/(pageTexts|recurrenceTexts)|assets)\.ts$/,
]
const sources = sourceFiles.filter((file) => /^packages\/(?!bench|adapter-tests|simulated-bank)/.test(file))

const withoutComments = (code: string): string => code.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/^\s*\/\/.*$/gm, "")
const portuguese =
  /[àáâãçéêíóôõú]|\b(sucesso|idFaturaPag|formaPagamento|valorPagamento|dataVencimento|cliente|xNome|documento|retTexto|retUrl|transacaoId|expira|pagamento|cobranca|estorno|devolucao|calendario|devedor)\b/i

const portugueseIn = (file: string): ReadonlyArray<string> =>
  withoutComments(readText(file))
    .replaceAll("Brasília", "")
    .split("\n")
    .filter((line) => portuguese.test(line))

it("code contains Portuguese only in the allowed places", () => {
  const outside = sources.filter((file) => !places.some((place) => place.test(file)))
  expect(outside.length).toBeGreaterThan(100)
  expect(outside.flatMap((file) => portugueseIn(file).map((line) => `${file}: ${line.trim()}`))).toEqual([])
})

it("the allowed places still exist", () => {
  for (const place of places) {
    const files = sources.filter((file) => place.test(file))
    expect(files.flatMap(portugueseIn), String(place)).not.toEqual([])
  }
})
