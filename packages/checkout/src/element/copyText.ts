/** Copies by the old command, which needs no secure context. Leaves the field selected, so that people can copy by hand. */
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
 * Copies a field's text, and returns whether that worked. If not, the text is selected.
 *
 * Call it in the handler of a click, before any `await`: only there browsers let a page write to the clipboard.
 */
export const copyText = (field: HTMLTextAreaElement): Promise<boolean> => {
  const { clipboard } = navigator
  // Undefined outside of a secure context.
  if ((clipboard as Clipboard | undefined) === undefined) return Promise.resolve(copySelected(field))
  return clipboard.writeText(field.value).then(
    () => true,
    () => copySelected(field),
  )
}
