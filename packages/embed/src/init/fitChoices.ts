import type { Choices } from "./choices.ts"
import type { Place } from "./lookAt.ts"

/** What is taken where nothing is said: what the folder has. */
export const findDefaults = (place: Place, bank: Choices["bank"] = "sandbox"): Choices => {
  const framework = place.framework ?? (place.kind === "new" ? "express" : "none")
  if (place.kind === "new") return { framework, bank, store: "embedded" }
  // An embedded database is one process's alone; a backend has several, its tests among them.
  return { framework, bank, store: place.hasPg || bank !== "sandbox" ? "postgres" : "memory" }
}

/** Throws why these choices don't go together here. */
export const checkChoices = ({ framework, bank, store }: Choices, place: Place): void => {
  if (bank !== "sandbox" && store === "memory") {
    throw new Error("memory forgets what is paid when the process ends: at a bank, --store takes embedded or postgres")
  }
  if (framework === "nest" && place.kind === "new") {
    throw new Error("make the app first, by npx @nestjs/cli new, and run this command in its folder")
  }
  if (store === "embedded" && !place.isModule && framework !== "next") {
    throw new Error(
      "an embedded database is opened by a top-level await: in CommonJS, --store takes postgres or memory",
    )
  }
}
