import { heading } from "./heading.ts"
import { Markup, markup } from "./markup.ts"
import { texts } from "./texts.ts"
import type { ViewContext } from "./ViewParts.ts"

/** What to do with a code, step by step. */
interface CodeSteps {
  readonly title: string
  readonly steps: ReadonlyArray<string>
}

/** A code to copy or to read, and how that is done; by default how it is paid. */
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
<img src="${links.qr}" alt="${texts.qrLabel}" width="264" height="264" />
<p>${texts.qrHint}</p>
</section>
<section class="steps">
${heading(level, title)}
<ol>${steps.map((step) => markup`<li>${step}</li>`)}</ol>
</section>`
}
