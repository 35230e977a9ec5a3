/** By the old command, which needs no secure context; the field is left selected, so that a reader can copy by hand. */
const copySelected = (field: HTMLTextAreaElement): boolean => {
  field.focus()
  field.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  }
}

/**
 * Copies a field's text, and answers whether it was copied. To be called in the handler of a click, before anything is waited
 * for: browsers let nobody else write to the clipboard. Whatever fails, the text is selected then.
 */
export const copyText = (field: HTMLTextAreaElement): Promise<boolean> => {
  const { clipboard } = navigator
  // A page that isn't in a secure context has none.
  if ((clipboard as Clipboard | undefined) === undefined) return Promise.resolve(copySelected(field))
  return clipboard.writeText(field.value).then(
    () => true,
    () => copySelected(field),
  )
}
