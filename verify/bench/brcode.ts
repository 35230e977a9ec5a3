import { type BrCode, decodeBrCode, encodeBrCode } from "@pixcharge/core/brcode"
import type { Cents } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import { createDynamicPix, createStaticPix, hasError, parsePix } from "pix-utils"
import { alternate } from "./alternate.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { nameWithVersion } from "./nameWithVersion.ts"

const peer = nameWithVersion("pix-utils")

interface Work {
  readonly ours: BrCode
  readonly theirs: Parameters<typeof createStaticPix>[0] | Parameters<typeof createDynamicPix>[0]
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
  const dynamic = { ...merchant, url: locationUrl("qr/v2", n) }
  const recurrenceUrl = locationUrl("rec", n + 7)
  const key = `${hexDigits(n)}-e12b-42d1-a456-${hexDigits(n + 1)}4000`
  const txid = `PEDIDO${n}`
  const amountCents = (100 + n * 37) as Cents
  if (n % 3 === 0)
    return {
      ours: { ...merchant, _tag: "Static", key, txid, description: "Pedido", amountCents },
      theirs: { ...merchant, pixKey: key, txid, infoAdicional: "Pedido", transactionAmount: amountCents / 100 },
    }
  return n % 3 === 1
    ? { ours: { ...dynamic, _tag: "Dynamic" }, theirs: dynamic }
    : { ours: { ...dynamic, _tag: "Dynamic", recurrenceUrl }, theirs: { ...dynamic, urlRec: recurrenceUrl } }
}

const writtenByUs = ({ ours }: Work): string => Result.getOrThrow(encodeBrCode(ours))

const writtenByPeer = ({ theirs }: Work): string => {
  const written = "url" in theirs ? createDynamicPix(theirs) : createStaticPix(theirs)
  if (hasError(written)) throw new Error(`${peer}: ${written.message}`)
  return written.toBRCode()
}

/** Makes each string flat, like one from a request or a database. A concatenated string would be slower to read. */
const parseAgain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

/** The number of inputs. They fit into the processor's cache, as the data of a new request does. */
const count = 300
const passes = 10

const race = async <Item>(
  what: string,
  goal: number,
  items: ReadonlyArray<Item>,
  byUs: (item: Item) => number,
  byPeer: (item: Item) => number,
): Promise<Ratio> => {
  const [ours = [], theirs = []] = await alternate([byUs, byPeer], { rounds: 41, warmUp: 5 }, (work) => {
    const start = process.hrtime.bigint()
    let sum = 0
    for (let pass = 0; pass < passes; pass++) for (const item of items) sum += work(item)
    // V8 can't remove work whose sum is read.
    if (sum === 0) throw new Error("a batch did no work")
    return Number(process.hrtime.bigint() - start)
  })
  return { what, peer, ...compareRounds(ours, theirs), goal }
}

export const brcodeBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const works = parseAgain(Array.from({ length: count }, (_, n) => makeWork(n)))
  const texts = parseAgain(works.map(writtenByUs))
  const other = works.findIndex((work, index) => writtenByPeer(work) !== texts[index])
  if (other >= 0) throw new Error(`${peer} writes a code that differs from ours, ${texts[other]}`)
  return [
    await race(
      "write a BR Code",
      3,
      works,
      (work) => writtenByUs(work).length,
      (work) => writtenByPeer(work).length,
    ),
    await race(
      "read a BR Code",
      20,
      texts,
      (text) => (Result.isSuccess(decodeBrCode(text)) ? 1 : 0),
      (text) => (hasError(parsePix(text)) ? 0 : 1),
    ),
  ]
}
