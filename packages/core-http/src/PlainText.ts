/** Others' text, made fit to stand in a message. */

/** Controls, line breaks, what turns the direction of writing, and half characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** The text on one line, each run of control characters and of what turns the direction of writing a space. Of a longer one, the first
 * `length` UTF-16 code units, and `…`. For words of services that go into errors.
 * @category conversions
 * @since 0.1.0 */
export const line = (text: string, length: number): string => {
  const fit = text.slice(0, length).replace(unsafe, " ")
  return text.length > length ? `${fit}…` : fit
}
