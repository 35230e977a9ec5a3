const kept =
  /\s((?:href|action|value|name|data-[\w-]+|aria-(?:label|current)|type|maxlength|hidden|checked|selected|open|required)(?:="[^"]*")?)(?=[\s>/])/g

/** Replaces ids with numbers in the order of their appearance, and other variable values with fixed words. */
const replaceVariable = (html: string): string => {
  const ids = new Map<string, string>()
  return (
    html
      .replaceAll(/(value)="\d{13}\.[\w-]+"/g, '$1="token"')
      .replaceAll(/assets\/(\w+)-[\da-f]+/g, "assets/$1")
      .replaceAll(/000201[^<"]*6304[\dA-F]{4}/g, "brCode")
      .replaceAll(/(?<=>)[\da-f]{8}(?=<\/a>)/g, "start of an id")
      .replaceAll(/data-version="[\da-f]+"/g, 'data-version="version"')
      .replaceAll(/\d+ ms/g, "some ms")
      // Replaces the times of audit records, which are real time.
      .replaceAll(/(?!01\/03\/2027)\d\d\/\d\d\/20\d\d \d\d:\d\d/g, "now")
      .replaceAll(
        /[\da-f]{8}(?:<[^>]+>)?(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[ED]\d{20}\w{11}\b|(?<![\da-f])[\da-f]{32}(?![\da-f])|\b[\da-z]{35}\b/g,
        (id) => {
          const plain = id.replaceAll(/<[^>]+>|-/g, "")
          const known = ids.get(plain) ?? `id${ids.size + 1}`
          ids.set(plain, known)
          return known
        },
      )
  )
}

/** Writes a line for each text and for each element with meaningful attributes. */
export const outline = (html: string): string =>
  (replaceVariable(html).match(/<[^>]+>|[^<]+/g) ?? [])
    .flatMap((part) => {
      if (!part.startsWith("<")) return part.trim() === "" ? [] : [part.trim().replaceAll(/\s+/g, " ")]
      const attributes = Array.from(part.matchAll(kept), ([, attribute]) => attribute)
      return attributes.length === 0 ? [] : [`${part.slice(0, part.search(/[\s>]/))} ${attributes.join(" ")}>`]
    })
    .join("\n")
