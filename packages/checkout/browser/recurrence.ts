import { openFreshView } from "../src/element/openFreshView.ts"
import { startPageTools } from "../src/element/buttons.ts"

// Keeps a recurrence's page up to date. The server's markup names the address.
const root = document.querySelector<HTMLElement>("[data-recurrence]")
if (root !== null) openFreshView(root, root.dataset["recurrence"] ?? "")

startPageTools()
