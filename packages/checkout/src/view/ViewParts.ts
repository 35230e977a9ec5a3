import { type Child, Markup, markup } from "./markup.ts"
import { texts } from "./texts.ts"

export interface ViewFormats {
  /** Formats integer cents: `R$ 1.234,56`. */
  readonly reais: (cents: number) => string
  /** Formats `YYYY-MM-DD`: `22/11/2026`. */
  readonly day: (date: string) => string
  /** The day at an instant: `22/11/2026`. */
  readonly date: (atMs: number) => string
  /** Day and time in a sentence: `22/11/2026 às 14:05`. */
  readonly moment: (atMs: number) => string
}

/** The changing parts of the view, each an element with `data-part`. */
export type PartName = "head" | "status" | "clock" | "warning" | "main" | "details"

export type CheckoutParts = Readonly<Record<PartName, Markup>>

export interface ViewContext {
  readonly formats: ViewFormats
  /** Addresses, absolute or relative to the page. */
  readonly links: { readonly qr: string; readonly renew: string; readonly receipt: string }
  /** Whether the shop's page embeds the view. The view then has a lower heading, and its links open new tabs. */
  readonly isEmbedded: boolean
  /** Whether a script runs the copy button and the clock. Otherwise the view has neither. */
  readonly isLive: boolean
}

export const linksBelow = (link: string): ViewContext["links"] => ({
  qr: `${link}/qr.svg`,
  renew: `${link}/novo`,
  receipt: `${link}/comprovante`,
})

export const heading = (level: number, content: Child): Markup =>
  new Markup(`<h${level}>${markup`${content}`.text}</h${level}>`)

/** The view's heading. A script focuses it when the state changes; the Tab key skips it. */
export const titleHeading = (isEmbedded: boolean, content: Child): Markup => {
  const level = isEmbedded ? 2 : 1
  return new Markup(`<h${level} tabindex="-1">${markup`${content}`.text}</h${level}>`)
}

export const paidMark = markup`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="m10 16.5 4.2 4.2L22.5 12"/></svg>`

/** Formats `12345678000195` as `12.345.678/0001-95`. */
export const formatCnpj = (cnpj: string): string => cnpj.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5")

interface CodeSteps {
  readonly title: string
  readonly steps: ReadonlyArray<string>
}

/**
 * A code to copy or scan, with instructions. By default, these explain how to pay. The picture's address ends with the code's
 * checksum: browsers show a picture of the same address again without a request.
 */
export const renderPayable = (
  brCode: string,
  { links, isEmbedded, isLive }: ViewContext,
  { title, steps }: CodeSteps = { title: texts.stepsTitle, steps: texts.steps },
): Markup => {
  const level = isEmbedded ? 3 : 2
  return markup`<section class="copy">
${heading(level, texts.copyTitle)}
<button type="button" class="act" data-copy${new Markup(isLive ? "" : " hidden")}>${texts.copy}</button>
<p class="said" role="status" data-copied></p>
<label for="pix-code">${texts.code}</label>
<textarea id="pix-code" readonly rows="3" spellcheck="false" autocomplete="off">${brCode}</textarea>
</section>
<section class="qr">
${heading(level, texts.qrTitle)}
<img src="${links.qr}?${brCode.slice(-4)}" alt="${texts.qrLabel}" width="264" height="264" />
<p>${texts.qrHint}</p>
</section>
<section class="steps">
${heading(level, title)}
<ol>${steps.map((step) => markup`<li>${step}</li>`)}</ol>
</section>`
}
