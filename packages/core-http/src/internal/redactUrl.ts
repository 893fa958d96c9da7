/** What a query says to everybody, and what it lets one in with. */

/** Parameters whose values say what is asked for; every other value may be a secret. */
const open = new Set(["api-version", "$filter", "$orderby", "$select", "$skip", "$top", "querystarttime"])

const decode = (written: string): string => new URLSearchParams(`_=${written}`).get("_") ?? ""

interface Parameter {
  readonly name: string
  readonly value: string
}

/** The parts of a query, the delimiters among them. A link may have a second `?`, with the paging token behind it. */
const parts = (search: string): ReadonlyArray<string | Parameter> =>
  search.split(/([&?])/).map((part) => {
    const end = part.indexOf("=")
    return end < 0 ? part : { name: part.slice(0, end), value: part.slice(end + 1) }
  })

/** Whether a value is open, and not another query in disguise. */
const isOpen = ({ name, value }: Parameter): boolean =>
  open.has(decode(name).toLowerCase()) && !/[?&=#]/.test(decode(value))

/** The address as spans may show it. */
export const redactUrl = ({ origin, pathname, search }: URL): string =>
  origin +
  pathname +
  parts(search)
    .map((part) => {
      if (typeof part === "string") return part
      return isOpen(part) ? `${part.name}=${part.value}` : `${part.name}=REDACTED`
    })
    .join("")

/** The values of the query that nobody may be told, as they are written and as they are meant. */
export const secretsOf = ({ search }: URL): ReadonlyArray<string> =>
  parts(search).flatMap((part) =>
    // One of three characters would be found everywhere, and lets nobody in.
    typeof part === "string" || isOpen(part) || part.value.length < 4 ? [] : [part.value, decode(part.value)],
  )
