/** The characters of a text as users see them. */

let segmenter: Intl.Segmenter | undefined

/** The first segmenter takes 20 ms, and ASCII texts need none. */
export const make = (text: string): Iterable<string> => {
  if (/^[ -~]*$/.test(text)) return text
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
