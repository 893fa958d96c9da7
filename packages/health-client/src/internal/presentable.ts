/** Makes others' text fit to stand in a message. */

/** Controls, line breaks, what turns the direction of writing, and half characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** The text on one line, without control characters, and no longer than `length` characters. */
export const presentable = (text: string, length: number): string => {
  const line = text.slice(0, length).replace(unsafe, " ")
  return text.length > length ? `${line}…` : line
}
