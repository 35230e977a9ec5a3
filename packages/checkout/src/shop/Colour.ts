/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

export const black: Colour = [0, 0, 0]
export const white: Colour = [255, 255, 255]

const form = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i

/** Parses `#3650c4`; undefined for any other form, which must not get into a stylesheet. */
export const parseColour = (text: unknown): Colour | undefined => {
  const [, red, green, blue] = (typeof text === "string" && form.exec(text)) || []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)]
}

export const formatColour = (colour: Colour): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`

/** The linear value of an sRGB channel, 0 to 1. */
const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ([red, green, blue]: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
const contrast = (a: Colour, b: Colour): number => {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** White or black: the colour with the higher contrast to the background, at least 4.58. */
export const textOn = (ground: Colour): Colour => (contrast(white, ground) >= contrast(black, ground) ? white : black)

/** Mixes a colour with `towards` until its contrast to `other` is at least `ratio`. */
export const withContrast = (colour: Colour, towards: Colour, other: Colour, ratio: number): Colour => {
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = colour.map((part, index) =>
      Math.round(part + ((towards[index] ?? 0) - part) * share),
    ) as unknown as Colour
    if (contrast(mixed, other) >= ratio) return mixed
  }
  return towards
}
