/** Text of services, made safe to print. */

const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/**
 * Cuts text to `length` UTF-16 code units, followed by `…`, and replaces what is unsafe to print (control, bidirectional and line-break characters)
 * by spaces.
 * @category conversions @since 0.1.0
 */
export const toSingleLine = (text: string, length: number): string => {
  const clean = text.slice(0, length).replace(unsafe, " ")
  return text.length > length ? `${clean}…` : clean
}
