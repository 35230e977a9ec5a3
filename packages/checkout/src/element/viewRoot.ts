interface MarkupPolicy {
  readonly createHTML: (text: string) => string
}

interface TrustedTypes {
  readonly createPolicy: (name: string, policy: MarkupPolicy) => MarkupPolicy
}

const makePolicy = (): MarkupPolicy | undefined => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  try {
    return trustedTypes?.createPolicy("pix-checkout", { createHTML: (text) => text })
  } catch {
    return undefined
  }
}

const policy = makePolicy()

/** Throws if the page's Trusted Types refuse the markup. */
export const setMarkup = (place: Pick<Element, "innerHTML">, text: string): void => {
  place.innerHTML = policy === undefined ? text : policy.createHTML(text)
}

/** Also true if no element has the focus on a hosted page, because the body is then active. */
export const holdsFocus = (root: Node): boolean => {
  const { activeElement } = root.getRootNode() as Document | ShadowRoot
  return activeElement !== null && (activeElement === document.body || root.contains(activeElement))
}

export const focusTitle = (root: ParentNode): void => root.querySelector<HTMLElement>("[tabindex]")?.focus()
