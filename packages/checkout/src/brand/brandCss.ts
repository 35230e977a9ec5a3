import type { Brand } from "./Brand.ts"
import { black, type Colour, formatColour, parseColour, textOn, white, withContrast } from "./Colour.ts"

/** The card's ground in either scheme, and the dark one's text, as checkout.css has them. */
const lightSurface = white
const darkSurface: Colour = [0x18, 0x1c, 0x25]
const darkText: Colour = [0xed, 0xf0, 0xf5]

/** WCAG 2.2 AA asks for it of text. */
const textRatio = 4.5
/** What a dark scheme's own ground has against its text, about. */
const darkGroundRatio = 13

const accentRules = (accent: Colour) => {
  const [onLight, onDark] = [
    withContrast(accent, black, lightSurface, textRatio),
    withContrast(accent, white, darkSurface, textRatio),
  ]
  return {
    light: `.pix{--pix-accent:${formatColour(accent)};--pix-on-accent:${formatColour(textOn(accent))};--pix-accent-text:${formatColour(onLight)}}`,
    dark: `.pix{--pix-accent-text:${formatColour(onDark)}}`,
  }
}

const groundRules = (ground: Colour) => ({
  light: `body{background:${formatColour(ground)}}`,
  dark: `body{background:${formatColour(withContrast(ground, black, darkText, darkGroundRatio))}}`,
})

/** The stylesheet of a brand's colours, in light and dark; empty without colours. What is written in them keeps its contrast. */
export const brandCss = ({ accent, background }: Brand): string => {
  const [button, ground] = [parseColour(accent), parseColour(background)]
  const rules = [...(button ? [accentRules(button)] : []), ...(ground ? [groundRules(ground)] : [])]
  if (rules.length === 0) return ""
  const [light, dark] = [rules.map((rule) => rule.light).join(""), rules.map((rule) => rule.dark).join("")]
  return `${light}@media (prefers-color-scheme:dark){${dark}}`
}
