import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]

it.each(pages)("%s links to pages and files that are there", (page) => {
  const links = [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
  const dead = links.map(([, link = ""]) => link).filter((link) => !existsSync(join(root, dirname(page), link)))
  expect(dead).toEqual([])
})
