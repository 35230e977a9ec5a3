/** Checks that the built page contains the element and that its browser loads the element's class. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"

const page = readFileSync(".next/server/app/index.html", "utf8")
assert.match(page, /<pix-checkout src="[^"]+"><a href=/)
const scripts = page.matchAll(/src="\/_next\/([^"]+\.js)"/g)
const code = [...scripts].map(([, path]) => readFileSync(`.next/${path}`, "utf8")).join("\n")
assert.match(code, /customElements\.define/)
