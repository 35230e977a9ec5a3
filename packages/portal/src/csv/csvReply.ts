import type { Reply } from "@pixcharge/core"
import { type CsvCell, csvLine } from "./csvLine.ts"

interface CsvFile {
  /** The file's name without the ending: letters, digits and hyphens. */
  readonly name: string
  readonly header: ReadonlyArray<string>
  /** Read while the file is sent. */
  readonly rows: Iterable<ReadonlyArray<CsvCell>>
}

/** How many rows are written at once. */
const rowsAtOnce = 500

/** Excel needs this mark to read a file as UTF-8. */
const byteOrderMark = "\uFEFF"

function* splitChunks({ header, rows }: CsvFile): Generator<string> {
  let chunk = byteOrderMark + csvLine(header)
  let count = 0
  for (const row of rows) {
    chunk += csvLine(row)
    count += 1
    if (count % rowsAtOnce > 0) continue
    yield chunk
    chunk = ""
  }
  if (chunk !== "") yield chunk
}

/** A CSV file that browsers save under its name. It is written as fast as the client reads. */
export const csvReply = (file: CsvFile): Reply => {
  const chunks = splitChunks(file)
  const encoder = new TextEncoder()
  return {
    status: 200,
    headers: {
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="${file.name}.csv"`,
      "content-type": "text/csv; charset=utf-8; header=present",
    },
    body: new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const { done, value } = chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
    }),
  }
}
