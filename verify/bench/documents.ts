import * as brazilianUtils from "@brazilian-utils/brazilian-utils"
import { isValidCnpj, isValidCpf } from "@pixcharge/core/party"
import { makeSeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { cnpj, cpf } from "cpf-cnpj-validator"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { measure } from "./measure.ts"
import { median } from "../world/quantile.ts"
import { nameWithVersion } from "./nameWithVersion.ts"

type Check = (text: string) => boolean

const digits = "0123456789"
const digitsAndLetters = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`

/** Finds the check digits by trying all hundred pairs. */
const complete = (body: string, isValid: Check): string => {
  for (let check = 0; check < 100; check++) {
    const text = `${body}${String(check).padStart(2, "0")}`
    if (isValid(text)) return text
  }
  throw new Error(`no check digits fit ${body}`)
}

const count = 1200

/** Numbers as users type them into forms: a third bare, a third punctuated, a third with a wrong last digit. */
const makeTexts = (alphabet: string, length: number, isValid: Check, mask: (text: string) => string) => {
  const { between } = makeSeededRandom(20_261_120)
  return Array.from({ length: count }, (_, index) => {
    const body = Array.from({ length }, () => alphabet[between(0, alphabet.length - 1)]).join("")
    const text = complete(body, isValid)
    const wrong = text.slice(0, -1) + ((Number(text.at(-1)) + 1) % 10)
    // A round trip through bytes makes each string flat, like one from the network.
    return Buffer.from([text, mask(text), wrong][index % 3] ?? text).toString()
  })
}

const maskCpf = (text: string): string => text.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4")
const maskCnpj = (text: string): string => text.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5")

/** Compares our check with the fastest peer's. All must give the same answers. */
const race = (what: string, texts: ReadonlyArray<string>, ours: Check, peers: Record<string, Check>): Ratio => {
  const checks = [ours, ...Object.values(peers)]
  const answers = checks.map((check) => texts.map(check).join())
  if (new Set(answers).size !== 1) throw new Error(`${what}: the contenders disagree`)
  const times = measure(
    checks.map((check) => () => {
      let valid = 0
      for (const text of texts) if (check(text)) valid++
      return valid
    }),
    texts.length,
  )
  const [ourTimes = [], ...theirs] = times
  const medians = theirs.map(median)
  const index = medians.indexOf(Math.min(...medians))
  const peer = `${nameWithVersion(Object.keys(peers)[index] ?? "")}, the fastest peer`
  return { what, peer, ...compareRounds(ourTimes, theirs[index] ?? []), goal: 1 }
}

/**
 * Compares the checks of CPF and CNPJ. The two peers were the fastest of ten: @fnando/cpf 1.0.2 and @fnando/cnpj 2.0.0,
 * brazilian-values 0.14.1, cpf-check 3.0.0, cpf_cnpj 0.2.0, gerador-validador-cpf 6.3.0, js-brasil 2.8.0 and
 * validation-br 2.0.0 took longer in November 2026.
 */
export const documents = (): ReadonlyArray<Ratio> => [
  race("CPF check, bare, masked and wrong", makeTexts(digits, 9, isValidCpf, maskCpf), isValidCpf, {
    "cpf-cnpj-validator": (text) => cpf.isValid(text),
    "@brazilian-utils/brazilian-utils": (text) => brazilianUtils.isValidCpf(text),
  }),
  race("numeric CNPJ check, bare, masked and wrong", makeTexts(digits, 12, isValidCnpj, maskCnpj), isValidCnpj, {
    "cpf-cnpj-validator": (text) => cnpj.isValid(text),
    "@brazilian-utils/brazilian-utils": (text) => brazilianUtils.isValidCnpj(text),
  }),
  race(
    "alphanumeric CNPJ check, bare, masked and wrong",
    makeTexts(digitsAndLetters, 12, isValidCnpj, maskCnpj),
    isValidCnpj,
    {
      "cpf-cnpj-validator": (text) => cnpj.isValid(text),
      "@brazilian-utils/brazilian-utils": (text) => brazilianUtils.isValidCnpj(text, { version: 2 }),
    },
  ),
]
