import type { CheckoutState } from "./CheckoutState.ts"
import { texts } from "./texts.ts"

/** A charge's page among a browser's tabs: `Pague com Pix · Pedido 1042 · Livraria Aurora`. */
export const pageTitle = (
  { status, description }: Pick<CheckoutState, "status" | "description">,
  shopName: string,
): string => [texts.titles[status], description, shopName].filter((part) => part !== undefined).join(" · ")
