import { openFreshView } from "../src/element/openFreshView.ts"
import { startPageTools } from "../src/element/buttons.ts"

// Makes the page of a recurrence live. Its address stands in the markup that the server has written.
const root = document.querySelector<HTMLElement>("[data-recurrence]")
if (root !== null) openFreshView(root, root.dataset["recurrence"] ?? "")

startPageTools()
