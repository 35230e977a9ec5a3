import { type BrCode, decodeBrCode, encodeBrCode } from "@pixcharge/core/brcode"
import type { Cents } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import { createDynamicPix, createStaticPix, hasError, parsePix } from "pix-utils"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { nameWithVersion } from "./nameWithVersion.ts"

const peer = nameWithVersion("pix-utils")

type Static = Parameters<typeof createStaticPix>[0]
type Dynamic = Parameters<typeof createDynamicPix>[0]

interface Work {
  readonly ours: BrCode
  readonly theirs: Static | Dynamic
}

// Names in capitals, as the federal registry has them. We look up each letter, so accents cost us time; the peer
// normalises every name.
const names = ["PADARIA DO JOAO", "JOSÉ DA CONCEIÇÃO", "FULANO DE TAL", "AUTO MECANICA DOIS IRMAOS"]
const cities = ["BRASILIA", "SÃO PAULO", "RECIFE", "CURITIBA", "PORTO ALEGRE"]

const hexDigits = (n: number): string => (Math.imul(n + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, "0")

const locationUrl = (folder: string, n: number): string =>
  `pix.example.com/${folder}/${hexDigits(n)}${hexDigits(n + 1)}${hexDigits(n + 2)}`

/**
 * The input of the n-th code, for us and for the peer: a static code, a dynamic code and a code with a recurrence in
 * turn.
 */
const makeWork = (n: number): Work => {
  const merchant = { merchantName: names[n % names.length] ?? "", merchantCity: cities[n % cities.length] ?? "" }
  const url = locationUrl("qr/v2", n)
  const recurrenceUrl = locationUrl("rec", n + 7)
  const key = `${hexDigits(n)}-e12b-42d1-a456-${hexDigits(n + 1)}4000`
  const txid = `PEDIDO${n}`
  const amountCents = (100 + n * 37) as Cents
  if (n % 3 === 0) {
    return {
      ours: { ...merchant, _tag: "Static", key, txid, description: "Pedido", amountCents },
      theirs: { ...merchant, pixKey: key, txid, infoAdicional: "Pedido", transactionAmount: amountCents / 100 },
    }
  }
  return n % 3 === 1
    ? { ours: { ...merchant, _tag: "Dynamic", url }, theirs: { ...merchant, url } }
    : {
        ours: { ...merchant, _tag: "Dynamic", url, recurrenceUrl },
        theirs: { ...merchant, url, urlRec: recurrenceUrl },
      }
}

const writtenByPeer = (theirs: Work["theirs"]): string => {
  const written = "url" in theirs ? createDynamicPix(theirs) : createStaticPix(theirs)
  if (hasError(written)) throw new Error(`${peer}: ${written.message}`)
  return written.toBRCode()
}

/** Makes each string flat, like one from a request or a database. A concatenated string would be slower to read. */
const parseAgain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

const rounds = 41
const warmUpRounds = 5

const nanoseconds = (batch: () => number): number => {
  const start = process.hrtime.bigint()
  // V8 can't remove work whose sum is read.
  if (batch() === 0) throw new Error("a batch did no work")
  return Number(process.hrtime.bigint() - start)
}

/** The number of inputs. They fit into the processor's cache, as the data of a new request does. */
const count = 300
const passes = 10

const sumOver = <Item>(items: ReadonlyArray<Item>, of: (item: Item) => number): number => {
  let sum = 0
  for (let pass = 0; pass < passes; pass++) for (const item of items) sum += of(item)
  return sum
}

/** Each round starts with the other contender, so load and clock rate affect both. */
const race = (what: string, goal: number, byUs: () => number, byPeer: () => number): Ratio => {
  const times: readonly [Array<number>, Array<number>] = [[], []]
  for (let round = -warmUpRounds; round < rounds; round++) {
    const turns = [() => times[0].push(nanoseconds(byUs)), () => times[1].push(nanoseconds(byPeer))]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) turn()
  }
  const [ours, theirs] = times.map((each) => each.slice(warmUpRounds))
  return { what, peer, ...compareRounds(ours ?? [], theirs ?? []), goal }
}

export const brcodeBench = (): ReadonlyArray<Ratio> => {
  const works = parseAgain(Array.from({ length: count }, (_, n) => makeWork(n)))
  const texts = works.map(({ ours, theirs }) => {
    const text = Result.getOrThrow(encodeBrCode(ours))
    if (text !== writtenByPeer(theirs)) throw new Error(`${peer} writes a code that differs from ours, ${text}`)
    return text
  })
  const flat = parseAgain(texts)
  const write = (code: BrCode): number => Result.getOrThrow(encodeBrCode(code)).length
  return [
    race(
      "write a BR Code",
      3,
      () => sumOver(works, ({ ours }) => write(ours)),
      () => sumOver(works, ({ theirs }) => writtenByPeer(theirs).length),
    ),
    race(
      "read a BR Code",
      20,
      () => sumOver(flat, (text) => (Result.isSuccess(decodeBrCode(text)) ? 1 : 0)),
      () => sumOver(flat, (text) => (hasError(parsePix(text)) ? 0 : 1)),
    ),
  ]
}
