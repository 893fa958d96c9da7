/** The published packages as what users install: packed by pnpm, with versions and exports as they will be released. */
import { members, pnpm } from "./workspace.mjs"

/** The members that are published. */
export const published = members.filter(({ manifest }) => manifest.private !== true)

/** Packs every published package into a folder; hands back each with its tarball. */
export const pack = (folder) =>
  published.map((member) => {
    const { printed, status, stdout } = pnpm(["--dir", member.folder, "pack", "--json", "--pack-destination", folder])
    if (status !== 0) throw new Error(`${member.manifest.name} does not pack:\n${printed}`)
    return { ...member, tarball: JSON.parse(stdout.slice(stdout.indexOf("{"))).filename }
  })

/** A published package with those of its siblings that are installed beside it. */
export const withSiblings = (packed, name, seen = new Set()) => {
  const member = packed.find(({ manifest }) => manifest.name === name)
  if (member === undefined || seen.has(member)) return seen
  seen.add(member)
  for (const dependency of Object.keys(member.manifest.dependencies ?? {})) withSiblings(packed, dependency, seen)
  return seen
}
