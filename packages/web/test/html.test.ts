import { html, type HtmlChild, raw } from "@pixcharge/web"
import { expect, it, onTestFinished, vi } from "vitest"

const evil = `<script>alert("1")</script>'&`
const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;"

it.each<[string, HtmlChild, string]>([
  ["a text", evil, escaped],
  ["a list of texts", [evil, [evil]], escaped + escaped],
  ["a template", html`<b>${evil}</b>`, `<b>${escaped}</b>`],
  ["the promise of a template", Promise.resolve(html`<b>${evil}</b>`), `<b>${escaped}</b>`],
  ["a list of promises", [Promise.resolve(html`<i>1</i>`), html`<i>2</i>`], "<i>1</i><i>2</i>"],
  ["trusted markup", raw("<b>&amp;</b>"), "<b>&amp;</b>"],
  ["a number", 0, "0"],
  ["a text with direction characters", ["ana\u202e\u2066", ["a\0\u001bb\n\tc"]], "ana\ufffd\ufffda\ufffd\ufffdb\n\tc"],
  ["a list of empty values", [undefined, null, false, ""], ""],
])("renders %s as safe HTML", async (_, child, expected) => {
  expect(String(await html`<p title="${child}">${child}</p>`)).toBe(`<p title="${expected}">${expected}</p>`)
})

it("removes a template's indentation, and keeps white space in values", () => {
  const note = "one\n    two"
  // A formatter would rewrite a template that is called `html`.
  const template = html
  const shown = String(template`<p>\n    <b>1</b> <textarea>${note}</textarea>\n  </p>`)
  expect(shown).toBe(`<p>\n<b>1</b> <textarea>${note}</textarea>\n</p>`)
})

it("awaits a promise in nested templates", async () => {
  const later = (text: string) =>
    new Promise<Awaited<ReturnType<typeof html>>>(
      (resolve) => void setTimeout(async () => resolve(await html`<li>${text}</li>`), 1),
    )
  const list = html`<ul>
    ${["a", evil].map((text) => html`${later(text)}`)}
  </ul>`
  const shown = String(await html`<main>${list}</main>`).replaceAll(/\n\s*/g, "")
  expect(shown).toBe(`<main><ul><li>a</li><li>${escaped}</li></ul></main>`)
})

it("rejects a page with the error of a rejected part, without an unhandled rejection", async () => {
  const unhandled = vi.fn<(error: unknown) => void>()
  process.on("unhandledRejection", unhandled)
  onTestFinished(() => void process.off("unhandledRejection", unhandled))
  const broken = html`<p>${Promise.reject(new Error("the store is down"))}</p>`
  const page = html`<main>${broken}</main>`
  await new Promise((resolve) => void setTimeout(resolve, 20))
  expect(unhandled).not.toHaveBeenCalled()
  await expect(page).rejects.toThrow("the store is down")
})

it("refuses a value that only resembles HTML by its type", () => {
  // @ts-expect-error -- an object from outside, such as parsed JSON
  expect(() => html`${{ isEscaped: true }}`).not.toThrow()
})
