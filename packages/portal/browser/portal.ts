import { showBusyForms } from "./parts/busyForms.ts"
import { offerCopies } from "./parts/copies.ts"
import { keepLive } from "./parts/keepLive.ts"

offerCopies()
showBusyForms()
keepLive()
