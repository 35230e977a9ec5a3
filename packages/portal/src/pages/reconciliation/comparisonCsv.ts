import type { Reply } from "@pixcharge/core"
import { brasiliaWallClock } from "@pixcharge/core/calendar"
import type { PlainComparison } from "@pixcharge/embed"
import type { CsvCell } from "../../csv/csvLine.ts"
import { csvReply } from "../../csv/csvReply.ts"
import { type ComparedPayment, differenceTexts } from "./differenceTexts.ts"

/** The columns. Amounts are integer cents, which every spreadsheet reads alike; moments are Brasília's. */
const header = [
  "end_to_end_id",
  "situacao",
  "cobranca",
  "txid_registros",
  "pago_em_registros",
  "valor_registros_centavos",
  "devolvido_registros_centavos",
  "txid_banco",
  "pago_em_banco",
  "valor_banco_centavos",
  "devolvido_banco_centavos",
]

type Side = Omit<NonNullable<ComparedPayment["books"]>, "chargeId">

const side = (payment: Side | undefined): ReadonlyArray<CsvCell> => [
  payment?.txid,
  payment && brasiliaWallClock(payment.paidAt),
  payment?.amountCents,
  payment?.returnedCents,
]

const row = ({ endToEndId, differences, books, bank }: ComparedPayment): ReadonlyArray<CsvCell> => [
  endToEndId,
  differences.length === 0 ? "Igual" : differences.map((difference) => differenceTexts[difference]).join(", "),
  books?.chargeId,
  ...side(books),
  ...side(bank),
]

function* writeRows({ rows }: PlainComparison): Generator<ReadonlyArray<CsvCell>> {
  for (const payment of rows) yield row(payment)
}

/** The comparison of a day (`YYYY-MM-DD`) as a file. */
export const comparisonCsv = (company: string, day: string, comparison: PlainComparison): Promise<Reply> =>
  csvReply({ name: `conciliacao-${company}-${day}`, header, rows: writeRows(comparison) })
