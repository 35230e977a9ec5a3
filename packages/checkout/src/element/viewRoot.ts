interface MarkupPolicy {
  readonly createHTML: (text: string) => string
}

interface TrustedTypes {
  readonly createPolicy: (name: string, policy: MarkupPolicy) => MarkupPolicy
}

/** A page with Trusted Types accepts markup only from a policy. Its header can forbid a policy of this name. */
const makePolicy = (): MarkupPolicy | undefined => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  try {
    return trustedTypes?.createPolicy("pix-checkout", { createHTML: (text) => text })
  } catch {
    return undefined
  }
}

const policy = makePolicy()

/** Replaces the content of an element or a shadow root. Throws if the page's Trusted Types refuse the markup. */
export const setMarkup = (place: Pick<Element, "innerHTML">, text: string): void => {
  place.innerHTML = policy === undefined ? text : policy.createHTML(text)
}

/** Whether the focus is inside the view. On a page of our own, also if nothing has the focus: the body is then active. */
export const holdsFocus = (root: Node): boolean => {
  const { activeElement } = root.getRootNode() as Document | ShadowRoot
  return activeElement !== null && (activeElement === document.body || root.contains(activeElement))
}

export const focusTitle = (root: ParentNode): void => root.querySelector<HTMLElement>("[tabindex]")?.focus()
