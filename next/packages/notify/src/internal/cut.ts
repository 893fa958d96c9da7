/** Cuts texts to the limits of targets. */

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Only this many code units around the end are segmented, because `Intl.Segmenter` is slow for long texts. */
const window = 64

/** Cuts a text to `length` UTF-16 code units, with an ellipsis. Does not split a character, and replaces unpaired surrogates. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text.toWellFormed()
  const last = Math.max(0, length - 1)
  const start = Math.max(0, last - window)
  const boundaries = Array.from(segmenter.segment(text.slice(start, last + window)), ({ index }) => start + index)
  const end = boundaries.findLast((index) => index <= last)
  return `${text.slice(0, end).toWellFormed()}…`
}
