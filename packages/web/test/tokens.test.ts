import { pageReply, html } from "@pixcharge/web"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { serve, testApp } from "./world.ts"

const css = readFileSync(join(import.meta.dirname, "../browser/tokens.css"), "utf8")

/** The colours of the custom properties in a piece of the stylesheet. */
const tokensIn = (piece: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...piece.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]),
  )

const [beforeDark = "", afterDark = ""] = css.split("@media (prefers-color-scheme: dark)")
const light = tokensIn(beforeDark)
const dark = { ...light, ...tokensIn(afterDark.slice(0, afterDark.indexOf("/* Elements */"))) }
const print = { ...dark, ...tokensIn(css.slice(css.indexOf("@media print"))) }

/** The relative luminance of a colour (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

const grounds = ["color-ground", "color-surface", "color-sunken"]
const tones = ["good", "warn", "bad", "info"]

/** Colours of texts and their backgrounds, whose contrast must be at least 4.5. */
const texts: ReadonlyArray<readonly [string, string]> = [
  ...grounds.flatMap((ground) =>
    ["text", "muted", "accent-text", "bad"].map((text) => [`color-${text}`, ground] as const),
  ),
  ...tones.map((tone) => [`color-${tone}`, `color-${tone}-soft`] as const),
  ["color-accent-text", "color-accent-soft"],
  ["color-on-accent", "color-accent"],
  ["color-on-accent", "color-accent-hover"],
  ["color-on-bad", "color-bad-solid"],
  ["color-on-bad", "color-bad"],
]

/** Colours of controls and focus and their backgrounds, whose contrast must be at least 3. */
const shapes: ReadonlyArray<readonly [string, string]> = [
  ...grounds.flatMap((ground) => [["color-line-strong", ground] as const, ["focus", ground] as const]),
  ["color-accent", "color-surface"],
  ["color-bad-solid", "color-surface"],
]

it("computes WCAG's contrast", () => {
  expect(contrast("#ffffff", "#000000")).toBeCloseTo(21, 5)
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.478, 3)
})

describe.each([
  ["light", light],
  ["dark", dark],
])("the theme %s", (_, tokens) => {
  it.each(texts)("makes %s legible on %s", (text, ground) => {
    expect(contrast(tokens[text] ?? "#000000", tokens[ground] ?? "#000000")).toBeGreaterThanOrEqual(4.5)
  })

  it.each(shapes)("makes %s visible on %s", (shape, ground) => {
    expect(contrast(tokens[shape] ?? "#000000", tokens[ground] ?? "#000000")).toBeGreaterThanOrEqual(3)
  })
})

it("has a dark counterpart for each colour of the light theme", () => {
  const own = tokensIn(afterDark.slice(0, afterDark.indexOf("/* Elements */")))
  expect(Object.keys(own)).toEqual(Object.keys(light))
})

it("prints dark text on white, even with the dark theme", () => {
  const names = ["text", "muted", "accent-text", ...tones].map((name) => `color-${name}`)
  for (const name of names) expect(contrast(print[name] ?? "#ffffff", "#ffffff")).toBeGreaterThanOrEqual(7)
  for (const name of grounds) expect(print[name]).toBe("#ffffff")
})

it("defines every token that the stylesheet uses", () => {
  const defined = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  const used = [...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name)
  expect(used.filter((name) => !defined.has(name))).toEqual([])
  expect(used.length).toBeGreaterThan(50)
})

it("adds less than 16 kB to a page's first view", async () => {
  const ask = await serve(testApp())
  const { body } = await pageReply({ title: "", lang: "en", root: "./", body: html`` })
  const addresses = [...String(body).matchAll(/(?:href|src)="\.([^"]+)"/g)].map(([, address = ""]) => address)
  const parts = await Promise.all(addresses.map(async (address) => (await ask(address)).text()))
  expect(addresses).toHaveLength(2)
  expect(Buffer.byteLength([body, ...parts].join(""))).toBeLessThan(16_000)
})
