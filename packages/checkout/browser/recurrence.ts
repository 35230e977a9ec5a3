import { openFreshView } from "../src/element/openFreshView.ts"
import { startPageTools } from "../src/element/buttons.ts"

// Makes a recurrence's page live, at the address from the server's markup.
const root = document.querySelector<HTMLElement>("[data-recurrence]")
if (root !== null) openFreshView(root, root.dataset["recurrence"] ?? "")

startPageTools()
