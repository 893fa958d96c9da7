/** Cuts texts to the limits of targets. */

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Only this many code units around the end are segmented, because `Intl.Segmenter` is slow for long texts. */
const window = 64

const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd")

/** Cuts a text to `length` UTF-16 code units, with an ellipsis. Does not split a character, and replaces unpaired surrogates. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return wellFormed(text)
  const end = Math.max(0, length - 1)
  const start = Math.max(0, end - window)
  const boundaries = Array.from(segmenter.segment(text.slice(start, end + window)), ({ index }) => start + index)
  return `${wellFormed(
    text.slice(
      0,
      boundaries.findLast((index) => index <= end),
    ),
  )}…`
}
