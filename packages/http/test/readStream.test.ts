import { readStream } from "@pixcharge/http/binding"
import { once } from "node:events"
import { PassThrough, Readable } from "node:stream"
import { expect, it } from "vitest"

const bytes = new TextEncoder().encode("ção")

const streamOf = (...pieces: ReadonlyArray<Uint8Array>): PassThrough => {
  const stream = new PassThrough()
  for (const piece of pieces) stream.write(piece)
  return stream
}

it("joins a body's pieces, and reads a stream without bytes as empty", async () => {
  expect(await readStream(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), 5)).toEqual({
    _tag: "Text",
    text: "ção",
  })
  expect(await readStream(streamOf().end(), 0)).toEqual({ _tag: "Text", text: "" })
})

it("leaves the rest of a too long body unread without destroying its stream", async () => {
  const stream = streamOf(bytes, bytes)
  expect(await readStream(stream, 4)).toEqual({ _tag: "TooLarge" })
  stream.write(bytes)
  await new Promise(setImmediate)
  expect(stream.destroyed).toBe(false)
  expect(stream.readableLength).toBeGreaterThan(0)
})

it("rejects a short body in too many pieces", async () => {
  const pieces = (count: number, size: number) =>
    Readable.from(Array.from({ length: count }, () => Buffer.alloc(size, 97)))
  expect(await readStream(pieces(256, 1), 16_384)).toMatchObject({ _tag: "Text" })
  expect(await readStream(pieces(300, 1), 16_384)).toEqual({ _tag: "TooLarge" })
  expect(await readStream(pieces(256 * 65, 64), 2_000_000)).toMatchObject({ _tag: "Text" })
})

it.each([
  ["breaks off", (stream: PassThrough) => stream.destroy()],
  ["fails", (stream: PassThrough) => stream.destroy(new Error("reset"))],
])("finds a body unreadable that %s before or after its first byte", async (_, breakOff) => {
  const broken = streamOf(bytes)
  breakOff(broken.on("error", () => undefined))
  expect(await readStream(broken, 5)).toEqual({ _tag: "Unreadable" })

  const breaking = streamOf(bytes)
  const body = readStream(breaking, 5)
  breaking.once("data", () => breakOff(breaking))
  expect(await body).toEqual({ _tag: "Unreadable" })
})

it("finds a body unreadable if the host has set the stream's encoding", async () => {
  expect(await readStream(streamOf(bytes).setEncoding("hex"), 5)).toEqual({ _tag: "Unreadable" })
})

it("reads a body whose stream the host has paused", async () => {
  const stream = streamOf(bytes).end(bytes)
  stream.pause()
  expect(await readStream(stream, 10)).toEqual({ _tag: "Text", text: "çãoção" })
})

it("reads an empty body as empty after the host has read it", async () => {
  const stream = streamOf().end()
  await once(stream.resume(), "end")
  expect(await readStream(stream, 10)).toEqual({ _tag: "Text", text: "" })
  expect(stream.destroyed).toBe(true)
  expect(await readStream(stream, 10)).toEqual({ _tag: "Text", text: "" })
})
