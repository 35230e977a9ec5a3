import { encodeBrCode, InvalidBrCode } from "@pixcharge/core/brcode"
import { decode } from "fast-png"
import jsqr from "jsqr"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { qrPng } from "../src/pages/qrPng.ts"
import { qrSvg } from "@pixcharge/web"

const readQr = jsqr as unknown as typeof jsqr.default

const dynamicCode = Result.getOrThrow(
  encodeBrCode({
    _tag: "Dynamic",
    merchantName: "Loja Exemplo",
    merchantCity: "Recife",
    url: "pix.example.com/v2/cobv/cb03c6e7976782feb45391fe246dc49c",
  }),
)
/** A string of the given length that begins like a code. Core and API Pix allow 512 characters. */
const makeCode = (length: number): string => `000201${"26br.gov.bcb.pix-Exemplo/".repeat(30)}`.slice(0, length)

/** Converts a one-bit PNG to RGBA. */
const readPixels = (png: Uint8Array) => {
  const { width, height, data, depth } = decode(png)
  expect({ depth, isSquare: width === height }).toEqual({ depth: 1, isSquare: true })
  const lineBytes = Math.ceil(width / 8)
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isLight = ((data[y * lineBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      if (isLight === 0) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { pixels, width }
}

/** Draws the strokes of our SVG's path; `scale` is pixels per module. */
const drawSvg = (svg: string, scale: number) => {
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const width = modules * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  const dark = /stroke="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ""
  for (const [, x, y, run] of dark.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let line = Number(y) * scale; line < (Number(y) + 1) * scale; line++) {
      const from = line * width + Number(x) * scale
      for (let index = from; index < from + Number(run) * scale; index++) pixels.fill(0, index * 4, index * 4 + 3)
    }
  }
  return { pixels, width }
}

const read = ({ pixels, width }: { readonly pixels: Uint8ClampedArray; readonly width: number }) =>
  readQr(pixels, width, width)?.data

describe("the QR code", () => {
  it.each([6, 50, 137, 250, 400, 512])("draws a code of %i characters as readable SVG and PNG", (length) => {
    const code = makeCode(length)
    expect(read(readPixels(qrPng(code)))).toBe(code)
    expect(read(drawSvg(qrSvg(code), 3))).toBe(code)
  })

  it("draws a small SVG with a quiet zone of four modules, a white background and a label", () => {
    const svg = qrSvg(dynamicCode)
    expect(read(drawSvg(svg, 3))).toBe(dynamicCode)
    const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
    const corners = [...svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)]
    expect(Math.min(...corners.map(([, x]) => Number(x)))).toBe(4)
    expect(Math.min(...corners.map(([, , y]) => Number(y)))).toBe(4)
    expect(Math.max(...corners.map(([, x, , run]) => Number(x) + Number(run)))).toBe(modules - 4)
    expect(svg).toContain(`<path fill="#fff" d="M0 0h${modules}v${modules}H0z"/>`)
    expect(svg).toContain('role="img" aria-label="QR Code Pix"')
    expect(svg).toContain('shape-rendering="crispEdges"')
    expect(svg.length).toBeLessThan(12_000)
  })

  it("draws a PNG that is at least 600 pixels wide and smaller than 4 KB", () => {
    const png = qrPng(dynamicCode)
    const { width, pixels } = readPixels(png)
    expect(width).toBeGreaterThanOrEqual(600)
    expect(width).toBeLessThan(700)
    // jsQR reads an inverted picture, too, so check that the corner is light.
    expect(pixels.slice(0, 3)).toEqual(new Uint8ClampedArray([255, 255, 255]))
    expect(png.length).toBeLessThan(4096)
  })

  it.each([
    ["an absent code", undefined, "text", "code is a text, as brCode of an issued charge"],
    ["an address", "https://loja.example", "first", "code begins with 000201: give the copy-and-paste code, as it is"],
    ["an empty string", "", "first", "code begins with 000201: give the copy-and-paste code, as it is"],
    ["a longer code than API Pix allows", makeCode(513), "size", "code has 513 characters, 512 at most"],
  ])("throws for %s an error with the violated rule", (_, code, rule, message) => {
    for (const draw of [qrSvg, qrPng]) {
      const refusal = (() => {
        try {
          return draw(code as string)
        } catch (error) {
          return error
        }
      })()
      expect(refusal).toBeInstanceOf(InvalidBrCode)
      expect(refusal).toMatchObject({ field: "code", rule, message })
    }
  })
})
