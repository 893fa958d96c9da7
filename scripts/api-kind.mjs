/** What a change of an API report asks of the changesets: nothing, `minor`, or to be called breaking. */

/** Between a line and what it stands in: what no line holds. */
const within = "\n"

const shown = (line) => line.replaceAll(within, " / ")

const closes = /^[)}\]>|]/

/** Every line of a report with all that it stands in, so that a line which only moves by an export is no other line. */
const lines = (report) => {
  let section = ""
  let open = []
  return report.split("\n").flatMap((line) => {
    const text = line.trim()
    if (line.startsWith("#")) section = line
    if (text === "" || line.startsWith("#") || line.startsWith("```") || line.startsWith("import ")) return []
    const depth = line.length - line.trimStart().length
    const inside = open.filter((each) => each.depth < depth || (each.depth === depth && closes.test(text)))
    const path = [...(inside.at(-1)?.path ?? [section]), text]
    open = closes.test(text) ? inside : [...inside, { depth, path }]
    return [path.join(within)]
  })
}

/** What each name is imported from, by section: a name that comes from elsewhere is another type. */
const imports = (report) =>
  new Map(
    report
      .split(/^## /m)
      .flatMap((section) =>
        [...section.matchAll(/^import (.+) from (.+)$/gm)].map(([, name, from]) => [
          `## ${section.slice(0, section.indexOf("\n"))} / import ${name} from`,
          from,
        ]),
      ),
  )

const count = (items) => {
  const counts = new Map()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** What of `one` is not in `other`. */
const without = (one, other) => {
  const rest = count(lines(other))
  return [...count(lines(one))].filter(([line, times]) => times > (rest.get(line) ?? 0)).map(([line]) => line)
}

/** What may be left out, and what a class computes: new, they ask nothing of code that does not know of them. */
const asksNothing = /^(readonly )?[\w$."'[\]-]+\?[:(]|^(get|static) /

/**
 * Whether a new line breaks code that was right before: it stands in what was there already, and is no member that may be
 * left out. So a field that must be given, an argument, a member of a union that was matched to its end, and also a method,
 * which breaks those who implement it.
 */
const asks = (before) => {
  const known = new Set(lines(before))
  return (line) => {
    const end = line.lastIndexOf(within)
    return known.has(line.slice(0, end)) && !asksNothing.test(line.slice(end + within.length))
  }
}

/** The lines that are gone or changed, those that are new, and which of these break code that was right before. */
const compare = (before, after) => {
  const now = imports(after)
  const elsewhere = [...imports(before)].filter(([name, from]) => (now.get(name) ?? from) !== from)
  const added = without(after, before)
  return {
    gone: [...without(before, after).map(shown), ...elsewhere.map(([name, from]) => `${name} ${from}`)],
    added: added.map(shown),
    asking: added.filter(asks(before)).map(shown),
  }
}

/** A changeset says so where such a line breaks nobody's code: an argument that may now be left out, a method that none else writes. */
const compatible = "<!-- api: compatible -->"

const isBreaking = (version) => (changeset) =>
  version.startsWith("0.")
    ? changeset.kind !== "patch" && changeset.text.startsWith("**Breaking:**")
    : changeset.kind === "major"

const isAtLeastMinor = (changeset) => changeset.kind !== "patch"

/**
 * What is wrong with a package's changesets (`{ kind, text }`), given its report at the last release (none before the
 * first) and now, and the version that was released: lines, none where all is well.
 */
export const complaints = ({ after, before = "", changesets, version }) => {
  const { added, asking, gone } = compare(before, after)
  const accepted = changesets.some((changeset) => isAtLeastMinor(changeset) && changeset.text.includes(compatible))
  if (gone.length + asking.length > 0 && !accepted && !changesets.some(isBreaking(version)))
    return [
      ...(gone.length > 0 ? ["These lines of its API report are gone or changed:"] : []),
      ...gone.map((line) => `  - ${line}`),
      ...(asking.length > 0 ? ["These are new in what its API report held already, and cannot be left out:"] : []),
      ...asking.map((line) => `  + ${line}`),
      version.startsWith("0.")
        ? "Add a changeset: `minor`, its text beginning with **Breaking:** and saying what to write instead."
        : "Add a changeset: `major`, its text beginning with **Breaking:** and saying what to write instead.",
      `Where no user's code breaks by it, a \`minor\` one that holds ${compatible} will do.`,
    ]
  if (added.length > 0 && !changesets.some(isAtLeastMinor))
    return [
      "These lines of its API report are new:",
      ...added.slice(0, 20).map((line) => `  + ${line}`),
      ...(added.length > 20 ? [`  and ${added.length - 20} more`] : []),
      "Add a `minor` changeset.",
    ]
  return []
}
