/** Names of columns, written one after the other with commas between them. None contains a blank. */
export function columnsOf(text: string): readonly string[] {
  return text.trim().split(/,\s*/)
}
