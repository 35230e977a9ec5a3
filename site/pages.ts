import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path/posix"
import { fileURLToPath } from "node:url"
import { type Group, navigation, translations } from "./navigation.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The repository's address; pages of packages link to files by it. */
export const repository = "https://github.com/pixcharge/pixcharge"

export type Language = "english" | "portuguese"

const read = (page: string): string => readFileSync(join(root, page), "utf8")

/** Every page of the site, by its path in the repository. */
export const sitePages: ReadonlyArray<string> = [
  "README.md",
  "README.pt-BR.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .toSorted(),
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`),
]

const held = new Set(sitePages)

/** Pages whose path would be another page's, on file systems that ignore case too. */
const ownRoutes: Readonly<Record<string, string>> = {
  "README.pt-BR.md": "pt-BR/index.md",
  "docs/README.md": "documentation.md",
  "SECURITY.md": "security-policy.md",
}

/** The page's path in the site, with `.md`. */
export const routeOf = (page: string): string =>
  ownRoutes[page] ??
  page
    .replace(/^docs\//, "")
    .replace(/^(packages\/.+)\/README\.md$/, "$1.md")
    .replace(/(?<=^|\/)README\.md$/, "index.md")

/** The fragment of GitHub's links to a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(/\s/g, "-")

/** The site's link for a link in a page: relative to another page, or to the repository; undefined if it's dead. */
export const linkFrom = (page: string, link: string): string | undefined => {
  const path = link.replace(/#.*/, "")
  const inRepository = path.replace(new RegExp(`^${repository}/(?:blob|tree)/main/`), "/")
  if (path === "" || /^\w+:/.test(inRepository)) return link
  const target = normalize(inRepository.startsWith("/") ? inRepository.slice(1) : join(dirname(page), path))
  const fragment = link.slice(path.length)
  const readme = join(target, "README.md")
  const found = [target, readme].find((one) => held.has(one))
  if (found !== undefined) return `./${relative(dirname(routeOf(page)), routeOf(found))}${fragment}`
  if (!existsSync(join(root, target))) return undefined
  const kind = statSync(join(root, target)).isDirectory() ? "tree" : "blob"
  return `${repository}/${kind}/main/${target.replace(/\/$/, "")}${fragment}`
}

const withoutMarkup = (text: string): string =>
  text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]|\b_|_\b/g, "")

export const titleOf = (page: string): string => withoutMarkup(/^# (.+)$/m.exec(read(page))?.[1] ?? page)

/** The first sentence below a page's title, or the titles of its sections if it begins otherwise. */
export const descriptionOf = (page: string): string => {
  const blocks = read(page)
    .replace(/^# .+\n/, "")
    .split("\n\n")
    .map((block) => block.trim())
    .filter((block) => block !== "" && !/^(?:\[?Em português|\[?In English)/.test(block))
  const [first = ""] = blocks
  if (/^[[`*\p{Letter}]/u.test(first) && !first.startsWith("```"))
    return withoutMarkup(first.replaceAll(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[\p{Lu}`[])/u)[0] ?? "")
  return blocks
    .flatMap((block) => /^## (.+)$/m.exec(block)?.[1] ?? [])
    .map(withoutMarkup)
    .join("; ")
}

/** The English pages of an entry: its page, then its folder's pages. */
export const pagesOf = (entry: string): ReadonlyArray<string> => {
  const english = sitePages.filter((page) => !page.includes("pt-BR"))
  const named = new Set(navigation.flatMap(({ entries }) => entries.map((name) => `${name}.md`)))
  const inFolder = english.filter((page) => page.startsWith(`${entry}/`) && !named.has(page))
  return [
    ...english.filter((page) => page === `${entry}.md`),
    ...inFolder.toSorted((a, b) => Number(b.endsWith("README.md")) - Number(a.endsWith("README.md"))),
  ]
}

export const groupPages = ({ entries }: Group): ReadonlyArray<string> => entries.flatMap(pagesOf)

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** A page's link in the sidebar; in Portuguese to its translation, or marked as English. */
const sidebarItem = (page: string, language: Language) => {
  const translation = translations[page]
  if (language === "portuguese" && translation === undefined)
    return {
      text: `<span lang="en">${escapeHtml(titleOf(page))}</span> <small title="em inglês">EN</small>`,
      link: `/${routeOf(page)}`,
    }
  const shown = language === "portuguese" ? (translation ?? page) : page
  return { text: escapeHtml(titleOf(shown)), link: `/${routeOf(shown)}` }
}

export const sidebarOf = (language: Language) =>
  navigation.map((group, index) => {
    const items = groupPages(group).map((page) => sidebarItem(page, language))
    const text = language === "english" ? group.title : group.portuguese
    return items.length === 1 ? items[0] : { text, collapsed: index > 0, items }
  })

/** The page's translation, by its route. */
export const translationOf = (page: string): string | undefined => {
  const found = Object.entries(translations).find((pair) => pair.includes(page))
  return found?.find((one) => one !== page)
}

/** A page's Markdown, with the links of the site. */
export const markdownOf = (page: string): string =>
  read(page)
    .split(/(^ *```[^]*?^ *```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<=\]\()[^)\s]+(?=\))/g, (link) => linkFrom(page, link) ?? link),
    )
    .join("")

const llmsGroup = (title: string, pages: ReadonlyArray<string>): string =>
  `## ${title}\n\n${pages.map((page) => `- [${titleOf(page)}](${routeOf(page)}): ${descriptionOf(page)}`).join("\n")}\n`

/** The site's `llms.txt`, in the form of llmstxt.org. */
export const llmsText = (): string =>
  [
    `# ${titleOf("README.md")}\n\n> ${descriptionOf("README.md")}\n`,
    ...navigation
      .filter(({ isInternal }) => isInternal !== true)
      .map((group) => llmsGroup(group.title, groupPages(group))),
    llmsGroup("Em português", Object.values(translations)),
    // llmstxt.org's name for the section that a reader with a small context skips.
    llmsGroup("Optional", navigation.filter(({ isInternal }) => isInternal === true).flatMap(groupPages)),
  ].join("\n")

/** All pages for users in one text. */
export const llmsFullText = (): string =>
  navigation
    .filter(({ isInternal }) => isInternal !== true)
    .flatMap(groupPages)
    .map((page) => `<!-- ${routeOf(page)} -->\n\n${markdownOf(page).trim()}\n`)
    .join("\n")
