export interface SentForm {
  readonly url: string
  /** The form's hidden fields. */
  readonly fields: Readonly<Record<string, string>>
}

export interface Answer {
  readonly url: string
  readonly status: number
  readonly location: string | undefined
  readonly headers: Headers
  readonly html: string
  /** The text of the `main` element, without markup. */
  readonly text: string
  /** Finds a form by the end of its address. */
  readonly form: (endOfPath: string) => SentForm
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const attribute = (tag: string, name: string): string =>
  unescapeHtml(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "")

const readForms = (url: string, html: string): ReadonlyArray<SentForm> =>
  [...html.matchAll(/<form[^>]*method="post"[^>]*>.*?<\/form>/gs)].map(([form]) => ({
    url: new URL(attribute(form, "action"), url).href,
    fields: Object.fromEntries(
      [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
        attribute(tag, "name"),
        attribute(tag, "value"),
      ]),
    ),
  }))

const readText = (html: string): string =>
  unescapeHtml((/<main.*<\/main>/s.exec(html)?.[0] ?? "").replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")).trim()

const toAnswer = async (response: Response): Promise<Answer> => {
  const { url, status, headers } = response
  const html = await response.text()
  return {
    url,
    status,
    headers,
    location: headers.get("location") === null ? undefined : new URL(headers.get("location") ?? "", url).href,
    html,
    text: readText(html),
    form: (endOfPath) => {
      const found = readForms(url, html).find((form) => new URL(form.url).pathname.endsWith(endOfPath))
      if (found === undefined) throw new Error(`the page has no form that goes to ${endOfPath}`)
      return found
    },
  }
}

/**
 * Sends requests like a browser that is signed in at the host as `user`. Only `open` follows redirects.
 *
 * A post with an `origin` acts like an older browser, which doesn't send `sec-fetch-site`.
 */
export const makeOperator = (base: string, user: string) => {
  const headers = { "x-user": user, "sec-fetch-site": "same-origin" }
  const at = (path: string): string => (path.startsWith("http") ? path : `${base}${path}`)
  const get = async (path: string): Promise<Answer> => toAnswer(await fetch(at(path), { headers, redirect: "manual" }))
  const open = async (path: string): Promise<Answer> => {
    const answer = await get(path)
    return answer.location === undefined ? answer : open(answer.location)
  }
  const post = async (
    path: string,
    fields: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const sent = new Headers({ ...headers, ...more })
    if (more["origin"] !== undefined) sent.delete("sec-fetch-site")
    const body = new URLSearchParams(fields)
    return toAnswer(await fetch(at(path), { method: "POST", headers: sent, body, redirect: "manual" }))
  }
  const send = ({ url, fields }: SentForm, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    post(url, { ...fields, ...more })
  return { get, open, post, send }
}
