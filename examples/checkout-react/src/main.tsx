import { createRoot } from "react-dom/client"
import { PixPayment } from "./PixPayment.tsx"

// The shop's server issued the charge and wrote its link into the page.
const place = document.querySelector<HTMLElement>("#app")
if (place !== null) createRoot(place).render(<PixPayment link={place.dataset["link"] ?? ""} />)
