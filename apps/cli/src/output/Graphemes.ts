/** The characters of a text on a terminal, in linear time: `Intl.Segmenter` and `string-width` are quadratic on Node 20. */
import stringWidth from "string-width"

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** In UTF-16 code units. */
const chunk = 256

export function* split(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const part = text.slice(start, start + chunk)
    const isEnd = start + chunk >= text.length
    let done = 0
    for (const { index, segment } of segmenter.segment(part)) {
      // The last cluster of a part may continue in the next one.
      if (!isEnd && index > 0 && index + segment.length === part.length) break
      yield segment
      done = index + segment.length
    }
    start += done
  }
}

const widths = new Map<string, number>()

export const widthOf = (segment: string): number => {
  const known = widths.get(segment)
  if (known !== undefined) return known
  if (widths.size > 10_000) widths.clear()
  const width = stringWidth(segment)
  widths.set(segment, width)
  return width
}

const ascii = /^[ -~]*$/

export const width = (text: string): number => {
  if (ascii.test(text)) return text.length
  let sum = 0
  for (const segment of split(text)) sum += widthOf(segment)
  return sum
}

/** The first `length` UTF-16 code units and an ellipsis, without half a surrogate pair. */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text
