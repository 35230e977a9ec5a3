import type { Html } from "@pixcharge/web"

export const draw = async (drawing: Html) => {
  const text = String(await drawing)
  const elements = (name: string, className: string): ReadonlyArray<Readonly<Record<string, string>>> =>
    [...text.matchAll(new RegExp(`<${name}\\s([^>]*)>`, "g"))]
      .map(([, attributes = ""]) =>
        Object.fromEntries(
          [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
        ),
      )
      .filter((element) => element["class"]?.split(" ").includes(className) === true)
  const texts = (className: string): ReadonlyArray<string> =>
    [...text.matchAll(/<text\s[^>]*class="([^"]*)"[^>]*>([^<]*)</g)]
      .filter(([, classes = ""]) => classes.split(" ").includes(className))
      .map(([, , label = ""]) => label.trim())
  return { text, elements, texts }
}

export const readNumber = (element: Readonly<Record<string, string>> | undefined, name: string): number =>
  Number(element?.[name])
