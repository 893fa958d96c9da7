/** An address as others may see it: without what its query lets them in with. */

/** Parameters whose values let others in: paging tokens, signatures, keys, codes. */
const secret = /token|secret|signature|password|^sig$|key$|^code$/i

const parameterName = (written: string): string => new URLSearchParams(`${written}=`).keys().next().value ?? ""

/** The address as spans may show it. */
export const redactUrl = ({ origin, pathname, search }: URL): string =>
  origin +
  pathname +
  search
    // A link may have a second `?` in its query, with the paging token behind it.
    .split(/([&?])/)
    .map((part) => {
      const end = part.indexOf("=")
      const name = part.slice(0, end)
      return end > 0 && secret.test(parameterName(name)) ? `${name}=REDACTED` : part
    })
    .join("")
