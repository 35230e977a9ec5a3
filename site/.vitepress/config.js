import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitepress"
import {
  anchorOf,
  descriptionOf,
  linkFrom,
  llmsFullText,
  llmsText,
  markdownOf,
  repository,
  routeOf,
  sidebarOf,
  sitePages,
  translationOf,
} from "../pages.ts"

const srcDir = fileURLToPath(new URL("../..", import.meta.url))

/** VitePress sets it before it reads this file. */
const isBuild = process.env.NODE_ENV === "production"

/** The page that Markdown is rendered of, by its path in the repository. */
const pageIn = ({ realPath, path }) => (realPath ?? path).slice(srcDir.length)

/** Has links lead to the site's pages, else to the repository; draws diagrams. */
const extendMarkdown = (md) => {
  // VitePress takes a line that begins with `<version>` for a component, even within code.
  const html = new md.constructor().block.ruler.__rules__.find(({ name }) => name === "html_block")
  md.block.ruler.at("html_block", html.fn, html)
  const { link_open: openLink, fence } = md.renderer.rules
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const [page, href] = [pageIn(env), decodeURI(token.attrGet("href"))]
    const link = href.startsWith("#") ? href : linkFrom(page, href)
    // A page under work can link to a page that doesn't exist yet.
    if (link === undefined && isBuild) throw new Error(`Dead link in ${page}: ${href}`)
    if (link !== undefined && link !== href) token.attrSet("href", link)
    return openLink(tokens, index, options, env, self)
  }
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info === "mermaid"
      ? `<Mermaid code="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, ...rest)
}

/** Pages lie outside of this folder, and import Vue, which is installed in it. */
const resolveHere = {
  name: "resolve-here",
  enforce: "pre",
  // The development server would look for VitePress's packages where the pages are: it finds them as they are imported.
  config: {
    order: "post",
    handler: ({ optimizeDeps }) => {
      optimizeDeps.include = []
      optimizeDeps.entries = []
    },
  },
  resolveId(id, _importer, options) {
    if (/^vue($|\/)/.test(id)) return this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true, ...options })
  },
}

const portuguese = {
  sidebar: sidebarOf("portuguese"),
  outline: { level: [2, 3], label: "Nesta página" },
  docFooter: { prev: "Página anterior", next: "Próxima página" },
  darkModeSwitchLabel: "Aparência",
  lightModeSwitchTitle: "Mudar para o tema claro",
  darkModeSwitchTitle: "Mudar para o tema escuro",
  sidebarMenuLabel: "Menu",
  returnToTopLabel: "Voltar ao topo",
  langMenuLabel: "Mudar de idioma",
  skipToContentLabel: "Ir para o conteúdo",
  editLink: { pattern: `${repository}/edit/main/:path`, text: "Editar esta página" },
  notFound: {
    title: "PÁGINA NÃO ENCONTRADA",
    quote: "Esta página não existe, ou mudou de lugar.",
    linkLabel: "Ir para o início",
    linkText: "Início",
  },
}

const portugueseSearch = {
  button: { buttonText: "Buscar", buttonAriaLabel: "Buscar" },
  modal: {
    displayDetails: "Mostrar trechos",
    resetButtonTitle: "Limpar a busca",
    backButtonTitle: "Fechar a busca",
    noResultsText: "Nenhum resultado para",
    footer: {
      selectText: "abrir",
      selectKeyAriaLabel: "enter",
      navigateText: "navegar",
      navigateUpKeyAriaLabel: "seta para cima",
      navigateDownKeyAriaLabel: "seta para baixo",
      closeText: "fechar",
      closeKeyAriaLabel: "esc",
    },
  },
}

export default defineConfig({
  title: "pixcharge",
  srcDir: "..",
  srcExclude: ["{examples,site,verify}/**", "**/CHANGELOG.md"],
  rewrites: routeOf,
  locales: {
    root: { label: "English", lang: "en", description: descriptionOf("README.md") },
    "pt-BR": {
      label: "Português",
      lang: "pt-BR",
      description: descriptionOf("README.pt-BR.md"),
      themeConfig: portuguese,
    },
  },
  transformPageData: ({ filePath }) => {
    const translation = translationOf(filePath)
    return {
      description: sitePages.includes(filePath) ? descriptionOf(filePath) : "",
      ...(translation && {
        translation: `/${routeOf(translation)}`.replace(/(index)?\.md$/, (end) => (end === ".md" ? ".html" : "")),
      }),
    }
  },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    anchor: { slugify: anchorOf },
    attrs: { disable: true },
    config: extendMarkdown,
  },
  themeConfig: {
    sidebar: sidebarOf("english"),
    outline: { level: [2, 3] },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    notFound: { quote: "This page doesn't exist, or has moved." },
    // As a link of text: the development server fetches an icon from elsewhere.
    nav: [{ text: "GitHub", link: repository }],
    search: {
      provider: "local",
      options: {
        // Its search takes the language from the path of the file: this one would be found in English.
        _render: (text, env, md) => (pageIn(env) === "README.pt-BR.md" ? "" : md.render(text, env)),
        locales: { "pt-BR": { translations: portugueseSearch } },
        // Finds "devolução" by "devolucao" too.
        miniSearch: {
          searchOptions: { boostDocument: (id) => (id.includes("/internals/") ? 0.3 : 1) },
          options: {
            processTerm: (term) =>
              term
                .normalize("NFD")
                .replaceAll(/\p{Mn}/gu, "")
                .toLowerCase(),
          },
        },
      },
    },
  },
  vite: {
    publicDir: false,
    build: { chunkSizeWarningLimit: 1000 },
    plugins: [resolveHere],
    resolve: {
      alias: [
        {
          find: /^.*\/composables\/langs$/,
          replacement: fileURLToPath(new URL("theme/langs.js", import.meta.url)),
        },
      ],
    },
  },
  buildEnd: ({ outDir }) => {
    const write = (name, text) => {
      mkdirSync(dirname(join(outDir, name)), { recursive: true })
      writeFileSync(join(outDir, name), text)
    }
    write("llms.txt", llmsText())
    write("llms-full.txt", llmsFullText())
    for (const page of sitePages) write(routeOf(page), markdownOf(page))
  },
})
